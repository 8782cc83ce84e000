// Where an exception came from: the innermost line of the user's own in its stack.
'use strict';

// A program may take the global one away.
const { Buffer } = require('node:buffer');
const { SourceMap } = require('node:module');
const path = require('node:path');
const { fileURLToPath } = require('node:url');

const LONGEST_MESSAGE = 1024;
const FRAME = /^\s*at (?:async )?(?:.*?\()?((?:file:\/\/\/?)?(?:[A-Za-z]:)?[^():]+):(\d+):(\d+)\)?$/;

class Sources {
  constructor() {
    // By the path of a file as it was loaded, and of each source that it was made of.
    this.files = new Map();
  }

  // `sources` are paths and names of what the file was compiled from.
  add(file, name, sources, map) {
    this.files.set(file, { name, sources, map });
    for (const source of sources) {
      if (!this.files.has(source.path)) this.files.set(source.path, { name: source.name, sources: [] });
    }
  }

  // The first own place in a stack.
  innermost(stack) {
    for (const text of stack.split('\n').slice(0, 64)) {
      const place = this.place(text);
      if (place) return place;
    }
    return undefined;
  }

  place(text) {
    const frame = FRAME.exec(text.trimEnd());
    if (!frame) return undefined;
    const at = pathOf(frame[1]);
    const file = this.files.get(at);
    if (!file) return undefined;
    const [line, column] = [Number(frame[2]), Number(frame[3])];
    if (!file.map || (isTranslating() && file.sources.some((it) => it.path === at))) {
      return { file: file.name, line };
    }
    return mapped(file, line, column);
  }
}

// Whether somebody else leads stacks back to the sources. What compiles in memory gives the code the
// name of its source, so a place itself does not tell.
function isTranslating() {
  return typeof Error.prepareStackTrace === 'function' || process.sourceMapsEnabled !== false;
}

function pathOf(text) {
  if (!text.startsWith('file:')) return path.normalize(text);
  try {
    return fileURLToPath(text.replace(/[?#].*$/, ''));
  } catch {
    return text;
  }
}

function mapped(file, line, column) {
  if (typeof file.map === 'string') file.map = new SourceMap(JSON.parse(file.map));
  const entry = file.map.findEntry(line - 1, column - 1);
  if (entry.originalLine === undefined) return undefined;
  const source = file.sources.find((it) => it.written === entry.originalSource);
  return { file: (source || file.sources[0] || file).name, line: entry.originalLine + 1 };
}

function describe(sources, { error, file }, last) {
  const place = placeOf(sources, error) || last || { file: file.name, line: 0 };
  return { exception: nameOf(error), message: messageOf(error), file: place.file, line: place.line };
}

function placeOf(sources, error) {
  try {
    const { stack } = error;
    return typeof stack === 'string' ? sources.innermost(stack) : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(error) {
  try {
    if (typeof error !== 'object' || error === null) return typeof error;
    const { name } = error.constructor || {};
    return typeof name === 'string' && name !== '' ? name : String(error.name);
  } catch {
    return 'Error';
  }
}

function messageOf(error) {
  try {
    const text = String(typeof error === 'object' && error !== null ? error.message : error);
    const bytes = Buffer.from(text);
    if (bytes.length <= LONGEST_MESSAGE) return bytes.toString();
    // A letter that was cut through is left out.
    return bytes.toString('utf8', 0, LONGEST_MESSAGE - 3).replace(/\ufffd$/, '');
  } catch {
    return '';
  }
}

module.exports = { Sources, describe };
