// Methods that compare, look up and parse. What they are is told by the function itself and never
// by its name alone: a class of the user's may have a `startsWith` too.
'use strict';

// A program may take the global one away.
const { Buffer } = require('node:buffer');
const { isMap, isSet, isRegExp, isProxy, isTypedArray } = require('node:util').types;
const distance = require('./distance.js');
const observe = require('./observe.js');
const reads = require('./reads.js');

const { KIND } = observe;

// More members are not gone through for a distance.
const MOST_COMPARED = 256;

const TEXT = Object.getOwnPropertyDescriptors(String.prototype);
const ARRAY = Array.prototype;
const known = {
  parseInt, parseFloat, Number, BigInt, isNaN, isFinite, atob: globalThis.atob, decodeURIComponent,
  decodeURI, 'new Date': Date, 'new URL': URL, json: JSON.parse, date: Date.parse,
  number: { isInteger: Number.isInteger, isSafeInteger: Number.isSafeInteger, isNaN: Number.isNaN,
    isFinite: Number.isFinite, parseInt: Number.parseInt, parseFloat: Number.parseFloat },
  hasOwn: Object.hasOwn, buffer: Buffer.from, test: RegExp.prototype.test, exec: RegExp.prototype.exec,
};

const PARSES = {
  parseInt: 'integer', parseFloat: 'real', Number: 'real', BigInt: 'integer', atob: 'base64',
  decodeURIComponent: 'percent', decodeURI: 'percent', 'new Date': 'moment', 'new URL': 'url',
};

const QUESTIONS = { isInteger: 'integer', isSafeInteger: 'integer', isNaN: 'real', isFinite: 'real' };

function method(file, i, name, result, receiver, first, second) {
  try {
    if (!ofText(file, i, name, result, receiver, first)) {
      other(file, i, name, result, receiver, first, second);
    }
  } catch {
    // A strange object: nothing is known of it.
    unknown(file, i, result);
  }
}

// Of a method that turned out to be none that is known, only the truth of its answer is.
function unknown(file, i, result) {
  if (file.kinds[i] === 1) file.verdict(i, Boolean(result), result ? distance.size(result) : 1);
}

function ofText(file, i, name, result, text, part) {
  if (typeof text !== 'string' || !TEXT[name] || text[name] !== TEXT[name].value) return false;
  if (isRegExp(part)) {
    matching(file, i, name, result, text, part);
  } else if (typeof part === 'string') {
    ofTexts(file, i, name, result, text, part);
  } else {
    unknown(file, i, result);
  }
  return true;
}

function matching(file, i, name, result, text, regex) {
  const is = name === 'search' ? result >= 0 : Boolean(result);
  file.verdict(i, is, 1);
  if (name !== 'split') file.observe(() => observe.pattern(file.target(i), text, regex));
}

function ofTexts(file, i, name, result, text, part) {
  const target = file.target(i);
  switch (name) {
    case 'startsWith':
      file.verdict(i, result, result ? 1 : distance.prefix(text, part));
      return file.observe(() => observe.texts(target, KIND.prefix, text, part));
    case 'endsWith':
      file.verdict(i, result, result ? 1 : distance.suffix(text, part));
      return file.observe(() => observe.texts(target, KIND.suffix, text, part));
    case 'includes': case 'indexOf': case 'lastIndexOf': {
      // As a condition of its own, an index is true unless it is 0.
      const is = name === 'includes' ? result : result >= 0;
      const truth = file.kinds[i] === 1 ? Boolean(result) : is;
      file.verdict(i, truth, is ? 1 : distance.contains(text, part));
      return file.observe(() => observe.texts(target, KIND.contains, text, part));
    }
    case 'localeCompare':
      file.verdict(i, file.kinds[i] === 1 ? result !== 0 : result === 0, distance.texts(text, part));
      return file.observe(() => observe.pair(target, KIND.equal, text, part));
    case 'match': case 'search':
      file.verdict(i, name === 'match' ? Boolean(result) : result >= 0, 1);
      return file.observe(() => observe.texts(target, KIND.contains, text, part));
    case 'split': case 'replace': case 'replaceAll':
      return part === '' ? undefined : file.observe(() => observe.texts(target, KIND.contains, text, part));
    default: return undefined;
  }
}

