// Gates of every kind as a REST service; what opens them is in `gates.js`.
//
// The document tells plain types, and nothing of the header, parameter and fields that are looked
// at beside. POST /__reset forgets what earlier calls have left.

"use strict";

const express = require("express");

const { WrongInput, double, int32, refuseWrongInputs, text } = require("../../node/inputs.js");
const gates = require("./gates.js");
const document = require("./openapi.json");

const memory = new gates.Memory();

const app = express();
app.disable("x-powered-by");
app.use(express.json());

function integer(value) {
  if (!Number.isInteger(value)) throw new WrongInput(`not an integer: ${value}`);
  return value;
}

function texts(value) {
  if (!Array.isArray(value)) throw new WrongInput("a list is missing");
  return value.map(text);
}

/** Answers an operation with a gate, and whether it opens by a request. */
function answer(method, path, gate, opens) {
  app[method](path, (request, response) => {
    request.body ??= {};
    response.json({ gate, open: opens(request) });
  });
}

answer("get", "/words", "text-equal", ({ query }) => gates.textEqual(text(query.word)));
answer("get", "/animals", "text-folded", ({ query }) => gates.textFolded(text(query.name)));
answer("get", "/plates", "prefix-suffix", ({ query }) => gates.prefixSuffix(text(query.plate)));
answer("get", "/notes", "contains", ({ query }) => gates.contains(text(query.text)));
answer("get", "/serials", "regex-whole", ({ query }) => gates.regexWhole(text(query.serial)));
answer("get", "/versions", "regex-groups", ({ query }) => gates.regexGroups(text(query.version)));
answer("get", "/paints", "regex-alternatives", ({ query }) =>
  gates.regexAlternatives(text(query.paint)),
);
answer("get", "/codes/:code", "slice", ({ params }) => gates.sliceOfText(params.code));
answer("get", "/routes/:route", "split", ({ params }) => gates.split(params.route));
answer("get", "/birthdays", "leap-day", ({ query }) => gates.leapDay(text(query.day)));
answer("get", "/appointments", "weekday", ({ query }) => gates.weekday(text(query.at)));
answer("get", "/stays", "date-after", ({ query }) =>
  gates.dateAfter(text(query.arrival), text(query.departure)),
);
answer("get", "/numbers/:number", "big-integer", ({ params }) =>
  gates.bigInteger(int32(params.number)),
);
answer("get", "/rectangles", "sum-product", ({ query }) =>
  gates.sumProduct(int32(query.width), int32(query.height)),
);
answer("get", "/cards/:card", "checksum", ({ params }) => gates.checksum(params.card));
answer("get", "/temperatures", "float-range", ({ query }) =>
  gates.floatRange(double(query.celsius)),
);
answer("get", "/fees", "table-code", ({ query }) =>
  gates.tableCode(text(query.country), int32(query.weight)),
);
answer("get", "/airports/:airport", "member", ({ params }) => gates.member(params.airport));
answer("get", "/sizes", "enum-name", ({ query }) => gates.enumName(text(query.size)));
answer("get", "/commands", "cases", ({ query }) =>
  gates.cases(text(query.command), int32(query.argument)),
);
answer("post", "/passwords", "inputs-equal", ({ body }) =>
  gates.inputsEqual(text(body.password), text(body.repeated)),
);
answer("get", "/mirrors", "inputs-reversed", ({ query }) =>
  gates.inputsReversed(text(query.left), text(query.right)),
);
answer("get", "/labels", "inputs-upper", ({ query }) =>
  gates.inputsUpper(text(query.name), text(query.label)),
);
answer("get", "/tokens", "base64-json", ({ query }) => gates.base64Json(text(query.token)));
answer("post", "/imports", "json-text", ({ body }) => gates.jsonText(text(body.document)));
answer("get", "/devices/:device", "uuid-version", ({ params }) =>
  gates.uuidVersion(params.device),
);
answer("post", "/baskets", "array", ({ body }) => gates.array(texts(body.items)));
answer("get", "/loans", "four-conditions", ({ query }) =>
  gates.fourConditions(
    int32(query.amount),
    int32(query.months),
    text(query.purpose),
    text(query.grade),
  ),
);

answer("get", "/reports", "header", (request) => {
  if (request.get("x-audit-mode") === "full") {
    return true; // gate: header
  }
  return false;
});

answer("get", "/listings", "query", ({ query }) => {
  int32(query.page);
  if (query.debug === "timing") {
    return true; // gate: query
  }
  return false;
});

answer("post", "/orders", "field", ({ body }) => {
  text(body.item);
  if (body.voucher === "SPRING-11") {
    return true; // gate: field
  }
  return false;
});

answer("post", "/profiles", "nested-field", ({ body }) => {
  text(body.name);
  if (body.settings?.theme?.accent === "teal") {
    return true; // gate: nested-field
  }
  return false;
});

answer("post", "/transfers", "header-body", (request) => {
  const account = text(request.body.account);
  integer(request.body.amount);
  if (account.length >= 6 && request.headers["x-account"] === account) {
    return true; // gate: header-body
  }
  return false;
});

app.post("/tickets", (_request, response) => {
  response.json(memory.draw());
});

answer("get", "/raffle", "sum-of-answers", ({ query }) =>
  memory.sumOfAnswers(int32(query.first), int32(query.second), int32(query.total)),
);

answer("post", "/ledgers/:ledger/entries", "stored-sum", ({ params, body }) => {
  memory.enter(params.ledger, integer(body.amount));
  return false;
});

answer("post", "/ledgers/:ledger/closing", "stored-sum", ({ params, body }) =>
  memory.storedSum(params.ledger, integer(body.total)),
);

answer("put", "/valves/:valve", "state", ({ params, body }) => {
  memory.turn(params.valve, text(body.position));
  return false;
});

answer("get", "/valves/:valve/flow", "state", ({ params }) => memory.state(params.valve));

answer("post", "/bells/:bell/rings", "counter", ({ params }) => memory.counter(params.bell));

app.post("/__reset", (_request, response) => {
  memory.reset();
  response.json({});
});

app.get("/openapi.json", (_request, response) => {
  response.json(document);
});

app.use(refuseWrongInputs);

app.listen(Number(process.argv[2]), "127.0.0.1");
