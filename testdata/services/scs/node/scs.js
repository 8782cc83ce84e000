// Eleven functions of texts with branches that only few inputs reach.
//
// Each keeps the decisions that it is known for: where tests follow one another and the last that
// holds decides, all of them are made. Texts are compared by their units of UTF-16.

"use strict";

/** What has no value, as the root of a negative number, is NaN. */
function calc(op, arg1, arg2) {
  const name = op.toLowerCase();
  if (name === "pi") return Math.PI;
  if (name === "e") return Math.E;
  if (name === "sqrt") return Math.sqrt(arg1);
  if (name === "log") return Math.log(arg1);
  if (name === "sine") return Math.sin(arg1);
  if (name === "cosine") return Math.cos(arg1);
  if (name === "tangent") return Math.tan(arg1);
  if (name === "plus") return arg1 + arg2;
  if (name === "subtract") return arg1 - arg2;
  if (name === "multiply") return arg1 * arg2;
  if (name === "divide") return arg1 / arg2;
  return 0;
}

function cookie(name, val, site) {
  const kind = name.toLowerCase();
  const value = val.toLowerCase();
  if (kind === "userid") {
    if (value.length > 6) {
      if (value.substring(0, 4) === "user") return "1";
    }
  } else if (kind === "session") {
    if (value === "am" && site.toLowerCase() === "abc.com") return "1";
    return "2";
  }
  return "0";
}

function costfuns(i, s) {
  let result = 0;
  if (i === 5) result = 1;
  if (i < -444) result = 2;
  if (i <= -333) result = 3;
  if (i > 666) result = 4;
  if (i >= 555) result = 5;
  if (i !== -4) result = 6;
  if (s === "baab") result = 7;
  if (s > "ababba") result = 8;
  if (s >= "ababba") result = 9;
  if (s !== "abab") result = 10;
  return String(result);
}

/** 1 for the name of a day and the number of a month, added up. */
function dateParse(dayname, monthname) {
  let result = 0;
  const day = dayname.toLowerCase();
  const month = monthname.toLowerCase();
  if (
    day === "mon" ||
    day === "tue" ||
    day === "wed" ||
    day === "thur" ||
    day === "fri" ||
    day === "sat" ||
    day === "sun"
  ) {
    result = 1;
  }
  if (month === "jan") result += 1;
  if (month === "feb") result += 2;
  if (month === "mar") result += 3;
  if (month === "apr") result += 4;
  if (month === "may") result += 5;
  if (month === "jun") result += 6;
  if (month === "jul") result += 7;
  if (month === "aug") result += 8;
  if (month === "sep") result += 9;
  if (month === "oct") result += 10;
  if (month === "nov") result += 11;
  if (month === "dec") result += 12;
  return String(result);
}

/** A number where the name of a file ends as those in its directory do. */
function fileSuffix(directory, file) {
  let result = 0;
  const parts = file.split(".");
  if (parts.length > 1) {
    const suffix = parts[parts.length - 1];
    if (directory === "text") {
      if (suffix === "txt") result = 1;
    }
    if (directory === "acrobat") {
      if (suffix === "pdf") result = 2;
    }
    if (directory === "word") {
      if (suffix === "doc") result = 3;
    }
    if (directory === "bin") {
      if (suffix === "exe") result = 4;
    }
    if (directory === "lib") {
      if (suffix === "dll") result = 5;
    }
  }
  return String(result);
}

function notyPevar(i, s) {
  let result = 0;
  if (i + i === 56) result = i;
  if (`hello${i}` === "hello7") result = 1;
  if (s > "hello") result = 2;
  if (i > 5) result = 3;
  return String(result);
}

/** Note the order in which they are told: the last two change places. */
function ordered4(w, x, z, y) {
  if (
    w.length >= 5 &&
    w.length <= 6 &&
    x.length >= 5 &&
    x.length <= 6 &&
    y.length >= 5 &&
    y.length <= 6 &&
    z.length >= 5 &&
    z.length <= 6
  ) {
    if (z > y && y > x && x > w) return "increasing";
    if (w > x && x > y && y > z) return "decreasing";
  }
  return "unordered";
}

/** Where a text and its reverse both stand in another, and which of them if only one does. */
function pat(txt, part) {
  if (part.length <= 2) return "0";
  let result = 0;
  const rev = reverse(part);
  for (let start = 0; start + part.length <= txt.length; start++) {
    const after = start + part.length;
    if (txt[start] === part[0]) {
      if (txt.substring(start, after) === part) {
        result = 1;
        const found = find(txt, rev, after);
        if (found === after) return String(start); // a palindrome
        if (found > after) return String(start);
        continue;
      }
    }
    // What both begin with cannot tell them apart: only the forward one is looked for.
    if (txt[start] === rev[0] && rev[0] !== part[0]) {
      if (txt.substring(start, after) === rev) {
        result = 2;
        const found = find(txt, part, after);
        if (found === after) return String(start); // a palindrome
        if (found > after) return String(start);
      }
    }
  }
  return String(result);
}

/** The first place of a part from a start on, or -1. */
function find(txt, part, start) {
  for (let place = start; place + part.length <= txt.length; place++) {
    if (txt[place] === part[0]) {
      if (txt.substring(place, place + part.length) === part) return place;
    }
  }
  return -1;
}

function reverse(text) {
  let result = "";
  for (let place = 0; place < text.length; place++) result = text[place] + result;
  return result;
}

const URL = /^(http|ftp|afs|gopher)\/\/:[a-z_-][a-z0-9_-]*\/[a-z_-][a-z0-9_-]*$/;
const DATE =
  /^(mon|tue|wed|thur|fri|sat|sun)[0-9]{2}(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$/;
const FLOAT = /^[0-9]+\.[0-9]+e[+-][0-9]{2}$/;

function regex(txt) {
  if (URL.test(txt)) return "url";
  if (DATE.test(txt)) return "date";
  if (FLOAT.test(txt)) return "fpe";
  return "none";
}

/** Words as they are shortened in messages. */
function text2Txt(word1, word2, word3) {
  let result = "";
  const first = word1.toLowerCase();
  const second = word2.toLowerCase();
  const third = word3.toLowerCase();
  if (first === "two") result = "2";
  if (first === "for" || first === "four") result = "4";
  if (first === "you") result = "u";
  if (first === "and") result = "n";
  if (first === "are") result = "r";
  else if (first === "see" && second === "you") result = "cu";
  else if (first === "by" && second === "the" && third === "way") result = "btw";
  return result;
}

/** Whether a title goes with a sex: a code of the sex, or -1. */
function title(sex, name) {
  const kind = sex.toLowerCase();
  const word = name.toLowerCase();
  let result = -1;
  if (kind === "male") {
    if (
      word === "mr" ||
      word === "dr" ||
      word === "sir" ||
      word === "rev" ||
      word === "rthon" ||
      word === "prof"
    ) {
      result = 1;
    }
  } else if (kind === "female") {
    if (
      word === "mrs" ||
      word === "miss" ||
      word === "ms" ||
      word === "dr" ||
      word === "lady" ||
      word === "rev" ||
      word === "rthon" ||
      word === "prof"
    ) {
      result = 0;
    }
  } else if (kind === "none") {
    if (word === "dr" || word === "rev" || word === "rthon" || word === "prof") result = 2;
  }
  return String(result);
}

module.exports = {
  calc,
  cookie,
  costfuns,
  dateParse,
  fileSuffix,
  notyPevar,
  ordered4,
  pat,
  regex,
  text2Txt,
  title,
};
