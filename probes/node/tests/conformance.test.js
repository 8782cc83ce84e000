// The conformance service, in both kinds of modules: what the protocol says is done.
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { test } = require('node:test');
const { Service } = require('./help/tool.js');

const FOLDER = path.join(__dirname, '../conformance');

for (const name of ['app.cjs', 'app.mjs']) {
  test(`${name} tells what its calls reach`, async (t) => {
    const service = await Service.start([path.join(FOLDER, name)], { cover: FOLDER });
    t.after(() => service.stop());
    const probe = await service.process();
    let call = 0;
    const ask = async (where, options) => {
      call += 1;
      const answer = await service.get(where, { ...options, call });
      return { ...await probe.end(call), answer };
    };
    const of = (delta, label, kind) => {
      const target = [...probe.targets.values()].find((it) => it.label.startsWith(label) && it.kind === kind);
      return delta.hits[target.key];
    };
    const saw = (delta, kind, ...what) => {
      const found = delta.observations.some((it) => it.kind === kind && what.every((part, at) => JSON.stringify(it.what[at]) === JSON.stringify(part)));
      assert.ok(found, `${kind} ${JSON.stringify(what)} is not in ${JSON.stringify(delta.observations)}`);
    };

    await t.test('numbers come near', async () => {
      const far = await ask('/number?n=2');
      const near = await ask('/number?n=41');
      const there = await ask('/number?n=42');
      assert.equal(there.answer.text, 'yes');
      assert.equal(of(far, 'n === 42', 'true'), 1 / 41);
      assert.equal(of(near, 'n === 42', 'true'), 1 / 2);
      assert.equal(of(near, 'n === 42', 'false'), 1);
      assert.equal(of(there, 'n === 42', 'true'), 1);
      saw(near, 'equal', 41, 42);
      saw(near, 'parse', '41', 'integer', '', true);
      saw(near, 'read', 'query', 'n', true, ['n']);
      assert.match(near.last, /^app\.[cm]js:\d+$/);
    });

    await t.test('parts of a condition come near together', async () => {
      const below = await ask('/range?n=990');
      const above = await ask('/range?n=1012');
      assert.equal(of(below, 'n > 1000 && n < 1010', 'true'), 1 / (1 + 11 + 1));
      assert.equal(of(above, 'n > 1000 && n < 1010', 'true'), 1 / (1 + 3));
      assert.equal(of(above, 'n > 1000 && n < 1010', 'false'), 1);
      saw(below, 'order', 990, 1000);
      saw(above, 'order', 1012, 1010);
    });

    await t.test('texts are told', async () => {
      const delta = await ask('/text?s=pra-');
      assert.equal(delta.answer.text, 'no');
      saw(delta, 'equal', 'pra-', 'let-me-in');
      saw(delta, 'prefix', 'pra-', 'pre-');
      saw(delta, 'pattern', 'pra-', '^[a-c]{3}[0-9]{2}$', '', 0);
      assert.equal(of(delta, 's.startsWith', 'true'), 1 / (1 + 4 / 65536));
      assert.equal((await ask('/text?s=pre-x')).answer.text, 'prefix');
      assert.equal((await ask('/text?s=abc12')).answer.text, 'pattern');
    });

    await t.test('members are told', async () => {
      const delta = await ask('/member?s=alphb');
      saw(delta, 'member', 'alphb', ['alpha', 'beta', 'gamma']);
      assert.equal(of(delta, 'greek.has', 'true'), 1 / (1 + 1 / 65536));
    });

    await t.test('what is looked for is told', async () => {
      const delta = await ask('/header', { headers: { 'x-other': '1' } });
      const header = delta.observations.find((it) => it.kind === 'read' && it.what[0] === 'header');
      assert.deepEqual(header.what.slice(0, 3), ['header', 'x-secret', false]);
      assert.ok(header.what[3].includes('x-other') && !header.what[3].includes('x-fossick-call'));
      saw(delta, 'read', 'query', 'debug', false);
      const there = await ask('/header', { headers: { 'x-secret': 'shut' } });
      saw(there, 'equal', 'shut', 'open');
      const body = await ask('/json', { method: 'POST', body: '{"name":"x"}' });
      saw(body, 'parse', '{"name":"x"}', 'json', '', true);
      saw(body, 'read', 'key', 'role', false, ['name']);
      const broken = await ask('/json', { method: 'POST', body: '{' });
      assert.equal(broken.answer.status, 500);
      saw(broken, 'parse', '{', 'json', '', false);
    });

    await t.test('failures are told with their line', async () => {
      const delta = await ask('/fail?n=7');
      assert.equal(delta.answer.status, 500);
      const [failure] = delta.failures;
      assert.equal(failure.exception, 'Error');
      assert.equal(failure.message, 'broken: 7');
      const line = [...probe.targets.values()].find((it) => it.label.startsWith('throw new Error')).line;
      assert.equal(failure.place, `${name}:${line}`);
      assert.equal(delta.failures.length, 1);
    });

    await t.test('calls are told apart', async () => {
      const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
      const numbers = Array.from({ length: 200 }, (_, at) => at);
      await Promise.all(numbers.map((at) => service.get(`/slow?n=${at % 10}`, { call: 1000 + at })));
      for (const at of numbers) {
        const delta = await probe.end(1000 + at);
        const returned = words.filter((word) => of(delta, `return '${word}'`, 'line') === 1);
        assert.deepEqual(returned, [words[at % 10]]);
      }
    });

    await t.test('what is covered is silent until a reset', async () => {
      const before = await ask('/number?n=42');
      probe.covered(before.ids);
      const after = await ask('/number?n=42');
      assert.deepEqual(after.ids, []);
      const other = await ask('/number?n=1');
      assert.ok(other.ids.length > 0);
      assert.equal((await probe.reset()).type, 7);
      assert.deepEqual((await ask('/number?n=42')).hits, before.hits);
    });

    await t.test('another version is refused, what makes no sense too', async () => {
      assert.equal((await probe.hello(2)).type, 12);
      assert.equal((await probe.ask(99)).type, 12);
      assert.equal((await probe.ping()).type, 10);
      assert.deepEqual((await probe.end(77777)).hits, {});
    });

    await t.test('the service goes on when the tool is gone', async () => {
      probe.bye();
      assert.equal((await service.get('/number?n=42')).text, 'yes');
      await service.get('/exit').catch(() => {});
      assert.equal(await service.ended, 3);
    });
  });
}
