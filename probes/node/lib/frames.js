// Messages as bytes, as probes/protocol says.
'use strict';

// A program may take the global one away.
const { Buffer } = require('node:buffer');
const VERSION = 3;
const LONGEST_FRAME = 4 << 20;
const LONGEST_TEXT = 1 << 20;

const TYPE = {
  hello: 1, register: 2, begin: 3, end: 4, delta: 5, covered: 6, reset: 7, sql: 8, ping: 9,
  pong: 10, bye: 11, error: 12,
};

class Writer {
  constructor() {
    this.bytes = Buffer.allocUnsafe(1024);
    this.length = 0;
  }

  room(more) {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  byte(value) {
    this.room(1);
    this.bytes[this.length++] = value;
    return this;
  }

  flag(value) {
    return this.byte(value ? 1 : 0);
  }

  // Numbers up to 64 bits; what is beyond 2^53 comes as a BigInt.
  number(value) {
    this.room(10);
    if (typeof value === 'bigint' || value >= 0x80000000) return this.wide(BigInt(value));
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
    return this;
  }

  wide(value) {
    let rest = value;
    while (rest > 127n) {
      this.bytes[this.length++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.bytes[this.length++] = Number(rest);
    return this;
  }

  signed(value) {
    const wide = BigInt(value);
    return this.number(wide >= 0n ? wide * 2n : wide * -2n - 1n);
  }

  real(value) {
    this.room(8);
    this.length = this.bytes.writeDoubleLE(value, this.length);
    return this;
  }

  text(value) {
    const length = Buffer.byteLength(value);
    this.number(length).room(length);
    this.length += this.bytes.write(value, this.length, 'utf8');
    return this;
  }

  list(items, write) {
    this.number(items.length);
    for (const item of items) write(item);
    return this;
  }

  // Text or number or what else a program compares; see `scalar` in observe.js for the others.
  scalar(scalar) {
    this.byte(scalar.type);
    switch (scalar.type) {
      case 0: case 5: return this.text(scalar.value);
      case 1: return this.signed(scalar.value);
      case 2: return this.real(scalar.value);
      case 3: return this.flag(scalar.value);
      default: return this;
    }
  }

  raw(bytes) {
    this.room(bytes.length);
    bytes.copy(this.bytes, this.length);
    this.length += bytes.length;
    return this;
  }

  taken() {
    const taken = Buffer.from(this.bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }
}

function frame(type, fill) {
  const writer = new Writer();
  writer.room(5);
  writer.length = 4;
  writer.byte(type);
  if (fill) fill(writer);
  const bytes = writer.taken();
  bytes.writeUInt32LE(bytes.length - 4, 0);
  return bytes;
}

function hello(it) {
  return frame(TYPE.hello, (out) => {
    out.text(it.language).number(it.processId).number(it.version);
    out.list(it.roots, (root) => out.text(root));
    out.list(it.abilities, (word) => out.text(word));
  });
}

function register(firstId, descriptors) {
  const files = new Map();
  return frame(TYPE.register, (out) => {
    out.number(firstId);
    out.list(descriptors, (it) => {
      const known = files.get(it.file);
      out.number(known === undefined ? files.size : known);
      if (known === undefined) {
        files.set(it.file, files.size);
        out.text(it.file);
      }
      out.number(it.line).byte(it.kind).number(it.ordinal).text(it.label);
    });
  });
}

function place(out, it) {
  out.text(it.file).number(it.line);
}

// Hits are pairs of id and value, ascending; observations are written already.
function delta(it) {
  return frame(TYPE.delta, (out) => {
    out.number(it.call);
    let next = 0;
    out.list(it.hits, ([id, value]) => {
      out.number(id - next);
      next = id + 1;
      if (value >= 1) out.flag(true);
      else out.flag(false).real(value);
    });
    out.flag(Boolean(it.lastLine));
    if (it.lastLine) place(out, it.lastLine);
    out.list(it.failures, (failure) => {
      out.text(failure.exception).text(failure.message);
      place(out, failure);
    });
    out.list(it.observations, (bytes) => out.raw(bytes));
    out.flag(false);
  });
}

const begin = (call) => frame(TYPE.begin, (out) => out.number(call));
const error = (text) => frame(TYPE.error, (out) => out.text(text));
const reset = () => frame(TYPE.reset);
const pong = () => frame(TYPE.pong);

class Broken extends Error {}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  byte() {
    if (this.at >= this.bytes.length) throw new Broken('a message ends in the middle of a field');
    return this.bytes[this.at++];
  }

  // A Number where it can be one, else a BigInt.
  number(limit = 0xffffffffffffffffn) {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) {
        if ((byte === 0 && shift > 0n) || value > limit) throw new Broken('a number is not written as it should');
        return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
      }
      if (shift > 56n) throw new Broken('a number is too long');
    }
  }

  small() {
    return this.number(0xffffffffn);
  }

  text() {
    const length = this.number(BigInt(LONGEST_TEXT));
    if (length > this.bytes.length - this.at) throw new Broken('a text is cut off');
    const bytes = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return utf8.decode(bytes);
  }

  list(read) {
    const length = this.number();
    if (length > this.bytes.length - this.at) throw new Broken('a list is cut off');
    return Array.from({ length }, read);
  }

  ids() {
    let next = 0;
    return this.list(() => {
      const id = next + this.small();
      if (id > 0xffffffff) throw new Broken('an id is too large');
      next = id + 1;
      return id;
    });
  }

  ended(message) {
    if (this.at !== this.bytes.length) throw new Broken('a message is followed by bytes of nothing');
    return message;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

// What a tool says. Throws where it makes no sense.
function read(bytes) {
  const it = new Reader(bytes);
  const type = it.byte();
  switch (type) {
    case TYPE.hello: {
      const language = it.text();
      const processId = it.small();
      const version = it.small();
      return it.ended({
        type, language, processId, version, roots: it.list(() => it.text()),
        abilities: it.list(() => it.text()),
      });
    }
    case TYPE.begin: case TYPE.end: return it.ended({ type, call: it.number() });
    case TYPE.covered: return it.ended({ type, ids: it.ids() });
    case TYPE.reset: case TYPE.ping: case TYPE.bye: return it.ended({ type });
    default: throw new Broken(`there is no message of type ${type} for a probe`);
  }
}

module.exports = {
  VERSION, LONGEST_FRAME, TYPE, Writer, hello, register, delta, begin, error, reset, pong, read,
};
