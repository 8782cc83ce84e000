'use strict';

// Tells a collector of the calls that an Express service answers:
//   app.use(harvest({ collector: 'http://127.0.0.1:7070/' }));
// Use it before anything that reads bodies. Where the collector is slow or gone, calls are dropped
// and counted; the service never waits.

const SECRET = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);

function harvest({ collector, largest = 65536, most = 1000, every = 250 }) {
  const waiting = [];
  let dropped = 0;
  let sending = false;

  async function send() {
    if (sending || waiting.length === 0) return;
    sending = true;
    const calls = waiting.splice(0, 100);
    const told = dropped;
    try {
      const answer = await fetch(collector, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', 'x-dropped': String(told) },
        body: calls.map((call) => JSON.stringify(call) + '\n').join(''),
        signal: AbortSignal.timeout(2000),
      });
      if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
      dropped -= told;
    } catch {
      dropped += calls.length;
    }
    sending = false;
  }
  // It does not keep a process alive that has nothing else to do.
  setInterval(send, every).unref();

  function keep(call) {
    if (waiting.length < most) waiting.push(call);
    else dropped += 1;
  }

  return function (req, res, next) {
    const at = Date.now();
    const began = process.hrtime.bigint();
    const sent = pieces(largest);
    const answered = pieces(largest);
    // Every piece of a body is pushed once, whoever reads it and however.
    listen(req, 'push', sent.add);
    listen(res, 'write', answered.add);
    listen(res, 'end', answered.add);
    res.on('finish', () => {
      try {
        if (sent.tooLarge()) throw new Error('too large to be told');
        keep(told());
      } catch {
        dropped += 1;
      }
    });
    next();

    function told() {
      return {
        at,
        method: req.method,
        target: req.originalUrl,
        headers: open(req.headers),
        ...sent.as('body'),
        client: req.ip,
        status: res.statusCode,
        took_ms: Number(process.hrtime.bigint() - began) / 1e6,
        ...(res.hasHeader('content-encoding') ? {} : answered.as('answer')),
        answer_type: res.getHeader('content-type'),
      };
    }
  };
}

function listen(object, method, heard) {
  const original = object[method];
  object[method] = function (piece, encoding, ...rest) {
    heard(piece, encoding);
    return original.call(this, piece, encoding, ...rest);
  };
}

/** What went by, until it is too much. */
function pieces(largest) {
  const list = [];
  let size = 0;
  const tooLarge = () => size > largest;

  function add(piece, encoding) {
    if (typeof piece !== 'string' && !(piece instanceof Uint8Array)) return;
    const bytes = Buffer.from(piece, typeof encoding === 'string' ? encoding : 'utf8');
    size += bytes.length;
    if (tooLarge()) list.length = 0;
    else list.push(bytes);
  }

  function as(name) {
    const bytes = Buffer.concat(list);
    const text = bytes.toString('utf8');
    if (size === 0 || tooLarge()) return {};
    if (Buffer.from(text).equals(bytes)) return { [name]: text };
    return { [`${name}_base64`]: bytes.toString('base64') };
  }

  return { add, as, tooLarge };
}

function open(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !SECRET.has(name)));
}

module.exports = harvest;
