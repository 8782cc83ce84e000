// TypeScript by whatever runs it: targets, lines and failures are those that the user wrote.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { Service } = require('./help/tool.js');

const FOLDER = path.join(__dirname, 'typescript');
const BIN = path.join(FOLDER, 'node_modules/.bin');
const missing = fs.existsSync(BIN) ? false : '`npm ci` in tests/typescript first';

function compiled(name, args) {
  execFileSync(path.join(BIN, name), args, { cwd: FOLDER, env: { ...process.env, NODE_OPTIONS: '' } });
}

// Types are not checked here, so that none need be installed.
const TSC = ['--noCheck'];

const WAYS = {
  'tsx': { args: ['--import', 'tsx', 'src/app.ts'] },
  'tsx by its command': { args: [path.join(FOLDER, 'node_modules/tsx/dist/cli.mjs'), 'src/app.ts'] },
  'ts-node': { args: ['--require', 'ts-node/register/transpile-only', 'src/app.ts'] },
  'tsc': { build: () => compiled('tsc', TSC), args: ['dist/app.js'] },
  'tsc with source maps on': { build: () => compiled('tsc', TSC), args: ['--enable-source-maps', 'dist/app.js'] },
  'tsc, only the sources covered': { build: () => compiled('tsc', TSC), args: ['dist/app.js'], cover: 'src' },
  'esbuild in one line': {
    build: () => compiled('esbuild', ['src/app.ts', '--bundle', '--platform=node', '--minify-whitespace', '--sourcemap', '--outfile=dist/min.js']),
    args: ['dist/min.js'],
  },
  'esbuild with a map inside': {
    build: () => compiled('esbuild', ['src/app.ts', '--bundle', '--platform=node', '--format=esm', '--sourcemap=inline', '--outfile=dist/in.mjs']),
    args: ['dist/in.mjs'],
  },
};

if (Number(process.versions.node.split('.')[0]) >= 23) WAYS['node itself'] = { args: ['--experimental-transform-types', 'src/app.ts'] };

const lines = fs.readFileSync(path.join(FOLDER, 'src/app.ts'), 'utf8').split('\n');
const lineOf = (text) => lines.findIndex((line) => line.includes(text)) + 1;

for (const [name, { build, args, cover = '.' }] of Object.entries(WAYS)) {
  test(`${name} has the lines of the source`, { skip: missing }, async (t) => {
    if (build) build();
    const service = await Service.start(args, { folder: FOLDER, cover: path.join(FOLDER, cover), ready: '/' });
    t.after(() => service.stop());
    const probe = await service.process();
    const file = cover === 'src' ? 'app.ts' : 'src/app.ts';

    assert.equal((await service.get('/?o=101', { call: 1 })).text, 'big');
    const big = await probe.end(1);
    assert.equal(big.hits[`${file}:${lineOf("return 'big'")}:line:0`], 1, Object.keys(big.hits).join(' '));
    assert.equal(big.hits[`${file}:${lineOf('total! > 100')}:true:0`], 1);
    assert.equal(big.hits[`${file}:${lineOf('throw new RangeError')}:line:0`], undefined);
    for (const { key } of probe.targets.values()) assert.ok(key.startsWith(`${file}:`), key);

    assert.equal((await service.get('/?o=red-1', { call: 2 })).status, 500);
    const { failures: [failure], observations } = await probe.end(2);
    assert.equal(failure.exception, 'RangeError');
    assert.equal(failure.place, `${file}:${lineOf('throw new RangeError')}`);
    assert.ok(observations.some((it) => it.kind === 'prefix' && it.what[1] === 'red-'));
  });
}
