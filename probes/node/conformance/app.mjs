// The conformance service of the protocol, as a module.
import http from 'node:http';

function number(query) {
  const n = Number.parseInt(query.get('n'), 10);
  if (n === 42) {
    return 'yes';
  }
  return 'no';
}

function range(query) {
  const n = Number(query.get('n'));
  if (n > 1000 && n < 1010) {
    return 'yes';
  }
  return 'no';
}

function text(query) {
  const s = query.get('s');
  if (s === 'let-me-in') {
    return 'yes';
  }
  if (s.startsWith('pre-')) {
    return 'prefix';
  }
  if (/^[a-c]{3}[0-9]{2}$/.test(s)) {
    return 'pattern';
  }
  return 'no';
}

const greek = new Set(['alpha', 'beta', 'gamma']);

function member(query) {
  if (greek.has(query.get('s'))) {
    return 'yes';
  }
  return 'no';
}

function header(query, request) {
  const secret = request.headers['x-secret'];
  query.get('debug');
  if (secret === 'open') {
    return 'yes';
  }
  return 'no';
}

function json(body) {
  const it = JSON.parse(body);
  const role = it.role;
  if (role === 'admin') {
    return 'yes';
  }
  return 'no';
}

function broken(n) {
  throw new Error(`broken: ${n}`);
}

function fail(query) {
  const n = Number(query.get('n'));
  if (n === 7) {
    broken(n);
  }
  return 'no';
}

async function slow(query) {
  const n = Number(query.get('n'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (n === 0) return 'zero';
  if (n === 1) return 'one';
  if (n === 2) return 'two';
  if (n === 3) return 'three';
  if (n === 4) return 'four';
  if (n === 5) return 'five';
  if (n === 6) return 'six';
  if (n === 7) return 'seven';
  if (n === 8) return 'eight';
  if (n === 9) return 'nine';
  return 'no';
}

async function bodyOf(request) {
  let body = '';
  for await (const part of request) {
    body += part;
  }
  return body;
}

async function handle(request, response) {
  const url = new URL(request.url, 'http://localhost');
  const query = url.searchParams;
  switch (url.pathname) {
    case '/ready': return response.writeHead(204).end();
    case '/number': return response.end(number(query));
    case '/range': return response.end(range(query));
    case '/text': return response.end(text(query));
    case '/member': return response.end(member(query));
    case '/header': return response.end(header(query, request));
    case '/json': return response.end(json(await bodyOf(request)));
    case '/fail': return response.end(fail(query));
    case '/slow': return response.end(await slow(query));
    case '/exit': return process.exit(3);
    default: return response.writeHead(404).end();
  }
}

function answer(request, response) {
  handle(request, response).catch(() => response.writeHead(500).end());
}

http.createServer(answer).listen(Number(process.argv.at(-1)), '127.0.0.1');
