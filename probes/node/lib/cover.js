// What is the user's own code, and what its files are called.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

// Found in the folders of the user's own code, but not what a service is made of.
const FOREIGN = new Set(['node_modules', 'test', 'tests', '__tests__']);
const TEST_FILE = /\.(?:test|spec)\.[^.]+$/;


class Cover {
  constructor(text) {
    this.roots = (text || '')
      .split(path.delimiter)
      .filter((root) => root !== '')
      .map(real);
    this.base = common(this.roots.map(folderOf));
  }

  // Whether a file is the user's own. Names of packages count as folders of node_modules.
  has(file) {
    if (file.startsWith(__dirname + path.sep)) return false;
    return this.roots.some((root) => path.isAbsolute(root) ? within(root, file) : packaged(root, file));
  }

  // What a file is called, wherever the service is installed.
  name(file) {
    const name = this.base === '' ? path.basename(file) : path.relative(this.base, file);
    return name.split(path.sep).join('/');
  }
}

function real(root) {
  try {
    return path.isAbsolute(root) ? fs.realpathSync(root) : root;
  } catch {
    return path.normalize(root);
  }
}

function folderOf(root) {
  if (!path.isAbsolute(root)) return '';
  try {
    return fs.statSync(root).isDirectory() ? root : path.dirname(root);
  } catch {
    return path.extname(root) === '' ? root : path.dirname(root);
  }
}

// The folder that all of some folders are in.
function common(folders) {
  const parts = folders.filter((folder) => folder !== '').map((folder) => folder.split(path.sep));
  if (parts.length === 0) return process.cwd();
  let shared = parts[0];
  for (const other of parts) {
    const end = shared.findIndex((part, at) => part !== other[at]);
    if (end >= 0) shared = shared.slice(0, end);
  }
  return shared.join(path.sep) || path.sep;
}

function within(root, file) {
  if (file === root) return true;
  const start = root.endsWith(path.sep) ? root : root + path.sep;
  return file.startsWith(start) && isOwn(file.slice(start.length));
}

function packaged(name, file) {
  const start = `${path.sep}node_modules${path.sep}${name.split('/').join(path.sep)}${path.sep}`;
  const at = file.lastIndexOf(start);
  return at >= 0 && isOwn(file.slice(at + start.length));
}

function isOwn(rest) {
  const parts = rest.split(path.sep);
  return !parts.some((part) => FOREIGN.has(part)) && !TEST_FILE.test(parts[parts.length - 1]);
}

module.exports = { Cover };
