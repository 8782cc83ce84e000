// Shed: requests that are refused, and what else was seen.
// Written by: fossick test openapi.json --seed 1

const { alice, anybody, bob, fresh } = require("./support");

test("tool without a code is refused", async () => {
  const name = fresh("amber-x6fch");

  let answer = await alice.post("/tools", { json: { name } });
  expect(answer).toHaveStatus(400);
  expect(answer).toHaveMediaType("application/problem+json");
  expect(answer).toHaveValue(["status"], 400);
  expect(answer).toHaveKind(["detail"], "string");

  // Step 2: sends JSON that breaks off.
  answer = await alice.post("/tools", {
    text: ['{"name": "', name, '", '].join(""),
    mediaType: "application/json",
  });
  expect(answer).toHaveStatus(400);
});

test("loans need a token", async () => {
  let answer = await anybody.get("/staff/loans");
  expect(answer).toHaveStatus(401);
  expect(answer).toHaveMediaType("application/problem+json");
  expect(answer).toLack(["loans"]);
  const scheme = answer.header("WWW-Authenticate");

  answer = await anybody.post("/measure", { json: { scheme } });
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveKind(["size"], "integer");

  answer = await alice.get("/staff/loans");
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveValue(["by"], "demo");
  expect(answer).toHaveSize(["loans"], 0);

  answer = await bob.get("/staff/loans");
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveValue(["by"], "-bob");
});

test("tool that nobody has is not found", async () => {
  const answer = await alice.get("/tools/999999999");
  expect(answer).toHaveStatus(404);
  expect(answer).toHaveMediaType("application/problem+json");
  expect(answer).toHaveValue(["detail"], "there is no such tool");
});
