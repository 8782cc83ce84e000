// What there is once in a process: the recorder, the line to the tool, and the files that were
// loaded.
'use strict';

// A program may take the global one away.
const { Buffer } = require('node:buffer');
const { createHash } = require('node:crypto');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { Cover } = require('./cover.js');
const { File } = require('./file.js');
const { Instrument } = require('./instrument.js');
const { Line } = require('./line.js');
const { Recorder } = require('./recorder.js');
const { Sources } = require('./failures.js');
const server = require('./server.js');

const REFERENCE = '//# sourceMappingURL=';
const REWRITTEN = /\$f_[0-9a-f]{10}[.[]/;
const SILENT = 255;

const GOALS = {
  '.js': 'unknown', '.cjs': 'script', '.mjs': 'module', '.ts': 'typescript', '.mts': 'typescript',
  '.cts': 'typescript',
};

// What rewrites sources, in whichever thread that is done.
class Rewriter {
  constructor(environment) {
    this.cover = new Cover(environment.FOSSICK_COVER);
    this.instrument = new Instrument(environment, this.cover.roots);
  }

  // A source with counters, and what is to be known of them; or nothing if it is none of ours.
  // `isTyped` is whether types are still in a file of TypeScript.
  rewrite(file, source, isTyped, isModule) {
    if (!this.wants(file, source)) return undefined;
    const known = GOALS[path.extname(file)] || 'unknown';
    const goal = known === 'typescript' && !isTyped ? 'unknown' : known;
    let answer = this.instrument.of(file, source, goal);
    if (!answer && goal === 'unknown' && isModule) answer = this.instrument.of(file, source, 'module');
    if (!answer) return undefined;
    const hash = createHash('sha256').update(`${file}\0${source}`).digest('hex');
    const id = `$f_${hash.slice(0, 10)}`;
    const map = answer.map === null ? '' : `\n${REFERENCE}data:application/json;base64,${Buffer.from(answer.map).toString('base64')}`;
    return { code: answer.code.replaceAll(answer.name, id) + map, facts: this.facts(file, id, answer) };
  }

  wants(file, source) {
    if (REWRITTEN.test(source)) return false;
    if (this.cover.has(file)) return true;
    // Compiled elsewhere from what is the user's own.
    const isForeign = file.includes(`${path.sep}node_modules${path.sep}`) || !source.includes(REFERENCE);
    return !isForeign && this.sourcesOf(file, source).some((it) => this.cover.has(it));
  }

  sourcesOf(file, source) {
    const at = source.lastIndexOf(REFERENCE) + REFERENCE.length;
    const [url] = source.slice(at).split(/\r?\n/, 1);
    try {
      const text = url.startsWith('data:')
        ? Buffer.from(url.slice(url.indexOf(',') + 1), 'base64').toString()
        : require('node:fs').readFileSync(path.join(path.dirname(file), url), 'utf8');
      const { sources, sourceRoot } = JSON.parse(text);
      return sources.map((it) => pathOf(file, sourceRoot ? `${sourceRoot.replace(/\/$/, '')}/${it}` : it));
    } catch {
      return [];
    }
  }

  facts(file, id, answer) {
    const sources = answer.sources.map((written) => {
      const at = pathOf(file, written);
      return { written, path: at, name: this.cover.name(at) };
    });
    return {
      file, id, name: this.cover.name(file), sources, targets: answer.targets, trees: answer.trees,
      map: answer.map === null ? undefined : answer.map,
    };
  }
}

function pathOf(file, source) {
  if (source.startsWith('file:')) return fileURLToPath(source);
  const plain = source.replace(/^[a-z-]+:\/\/\/?(?:\.\/)?/, '');
  return path.resolve(path.dirname(file), plain);
}

class Probe {
  constructor(environment) {
    this.environment = environment;
    this.rewriter = new Rewriter(environment);
    this.recorder = new Recorder();
    this.sources = new Sources();
    this.files = new Map();
    this.line = undefined;
  }

  // With the first file of the user's own the process is one of the service's.
  start() {
    if (this.line) return;
    server.watch(this.recorder);
    const complaint = () => this.rewriter.instrument.complaint;
    // Files are named from the folder that all of the roots have in common.
    const { base, roots } = this.rewriter.cover;
    const told = [...new Set([base, ...roots])].filter((root) => root !== '');
    this.line = new Line(this.environment.FOSSICK_PROBE, this.recorder, this.sources, told, complaint);
  }

  // The code of a file with counters, which may run from now on.
  rewrite(file, source, isTyped, isModule) {
    if (this.rewriter.cover.has(file)) this.start();
    const rewritten = this.rewriter.rewrite(file, source, isTyped, isModule);
    if (!rewritten) return undefined;
    this.define(rewritten.facts);
    return rewritten.code;
  }

  // Makes the object that the code of a file speaks to.
  define(facts) {
    if (this.files.has(facts.id)) return;
    this.start();
    const { targets, trees, sources } = facts;
    const file = File.of(this.recorder, facts.name, targets.map(([, , kind]) => kind), trees);
    this.files.set(facts.id, file);
    this.sources.add(facts.file, facts.name, sources, facts.map);
    this.recorder.register(file, targets.map(([source, line, kind, ordinal, label]) => {
      const name = sources.length > 0 ? sources[source].name : facts.name;
      return kind === SILENT ? undefined : { name, line, kind, ordinal, label };
    }));
    Object.defineProperty(globalThis, facts.id, { value: file });
  }
}

module.exports = { Probe, Rewriter };
