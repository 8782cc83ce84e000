// What opens a gate, each kind of condition once.
//
// A function is one gate, and its line with the mark is run only when it opens. Gates that look
// at the request itself are in the services. `Memory` holds the gates that need several calls.

"use strict";

const FEES = { NO1: 310, NO2: 545, IS1: 420, IS3: 1290, FO2: 780 };
const AIRPORTS = new Set(["KEF", "TRD", "BGO", "SVG"]);
const SIZES = { SMALL: 1, MEDIUM: 2, LARGE: 3, COLOSSAL: 9 };
const DAY = 24 * 60 * 60 * 1000;
const SHELF_SIZE = 10_000;

function textEqual(word) {
  if (word === "porcupine") {
    return true; // gate: text-equal
  }
  return false;
}

function textFolded(word) {
  if (word.trim().toLowerCase() === "armadillo") {
    return true; // gate: text-folded
  }
  return false;
}

function prefixSuffix(plate) {
  if (plate.startsWith("KX-") && plate.endsWith("-9Q") && plate.length === 12) {
    return true; // gate: prefix-suffix
  }
  return false;
}

function contains(note) {
  if (note.includes("overdue") && note.length > 20) {
    return true; // gate: contains
  }
  return false;
}

function regexWhole(serial) {
  if (/^[A-F]{2}[0-9]{4}-[xyz]$/.test(serial)) {
    return true; // gate: regex-whole
  }
  return false;
}

function regexGroups(version) {
  const match = version.match(/^v([0-9]+)\.([0-9]+)\.([0-9]+)$/);
  if (match === null) return false;
  const [major, minor, patch] = match.slice(1).map(Number);
  if (major === 7 && minor > patch && patch === 21) {
    return true; // gate: regex-groups
  }
  return false;
}

function regexAlternatives(paint) {
  const match = /^(?<colour>red|green|blue)-(?<tone>light|dark)-(?<number>[0-9]{2})/.exec(paint);
  const { colour, tone, number } = match?.groups ?? {};
  if (match && colour !== "red" && tone === "dark" && number === "42") {
    return true; // gate: regex-alternatives
  }
  return false;
}

function sliceOfText(code) {
  if (code.slice(2, 5) === "xyz" && code.at(-1) === "7") {
    return true; // gate: slice
  }
  return false;
}

function split(route) {
  const stops = route.split(":");
  if (stops.length === 3 && stops[0] === "oslo" && stops[2] === "rome") {
    return true; // gate: split
  }
  return false;
}

function leapDay(text) {
  const day = new Date(text);
  if (day.getUTCMonth() === 1 && day.getUTCDate() === 29 && day.getUTCFullYear() < 2000) {
    return true; // gate: leap-day
  }
  return false;
}

function weekday(text) {
  const moment = new Date(text);
  if (moment.getUTCDay() === 0 && moment.getUTCMonth() === 10 && moment.getUTCHours() === 3) {
    return true; // gate: weekday
  }
  return false;
}

function dateAfter(arrival, departure) {
  const first = Date.parse(arrival);
  const last = Date.parse(departure);
  if (last > first && last - first === 28 * DAY) {
    return true; // gate: date-after
  }
  return false;
}

function bigInteger(number) {
  if (number === 738_265_914) {
    return true; // gate: big-integer
  }
  return false;
}

function sumProduct(width, height) {
  if (width * height === 7387 && width + height === 172) {
    return true; // gate: sum-product
  }
  return false;
}

/** Luhn's: from the right, each second digit counts twice, and its own digits are added. */
function checksum(card) {
  if (!/^[0-9]{12}$/.test(card) || new Set(card).size === 1) return false;
  let total = 0;
  [...card].reverse().forEach((digit, place) => {
    const value = Number(digit) * (1 + (place % 2));
    total += value > 9 ? value - 9 : value;
  });
  if (total % 10 === 0) {
    return true; // gate: checksum
  }
  return false;
}

function floatRange(celsius) {
  if (celsius > 36.61 && celsius < 36.62) {
    return true; // gate: float-range
  }
  return false;
}

function tableCode(country, weight) {
  const fee = FEES[`${country.slice(0, 2).toUpperCase()}${Math.floor(weight / 10)}`];
  if (fee !== undefined && fee > 1000) {
    return true; // gate: table-code
  }
  return false;
}

function member(airport) {
  if (AIRPORTS.has(airport)) {
    return true; // gate: member
  }
  return false;
}

