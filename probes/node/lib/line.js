// The connection to the tool: questions come in frames, one after the other, and are answered.
//
// It keeps no process alive, and when it is gone the service goes on without it.
'use strict';

// A program may take the global one away.
const { Buffer } = require('node:buffer');
const net = require('node:net');
const frames = require('./frames.js');
const { describe } = require('./failures.js');

const { TYPE } = frames;

// Descriptors in one frame.
const REGISTER_SIZE = 2048;

// How long the end of a call waits for its response to be out, and in which steps.
const QUIET = 10;
const STEP = 1;

const ABILITIES = ['lines', 'branches', 'calls', 'methods', 'exceptions', 'observations', 'last-line', 'reads', 'patterns', 'header'];

// `complaint` is why the probe can't work here, if it can't.
class Line {
  constructor(address, recorder, sources, roots, complaint) {
    this.recorder = recorder;
    this.sources = sources;
    this.roots = roots;
    this.complaint = complaint;
    this.waiting = Buffer.alloc(0);
    this.work = Promise.resolve();
    this.socket = net.connect(address);
    this.socket.unref();
    this.socket.on('data', (bytes) => this.take(bytes));
    this.socket.on('error', () => this.close());
    this.socket.on('close', () => this.close());
  }

  close() {
    this.recorder.stop();
    this.socket.destroy();
  }

  take(bytes) {
    this.waiting = this.waiting.length === 0 ? bytes : Buffer.concat([this.waiting, bytes]);
    while (this.waiting.length >= 4) {
      const length = this.waiting.readUInt32LE(0);
      if (length > frames.LONGEST_FRAME) return this.close();
      if (this.waiting.length < 4 + length) return;
      const payload = this.waiting.subarray(4, 4 + length);
      this.waiting = this.waiting.subarray(4 + length);
      this.work = this.work.then(() => this.answer(payload)).catch(() => this.close());
    }
  }

  say(frame) {
    if (!this.socket.destroyed) this.socket.write(frame);
  }

  async answer(payload) {
    let message;
    try {
      message = frames.read(payload);
    } catch (error) {
      return this.say(frames.error(error.message));
    }
    switch (message.type) {
      case TYPE.hello: return this.greet(message);
      case TYPE.begin:
        this.recorder.begin(message.call);
        return this.say(frames.begin(message.call));
      case TYPE.end: return this.end(message.call);
      case TYPE.covered: return this.recorder.cover(message.ids);
      case TYPE.reset:
        this.recorder.reset();
        return this.say(frames.reset());
      case TYPE.ping:
        this.tellNews();
        return this.say(frames.pong());
      default: return this.close();
    }
  }

  greet(hello) {
    if (hello.version !== frames.VERSION) {
      return this.say(frames.error(`the probe speaks version ${frames.VERSION}`));
    }
    if (this.complaint()) return this.say(frames.error(this.complaint()));
    this.say(frames.hello({
      language: 'node', processId: process.pid, version: frames.VERSION, roots: this.roots, abilities: ABILITIES,
    }));
  }

  async end(id) {
    await this.quiet(this.recorder.calls.get(id));
    const call = this.recorder.end(id);
    this.tellNews();
    this.say(frames.delta(this.told(call)));
  }

  // Until the response is out, and what follows it at once is done.
  async quiet(call) {
    const until = Date.now() + QUIET;
    while (call && !isAnswered(call.response) && Date.now() < until) await pause(STEP);
    await new Promise((resolve) => setImmediate(resolve));
  }

  told(call) {
    const { covered } = this.recorder;
    const hits = [...call.best].filter(([id]) => covered[id] === 0).sort(([a], [b]) => a - b);
    const last = this.lastLine(call);
    return {
      call: call.id, hits, lastLine: last, observations: [...call.observations.values()],
      failures: call.failures.map((failure) => describe(this.sources, failure, last)),
    };
  }

  lastLine(call) {
    if (!call.lastFile) return undefined;
    const target = this.recorder.descriptors[call.lastFile.ids[call.lastSlot]];
    return { file: target.file, line: target.line };
  }

  tellNews() {
    const { from, descriptors } = this.recorder.news();
    for (let at = 0; at < descriptors.length; at += REGISTER_SIZE) {
      this.say(frames.register(from + at, descriptors.slice(at, at + REGISTER_SIZE)));
    }
  }
}

function isAnswered(response) {
  return !response || response.writableFinished || response.destroyed || response.closed;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

module.exports = { Line };
