// How far a comparison was from the other outcome. Looks only at values that can't run code of the
// user's: texts, numbers, dates.
'use strict';

const { isDate } = require('node:util').types;

const LEAST = Number.MIN_VALUE;
// Longer texts are compared in their first part.
const LONGEST = 4096;

function equality(left, right) {
  if (typeof left === 'string' && typeof right === 'string') return texts(left, right);
  const a = numeric(left);
  const b = numeric(right);
  if (a === undefined || b === undefined) return 1;
  return Math.abs(a - b) || 1;
}

// To `left < right`, or `<=` where equal will do.
function order(left, right, isEqualEnough) {
  const a = numeric(left);
  const b = numeric(right);
  if (a === undefined || b === undefined || Number.isNaN(a - b)) return 1;
  const gap = a - b;
  return isEqualEnough ? Math.max(gap, LEAST) : Math.max(gap + 1, LEAST);
}

// A number that a value stands for in a comparison.
function numeric(value) {
  switch (typeof value) {
    case 'number': return Number.isNaN(value) ? undefined : value;
    case 'bigint': return Number(value);
    case 'boolean': return value ? 1 : 0;
    case 'string': {
      const number = value.trim() === '' ? NaN : Number(value);
      return Number.isNaN(number) ? undefined : number;
    }
    case 'object':
      if (value !== null && isDate(value)) {
        const time = Date.prototype.getTime.call(value);
        return Number.isNaN(time) ? undefined : time;
      }
      return undefined;
    default: return undefined;
  }
}

function texts(left, right) {
  const shared = Math.min(left.length, right.length, LONGEST);
  let sum = 65536 * Math.abs(left.length - right.length);
  for (let at = 0; at < shared; at++) {
    sum += Math.abs(left.charCodeAt(at) - right.charCodeAt(at));
  }
  return sum / 65536 || 1 / 65536;
}

const prefix = (text, part) => texts(text.slice(0, part.length), part);
const suffix = (text, part) => texts(text.slice(Math.max(0, text.length - part.length)), part);

// The piece of the text that is nearest.
function contains(text, part) {
  let best = texts(text.slice(0, part.length), part);
  const last = Math.min(text.length - part.length, 256);
  for (let at = 1; at <= last && best > 0; at++) {
    best = Math.min(best, texts(text.slice(at, at + part.length), part));
  }
  return best;
}

function member(value, candidates) {
  let best = Infinity;
  for (const candidate of candidates) best = Math.min(best, equality(value, candidate));
  return best === Infinity ? 1 : best;
}

// To being empty, nothing or zero, of what is not.
function size(value) {
  if (typeof value === 'number') return Math.abs(value) || 1;
  if (typeof value === 'string') return value.length;
  return 1;
}

// As the protocol has it: covered is 1, and nothing else is.
function share(distance) {
  return Math.min(1 / (1 + Math.max(distance, LEAST)), 1 - Number.EPSILON / 2) || LEAST;
}

module.exports = { equality, order, texts, prefix, suffix, contains, member, size, share };