function enumName(name) {
  if (!Object.hasOwn(SIZES, name)) return false;
  if (SIZES[name] === SIZES.COLOSSAL) {
    return true; // gate: enum-name
  }
  return false;
}

function cases(command, argument) {
  switch (command) {
    case "fill":
    case "empty":
      return false;
    case "drain":
      if (argument === 12) {
        return true; // gate: cases
      }
      return false;
    default:
      return false;
  }
}

function inputsEqual(password, repeated) {
  if (password.length >= 8 && password === repeated) {
    return true; // gate: inputs-equal
  }
  return false;
}

function inputsReversed(left, right) {
  if (left.length >= 5 && left !== right && right === [...left].reverse().join("")) {
    return true; // gate: inputs-reversed
  }
  return false;
}

function inputsUpper(name, label) {
  if (name.length >= 4 && name !== label && label === name.toUpperCase()) {
    return true; // gate: inputs-upper
  }
  return false;
}

/** What a text says in JSON, or null. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function base64Json(token) {
  const claims = parsed(Buffer.from(token, "base64").toString("utf8"));
  if (claims?.role === "keeper") {
    return true; // gate: base64-json
  }
  return false;
}

function jsonText(document) {
  const content = parsed(document);
  if (content?.kind === "ledger") {
    return true; // gate: json-text
  }
  return false;
}

function uuidVersion(text) {
  const match = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.exec(
    text,
  );
  if (match && match[1] === "5") {
    return true; // gate: uuid-version
  }
  return false;
}

function array(items) {
  if (items.length === 4 && items[2] === "lemon") {
    return true; // gate: array
  }
  return false;
}

function fourConditions(amount, months, purpose, grade) {
  if (amount > 50_000 && months % 12 === 0) {
    if (purpose === "houseboat" && ["AA", "AAA"].includes(grade)) {
      return true; // gate: four-conditions
    }
  }
  return false;
}

/** What calls leave behind for later ones. */
class Memory {
  constructor() {
    this.reset();
  }

  reset() {
    this.tickets = 0;
    this.numbers = new Map(); // of tickets
    this.ledgers = new Map();
    this.valves = new Map();
    this.rings = new Map();
  }

  /** A new ticket and its number, which nobody can guess from the ticket. */
  draw() {
    makeRoom(this.numbers);
    this.tickets += 1;
    const number = 1000 + ((this.tickets * 7919) % 8999);
    this.numbers.set(this.tickets, number);
    return { ticket: this.tickets, number };
  }

  sumOfAnswers(first, second, total) {
    if (first === second || !this.numbers.has(first) || !this.numbers.has(second)) return false;
    if (this.numbers.get(first) + this.numbers.get(second) === total) {
      return true; // gate: sum-of-answers
    }
    return false;
  }

  enter(ledger, amount) {
    makeRoom(this.ledgers);
    this.ledgers.set(ledger, [...(this.ledgers.get(ledger) ?? []), amount]);
  }

  storedSum(ledger, total) {
    const amounts = this.ledgers.get(ledger) ?? [];
    const sum = amounts.reduce((one, other) => one + other, 0);
    if (amounts.length >= 2 && total > 1000 && sum === total) {
      return true; // gate: stored-sum
    }
    return false;
  }

  turn(valve, position) {
    makeRoom(this.valves);
    this.valves.set(valve, position);
  }

  state(valve) {
    if (this.valves.get(valve) === "bypass") {
      return true; // gate: state
    }
    return false;
  }

  counter(bell) {
    makeRoom(this.rings);
    this.rings.set(bell, (this.rings.get(bell) ?? 0) + 1);
    if (this.rings.get(bell) >= 3) {
      return true; // gate: counter
    }
    return false;
  }
}

/** A long run must not eat the machine. */
function makeRoom(shelf) {
  if (shelf.size >= SHELF_SIZE) shelf.delete(shelf.keys().next().value);
}

module.exports = {
  Memory,
  array,
  base64Json,
  bigInteger,
  cases,
  checksum,
  contains,
  dateAfter,
  enumName,
  floatRange,
  fourConditions,
  inputsEqual,
  inputsReversed,
  inputsUpper,
  jsonText,
  leapDay,
  member,
  prefixSuffix,
  regexAlternatives,
  regexGroups,
  regexWhole,
  sliceOfText,
  split,
  sumProduct,
  tableCode,
  textEqual,
  textFolded,
  uuidVersion,
  weekday,
};
