// What was looked for by name in a request: headers, parameters, cookies, keys of a body.
//
// Which object is which is told by identity where it can be, else by what it is called in the
// source. Objects are only looked at, never wrapped.
'use strict';

const { isProxy } = require('node:util').types;
const observe = require('./observe.js');

const { FROM } = observe;

const BY_NAME = {
  headers: FROM.header, header: FROM.header,
  query: FROM.query, searchParams: FROM.query, qs: FROM.query, queryParams: FROM.query,
  cookies: FROM.cookie, signedCookies: FROM.cookie, cookie: FROM.cookie,
  body: FROM.key, rawBody: FROM.key, payload: FROM.key, json: FROM.key, data: FROM.key, input: FROM.key,
  dto: FROM.key, form: FROM.form, formData: FROM.form,
};

// Of a body, so many parts are searched for an object.
const MOST_PARTS = 256;

// What the user's own code has parsed.
const parsed = new WeakSet();

function remember(value) {
  for (const part of parts(value)) parsed.add(part);
}

// The objects that a value is made of.
function parts(value) {
  const found = [];
  const waiting = [value];
  while (waiting.length > 0 && found.length < MOST_PARTS) {
    const part = waiting.pop();
    if (typeof part !== 'object' || part === null || isProxy(part)) continue;
    found.push(part);
    for (const key of Object.keys(part).slice(0, MOST_PARTS)) {
      const property = Object.getOwnPropertyDescriptor(part, key);
      if (property && 'value' in property) waiting.push(property.value);
    }
  }
  return found;
}

function isOpen(object) {
  if (typeof object !== 'object' || object === null || Array.isArray(object) || isProxy(object)) return false;
  const prototype = Object.getPrototypeOf(object);
  return prototype === null || prototype === Object.prototype || prototype.constructor === undefined;
}

// A member that was read. The answer is whether it was during a call, whatever it was read from:
// each place is looked at so many times.
function read(file, object, name, found, hint) {
  if (!file.recorder.current().request) return false;
  try {
    const from = isOpen(object) ? origin(file, object, hint) : undefined;
    if (from !== undefined) tell(file, from, name, found, Object.keys(object));
  } catch {
    // A strange object: nothing is known of it.
  }
  return true;
}

// Members that were taken out together.
function taken(file, object, names, hint) {
  try {
    if (!isOpen(object)) return;
    const from = origin(file, object, hint);
    if (from === undefined) return;
    const beside = Object.keys(object);
    for (const name of names) tell(file, from, name, Object.hasOwn(object, name), beside);
  } catch {
    // Likewise.
  }
}

// A key that was looked up in an object by the user's code.
function told(file, object, name, found) {
  const from = origin(file, object, '');
  if (from !== undefined) tell(file, from, name, found, Object.keys(object));
}

function origin(file, object, hint) {
  const { request } = file.recorder.current();
  if (!request) return undefined;
  if (object === request.headers) return FROM.header;
  const named = BY_NAME[hint];
  if (named === FROM.key) return bodyKind(request);
  if (named !== undefined) return named;
  if (parsed.has(object)) return FROM.key;
  return isOfBody(request, object) ? bodyKind(request) : undefined;
}

function bodyKind(request) {
  const type = request.headers && request.headers['content-type'];
  return typeof type === 'string' && /form/.test(type) ? FROM.form : FROM.key;
}

// Frameworks put the parsed body on the request, if they use that of Node at all.
function isOfBody(request, object) {
  const body = Object.getOwnPropertyDescriptor(request, 'body');
  return Boolean(body && body.value) && parts(body.value).includes(object);
}

function tell(file, from, name, found, beside) {
  file.observe(() => observe.read(from, name, found, beside));
}

// A method that looks something up in what a framework has of the request.
function asked(file, method, receiver, name, result) {
  if (typeof receiver !== 'object' || receiver === null) return;
  const { request } = file.recorder.current();
  if (!request) return;
  const found = result !== undefined && result !== null && result !== false;
  const from = lookedUp(method, receiver, request);
  // A framework may answer with an empty text for what is not there.
  if (from === FROM.header) tellHeader(file, name.toLowerCase(), request.headers);
  else if (from !== undefined) tell(file, from, name, found, besideIn(receiver));
}

function tellHeader(file, name, headers) {
  tell(file, FROM.header, name, Object.hasOwn(headers, name), Object.keys(headers));
}

function lookedUp(method, receiver, request) {
  switch (method) {
    case 'header': return FROM.header;
    case 'query': return kindOf(receiver) === 'HonoRequest' ? FROM.query : undefined;
    case 'cookie': return FROM.cookie;
    case 'get': case 'getAll': case 'has':
      if (kindOf(receiver) === 'Cookies') return FROM.cookie;
      if (receiver === request || receiver.req === request) return FROM.header;
      return ofWeb(receiver);
    default: return undefined;
  }
}

// What the standards of the web have, be it that of Node or of a package that stands in for it.
const OF_WEB = { Headers: FROM.header, URLSearchParams: FROM.query, FormData: FROM.form };

function ofWeb(receiver) {
  const kind = String(kindOf(receiver));
  return OF_WEB[Object.keys(OF_WEB).find((it) => receiver instanceof globalThis[it] || kind.endsWith(it))];
}

function kindOf(receiver) {
  return receiver.constructor && receiver.constructor.name;
}

function besideIn(receiver) {
  return ofWeb(receiver) === undefined ? [] : [...new Set(receiver.keys())];
}

module.exports = { read, taken, told, remember, asked };
