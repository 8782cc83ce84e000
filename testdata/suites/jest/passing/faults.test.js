// Shed: suspected faults.
// Written by: fossick test openapi.json --seed 1

const { alice, anybody, bob, fresh } = require("./support");

test("deleted repair is still served", async () => {
  // A repair is made and deleted; then somebody looks for it.
  // It should be gone: 404 or 410.
  // Suspected fault F301, still served after it was deleted: DELETE answered
  // 204, and the same path answers 200 afterwards with the repair as it was
  // before it was deleted.
  const name = fresh("spirit level x6fch");

  // Step 1: makes a tool.
  let answer = await alice.post("/tools", {
    json: { name, code: "ME-0042", tags: ["level", "blue"] },
  });
  expect(answer).toHaveStatus(201);
  expect(answer).toHaveMediaType("application/json");
  const toolId = answer.location();

  // Step 2: makes a repair.
  answer = await alice.post("/tools/{toolId}/repairs", {
    path: { toolId },
    json: { note: "New handle", hours: 1.5, urgent: false },
  });
  expect(answer).toHaveStatus(201);
  const repairId = answer.take("/id");

  answer = await alice.delete("/tools/{toolId}/repairs/{repairId}", {
    path: { toolId, repairId },
  });
  expect(answer).toHaveStatus(204);
  expect(answer).toHaveNoBody();

  // Step 4: looks at what is gone.
  answer = await alice.get("/tools/{toolId}/repairs/{repairId}", {
    path: { toolId, repairId },
  });
  // The suspected fault: F301, still served after it was deleted.
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveMediaType("application/json");
  expect(answer).toHaveValue(["id"], repairId);
  expect(answer).toHaveKind(["tool"], "integer");
  expect(answer).toHaveValue(["note"], "New handle");
  expect(answer).toHaveValue(["hours"], 1.5);
  expect(answer).toHaveValue(["urgent"], false);
});

test("ledger is shown to anybody", async () => {
  // Suspected fault F401, authentication ignored: The contract asks for a
  // token; the request had none.

  // Step 1: somebody of the staff may see it.
  let answer = await alice.get("/staff/ledger");
  expect(answer).toHaveStatus(200);

  // Step 2: so may everybody else.
  answer = await anybody.get("/staff/ledger");
  // The suspected fault: F401, authentication ignored.
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveSize(["loans"], 0);
});

test("fee of the ledger is a text", async () => {
  // Suspected fault F201, answer breaks its schema: /fee is a string where a
  // number is promised. * / ? > -- > ''' """ \ #

  const answer = await bob.get("/staff/ledger");
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveMediaType("application/json");
  // The suspected fault: F201, answer breaks its schema.
  expect(answer).toHaveKind(["fee"], "string");
  expect(answer).toHaveValue(["fee"], "12");
});

test("size of a listed tool is a text", async () => {
  // Suspected fault F201, answer breaks its schema: size is a string where a
  // number is promised.
  const name = fresh("plane-k3x9q");

  // Step 1: makes a tool.
  let answer = await alice.post("/tools", {
    json: { name, code: "LI-0007", size: 3 },
  });
  expect(answer).toHaveStatus(201);
  expect(answer).toHaveKind(["id"], "integer");
  const toolId = answer.take("/id");

  answer = await alice.get("/tools");
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveMediaType("application/json");
  expect(answer).toHaveKind([], "array");
  expect(answer).toHaveValue([{ id: toolId }, "name"], name);
  // The suspected fault: F201, answer breaks its schema.
  expect(answer).toHaveKind([{ id: toolId }, "size"], "string");
});

test("limit of 73 ends in a crash", async () => {
  // Any other limit is served.
  // Suspected fault F101, server error: The service answered 500 to a request
  // that the contract allows.

  const answer = await alice.get("/tools?limit=73&available=true");
  // The suspected fault: F101, server error.
  expect(answer).toHaveStatus(500);
  expect(answer).toHaveMediaType("application/problem+json");
  expect(answer).toHaveValue(["detail"], "something went wrong in here");
});
