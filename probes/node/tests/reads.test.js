// What a service looks for in its requests by way of a framework.
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { test } = require('node:test');
const { Service } = require('./help/tool.js');

const FOLDER = path.join(__dirname, 'reads');

for (const [where, what] of [['/', 'a context of its own'], ['/web', 'a package that stands in for the web']]) {
  test(`a header is told by way of ${what}, and whether it is there`, async (t) => {
    const service = await Service.start([path.join(FOLDER, 'app.cjs')], { cover: FOLDER });
    t.after(() => service.stop());
    const probe = await service.process();
    const found = async (call, headers) => {
      await service.get(where, { call, headers });
      const { observations } = await probe.end(call);
      const reads = observations.filter((it) => it.kind === 'read' && it.what[0] === 'header');
      return reads.map((it) => it.what.slice(1, 3));
    };
    assert.deepEqual(await found(1, {}), [['x-tenant', false]]);
    assert.deepEqual(await found(2, { 'x-tenant': '' }), [['x-tenant', true]]);
  });
}

test('a look-up that decides nothing is told often, and then now and then', async (t) => {
  const service = await Service.start([path.join(FOLDER, 'app.cjs')], { cover: FOLDER });
  t.after(() => service.stop());
  const probe = await service.process();
  const told = [];
  for (let call = 1; call <= 320; call += 1) {
    await service.get('/price', { call });
    const { observations } = await probe.end(call);
    told.push(observations.some((it) => it.kind === 'member'));
  }
  assert.ok(told.slice(0, 256).every(Boolean));
  assert.equal(told.slice(256).filter(Boolean).length, 4);
});
