// The object that the code of one file speaks to. It is an array of bytes, one for each number in
// the code: 1 where nothing is to be told any more, so that asking costs a load.
//
// The letters are those that `crates/instrument` writes. Each method returns what the code would
// have had without it, and whatever is done besides never throws.
'use strict';

const distance = require('./distance.js');
const observe = require('./observe.js');
const lookups = require('./lookups.js');
const reads = require('./reads.js');

const TRUE = 1;
const METHOD = 4;
const SILENT = 255;

// Evaluations after which a place rests until the event loop has turned. A loop would take a hundred
// times as long otherwise, and has told what it can by then.
const HOT_LINE = 100;
const HOT_TEST = 5000;

// What is found is told a few times, so that it is known which names are read at all.
const FEW = 32;

// Calls after which a place that only observes has told enough. A method goes on telling now and
// then: what it looks up may be needed by a branch that is reached much later.
const ENOUGH = 256;
const NOW_AND_THEN = 15;

class File extends Uint8Array {
  // `kinds` has the kind of each number, `trees` how conditions of several parts are joined.
  static of(recorder, name, kinds, trees) {
    const file = new File(kinds.length);
    const it = {
      recorder, name, kinds: Uint8Array.from(kinds), ids: new Int32Array(kinds.length).fill(-1),
      trees: new Map(trees), groups: groupsOf(trees), counts: new Uint16Array(kinds.length),
      finds: new Uint8Array(kinds.length), heat: new Uint16Array(kinds.length),
      told: new Uint16Array(kinds.length), gaps: new Float64Array(kinds.length + 1), receivers: [], firsts: [], seconds: [],
      pending: undefined,
      // Written by the code itself: the object and the key that were read last, what is switched on.
      o: undefined, q: undefined, d: undefined,
    };
    for (const key of Object.keys(it)) {
      Object.defineProperty(file, key, { value: it[key], writable: true });
    }
    return file;
  }

  // A target is quiet when it is covered, a branch when both sides are, a part of a condition when
  // all of the condition is.
  hush(slot, covered) {
    const first = this.kinds[slot] === TRUE + 1 ? slot - 1 : slot;
    const group = this.groups.get(first);
    if (!group) {
      this[first] = this.isDone(first, covered) ? 1 : 0;
      return;
    }
    const isDone = group.every((member) => this.isDone(member, covered));
    for (const member of group) this[member] = isDone ? 1 : 0;
  }

  isDone(slot, covered) {
    const is = (at) => this.ids[at] >= 0 && covered[this.ids[at]] === 1;
    return this.kinds[slot] === TRUE ? is(slot) && is(slot + 1) : is(slot);
  }

  // Nothing is told of a place for a while.
  rest(slot) {
    const group = this.groups.get(slot);
    for (const member of group || [slot]) {
      this[member] = 1;
      this.recorder.rests(this, member);
    }
  }

  // The rest of a place is over.
  resume(slot, covered) {
    this.heat[slot] = 0;
    if (this.kinds[slot] === SILENT) this[slot] = this.counts[slot] >= ENOUGH ? 1 : 0;
    else this.hush(slot, covered);
  }

  wake() {
    this.fill(0);
    this.heat.fill(0);
    this.counts.fill(0);
    this.finds.fill(0);
    this.told.fill(0);
  }

  // A statement is reached.
  h(i) {
    const call = this.recorder.current();
    call.lastFile = this;
    call.lastSlot = this.kinds[i] === 0 ? i : i - 1;
    this.recorder.hit(this.ids[i], 1);
    if (++this.heat[i] > HOT_LINE) this.rest(i);
  }

  // A statement with a call in it is reached.
  e(i) {
    this.h(i - 1);
    this.recorder.hit(this.ids[i], 0.5);
    if (++this.heat[i] > HOT_LINE) this.rest(i);
  }

  // The call came back.
  r(i, value) {
    if (this[i] === 0) this.recorder.hit(this.ids[i], 1);
    return value;
  }

  eq(i, a, b, manner) {
    const is = a == b;
    if (this[i] === 0) this.equality(i, a, b, is, is, manner);
    return is;
  }

  ne(i, a, b, manner) {
    const is = a != b;
    if (this[i] === 0) this.equality(i, a, b, is, !is, manner);
    return is;
  }

  seq(i, a, b, manner) {
    const is = a === b;
    if (this[i] === 0) this.equality(i, a, b, is, is, manner, true);
    return is;
  }

