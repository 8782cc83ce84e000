// The places where Node loads files, and what is done there.
'use strict';

// A program may take the global one away.
const { Buffer } = require('node:buffer');
const Module = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { Probe } = require('./probe.js');

const HASHBANG = /^#!.*(?:\r?\n|$)/;

let probe;

function install(environment) {
  if (probe) return;
  probe = new Probe({ ...environment });
  hookScripts();
  // Where others register hooks of the older kind, Node 22 fails with both.
  const isSettled = Number(process.versions.node.split('.')[0]) >= 24;
  if (isSettled && typeof Module.registerHooks === 'function') Module.registerHooks({ load: loadModule });
  else if (typeof Module.register === 'function') registerThread(environment);
}

function hookScripts() {
  const { _compile: compile } = Module.prototype;
  const value = function _compile(content, filename, ...rest) {
    return Reflect.apply(compile, this, [rewritten(content, filename, rest[0]), filename, ...rest]);
  };
  Object.defineProperty(Module.prototype, '_compile', { configurable: true, writable: true, enumerable: true, value });
}

function rewritten(content, filename, format) {
  try {
    if (typeof content !== 'string') return content;
    return probe.rewrite(filename, content, false, format === 'module') ?? content;
  } catch {
    return content;
  }
}

// Modules, where hooks run in the thread that loads them.
function loadModule(url, context, nextLoad) {
  const loaded = nextLoad(url, context);
  try {
    const { format } = loaded;
    const file = moduleFile(url, format);
    if (file === undefined || loaded.source === undefined || loaded.source === null) return loaded;
    const code = probe.rewrite(file, textOf(loaded.source), true, true);
    return code === undefined ? loaded : { ...loaded, source: code };
  } catch {
    return loaded;
  }
}

// The file of a module, if it is one that is rewritten here; scripts come by `_compile`.
function moduleFile(url, format) {
  const isModule = format === 'module' || format === 'module-typescript';
  return isModule && url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/, '')) : undefined;
}

function textOf(source) {
  return typeof source === 'string' ? source : Buffer.from(source).toString('utf8');
}

// Elsewhere hooks run in a thread of their own, which can't make the object that the code speaks
// to. So the code itself brings what is to be known of it, in an import before all others.
function registerThread(environment) {
  Module.register('./loader.mjs', pathToFileURL(__filename), {
    data: { FOSSICK_COVER: environment.FOSSICK_COVER, FOSSICK_BINARY: environment.FOSSICK_BINARY, FOSSICK_PROBE_CACHE: environment.FOSSICK_PROBE_CACHE },
  });
}

function introduced({ code, facts }) {
  const here = JSON.stringify(__dirname + path.sep);
  const text = `import{createRequire as r}from"node:module";r(${here})("./hooks.js").define(${JSON.stringify(facts)})`;
  const line = `import"data:text/javascript;base64,${Buffer.from(text).toString('base64')}";`;
  const [bang] = HASHBANG.exec(code) || [''];
  return bang + line + code.slice(bang.length);
}

// For code that was rewritten in another thread. Where this one has no probe, it has counters that
// count nothing.
function define(facts) {
  if (!probe) {
    probe = new Probe({});
    probe.start = () => {};
    probe.recorder.stop();
  }
  probe.define(facts);
}

module.exports = { install, define, introduced, moduleFile, textOf };
