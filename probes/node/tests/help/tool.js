// The tool's end of the line, as far as tests need it: it listens, asks, and reads the answers.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const PROBE = path.join(__dirname, '../../register.cjs');
const ROOT = path.join(__dirname, '../../../..');

const KINDS = ['line', 'true', 'false', 'call', 'method', 'exception'];
const OBSERVED = ['equal', 'order', 'prefix', 'suffix', 'contains', 'same', 'member', 'pattern', 'parse', 'read'];
const FROM = ['header', 'query', 'cookie', 'form', 'key'];

// fossick itself, or the small program with its rewriter alone.
function binary() {
  const built = ['debug/fossick', 'release/fossick', 'debug/examples/rewrite', 'release/examples/rewrite'];
  const target = process.env.CARGO_TARGET_DIR || path.join(ROOT, 'target');
  const given = process.env.FOSSICK_BINARY;
  const there = built.map((it) => path.join(target, it)).filter((it) => fs.existsSync(it));
  const age = (it) => fs.statSync(it).mtimeMs;
  const found = given || there.sort((a, b) => age(b) - age(a))[0];
  if (!found) throw new Error('build fossick first: cargo build');
  return found;
}

class Answers {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  byte() {
    return this.bytes[this.at++];
  }

  big() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  number() {
    return Number(this.big());
  }

  text() {
    const length = this.number();
    this.at += length;
    return this.bytes.toString('utf8', this.at - length, this.at);
  }

  real() {
    this.at += 8;
    return this.bytes.readDoubleLE(this.at - 8);
  }

  list(read) {
    return Array.from({ length: this.number() }, read);
  }

  texts() {
    return this.list(() => this.text());
  }

  scalar() {
    switch (this.byte()) {
      case 0: case 5: return this.text();
      case 1: {
        const zigzag = this.big();
        return Number(zigzag % 2n === 0n ? zigzag / 2n : -(zigzag + 1n) / 2n);
      }
      case 2: return this.real();
      case 3: return this.byte() === 1;
      default: return null;
    }
  }

  place() {
    return `${this.text()}:${this.number()}`;
  }

  observation() {
    const target = this.number();
    const kind = OBSERVED[this.byte()];
    return { target, kind, what: this.observed(kind) };
  }

  observed(kind) {
    switch (kind) {
      case 'equal': case 'order': return [this.scalar(), this.scalar()];
      case 'member': return [this.scalar(), this.list(() => this.scalar())];
      case 'pattern': return [this.text(), this.text(), this.text(), this.byte()];
      case 'parse': return [this.text(), this.text(), this.text(), this.byte() === 1];
      case 'read': return [FROM[this.byte()], this.text(), this.byte() === 1, this.texts()];
      default: return [this.text(), this.text()];
    }
  }

  register() {
    const first = this.number();
    const files = [];
    const descriptors = this.list(() => {
      const file = this.number();
      if (file === files.length) files.push(this.text());
      const line = this.number();
      const kind = KINDS[this.byte()];
      const ordinal = this.number();
      return { key: `${files[file]}:${line}:${kind}:${ordinal}`, line, kind, label: this.text() };
    });
    return { first, descriptors };
  }

  delta() {
    const call = this.number();
    let next = 0;
    const hits = this.list(() => {
      const id = next + this.number();
      next = id + 1;
      return [id, this.byte() === 1 ? 1 : this.real()];
    });
    return {
      call, hits,
      last: this.byte() === 1 ? this.place() : undefined,
      failures: this.list(() => ({ exception: this.text(), message: this.text(), place: this.place() })),
      observations: this.list(() => this.observation()),
      died: this.byte() === 1,
    };
  }
}

