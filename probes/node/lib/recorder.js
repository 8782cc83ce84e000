// What was hit, call by call, and what the tool wants to hear no more of.
'use strict';

const { AsyncLocalStorage } = require('node:async_hooks');
// Tests replace the global one.
const { setImmediate } = require('node:timers');

const MOST_CALLS = 4096;
const MOST_OBSERVATIONS = 512;
// All observations of a call together, so that an answer fits into its frame.
const MOST_BYTES = 1 << 20;
const MOST_FAILURES = 8;

class Call {
  constructor(id, request, response) {
    this.id = id;
    this.request = request;
    this.response = response;
    this.best = new Map();
    this.observations = new Map();
    this.bytes = 0;
    this.failures = [];
    // A file and the number of a line in it.
    this.lastFile = undefined;
    this.lastSlot = 0;
    this.isOver = false;
  }

  observe(bytes) {
    if (!bytes || this.observations.size >= MOST_OBSERVATIONS) return;
    const key = bytes.toString('latin1');
    if (this.observations.has(key) || this.bytes + bytes.length > MOST_BYTES) return;
    this.bytes += bytes.length;
    this.observations.set(key, bytes);
  }

  fail(error, file) {
    if (this.failures.some((it) => it.error === error)) return;
    this.failures.push({ error, file });
    if (this.failures.length > MOST_FAILURES) this.failures.shift();
  }
}

class Recorder {
  constructor() {
    this.storage = new AsyncLocalStorage();
    this.calls = new Map();
    this.stray = new Call(0);
    this.descriptors = [];
    this.keys = new Map();
    // Where each id stands: pairs of a file and a number in it.
    this.places = [];
    this.covered = new Uint8Array(1024);
    this.files = [];
    this.told = 0;
    // Pairs of a file and a number in it that are silent until the event loop turns.
    this.resting = [];
    this.isOn = true;
  }

  current() {
    const call = this.storage.getStore();
    return call === undefined || call.isOver ? this.stray : call;
  }

  hit(id, value) {
    if (this.covered[id] === 1) return;
    const best = this.current().best;
    const before = best.get(id);
    if (before === undefined || before < value) best.set(id, value);
  }

  begin(id, request, response) {
    const call = new Call(id, request, response);
    this.drop(id);
    if (this.calls.size >= MOST_CALLS) this.drop(this.calls.keys().next().value);
    this.calls.set(id, call);
    return call;
  }

  drop(id) {
    const call = this.calls.get(id);
    if (call) call.isOver = true;
    this.calls.delete(id);
  }

  // The end of a call: what it did, and nothing of it stays.
  end(id) {
    if (id === 0) {
      const stray = this.stray;
      this.stray = new Call(0);
      return stray;
    }
    const call = this.calls.get(id) || new Call(id);
    this.drop(id);
    return call;
  }

  // Numbers for the targets of a file; those that were there before keep theirs.
  register(file, descriptors) {
    this.files.push(file);
    descriptors.forEach((descriptor, slot) => {
      if (!descriptor) return;
      const { name, line, kind, ordinal } = descriptor;
      const key = `${name}:${line}:${kind}:${ordinal}`;
      let id = this.keys.get(key);
      if (id === undefined) {
        id = this.descriptors.length;
        this.keys.set(key, id);
        this.descriptors.push({ file: name, line, kind, ordinal, label: descriptor.label });
        this.places.push([]);
        this.grow(id);
      }
      this.places[id].push(file, slot);
      file.ids[slot] = id;
    });
    if (!this.isOn) file.fill(1);
    else for (let slot = 0; slot < file.length; slot++) file.hush(slot, this.covered);
  }

  grow(id) {
    if (id < this.covered.length) return;
    const larger = new Uint8Array(this.covered.length * 2);
    larger.set(this.covered);
    this.covered = larger;
  }

  cover(ids) {
    for (const id of ids) {
      if (id >= this.descriptors.length) continue;
      this.covered[id] = 1;
      this.stray.best.delete(id);
      const places = this.places[id];
      for (let at = 0; at < places.length; at += 2) places[at].hush(places[at + 1], this.covered);
    }
  }

  // Forgets calls, hits and what is covered; the numbers stay.
  reset() {
    for (const id of [...this.calls.keys()]) this.drop(id);
    this.stray = new Call(0);
    this.covered.fill(0);
    for (const file of this.files) file.wake();
  }

  rests(file, slot) {
    if (this.resting.length === 0) setImmediate(() => this.resume()).unref();
    this.resting.push(file, slot);
  }

  resume() {
    const resting = this.resting.splice(0);
    if (!this.isOn) return;
    for (let at = 0; at < resting.length; at += 2) resting[at].resume(resting[at + 1], this.covered);
  }

  // Nobody listens any more: the service goes on at its full speed.
  stop() {
    this.isOn = false;
    for (const id of [...this.calls.keys()]) this.drop(id);
    this.stray = new Call(0);
    for (const file of this.files) file.fill(1);
  }

  // What was registered and not told yet.
  news() {
    const from = this.told;
    this.told = this.descriptors.length;
    return { from, descriptors: this.descriptors.slice(from) };
  }
}

module.exports = { Recorder, Call };
