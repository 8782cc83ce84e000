// Shed: requests that succeed.
// Written by: fossick test openapi.json --seed 1

const { alice, anybody, bob, fresh } = require("./support");

test("tool is made and read back", async () => {
  const mark = fresh("Ab-9z9Z9");
  const code = fresh("ZZ-1234");

  // Step 1: makes a tool.
  let answer = await alice.post("/tools", {
    json: {
      name: ["Spirit level ", mark].join(""),
      code,
      deposit: 900,
      boughtOn: null,
      tags: ["level", [mark, "!"].join(""), "blue"],
      maker: { name: 'O\'Brien & "Sons"', towns: [] },
    },
  });
  expect(answer).toHaveStatus(201);
  expect(answer).toHaveMediaType("application/json");
  expect(answer).toHaveKind(["id"], "integer");
  expect(answer).toHaveKind(["name"], "string");
  expect(answer).toHaveValue(["code"], code);
  expect(answer).toHaveValue(["deposit"], 900);
  expect(answer).toHaveValue(["boughtOn"], null);
  expect(answer).toHaveSize(["tags"], 3);
  expect(answer).toHaveValue(["tags", 0], "level");
  expect(answer).toHaveValue(["tags", 2], "blue");
  expect(answer).toLack(["tags", 3]);
  expect(answer).toHaveKind(["maker"], "object");
  expect(answer).toHaveValue(["maker", "name"], 'O\'Brien & "Sons"');
  expect(answer).toHaveSize(["maker", "towns"], 0);
  expect(answer).toLack(["pin"]);
  expect(answer).toFitSchema("Tool");
  const toolId = answer.location();
  const tag = answer.header("ETag");
  const number = answer.take("/id");
  const tags = answer.take("/tags");

  // Step 2: reads it back.
  answer = await alice.get("/tools/{toolId}", { path: { toolId } });
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveMediaType("application/json");
  expect(answer).toHaveValue(["id"], number);
  expect(answer).toHaveValue(["tags"], tags);
  expect(answer).toFitSchema("Tool");

  // Step 3: asks whether it has changed.
  answer = await alice.get("/tools/{toolId}", {
    path: { toolId },
    headers: { "If-None-Match": tag, Accept: "application/json" },
  });
  expect(answer).toHaveStatus(304);
  expect(answer).toHaveNoBody();

  answer = await alice.head("/tools/{toolId}", { path: { toolId } });
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveMediaType("application/json");
  expect(answer).toHaveNoBody();
});

test("tool is found by a name that needs escapes", async () => {
  // The name has a slash, a space, an apostrophe and letters beyond ASCII.
  const name = fresh('Zoë\'s 1/2 saw & 100% "x6fch"');

  // Step 1: makes a tool.
  let answer = await alice.post("/tools", {
    json: { name, code: "ME-0042", tags: ["level", "blue"] },
  });
  expect(answer).toHaveStatus(201);
  expect(answer).toHaveMediaType("application/json");
  const number = answer.take("/id");

  answer = await bob.get("/tools?sort=id&name={name}", { path: { name } });
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveSize([], 1);
  expect(answer).toHaveValue([0, "id"], number);
  expect(answer).toHaveValue([0, "name"], name);

  // Step 3: has moved; nobody follows.
  answer = await bob.get("/former/{name}", { path: { name } });
  expect(answer).toHaveStatus(301);
  expect(answer).toHaveNoBody();
  const there = answer.location();

  answer = await bob.get("/named/{there}", { path: { there } });
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveMediaType("application/json");
  expect(answer).toHaveValue(["name"], name);
  expect(answer).toHaveValue(["name"], there);

  // Step 5: asks GraphQL for it.
  answer = await bob.post("/graphql", {
    json: {
      query:
        "query Tool($name: String!) {\n  tool(name: $name) {\n    id\n    name\n  }\n}",
      variables: { name },
      operationName: "Tool",
    },
  });
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveMediaType("application/json");
  expect(answer).toLack(["errors"]);
  expect(answer).toHaveValue(["data", "tool", "id"], number);
  expect(answer).toHaveValue(["data", "tool", "name"], name);
});

test("tool is listed among those of others", async () => {
  // Where it stands in the lists is a matter of what others made.
  const name = fresh("plane-k3x9q");

  // Step 1: makes a tool.
  let answer = await alice.post("/tools", {
    json: { name, code: "LI-0007", tags: ["level", "blue"], boughtOn: null },
  });
  expect(answer).toHaveStatus(201);
  expect(answer).toHaveKind(["id"], "integer");
  const toolId = answer.take("/id");

  answer = await alice.get("/tools");
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveKind([], "array");
  expect(answer).toHaveKind([{ id: toolId }], "object");
  expect(answer).toHaveValue([{ id: toolId }, "id"], toolId);
  expect(answer).toHaveValue([{ id: toolId }, "code"], "LI-0007");
  expect(answer).toHaveValue([{ id: toolId }, "boughtOn"], null);
  expect(answer).toHaveSize([{ id: toolId }, "tags"], 2);
  expect(answer).toHaveValue([{ id: toolId }, "tags", 1], "blue");
  expect(answer).toLack([{ id: toolId }, "pin"]);

  // Step 3: asks for pages.
  answer = await bob.get("/catalogue");
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveKind(["catalogue", "edges"], "array");
  expect(answer).toHaveValue(
    ["catalogue", "edges", { node: { id: toolId } }, "node", "name"],
    name,
  );
  expect(answer).toHaveValue(
    ["catalogue", "edges", { node: { name: name } }, "node", "id"],
    toolId,
  );
  expect(answer).toHaveKind(
    ["catalogue", "edges", { node: { name: name } }, "node", "id"],
    "number",
  );
  expect(answer).toHaveValue(["catalogue", "names", [name]], name);
  expect(answer).toLack(["catalogue", "edges", { id: toolId }]);

  // Step 4: looks where it is not.
  answer = await alice.get("/tools?name=nobody");
  expect(answer).toHaveStatus(200);
  expect(answer).toLack([{ id: toolId }]);
});

