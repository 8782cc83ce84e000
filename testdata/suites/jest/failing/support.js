// Shed: what the tests share.
// Written by: fossick test openapi.json --seed 1

const { randomInt, randomUUID } = require("node:crypto");
const http = require("node:http");
const https = require("node:https");

const DEFAULT_BASE_URL = "http://127.0.0.1:8460";
const BASE_URL = process.env.FOSSICK_BASE_URL || DEFAULT_BASE_URL;

const steps = { taken: 0 };

// Steps are counted per test, for the messages of failures.
function restart() {
  steps.taken = 0;
}

// Sends requests as one user. Redirects are not followed, cookies are not kept.
class Client {
  // The headers are asked for when they are needed: secrets may not be set.
  constructor(headers = () => []) {
    this.headers = headers;
  }

  // Variables stand in the path as {name}, and are escaped when they are put in.
  async send(method, path, options = {}) {
    steps.taken += 1;
    const filled = fill(path, options.path ?? {});
    const given = options.headers ?? {};
    const pairs = Array.isArray(given) ? given : Object.entries(given);
    const headers = [...this.headers(), ...pairs];
    const body = contentOf(options);
    if (body !== undefined) {
      headers.push(["Content-Type", options.mediaType ?? "application/json"]);
      headers.push(["Content-Length", String(body.length)]);
    }
    const said = await exchange(method, filled, headers, body);
    return new Answer(`step ${steps.taken}: ${method} ${filled}`, said);
  }
}

const METHODS = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "QUERY",
];
for (const method of METHODS) {
  Client.prototype[method.toLowerCase()] = function (path, options) {
    return this.send(method, path, options);
  };
}

function fill(path, variables) {
  return path.replace(/\{\{|\}\}|\{(\w+)\}/g, (hole, name) =>
    name === undefined ? hole[0] : escape(asText(variables[name])),
  );
}

