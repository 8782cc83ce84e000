// Frames as the goldens have them: each that a probe sends, and each that it hears.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const frames = require('../lib/frames.js');

const GOLDEN = path.join(__dirname, '../../../crates/probe/golden');
const KINDS = ['line', 'branch-true', 'branch-false', 'call', 'method', 'exception'];

const bytes = (name) => Buffer.from(fs.readFileSync(path.join(GOLDEN, `${name}.hex`), 'utf8').replace(/\s/g, ''), 'hex');
const words = (name) => JSON.parse(fs.readFileSync(path.join(GOLDEN, `${name}.json`), 'utf8'));

test('what a probe sends is written as it should', () => {
  const { hello } = words('hello');
  assert.deepEqual(frames.hello({ ...hello, processId: hello.process_id }), bytes('hello'));
  const { register } = words('register');
  const descriptors = register.descriptors.map((it) => ({ ...it, kind: KINDS.indexOf(it.kind) }));
  assert.deepEqual(frames.register(register.first_id, descriptors), bytes('register'));
  assert.deepEqual(frames.begin(words('begin').begin.call), bytes('begin'));
  assert.deepEqual(frames.error(words('error').error.text), bytes('error'));
  assert.deepEqual(frames.reset(), bytes('reset'));
  assert.deepEqual(frames.pong(), bytes('pong'));
  assert.deepEqual(frames.delta({ call: 0, hits: [], failures: [], observations: [] }), bytes('delta-of-nothing'));
});

test('a delta is written as it should, its observations as they were seen', () => {
  const { delta } = words('delta');
  const golden = bytes('delta');
  // The observations are written by `observe.js`; those of the golden are taken as they stand.
  const from = golden.indexOf(Buffer.from([13, 0, 0, 0, 4])) + 1;
  const observations = [golden.subarray(from, golden.length - 1)];
  const written = frames.delta({
    call: delta.call, hits: delta.hits, lastLine: delta.last_line, observations,
    failures: delta.failures.map((it) => ({ ...it, ...it.place })),
  });
  const head = golden.subarray(4, from - 1);
  assert.deepEqual(written.subarray(4, 4 + head.length), head);
  assert.deepEqual(written.subarray(4 + head.length + 1), golden.subarray(from));
});

test('what a probe hears is understood', () => {
  const read = (name) => frames.read(bytes(name).subarray(4));
  assert.equal(read('hello').version, 3);
  assert.deepEqual(read('hello').roots, ['/srv/shop']);
  assert.equal(read('begin').call, 300);
  assert.equal(read('end').call, 18446744073709551615n);
  assert.deepEqual(read('covered').ids, [0, 1, 2, 130, 70000]);
  assert.deepEqual(read('covered-none').ids, []);
  for (const name of ['reset', 'ping', 'bye']) assert.ok(read(name).type > 0);
  assert.throws(() => frames.read(Buffer.from([4, 0x80, 0])));
  assert.throws(() => frames.read(Buffer.from([4, 1, 1])));
  assert.throws(() => frames.read(Buffer.alloc(0)));
});

test('the innermost own line of a stack is found in each kind of frame', () => {
  const { Sources } = require('../lib/failures.js');
  const sources = new Sources();
  sources.add('/srv/app.js', 'app.js', []);
  const frames = {
    'at /srv/app.js:5:273': 5, 'at handle (/srv/app.js:6:1)': 6, 'at async /srv/app.js:7:153': 7,
    'at async Promise.all (index 0)': undefined, 'at new Shop (file:///srv/app.js:8:2)': 8,
    'at async Shop.order [as open] (file:///srv/app.js?v=1:9:2)': 9, 'at node:events:1:2': undefined,
    'at Object.<anonymous> (/srv/other.js:1:2)': undefined,
  };
  for (const [frame, line] of Object.entries(frames)) {
    const place = sources.innermost(`Error: text\n    at node:internal:1:1\n    ${frame}`);
    assert.deepEqual(place, line && { file: 'app.js', line }, frame);
  }
});