test("odd texts come as they are", async () => {
  // Nothing in an answer may break a test: not ''' nor """ nor * / nor ? > nor
  // -- > nor \u002a/ nor ${x} nor {{x}}.

  const answer = await anybody.get("/odd");
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveMediaType("application/json");
  expect(answer).toHaveValue(
    ['it\'s "quoted"'],
    "'; DROP TABLE tools; -- \" \\ `",
  );
  expect(answer).toHaveValue(
    ["a/b~c.d"],
    "${HOME} $HOME $(id) `id` #{x} {{x}} {x} %s %(x)s",
  );
  expect(answer).toHaveValue(["$ref"], "*/ // ?> --> <!-- ]]> </script> <?php");
  expect(answer).toHaveValue(
    [""],
    "line one\nline two\r\n\ttab\u000c\u0008\u0001\u007f\u0085\u2028\u2029end",
  );
  expect(answer).toHaveValue(["0"], "\\u0022 \\x22 \\n \\' \\\" \\\\ \\");
  expect(answer).toHaveValue(
    ["unicode"],
    "Zoë 木 \ud83d\udee0 \u202e\ufeff e\u0301",
  );
  expect(answer).toHaveValue(
    ["long"],
    "A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, ",
  );
  expect(answer).toHaveSize(["numbers"], 7);
  expect(answer).toHaveValue(["numbers", 0], 0);
  expect(answer).toHaveValue(["numbers", 1], -1);
  expect(answer).toHaveValue(["numbers", 2], 2.5);
  expect(answer).toHaveValue(["numbers", 3], 1e-7);
  expect(answer).toHaveValue(["numbers", 4], 1e300);
  expect(answer).toHaveValue(["numbers", 5], 9007199254740993n);
  expect(answer).toHaveValue(["numbers", 6], 18446744073709551615n);
  expect(answer).toHaveSize(["scalars"], 6);
  expect(answer).toHaveValue(["scalars", 0], true);
  expect(answer).toHaveValue(["scalars", 1], false);
  expect(answer).toHaveValue(["scalars", 2], null);
  expect(answer).toHaveValue(["scalars", 3], "");
  expect(answer).toHaveKind(["scalars", 4], "object");
  expect(answer).toHaveSize(["scalars", 5], 0);
  expect(answer).toHaveSize(["deep"], 1);
  expect(answer).toHaveSize(["deep", 0], 1);
  expect(answer).toHaveSize(["deep", 0, 0, "deeper"], 1);
  expect(answer).toHaveValue(["deep", 0, 0, "deeper", 0, "deepest"], "here");
  expect(answer).toHaveKind(["numbers", 0], "integer");
  expect(answer).toHaveKind(["numbers", 0], "number");
  expect(answer).toHaveKind(["numbers", 2], "number");
  expect(answer).toHaveKind(["scalars", 0], "boolean");
  expect(answer).toHaveKind(["scalars", 2], "null");
  expect(answer).toHaveKind(["scalars", 5], "array");
  expect(answer).toLack(["scalars", 6]);
  expect(answer).toLack(["deep", 0, 0, "shallow"]);
  expect(answer).toHaveKind([], "object");
  expect(answer).toFitSchema("Odd */ '\" thing");
});

test("bodies go out as they are", async () => {
  const mark = fresh("a1B2c3");

  let answer = await anybody.post("/echo", {
    text: 'line one\nit\'s "two" \\ ${HOME} {{x}} `id` $(id) %s\r\n\tend é ',
    mediaType: "text/plain",
  });
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveMediaType("text/plain");
  expect(answer).toHaveText(
    'line one\nit\'s "two" \\ ${HOME} {{x}} `id` $(id) %s\r\n\tend é ',
  );

  answer = await anybody.post("/measure", {
    headers: { "X-Note": ["mark is '", mark, "'"].join("") },
    text: ["mark=", mark, "&more=%20"].join(""),
    mediaType: "application/x-www-form-urlencoded",
  });
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveValue(["method"], "POST");
  expect(answer).toHaveValue(
    ["media_type"],
    "application/x-www-form-urlencoded",
  );
  expect(answer).toHaveValue(["size"], 20);
  expect(answer).toHaveKind(["note"], "string");

  answer = await anybody.put("/measure", {
    bytes: Buffer.from("00fffe7b7d27225c0a0d24", "hex"),
    mediaType: "application/octet-stream",
  });
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveValue(["media_type"], "application/octet-stream");
  expect(answer).toHaveValue(["hex"], "00fffe7b7d27225c0a0d24");

  answer = await anybody.patch("/measure", {
    json: { a: 1, b: [true, null], c: "\u2028" },
    mediaType: "application/merge-patch+json",
  });
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveValue(["media_type"], "application/merge-patch+json");

  answer = await anybody.post("/measure");
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveValue(["media_type"], "");
  expect(answer).toHaveValue(["size"], 0);
  expect(answer).toHaveValue(["note"], null);
});

test("list and number stand alone", async () => {
  let answer = await anybody.get("/categories");
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveKind([], "array");
  expect(answer).toHaveSize([], 2);
  expect(answer).toHaveValue([0], "hand");
  expect(answer).toHaveKind([1], "string");
  expect(answer).toLack([2]);

  answer = await anybody.get("/count");
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveValue([], 3);
  expect(answer).toHaveKind([], "integer");
  expect(answer).toHaveKind([], "number");
});