function varint(value) {
  const bytes = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

function text(value) {
  return Buffer.concat([varint(Buffer.byteLength(value)), Buffer.from(value)]);
}

class Process {
  constructor(socket) {
    this.socket = socket;
    this.targets = new Map();
    this.waiting = Buffer.alloc(0);
    this.answers = [];
    this.asked = [];
    socket.on('data', (bytes) => this.take(Buffer.concat([this.waiting, bytes])));
    socket.on('error', () => {});
    socket.on('close', () => this.asked.splice(0).forEach((answered) => answered({ gone: true })));
  }

  take(bytes) {
    let rest = bytes;
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32LE(0)) {
      const length = rest.readUInt32LE(0);
      this.hear(rest[4], rest.subarray(5, 4 + length));
      rest = rest.subarray(4 + length);
    }
    this.waiting = rest;
  }

  hear(type, payload) {
    const it = new Answers(payload);
    if (type === 2) {
      const { first, descriptors } = it.register();
      descriptors.forEach((target, at) => this.targets.set(first + at, target));
    } else {
      const answer = type === 5 ? { type, ...it.delta() } : { type, payload };
      if (it.at > 0 && it.at !== payload.length) throw new Error('an answer has more in it than it should');
      this.asked.shift()(answer);
    }
  }

  send(type, payload = Buffer.alloc(0)) {
    const head = Buffer.alloc(5);
    head.writeUInt32LE(payload.length + 1, 0);
    head[4] = type;
    this.socket.write(Buffer.concat([head, payload]));
  }

  ask(type, payload) {
    this.send(type, payload);
    return new Promise((answered) => this.asked.push(answered));
  }

  hello(version = 3) {
    return this.ask(1, Buffer.concat([text('fossick'), varint(1), varint(version), varint(0), varint(0)]));
  }

  // What a call reached, with targets by their keys.
  async end(call) {
    const delta = await this.ask(4, varint(call));
    if (delta.gone) return delta;
    const hits = Object.fromEntries(delta.hits.map(([id, value]) => [this.targets.get(id).key, value]));
    const observations = delta.observations.map((it) => ({
      ...it, target: it.target === 0 ? undefined : this.targets.get(it.target - 1).key,
    }));
    return { ...delta, ids: delta.hits.map(([id]) => id), hits, observations };
  }

  covered(ids) {
    let next = 0;
    const gaps = ids.map((id) => {
      const gap = varint(id - next);
      next = id + 1;
      return gap;
    });
    this.send(6, Buffer.concat([varint(ids.length), ...gaps]));
  }

  ping() {
    return this.ask(9);
  }

  reset() {
    return this.ask(7);
  }

  bye() {
    this.send(11);
  }
}

// A service that runs with the probe, and the tool's end of its line.
class Service {
  static async start(args, options = {}) {
    const it = new Service();
    it.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fossick-probe-'));
    it.processes = [];
    it.newcomers = [];
    it.server = net.createServer((socket) => it.welcome(socket));
    const address = path.join(it.folder, 'probe');
    await new Promise((listening) => it.server.listen(address, listening));
    it.port = await freePort();
    it.output = '';
    const environment = {
      ...process.env, FOSSICK_PROBE: address, FOSSICK_COVER: options.cover, FOSSICK_BINARY: binary(),
      FOSSICK_PROBE_CACHE: options.cache || path.join(os.tmpdir(), 'fossick-probe-tests'),
      NODE_OPTIONS: `--require ${PROBE}`, ...options.environment,
    };
    it.child = spawn(options.node || process.execPath, [...args, String(it.port)], {
      cwd: options.folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [it.child.stdout, it.child.stderr]) {
      stream.on('data', (bytes) => { it.output += bytes; });
    }
    it.ended = new Promise((ended) => it.child.on('exit', ended));
    if (options.ready !== false) await it.ready(options.ready || '/ready');
    return it;
  }

  welcome(socket) {
    const newcomer = new Process(socket);
    this.processes.push(newcomer);
    for (const hail of this.newcomers.splice(0)) hail(newcomer);
  }

  // The first process with a probe in it, greeted.
  async process() {
    const found = this.processes[0] || await new Promise((hail) => this.newcomers.push(hail));
    await found.hello();
    await found.end(0);
    return found;
  }

  async ready(where) {
    for (let left = 400; left > 0; left--) {
      if (this.child.exitCode !== null) throw new Error(`the service ended: ${this.output}`);
      if (await this.get(where).then((it) => it.status < 500, () => false)) return;
      await new Promise((done) => setTimeout(done, 25));
    }
    throw new Error(`the service is not ready: ${this.output}`);
  }

  get(where, { call, method = 'GET', headers = {}, body } = {}) {
    const named = call === undefined ? headers : { ...headers, 'x-fossick-call': String(call) };
    return new Promise((resolve, reject) => {
      const request = http.request({ port: this.port, host: '127.0.0.1', path: where, method, headers: named }, (response) => {
        let text = '';
        response.on('data', (bytes) => { text += bytes; });
        response.on('end', () => resolve({ status: response.statusCode, text }));
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  async stop() {
    this.child.kill();
    await this.ended;
    this.server.close();
    for (const it of this.processes) it.socket.destroy();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

module.exports = { Service, Process, Answers, binary, varint };