  sne(i, a, b, manner) {
    const is = a !== b;
    if (this[i] === 0) this.equality(i, a, b, is, !is, manner, true);
    return is;
  }

  lt(i, a, b) {
    const is = a < b;
    if (this[i] === 0) this.order(i, a, b, is, is ? distance.order(b, a, true) : distance.order(a, b, false));
    return is;
  }

  le(i, a, b) {
    const is = a <= b;
    if (this[i] === 0) this.order(i, a, b, is, is ? distance.order(b, a, false) : distance.order(a, b, true));
    return is;
  }

  gt(i, a, b) {
    const is = a > b;
    if (this[i] === 0) this.order(i, a, b, is, is ? distance.order(a, b, true) : distance.order(b, a, false));
    return is;
  }

  ge(i, a, b) {
    const is = a >= b;
    if (this[i] === 0) this.order(i, a, b, is, is ? distance.order(a, b, false) : distance.order(b, a, true));
    return is;
  }

  inst(i, a, b) {
    const is = a instanceof b;
    if (this[i] === 0) this.verdict(i, is, 1);
    return is;
  }

  has(i, key, object) {
    const is = key in object;
    if (this[i] === 0) lookups.isIn(this, i, key, object, is);
    return is;
  }

  // The truth of a value.
  t(i, value) {
    if (this[i] === 0) this.verdict(i, Boolean(value), value ? distance.size(value) : 1);
    return value;
  }

  // Whether a value is nothing.
  n(i, value) {
    if (this[i] === 0) this.verdict(i, value === null || value === undefined, 1);
    return value;
  }

  // A case of a switch.
  k(i, value) {
    if (this[i] === 0) {
      const is = this.d === value;
      this.equality(i, this.d, value, is, is, undefined, true);
    }
    return value;
  }

  // A condition of several parts.
  w(i, value) {
    if (this[i] === 0) {
      const is = Boolean(value);
      const tree = this.trees.get(i);
      this.verdict(i, is, (tree && this.gap(tree, !is)) || 1);
    }
    return value;
  }

  // How far the parts of a condition, as they were evaluated last, are from an outcome.
  gap(tree, outcome) {
    if (tree === 'dark') return 1;
    if (tree.part !== undefined) return this.gaps[outcome ? tree.part : tree.part + 1];
    if (tree.not) return this.gap(tree.not, !outcome);
    const [left, right] = tree.and || tree.or;
    const decides = Boolean(tree.or);
    // What a part needs alone: `or` to hold, `and` not to.
    if (outcome === decides) {
      const first = this.gap(left, outcome);
      return first === 0 ? 0 : Math.min(first, this.gap(right, outcome));
    }
    const first = this.gap(left, outcome);
    return first > 0 ? first + 1 : this.gap(right, outcome);
  }

  // A method whose object and argument are plain names, so that they can be looked at again.
  m(i, name, result, receiver, first, second) {
    if (this[i] === 0 && this.isWorthTelling(i)) lookups.method(this, i, name, result, receiver, first, second);
    return result;
  }

  // The object of a method. Where what is called is no function, the engine would quote our code.
  g(i, receiver, name, text) {
    if (this[i] === 0) {
      this.receivers[i] = receiver;
      if (name !== undefined && isPrimitive(receiver) && typeof receiver[name] !== 'function') {
        throw quoted(new TypeError(`${text}.${name} is not a function`), this.g);
      }
    }
    return receiver;
  }

  // Its arguments. With a name, what follows may throw and is told of then.
  a(i, value, name) {
    if (this[i] === 0) {
      this.firsts[i] = value;
      if (name !== undefined) this.pending = { slot: i, name, value };
    }
    return value;
  }

  b(i, value) {
    if (this[i] === 0) this.seconds[i] = value;
    return value;
  }

  // What the method said.
  M(i, name, result) {
    if (this[i] === 0) {
      const { receivers, firsts, seconds } = this;
      const receiver = receivers[i];
      const first = firsts[i];
      const second = seconds[i];
      receivers[i] = firsts[i] = seconds[i] = this.pending = undefined;
      if (this.isWorthTelling(i)) lookups.method(this, i, name, result, receiver, first, second);
    }
    return result;
  }

  // A function that parses.
  P(i, name, result, callee) {
    if (this[i] === 0) {
      const first = this.firsts[i];
      this.firsts[i] = this.seconds[i] = this.pending = undefined;
      if (this.isWorthTelling(i)) lookups.parsing(this, i, name, result, callee, first);
    }
    return result;
  }