function other(file, i, name, result, receiver, first, second) {
  switch (name) {
    case 'test': case 'exec':
      if (isRegExp(receiver) && receiver[name] === known[name] && typeof first === 'string') {
        file.verdict(i, Boolean(result), 1);
        return file.observe(() => observe.pattern(file.target(i), first, receiver));
      }
      break;
    case 'includes': case 'indexOf': case 'lastIndexOf':
      if (Array.isArray(receiver) && !isProxy(receiver) && receiver[name] === ARRAY[name]) {
        const is = name === 'includes' ? result : result >= 0;
        return membership(file, i, first, receiver, is, result);
      }
      break;
    case 'has': case 'get':
      if (isSet(receiver) && receiver.has === Set.prototype.has) return membership(file, i, first, receiver, result, result);
      if (isMap(receiver) && receiver.has === Map.prototype.has) {
        const is = name === 'has' ? result : result !== undefined;
        return membership(file, i, first, receiver.keys(), is, result);
      }
      break;
    case 'hasOwn':
      if (receiver === Object && known.hasOwn === Object.hasOwn) return owned(file, i, second, first, result);
      break;
    case 'hasOwnProperty':
      if (isOpen(receiver)) return owned(file, i, first, receiver, result);
      break;
    case 'parse':
      if (receiver === JSON && JSON.parse === known.json) return parsed(file, i, first, 'json', true, result);
      if (receiver === Date) return parsed(file, i, first, 'moment', !Number.isNaN(result));
      break;
    case 'from': return decoding(file, i, receiver, first, second);
    case 'parseInt': case 'parseFloat':
      if (receiver === Number) return parsed(file, i, first, PARSES[name], !Number.isNaN(result));
      break;
    case 'isInteger': case 'isSafeInteger': case 'isNaN': case 'isFinite':
      if (receiver === Number && Number[name] === known.number[name]) return asked(file, i, name, first, result);
      break;
    case 'timingSafeEqual':
      if (isTypedArray(first) && isTypedArray(second)) return secret(file, i, first, second, result);
      break;
    default:
  }
  unknown(file, i, result);
  if (typeof first === 'string') reads.asked(file, name, receiver, first, result);
}

function membership(file, i, value, candidates, is, result) {
  const some = [];
  for (const candidate of candidates) {
    if (some.push(candidate) >= MOST_COMPARED) break;
  }
  const truth = file.kinds[i] === 1 ? Boolean(result) : is;
  file.verdict(i, truth, is ? 1 : distance.member(value, some));
  file.observe(() => observe.member(file.target(i), value, some));
}

// A plain object, whose keys can be told without waking anybody.
function isOpen(object) {
  if (typeof object !== 'object' || object === null || isProxy(object)) return false;
  const prototype = Object.getPrototypeOf(object);
  return prototype === null || prototype === Object.prototype;
}

function owned(file, i, key, object, result) {
  if (!isOpen(object) || typeof key !== 'string') return unknown(file, i, result);
  membership(file, i, key, Object.keys(object), Boolean(result), result);
  reads.told(file, object, key, Boolean(result));
}

function isIn(file, i, key, object, is) {
  try {
    if (typeof key === 'string' && isOpen(object)) owned(file, i, key, object, is);
    else file.verdict(i, is, 1);
  } catch {
    file.verdict(i, is, 1);
  }
}

// `object[key]` that is not there.
function missing(file, object, key) {
  try {
    if (typeof key !== 'string' || !isOpen(object)) return;
    file.observe(() => observe.member(0, key, Object.keys(object).slice(0, observe.MOST_CANDIDATES)));
    reads.told(file, object, key, false);
  } catch {
    // A strange object: nothing is known of it.
  }
}

function parsed(file, i, text, as, worked, result) {
  if (typeof text === 'string') file.observe(() => observe.parse(file.target(i), text, as, worked));
  if (as === 'json' && worked) reads.remember(result);
  unknown(file, i, result);
}

function asked(file, i, name, value, result) {
  if (typeof value === 'string') {
    file.observe(() => observe.parse(file.target(i), value, QUESTIONS[name], name === 'isNaN' ? !result : result));
  }
  file.verdict(i, result, 1);
}

function decoding(file, i, receiver, text, encoding) {
  if (receiver !== Buffer || Buffer.from !== known.buffer || typeof text !== 'string') return;
  if (encoding === 'base64' || encoding === 'base64url' || encoding === 'hex') {
    const worked = encoding === 'hex' ? /^(?:[0-9a-f]{2})*$/i.test(text) : /^[\w+/-]*={0,2}$/.test(text);
    file.observe(() => observe.parse(file.target(i), text, encoding, worked));
  }
}

// Compared byte by byte, and told as texts, since that is what was hashed or sent.
function secret(file, i, first, second, result) {
  const text = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const [left, right] = [text(first), text(second)];
  file.verdict(i, result, result ? 1 : distance.texts(left, right));
  file.observe(() => observe.pair(file.target(i), KIND.equal, left, right));
}

function parsing(file, i, name, result, callee, first) {
  try {
    if (callee !== known[name]) unknown(file, i, result);
    else if (QUESTIONS[name]) asked(file, i, name, first, result);
    else parsed(file, i, first, PARSES[name], hasWorked(name, result));
  } catch {
    unknown(file, i, result);
  }
}

function hasWorked(name, result) {
  if (name === 'new Date') return !Number.isNaN(Date.prototype.getTime.call(result));
  return !Number.isNaN(result);
}

// It threw instead of answering.
function failed(file, { slot, name, value }, receiver) {
  if (name === 'parse' && receiver !== JSON) return;
  const as = name === 'parse' ? 'json' : PARSES[name];
  if (typeof value === 'string' && as) file.observe(() => observe.parse(file.target(slot), value, as, false));
}

module.exports = { method, missing, isIn, parsing, failed };
