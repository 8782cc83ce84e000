// Shed: the matchers of the tests.
// Written by: fossick test openapi.json

const { isDeepStrictEqual } = require("node:util");
const { asText, restart } = require("./support");

beforeEach(restart);

// Every test finds the service as new.
beforeEach(async () => {
  const answer = await fetch("http://127.0.0.1:8461/reset", { method: "POST" });
  if (!answer.ok) throw new Error(`the reset answered ${answer.status}`);
});

// Jest puts "not" before a matcher; the message says which way it failed.
function matcher(judge) {
  return (answer, ...rest) => {
    const { pass, wanted, found, why } = judge(answer, ...rest);
    const message = () =>
      [
        why,
        `${answer.step} ${pass ? "has" : "should have"} ${wanted}`,
        Array.isArray(rest[0]) ? answer.missing(rest[0]) : undefined,
        found === undefined ? undefined : `found: ${shown(found)}`,
        answer.told(),
      ]
        .filter((line) => line !== undefined)
        .join("\n");
    return { pass, message };
  };
}

function shown(value) {
  return typeof value === "string" ? JSON.stringify(value) : asText(value);
}

function kindOf(value) {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint" || Number.isInteger(value)) return "integer";
  return typeof value;
}

expect.extend({
  toHaveStatus: matcher((answer, status, why) => ({
    pass: answer.status === status,
    wanted: `status ${status}`,
    why,
  })),

  toHaveMediaType: matcher((answer, mediaType, why) => ({
    pass: answer.mediaType === mediaType,
    wanted: `media type ${mediaType}`,
    why,
  })),

  toHaveNoBody: matcher((answer, why) => ({
    pass: answer.text === "",
    wanted: "no body",
    why,
  })),

  toHaveText: matcher((answer, text, why) => ({
    pass: answer.text === text,
    wanted: `the text ${shown(text)}`,
    why,
  })),

  toHaveValue: matcher((answer, path, value, why) => ({
    pass: isDeepStrictEqual(answer.at(path), value),
    wanted: `${shown(value)} at ${shown(path)}`,
    found: answer.at(path),
    why,
  })),

  toHaveKind: matcher((answer, path, kind, why) => {
    const found = kindOf(answer.at(path));
    const pass = found === kind || (kind === "number" && found === "integer");
    return { pass, wanted: `kind ${kind} at ${shown(path)}`, found, why };
  }),

  toHaveSize: matcher((answer, path, size, why) => {
    const value = answer.at(path);
    const pass = Array.isArray(value) && value.length === size;
    return { pass, wanted: `${size} items at ${shown(path)}`, why };
  }),

  toLack: matcher((answer, path, why) => ({
    pass: answer.lacks(path),
    wanted: `nothing at ${shown(path)}`,
    found: answer.lacks(path) ? undefined : answer.at(path),
    why,
  })),
});
