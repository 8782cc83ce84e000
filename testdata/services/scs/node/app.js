// The string case study as a REST service: `scs.js` by paths, answered with bare texts.
//
// Its document says nothing of 400, the answer to what is no number; so a tester that compares
// answers with the document has something to find. `/api/regex` is `/api/pat/:txt` once more,
// with a parameter that may have slashes in it, as addresses need.

"use strict";

const express = require("express");

const { double, int32, refuseWrongInputs, text } = require("../../node/inputs.js");
const document = require("./openapi.json");
const scs = require("./scs.js");

const app = express();
app.disable("x-powered-by");

app.get("/openapi.json", (_request, response) => {
  response.json(document);
});

/** Answers an operation with the text that a function makes of its path. */
function answer(path, told) {
  app.get(path, ({ params }, response) => {
    const result = told(params);
    response.type("text/plain").send(result);
  });
}

answer("/api/calc/:op/:arg1/:arg2", ({ op, arg1, arg2 }) =>
  String(scs.calc(op, double(arg1), double(arg2))),
);
answer("/api/cookie/:name/:val/:site", ({ name, val, site }) => scs.cookie(name, val, site));
answer("/api/costfuns/:i/:s", ({ i, s }) => scs.costfuns(int32(i), s));
answer("/api/dateparse/:dayname/:monthname", ({ dayname, monthname }) =>
  scs.dateParse(dayname, monthname),
);
answer("/api/filesuffix/:directory/:file", ({ directory, file }) =>
  scs.fileSuffix(directory, file),
);
answer("/api/notypevar/:i/:s", ({ i, s }) => scs.notyPevar(int32(i), s));
answer("/api/ordered4/:w/:x/:z/:y", ({ w, x, z, y }) => scs.ordered4(w, x, z, y));
answer("/api/pat/:txt/:pat", ({ txt, pat }) => scs.pat(txt, pat));
answer("/api/pat/:txt", ({ txt }) => scs.regex(txt));
answer("/api/text2txt/:word1/:word2/:word3", ({ word1, word2, word3 }) =>
  scs.text2Txt(word1, word2, word3),
);
answer("/api/title/:sex/:title", ({ sex, title }) => scs.title(sex, title));

app.get("/api/regex", ({ query }, response) => {
  const txt = text(query.txt);
  response.type("text/plain").send(scs.regex(txt));
});

app.use(refuseWrongInputs);

app.listen(Number(process.argv[2]), "127.0.0.1");