function escape(text) {
  const special = /[!'()*]/g;
  return encodeURIComponent(text).replace(
    special,
    (letter) => "%" + letter.charCodeAt(0).toString(16).toUpperCase(),
  );
}

function contentOf({ json, text, bytes }) {
  if (json !== undefined) return Buffer.from(write(json));
  return text === undefined ? bytes : Buffer.from(text);
}

// Not fetch: it tidies paths up, and sends no body with GET.
function exchange(method, path, headers, body) {
  const base = new URL(BASE_URL);
  const { request } = base.protocol === "https:" ? https : http;
  const options = {
    method,
    path: base.pathname.replace(/\/$/, "") + path,
    headers: grouped(headers),
    agent: false,
    signal: AbortSignal.timeout(30_000),
  };
  return new Promise((resolve, reject) => {
    const sent = request(base, options, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode: status, headers } = response;
        resolve({ status, headers, content: Buffer.concat(chunks) });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

// Node takes an object, and a list of values for a name that comes twice.
function grouped(headers) {
  const groups = new Map();
  for (const [name, value] of headers) {
    const known = groups.get(name.toLowerCase()) ?? [name, []];
    known[1].push(Buffer.from(value).toString("latin1"));
    groups.set(name.toLowerCase(), known);
  }
  return Object.fromEntries(groups.values());
}

// What the service answered.
class Answer {
  constructor(step, { status, headers, content }) {
    this.step = step;
    this.status = status;
    this.headers = headers;
    this.text = content.toString();
    const [essence] = (headers["content-type"] ?? "").split(";");
    this.mediaType = essence.trim().toLowerCase();
  }

  told() {
    const said = `${this.status} ${this.mediaType} ${this.text.slice(0, 500)}`;
    return `${this.step} answered ${said.trim()}`;
  }

  body() {
    try {
      return parse(this.text);
    } catch {
      throw new Error(`the body is not JSON: ${this.told()}`);
    }
  }

  // What stands at a path of the JSON body, or undefined.
  at(path) {
    return path.reduce((value, key) => inside(value, key), this.body());
  }

  lacks(path) {
    if (path.length === 0) return this.text === "";
    const parent = this.at(path.slice(0, -1));
    const key = path.at(-1);
    const fits =
      typeof key === "string" ? isObject(parent) : Array.isArray(parent);
    return fits && inside(parent, key) === undefined;
  }

  // The item of a path that is not in its list, for the messages of failures.
  missing(path) {
    const end = path.findIndex(
      (key, place) =>
        typeof key === "object" &&
        this.at(path.slice(0, place + 1)) === undefined,
    );
    return end < 0 ? undefined : `there is no item with ${write(path[end])}`;
  }

  // The value at a JSON pointer.
  take(pointer) {
    let value = this.body();
    for (const token of pointer.split("/").slice(1)) {
      const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
      const key = Array.isArray(value) ? Number(name) : name;
      if (!holds(value, key)) {
        throw new Error(`nothing at ${pointer}: ${this.told()}`);
      }
      value = value[key];
    }
    return value;
  }

  header(name) {
    const value = this.headers[name.toLowerCase()];
    if (value === undefined) {
      throw new Error(`no header ${name}: ${this.told()}`);
    }
    return String(value);
  }

  // The last segment of the path that the Location header names.
  location() {
    const [path] = this.header("Location").split(/[?#]/);
    return decodeURIComponent(path.replace(/\/+$/, "").split("/").at(-1));
  }
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function holds(value, key) {
  if (typeof key === "number") return Array.isArray(value) && key in value;
  return isObject(value) && Object.hasOwn(value, key);
}

// What a list or an object has under a key. An item of a list goes by what it
// carries: { id: 7 }, or [7] where it is the item itself.
function inside(value, key) {
  if (typeof key === "object") {
    const items = Array.isArray(value) ? value : [];
    return items.find((item) => carries(item, key));
  }
  return holds(value, key) ? value[key] : undefined;
}

function carries(item, wanted) {
  if (Array.isArray(wanted)) return item === wanted[0];
  if (!isObject(wanted)) return item === wanted;
  return Object.keys(wanted).every(
    (name) => holds(item, name) && carries(item[name], wanted[name]),
  );
}

// Integers that a number cannot hold are read as BigInt: ids are often that big.
function parse(text) {
  const mark = randomUUID();
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
  const isBig = (token) =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
  const marked = text.replace(tokens, (token) =>
    isBig(token) ? `"${mark}${token}"` : token,
  );
  return JSON.parse(marked, (_, value) =>
    typeof value === "string" && value.startsWith(mark)
      ? BigInt(value.slice(mark.length))
      : value,
  );
}

function write(value) {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, field]) => `${JSON.stringify(key)}:${write(field)}`,
  );
  return `{${fields.join(",")}}`;
}

function asText(value) {
  return typeof value === "string" ? value : write(value);
}

// A text of the same make: its last five letters and digits are others.
function fresh(like) {
  const letters = [...like];
  const places = letters.flatMap((letter, place) =>
    /[a-zA-Z0-9]/.test(letter) ? [place] : [],
  );
  for (const place of places.slice(-5)) {
    letters[place] = another(letters[place]);
  }
  return letters.join("");
}

function another(letter) {
  if (/\d/.test(letter)) return String(randomInt(10));
  const first = /[a-z]/.test(letter) ? "a" : "A";
  return String.fromCharCode(first.charCodeAt(0) + randomInt(26));
}

function secret(variable) {
  const value = process.env[variable];
  if (!value) {
    throw new Error(`the environment variable ${variable} is not set`);
  }
  return value;
}

// Users log in once, in global_setup.js, which leaves their tokens here.
function token(name) {
  const { token, problem } = JSON.parse(process.env.FOSSICK_TOKENS)[name];
  if (problem) throw new Error(`${name} could not log in: ${problem}`);
  return token;
}

const logins = {};

// Somebody without credentials.
const anybody = new Client();

const alice = new Client(() => [
  ["Authorization", secret("ALICE_AUTHORIZATION")],
]);

const bob = new Client(() => [["Authorization", "Bearer " + token("bob")]]);

logins.bob = async () => {
  const bobPassword = secret("BOB_PASSWORD");
  const client = new Client(() => []);
  const answer = await client.post("/login", {
    json: { name: "bob", password: bobPassword },
  });
  if (answer.status >= 300) throw new Error(answer.told());
  return asText(answer.take("/token"));
};

module.exports = { alice, bob, anybody, asText, fresh, logins, restart };
