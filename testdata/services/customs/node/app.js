// A customs office: declarations, tariffs, parcels, officers and seals.
//
// POST /__reset forgets what earlier calls have left.

"use strict";

const express = require("express");

const rules = require("./rules.js");
const document = require("./openapi.json");

const office = new rules.Office();
const app = express();
app.disable("x-powered-by");
app.use(express.json());

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function text(value) {
  if (typeof value !== "string") throw new Refusal(422, "not a text");
  return value;
}

function number(value) {
  if (typeof value !== "number") throw new Refusal(422, "not a number");
  return value;
}

function integer(value) {
  if (!Number.isInteger(value)) throw new Refusal(422, "not an integer");
  return value;
}

function digits(value) {
  if (typeof value !== "string" || !/^-?[0-9]+$/.test(value)) {
    throw new Refusal(422, "not an integer");
  }
  return Number(value);
}

function list(value, each) {
  if (!Array.isArray(value)) throw new Refusal(422, "not a list");
  return value.map(each);
}

/** The named fields of an object, each as its reader gives it. */
function fields(value, readers) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Refusal(422, "not an object");
  }
  const result = {};
  for (const [name, reader] of Object.entries(readers)) result[name] = reader(value[name]);
  return result;
}

function found(register, key) {
  if (!register.has(key)) throw new Refusal(404, "not known");
  return register.get(key);
}

function view(declaration) {
  return {
    number: declaration.number,
    reference: declaration.reference,
    lines: declaration.items.length,
  };
}

function item(value) {
  return fields(value, { code: text, quantity: integer, value: number });
}

app.get("/openapi.json", (request, response) => response.json(document));

app.post("/declarations", (request, response) => {
  const body = fields(request.body, {
    reference: text, origin: text, declared_on: text, items: (value) => list(value, item),
  });
  rules.checkReference(body.reference);
  rules.checkOrigin(body.origin);
  rules.checkDay(body.declared_on);
  rules.checkItems(body.items);
  response.status(201).json(view(office.declare(body)));
});

app.get("/declarations", (request, response) => {
  const q = text(request.query.q);
  rules.checkSearch(q);
  const all = [...office.declarations.values()];
  response.json(all.filter((each) => each.reference.includes(q)).slice(0, 20).map(view));
});

app.get("/declarations/:number", (request, response) => {
  response.json(view(found(office.declarations, digits(request.params.number))));
});

app.post("/declarations/:number/amendments", (request, response) => {
  const at = digits(request.params.number);
  const body = fields(request.body, { reason: text, value: number });
  const known = found(office.declarations, at);
  rules.checkAmendment(known, body.reason);
  response.json(view(known));
});

app.get("/tariffs/:code", (request, response) => {
  const quantity = digits(request.query.quantity);
  const weight = digits(request.query.weight);
  rules.checkCode(request.params.code);
  rules.checkLoad(quantity, weight);
  response.json({ code: request.params.code, duty: rules.duty(quantity) });
});

app.post("/quotes", (request, response) => {
  const body = fields(request.body, { code: text, value: number, currency: text });
  rules.checkTreaty(request.get("x-treaty") ?? "");
  rules.checkExemptions(request.body);
  rules.checkCurrency(body.currency, body.value);
  response.json({ code: body.code, duty: rules.duty(body.value) });
});

app.post("/parcels", (request, response) => {
  const body = fields(request.body, {
    barcode: text, sender: text, label: text, arrived: text, released: text,
  });
  rules.checkLabel(body.label);
  rules.checkStay(body.arrived, body.released);
  office.parcels.set(body.barcode, { ...body, returns: [] });
  response.status(201).json({ barcode: body.barcode, sender: body.sender });
});

app.get("/parcels/:barcode", (request, response) => {
  const known = found(office.parcels, request.params.barcode);
  rules.checkReturn(known, request.query.via);
  response.json({ barcode: known.barcode, sender: known.sender });
});

app.post("/officers/login", (request, response) => {
  const body = fields(request.body, { badge: text, phrase: text });
  office.login(body.badge, body.phrase);
  response.json({ badge: body.badge });
});

app.put("/officers/:badge/shift", (request, response) => {
  const body = fields(request.body, { begin: text, end: text, post: text });
  office.shift(body.begin, body.end, body.post);
  response.json({ badge: request.params.badge });
});

app.post("/seals", (request, response) => {
  const body = fields(request.body, {
    serial: text, kind: text, weights: (value) => list(value, integer),
  });
  rules.checkWeights(body.weights);
  office.seal(body);
  response.status(201).json({ serial: body.serial, kind: body.kind });
});

app.post("/seals/:serial/break", (request, response) => {
  const body = fields(request.body, { token: text, officer: text });
  const known = found(office.seals, request.params.serial);
  rules.checkToken(body.token);
  response.json({ serial: known.serial, kind: known.kind });
});

app.post("/__reset", (request, response) => {
  office.forget();
  response.status(204).end();
});

app.use((error, request, response, next) => {
  if (error instanceof Refusal) {
    response.status(error.status).json({ detail: error.message });
  } else if (error.type === "entity.parse.failed") {
    response.status(422).json({ detail: "not JSON" });
  } else if (error.status >= 400 && error.status < 500) {
    response.status(error.status).json({ detail: error.message });
  } else {
    console.error(error.stack);
    response.status(500).json({ detail: "Internal Server Error" });
  }
});

app.listen(Number(process.argv[2]), "127.0.0.1");
