// What was compared, in the form in which it is sent.
'use strict';

// A program may take the global one away.
const { Buffer } = require('node:buffer');
const { isDate } = require('node:util').types;
const { Writer } = require('./frames.js');

const LONGEST = 1024;
const MOST_CANDIDATES = 64;
const MOST_NAMES = 32;

const KIND = {
  equal: 0, order: 1, prefix: 2, suffix: 3, contains: 4, same: 5, member: 6, pattern: 7, parse: 8,
  read: 9,
};

const FROM = { header: 0, query: 1, cookie: 2, form: 3, key: 4 };

const writer = new Writer();

// A value as a scalar, or nothing if it is no such thing.
function scalar(value) {
  switch (typeof value) {
    case 'string': return isShort(value) ? { type: 0, value } : undefined;
    case 'number':
      if (Number.isSafeInteger(value)) return { type: 1, value };
      return Number.isNaN(value) ? undefined : { type: 2, value };
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? { type: 1, value } : undefined;
    case 'boolean': return { type: 3, value };
    case 'undefined': return { type: 4 };
    case 'object':
      if (value === null) return { type: 4 };
      return isDate(value) ? moment(value) : undefined;
    default: return undefined;
  }
}

function moment(date) {
  const time = Date.prototype.getTime.call(date);
  return Number.isNaN(time) ? undefined : { type: 5, value: new Date(time).toISOString() };
}

function isShort(text) {
  return text.length <= LONGEST && (text.length * 3 <= LONGEST || Buffer.byteLength(text) <= LONGEST);
}

function begun(target, kind) {
  writer.length = 0;
  return writer.number(target).byte(kind);
}

function pair(target, kind, left, right) {
  const a = scalar(left);
  const b = scalar(right);
  // Nothing against nothing teaches nothing, and a thing without a form can't be told.
  if (!a || !b || (a.type === 4 && b.type === 4)) return undefined;
  return begun(target, kind).scalar(a).scalar(b).taken();
}

function texts(target, kind, text, part) {
  if (!isShort(text) || !isShort(part)) return undefined;
  return begun(target, kind).text(text).text(part).taken();
}

function member(target, value, candidates) {
  const it = scalar(value);
  const among = Array.from(candidates, scalar).filter(Boolean).slice(0, MOST_CANDIDATES);
  if (!it || among.length === 0) return undefined;
  begun(target, KIND.member).scalar(it).list(among, (candidate) => writer.scalar(candidate));
  return writer.taken();
}

function pattern(target, text, regex) {
  if (!isShort(text) || !isShort(regex.source)) return undefined;
  const flags = [...regex.flags].filter((flag) => 'ims'.includes(flag)).join('');
  return begun(target, KIND.pattern).text(text).text(regex.source).text(flags).byte(0).taken();
}

function parse(target, text, as, worked) {
  if (!isShort(text)) return undefined;
  return begun(target, KIND.parse).text(text).text(as).text('').flag(worked).taken();
}

function read(from, name, found, beside) {
  if (!isShort(name)) return undefined;
  const names = beside.filter((it) => it !== 'x-fossick-call' && isShort(it)).slice(0, MOST_NAMES);
  begun(0, KIND.read).byte(from).text(name).flag(found).list(names, (it) => writer.text(it));
  return writer.taken();
}

module.exports = { KIND, FROM, MOST_CANDIDATES, pair, texts, member, pattern, parse, read };
