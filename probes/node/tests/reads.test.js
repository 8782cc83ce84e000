// What a service looks for in its requests by way of a framework.
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { test } = require('node:test');
const { Service } = require('./help/tool.js');

const FOLDER = path.join(__dirname, 'reads');

test('a header that is not there is told as such, whatever the framework answers', async (t) => {
  const service = await Service.start([path.join(FOLDER, 'app.cjs')], { cover: FOLDER });
  t.after(() => service.stop());
  const probe = await service.process();
  const found = async (call, headers) => {
    await service.get('/', { call, headers });
    const { observations } = await probe.end(call);
    const reads = observations.filter((it) => it.kind === 'read' && it.what[1] === 'x-tenant');
    assert.ok(reads.length > 0, JSON.stringify(observations));
    return reads.map((it) => it.what[2]);
  };
  assert.deepEqual(await found(1, {}), [false]);
  assert.deepEqual(await found(2, { 'x-tenant': '' }), [true]);
});
