// Odd programs do the same with counters in them, also when all counters are hushed, and say on
// which line they fail.
'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { Process, binary } = require('./help/tool.js');

const CORPUS = path.join(__dirname, 'corpus');
const RUN = path.join(__dirname, 'help/compare.mjs');

function run(file, environment) {
  return new Promise((done) => {
    execFile(process.execPath, [RUN, file], { env: { ...process.env, ...environment } }, (error, output, errors) => {
      done({ code: error ? error.code : 0, output, errors });
    });
  });
}

for (const name of ['sloppy.cjs', 'strict.cjs', 'module.mjs']) {
  test(`${name} does the same with counters`, async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fossick-differential-'));
    let heard = 0;
    const server = net.createServer(async (socket) => {
      const probe = new Process(socket);
      await probe.hello();
      const delta = await probe.end(0);
      heard += delta.gone ? 1 : delta.ids.length;
      socket.destroy();
    });
    const address = path.join(folder, 'probe');
    await new Promise((done) => server.listen(address, done));
    const file = path.join(CORPUS, name);
    const probed = (socket) => ({
      NODE_OPTIONS: `--require ${path.join(__dirname, '../register.cjs')}`, FOSSICK_COVER: CORPUS,
      FOSSICK_PROBE: socket, FOSSICK_BINARY: binary(), FOSSICK_PROBE_CACHE: path.join(os.tmpdir(), 'fossick-probe-tests'),
    });
    const plain = await run(file, { NODE_OPTIONS: '' });
    assert.equal(plain.code, 0, plain.errors);
    assert.ok(plain.output.split('\n').length > 5);
    const counted = await run(file, probed(address));
    assert.equal(counted.output, plain.output, counted.errors);
    assert.equal(counted.errors, plain.errors);
    assert.ok(heard > 0);
    const alone = await run(file, probed(path.join(folder, 'nobody')));
    assert.equal(alone.output, plain.output, alone.errors);
    server.close();
    fs.rmSync(folder, { recursive: true });
  });
}
