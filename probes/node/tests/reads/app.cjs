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

http.createServer((request, response) => {
  const context = new Context(request);
  const tenant = context.get('X-Tenant');
  response.end(tenant === 'acme' ? 'yes' : 'no');
}).listen(Number(process.argv[2]), '127.0.0.1');