  // A member that was read; the object is in `o`.
  u(i, value, name, hint) {
    if (this[i] === 0 && (value === undefined || this.finds[i] < FEW)) {
      const found = value !== undefined;
      if (reads.read(this, this.o, name, found, hint)) this.count(i, found);
      if (++this.heat[i] > HOT_LINE) this.rest(i);
    }
    return value;
  }

  // A member whose name was computed; the key is in `q`.
  v(i, value) {
    if (value === undefined && this[i] === 0) {
      lookups.missing(this, this.o, this.q);
      this.count(i);
      if (++this.heat[i] > HOT_LINE) this.rest(i);
    }
    return value;
  }

  // A value whose members are taken out of it.
  D(i, value, names, text, hint) {
    if (value === null || value === undefined) {
      const [first] = names.split(',');
      const message = `Cannot destructure property '${first}' of '${text}' as it is ${value}.`;
      throw quoted(new TypeError(message), this.D);
    }
    if (this[i] === 0) {
      reads.taken(this, value, names.split(','), hint);
      this.count(i);
    }
    return value;
  }

  // An exception on its way out of a function.
  x(error) {
    this.recorder.current().fail(error, this);
    this.z();
    return error;
  }

  // Something was caught, or passes: what was being parsed could not be.
  z() {
    const pending = this.pending;
    if (pending === undefined) return;
    const receiver = this.receivers[pending.slot];
    this.pending = this.firsts[pending.slot] = this.receivers[pending.slot] = undefined;
    lookups.failed(this, pending, receiver);
  }

  // Whether a method has something to tell that it has not told often enough.
  isWorthTelling(i) {
    if (this.kinds[i] !== SILENT) return true;
    if (this.told[i] === ENOUGH) this.counts[i] = (this.counts[i] + 1) & NOW_AND_THEN;
    else this.told[i] += 1;
    return this.counts[i] === 0;
  }

  count(i, found) {
    if (found) this.finds[i]++;
    else if (this.kinds[i] === SILENT && ++this.counts[i] >= ENOUGH) this[i] = 1;
  }

  // What observations name as their target.
  target(i) {
    return this.ids[i] + 1;
  }

  // Whatever a program has done to its surroundings, it must not hear of it from us.
  observe(write) {
    try {
      this.recorder.current().observe(write());
    } catch {
      // Then it is not told.
    }
  }

  // The outcome of a test, and how far the other one was.
  verdict(i, is, gap) {
    const { recorder, ids } = this;
    const share = distance.share(gap);
    if (++this.heat[i] > HOT_TEST) this.rest(i);
    if (this.kinds[i] === METHOD) {
      recorder.hit(ids[i], is ? 1 : share);
    } else if (this.kinds[i] === TRUE) {
      recorder.hit(ids[i], is ? 1 : share);
      recorder.hit(ids[i + 1], is ? share : 1);
      this.gaps[i] = is ? 0 : gap;
      this.gaps[i + 1] = is ? gap : 0;
    }
  }

  equality(i, a, b, is, areEqual, manner, isStrict) {
    const isHopeless = isStrict && typeof a !== typeof b;
    this.verdict(i, is, areEqual || manner === 2 || isHopeless ? 1 : distance.equality(a, b));
    if (manner === 2) return;
    const isLevelled = manner === 1 && typeof a === 'string' && typeof b === 'string';
    const { equal, same } = observe.KIND;
    this.observe(() => isLevelled
      ? observe.texts(this.target(i), same, a, b)
      : observe.pair(this.target(i), equal, a, b));
  }

  order(i, a, b, is, gap) {
    this.verdict(i, is, gap);
    this.observe(() => observe.pair(this.target(i), observe.KIND.order, a, b));
  }
}

// The parts of each condition with the whole, by each of them.
function groupsOf(trees) {
  const groups = new Map();
  for (const [whole, tree] of trees) {
    const group = [whole];
    collect(tree, group);
    for (const member of group) groups.set(member, group);
  }
  return groups;
}

function collect(tree, group) {
  if (tree === 'dark') return;
  if (tree.part !== undefined) group.push(tree.part);
  else if (tree.not) collect(tree.not, group);
  else for (const side of tree.and || tree.or) collect(side, group);
}

function isPrimitive(value) {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' || Array.isArray(value);
}

// An error as the engine would have made it, without our own line on top.
function quoted(error, above) {
  Error.captureStackTrace(error, above);
  return error;
}

module.exports = { File };
