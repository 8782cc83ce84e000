'use strict';

const http = require('node:http');

// Frameworks put the request behind an object of their own, and some answer with an empty text for
// a header that is not there.
class Context {
  constructor(request) {
    this.req = request;
  }

  get(name) {
    return this.req.headers[name.toLowerCase()] || '';
  }
}

// A package that stands in for the headers of the web.
class PonyfillHeaders {
  constructor(headers) {
    this.map = new Map(Object.entries(headers));
  }

  get(name) {
    return this.map.get(name) ?? null;
  }
}

function byContext(request) {
  return new Context(request).get('X-Tenant');
}

function byWeb(request) {
  return new PonyfillHeaders(request.headers).get('x-tenant');
}

const PRICES = new Map([['apple', 3], ['pear', 4]]);

function price(request) {
  const found = PRICES.get(request.url);
  return String(found);
}

http.createServer((request, response) => {
  if (request.url === '/price') return response.end(price(request));
  const tenant = request.url === '/web' ? byWeb(request) : byContext(request);
  return response.end(tenant === 'acme' ? 'yes' : 'no');
}).listen(Number(process.argv[2]), '127.0.0.1');
