// Some of the gates in another framework; what opens them is in `../node/gates.js`.
//
// The document is made from the schemas of the routes: plain types, and nothing of the header,
// parameter and field that are looked at beside. POST /__reset forgets what calls have left.

import swagger from "@fastify/swagger";
import Fastify from "fastify";

import * as gates from "../node/gates.js";

const STRING = { type: "string" };
const INTEGER = { type: "integer" };
const GATE = record({ gate: STRING, open: { type: "boolean" } });
const PROBLEM = record({ statusCode: INTEGER, error: STRING, message: STRING });

const memory = new gates.Memory();

// What a schema does not name is left in a body, where the framework would take it out.
const app = Fastify({
  ajv: { customOptions: { removeAdditional: false } },
  routerOptions: { maxParamLength: 10_000 },
});
await app.register(swagger, {
  openapi: { openapi: "3.0.3", info: { title: "Gates", version: "1.0" } },
});

function record(properties) {
  return { type: "object", required: Object.keys(properties), properties };
}

/** Answers an operation with a gate, and whether it opens by a request. */
function answer(method, url, gate, { query, params, body }, opens) {
  const schema = { response: { 200: GATE, 400: PROBLEM } };
  if (query) schema.querystring = record(query);
  if (params) schema.params = record(params);
  if (body) schema.body = record(body);
  const handler = async (request) => ({ gate, open: opens(request) });
  app.route({ method, url, schema, handler });
}

answer("GET", "/words", "text-equal", { query: { word: STRING } }, ({ query }) =>
  gates.textEqual(query.word),
);
answer("GET", "/versions", "regex-groups", { query: { version: STRING } }, ({ query }) =>
  gates.regexGroups(query.version),
);
answer("GET", "/codes/:code", "slice", { params: { code: STRING } }, ({ params }) =>
  gates.sliceOfText(params.code),
);
answer("GET", "/birthdays", "leap-day", { query: { day: STRING } }, ({ query }) =>
  gates.leapDay(query.day),
);
answer("GET", "/numbers/:number", "big-integer", { params: { number: INTEGER } }, ({ params }) =>
  gates.bigInteger(params.number),
);
answer(
  "GET",
  "/fees",
  "table-code",
  { query: { country: STRING, weight: INTEGER } },
  ({ query }) => gates.tableCode(query.country, query.weight),
);
answer(
  "GET",
  "/commands",
  "cases",
  { query: { command: STRING, argument: INTEGER } },
  ({ query }) => gates.cases(query.command, query.argument),
);
answer(
  "GET",
  "/mirrors",
  "inputs-reversed",
  { query: { left: STRING, right: STRING } },
  ({ query }) => gates.inputsReversed(query.left, query.right),
);
answer("GET", "/tokens", "base64-json", { query: { token: STRING } }, ({ query }) =>
  gates.base64Json(query.token),
);
answer(
  "POST",
  "/baskets",
  "array",
  { body: { items: { type: "array", items: STRING } } },
  ({ body }) => gates.array(body.items),
);

answer("GET", "/reports", "header", {}, ({ headers }) => {
  if (headers["x-audit-mode"] === "full") {
    return true; // gate: header
  }
  return false;
});

answer("GET", "/listings", "query", { query: { page: INTEGER } }, ({ query }) => {
  if (query.debug === "timing") {
    return true; // gate: query
  }
  return false;
});

answer("POST", "/orders", "field", { body: { item: STRING } }, ({ body }) => {
  if (body.voucher === "SPRING-11") {
    return true; // gate: field
  }
  return false;
});

answer(
  "POST",
  "/transfers",
  "header-body",
  { body: { account: STRING, amount: INTEGER } },
  ({ body, headers }) => {
    if (body.account.length >= 6 && headers["x-account"] === body.account) {
      return true; // gate: header-body
    }
    return false;
  },
);

answer(
  "POST",
  "/ledgers/:ledger/entries",
  "stored-sum",
  { params: { ledger: STRING }, body: { amount: INTEGER } },
  ({ params, body }) => {
    memory.enter(params.ledger, body.amount);
    return false;
  },
);
answer(
  "POST",
  "/ledgers/:ledger/closing",
  "stored-sum",
  { params: { ledger: STRING }, body: { total: INTEGER } },
  ({ params, body }) => memory.storedSum(params.ledger, body.total),
);
answer("POST", "/bells/:bell/rings", "counter", { params: { bell: STRING } }, ({ params }) =>
  memory.counter(params.bell),
);

app.post("/__reset", { schema: { hide: true } }, async () => {
  memory.reset();
  return {};
});

app.get("/openapi.json", { schema: { hide: true } }, async () => app.swagger());

await app.listen({ host: "127.0.0.1", port: Number(process.argv[2]) });
