// Which call the work on a request belongs to: each request that names its call is handled in a
// context of its own, which Node carries through callbacks and promises.
'use strict';

const net = require('node:net');

const HEADER = 'x-fossick-call';
const REQUESTS = new Set(['request', 'checkContinue', 'checkExpectation', 'upgrade', 'stream']);

// Servers of HTTP, HTTPS and HTTP/2 alike listen by this one method, so none of their modules need
// be loaded to find them.
function watch(recorder) {
  const { listen } = net.Server.prototype;
  Object.defineProperty(net.Server.prototype, 'listen', {
    configurable: true, writable: true, enumerable: true, value: named('listen', function (...args) {
      attend(this, recorder);
      return Reflect.apply(listen, this, args);
    }),
  });
}

function named(name, method) {
  Object.defineProperty(method, 'name', { value: name });
  Object.defineProperty(method, 'length', { value: 0 });
  return method;
}

const attended = new WeakSet();

function attend(server, recorder) {
  if (attended.has(server)) return;
  attended.add(server);
  const { emit } = server;
  const value = named('emit', function (type, ...args) {
    if (!recorder.isOn || !REQUESTS.has(type)) return Reflect.apply(emit, this, [type, ...args]);
    return recorder.storage.run(begun(recorder, type, args), () => Reflect.apply(emit, this, [type, ...args]));
  });
  Object.defineProperty(server, 'emit', { configurable: true, writable: true, enumerable: false, value });
}

// The call of a request, or nothing if it names none.
function begun(recorder, type, [request, response]) {
  const headers = type === 'stream' ? response : request && request.headers;
  const text = headers && headers[HEADER];
  if (typeof text !== 'string' || !/^[0-9]{1,20}$/.test(text)) return undefined;
  const wide = BigInt(text);
  if (wide === 0n || wide > 0xffffffffffffffffn) return undefined;
  const id = wide <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(wide) : wide;
  const under = recorder.storage.getStore();
  // A stream of HTTP/2 is told again as a request.
  if (under && under.id === id && !under.isOver) {
    under.request = request;
    under.response = response;
    return under;
  }
  return type === 'stream'
    ? recorder.begin(id, { headers }, request)
    : recorder.begin(id, request, type === 'upgrade' ? undefined : response);
}

module.exports = { watch };
