// The numerical case study as a REST service: `ncs.js` by paths.
//
// Its document says nothing of 400, the answer to what is no number and to what a function
// refuses; so a tester that compares answers with the document has something to find.

import { readFileSync } from "node:fs";

import express from "express";

import { Refused, bessj, expint, fisher, gammq, remainder, triangle } from "./ncs.js";
import { double, int32, refuseWrongInputs } from "../../node/inputs.js";

const document = JSON.parse(readFileSync(new URL("openapi.json", import.meta.url), "utf8"));

const ofInt = (result) => ({ resultAsInt: result, resultAsDouble: null });

// JSON has no word for NaN and the infinities: they are null.
const ofDouble = (result) => ({
  resultAsInt: null,
  resultAsDouble: Number.isFinite(result) ? result : null,
});

const app = express();
app.disable("x-powered-by");

app.get("/openapi.json", (_request, response) => {
  response.json(document);
});

app.get("/api/triangle/:a/:b/:c", ({ params }, response) => {
  response.json(ofInt(triangle(int32(params.a), int32(params.b), int32(params.c))));
});

app.get("/api/bessj/:n/:x", ({ params }, response) => {
  response.json(ofDouble(bessj(int32(params.n), double(params.x))));
});

app.get("/api/expint/:n/:x", ({ params }, response) => {
  response.json(ofDouble(expint(int32(params.n), double(params.x))));
});

app.get("/api/fisher/:m/:n/:x", ({ params }, response) => {
  response.json(ofDouble(fisher(int32(params.m), int32(params.n), double(params.x))));
});

app.get("/api/gammq/:a/:x", ({ params }, response) => {
  response.json(ofDouble(gammq(double(params.a), double(params.x))));
});

app.get("/api/remainder/:a/:b", ({ params }, response) => {
  response.json(ofInt(remainder(int32(params.a), int32(params.b))));
});

app.use((error, _request, response, next) => {
  if (!(error instanceof Refused)) return next(error);
  response.status(400).end();
});
app.use(refuseWrongInputs);

app.listen(Number(process.argv[2]), "127.0.0.1");
