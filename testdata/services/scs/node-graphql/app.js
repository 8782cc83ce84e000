// The string case study as a GraphQL service: `scs.js` by fields.
//
// A number that is missing or null is 0; a text that is missing or null is an error of the field.

"use strict";

const { GraphQLError, buildSchema } = require("graphql");
const { createHandler } = require("graphql-http/lib/use/express");
const express = require("express");

const scs = require("../node/scs.js");

const schema = buildSchema(`
  type Query {
    calc(op: String, arg1: Float, arg2: Float): String
    cookie(name: String, val: String, site: String): String
    costfuns(i: Int, s: String): String
    dateParse(dayname: String, monthname: String): String
    fileSuffix(directory: String, file: String): String
    notyPevar(i: Int, s: String): String
    ordered4(w: String, x: String, z: String, y: String): String
    pat(txt: String, pat: String): String
    regex(txt: String): String
    text2Txt(word1: String, word2: String, word3: String): String
    title(sex: String, title: String): String
  }
`);

function answer(method, ...inputs) {
  if (inputs.some((input) => input == null)) throw invalidInput();
  return method(...inputs);
}

function invalidInput() {
  const extensions = { errorCode: 400, errorMessage: "Invalid input" };
  return new GraphQLError("Invalid input", { extensions });
}

const rootValue = {
  calc: ({ op, arg1, arg2 }) => String(answer(scs.calc, op, arg1 ?? 0, arg2 ?? 0)),
  cookie: ({ name, val, site }) => answer(scs.cookie, name, val, site),
  costfuns: ({ i, s }) => answer(scs.costfuns, i ?? 0, s),
  dateParse: ({ dayname, monthname }) => answer(scs.dateParse, dayname, monthname),
  fileSuffix: ({ directory, file }) => answer(scs.fileSuffix, directory, file),
  notyPevar: ({ i, s }) => answer(scs.notyPevar, i ?? 0, s),
  ordered4: ({ w, x, z, y }) => answer(scs.ordered4, w, x, z, y),
  pat: ({ txt, pat }) => answer(scs.pat, txt, pat),
  regex: ({ txt }) => answer(scs.regex, txt),
  text2Txt: ({ word1, word2, word3 }) => answer(scs.text2Txt, word1, word2, word3),
  title: ({ sex, title }) => answer(scs.title, sex, title),
};

const app = express();
app.disable("x-powered-by");
app.all("/graphql", createHandler({ schema, rootValue }));
app.listen(Number(process.argv[2]), "127.0.0.1");
