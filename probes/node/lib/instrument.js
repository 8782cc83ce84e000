// Rewritten sources: from the cache, or from fossick, which does the rewriting.
'use strict';

const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

// As in `crates/instrument`.
const REWRITER = 2;

const REFERENCE = '//# sourceMappingURL=';
const LONGEST_ANSWER = 256 << 20;

class Instrument {
  constructor(environment, roots) {
    this.binary = environment.FOSSICK_BINARY;
    this.cache = environment.FOSSICK_PROBE_CACHE;
    this.roots = roots;
    // Why files are left as they are, where that is the probe's own fault.
    this.complaint = undefined;
    this.isFilled = false;
  }

  // The answer for a source, or nothing if it stays as it is.
  of(file, source, goal) {
    const map = mapBeside(file, source);
    const answer = this.answer(source, goal, map);
    return answer && answer.code !== undefined ? answer : undefined;
  }

  answer(source, goal, map) {
    const kept = this.cache && path.join(this.cache, nameOf(source, goal, map));
    const known = kept && read(kept);
    if (known) return known;
    if (kept && this.fill()) {
      const filled = read(kept);
      if (filled) return filled;
    }
    const text = this.ask(['instrument'], `${JSON.stringify({ source, goal, map })}\n`);
    const answer = text && parse(text);
    if (answer && kept) keep(kept, text);
    return answer;
  }

  // Once in a process: all files of the user's own at one go, which is far quicker than one by one.
  fill() {
    if (this.isFilled || !this.cache) return false;
    this.isFilled = true;
    const folders = this.roots.filter((root) => path.isAbsolute(root) && isFolder(root));
    for (const folder of folders) this.ask(['instrument', '--folder', folder, '--cache', this.cache], '');
    return folders.length > 0;
  }

  ask(args, input) {
    if (!this.binary) {
      this.complaint = 'FOSSICK_BINARY does not say where fossick is';
      return undefined;
    }
    const environment = { ...process.env };
    delete environment.NODE_OPTIONS;
    const asked = spawnSync(this.binary, args, {
      input, env: environment, encoding: 'utf8', maxBuffer: LONGEST_ANSWER, stdio: ['pipe', 'pipe', 'ignore'],
    });
    if (asked.error || asked.status !== 0) {
      this.complaint = `\`${this.binary} ${args[0]}\` failed: ${asked.error ? asked.error.message : asked.status}`;
      return undefined;
    }
    return asked.stdout;
  }
}

function nameOf(source, goal, map) {
  const key = `${REWRITER}\n${goal}\n${map || ''}\n${source}`;
  return `${createHash('sha256').update(key).digest('hex')}.json`;
}

function read(file) {
  try {
    return parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Under another name first: another process may be reading.
function keep(file, text) {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const begun = `${file}.${process.pid}.new`;
    fs.writeFileSync(begun, text);
    fs.renameSync(begun, file);
  } catch {
    // Then it is asked for again next time.
  }
}

function isFolder(file) {
  try {
    return fs.statSync(file).isDirectory();
  } catch {
    return false;
  }
}

// The source map that a source names last, if it is a file beside it.
function mapBeside(file, source) {
  const at = source.lastIndexOf(REFERENCE);
  if (at < 0) return undefined;
  const [url] = source.slice(at + REFERENCE.length).split(/\r?\n/, 1);
  if (url.startsWith('data:') || url.includes('://')) return undefined;
  try {
    return fs.readFileSync(path.join(path.dirname(file), url.trimEnd()), 'utf8');
  } catch {
    return undefined;
  }
}

module.exports = { Instrument };
