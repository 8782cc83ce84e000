// Runs the tests of real packages plain and with the probe, and compares them test by test. All of
// a package is rewritten, its tests too, and a tool asks and covers while they run.
//
//   node run.js [--all] [PACKAGE…]     after `npm ci` in this folder
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { Process, binary } = require('../tests/help/tool.js');

const PROBE = path.join(__dirname, '../register.cjs');
const MODULES = path.join(__dirname, 'node_modules');
const TAPE = [path.join(MODULES, 'tape/bin/tape')];
const NODE_TEST = ['--test-reporter=tap'];

// `skip` are tests that look at what must differ, with the reason.
const PACKAGES = {
  qs: { runner: TAPE },
  minimist: { runner: TAPE },
  'object-inspect': { runner: TAPE },
  // Its fixtures lack a folder that npm does not publish: the test throws outside of any assertion,
  // and how many others have ended by then is up to chance.
  resolve: { runner: TAPE, skip: ['test/resolver.js'] },
  'is-regex': { runner: TAPE },
  'string.prototype.trim': { runner: TAPE },
  'regexp.prototype.flags': { runner: TAPE },
  'deep-equal': { runner: TAPE },
  fastify: { runner: NODE_TEST, isLong: true },
};

const PATIENCE = 60_000;

async function main(words) {
  const all = words.includes('--all');
  const named = words.filter((word) => !word.startsWith('-'));
  const chosen = Object.keys(PACKAGES).filter((it) => (named.length > 0 ? named.includes(it) : all || !PACKAGES[it].isLong));
  const tool = await listening();
  let differences = 0;
  for (const name of chosen) differences += await prove(name, PACKAGES[name], tool);
  tool.server.close();
  fs.rmSync(tool.folder, { recursive: true });
  process.exitCode = differences === 0 ? 0 : 1;
}

// A tool that hears everything and covers what it hears.
async function listening() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fossick-proof-'));
  const address = path.join(folder, 'probe');
  const tool = { folder, address, heard: 0 };
  tool.server = net.createServer((socket) => { listen(tool, new Process(socket)); });
  await new Promise((done) => tool.server.listen(address, done));
  return tool;
}

async function listen(tool, probe) {
  let answer = await probe.hello();
  while (!answer.gone) {
    answer = await probe.end(0);
    if (answer.gone) return;
    tool.heard += answer.ids.length;
    probe.covered(answer.ids);
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function prove(name, { runner, skip = [] }, tool) {
  const folder = path.join(MODULES, name);
  const files = testsBelow(path.join(folder, 'test')).filter((file) => !skip.includes(path.relative(folder, file)));
  const cover = [folder, path.join(folder, 'test')].join(path.delimiter);
  tool.heard = 0;
  let tests = 0;
  const [different, unsteady] = [[], []];
  let [plainTime, probedTime] = [0, 0];
  for (const file of files) {
    const plain = await outcomes(folder, [...runner, file], {});
    const probed = await outcomes(folder, [...runner, file], {
      FOSSICK_PROBE: tool.address, FOSSICK_COVER: cover, FOSSICK_BINARY: binary(),
      FOSSICK_PROBE_CACHE: path.join(os.tmpdir(), 'fossick-proof-cache'), NODE_OPTIONS: `--require ${PROBE}`,
    });
    tests += plain.tests.length;
    plainTime += plain.time;
    probedTime += probed.time;
    const lines = differing(path.relative(folder, file), plain, probed);
    if (lines.length > 0 && await isUnsteady(() => outcomes(folder, [...runner, file], {}), plain)) unsteady.push(path.relative(folder, file));
    else different.push(...lines);
  }
  const seconds = (time) => (time / 1000).toFixed(1);
  console.log(`${name}: ${files.length} files, ${tests} tests, ${tool.heard} targets heard, ${different.length} different, ${seconds(plainTime)} s and ${seconds(probedTime)} s`);
  for (const file of unsteady) console.log(`  ${file} differs from run to run without the probe, and proves nothing`);
  for (const line of different.slice(0, process.env.VERBOSE ? undefined : 20)) console.log(`  ${line}`);
  return different.length;
}

// Whether a file's outcomes differ from one plain run to the next: where a test throws outside of
// any assertion, how many others have ended by then is up to chance.
async function isUnsteady(run, first) {
  for (let tries = 0; tries < 10; tries += 1) {
    if (differing('', first, await run()).length > 0) return true;
  }
  return false;
}

function testsBelow(folder) {
  return fs.readdirSync(folder, { withFileTypes: true, recursive: false })
    .filter((it) => it.isFile() && /\.[cm]?js$/.test(it.name))
    .map((it) => path.join(folder, it.name));
}

function outcomes(folder, args, environment) {
  return new Promise((done) => {
    const begun = Date.now();
    const child = spawn(process.execPath, args, {
      cwd: folder, env: { ...process.env, NODE_OPTIONS: '', ...environment }, stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => { output += bytes; });
    child.on('close', (code, signal) => done({ code: signal || code, output, tests: results(output), time: Date.now() - begun }));
  });
}

// The lines of TAP, without numbers.
function results(output) {
  const lines = output.split('\n').map((line) => /^\s*((?:not )?ok)\b\s*\d*\s*-?\s*(.*)$/.exec(line));
  // Some tests put what they chose by chance into their names.
  return lines.filter(Boolean).map(([, outcome, name]) => `${outcome} ${name.replace(/^random: .*/, 'random').replace(/ # time=.*/, '')}`);
}

function differing(file, plain, probed) {
  const different = [];
  if (plain.code !== probed.code) different.push(`${file}: ended with ${plain.code}, and with the probe ${probed.code}`);
  const count = (tests) => tests.reduce((counts, it) => counts.set(it, (counts.get(it) || 0) + 1), new Map());
  const [before, after] = [count(plain.tests), count(probed.tests)];
  for (const it of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(it) !== after.get(it)) different.push(`${file}: ${before.get(it) || 0} and ${after.get(it) || 0} times: ${it}`);
  }
  if (different.length > 0 && process.env.VERBOSE) different.push(probed.output.slice(-4000));
  return different;
}

main(process.argv.slice(2));
