// usage: node --test

"use strict";

const assert = require("node:assert/strict");
const test = require("node:test");

const scs = require("./scs.js");

const ANSWERS = [
  [scs.calc, ["PI", 0, 0], 3.141592653589793],
  [scs.calc, ["e", 0, 0], 2.718281828459045],
  [scs.calc, ["sqrt", 9, 0], 3],
  [scs.calc, ["log", 1, 0], 0],
  [scs.calc, ["sine", 0, 0], 0],
  [scs.calc, ["cosine", 0, 0], 1],
  [scs.calc, ["tangent", 0, 0], 0],
  [scs.calc, ["plus", 1, 2], 3],
  [scs.calc, ["subtract", 1, 2], -1],
  [scs.calc, ["multiply", 3, 2], 6],
  [scs.calc, ["divide", 3, 2], 1.5],
  [scs.calc, ["power", 3, 2], 0],
  [scs.cookie, ["UserId", "user123", ""], "1"],
  [scs.cookie, ["userid", "user12", ""], "0"],
  [scs.cookie, ["userid", "guest123", ""], "0"],
  [scs.cookie, ["session", "am", "abc.com"], "1"],
  [scs.cookie, ["session", "am", "abc.org"], "2"],
  [scs.cookie, ["other", "am", "abc.com"], "0"],
  [scs.costfuns, [5, "abab"], "6"],
  [scs.costfuns, [-4, "abab"], "0"],
  [scs.costfuns, [-4, "baab"], "10"],
  [scs.dateParse, ["mon", "x"], "1"],
  [scs.dateParse, ["thur", "DEC"], "13"],
  [scs.dateParse, ["thu", "jan"], "1"],
  [scs.dateParse, ["x", "y"], "0"],
  [scs.fileSuffix, ["text", "a.txt"], "1"],
  [scs.fileSuffix, ["acrobat", "a.b.pdf"], "2"],
  [scs.fileSuffix, ["word", "a.doc"], "3"],
  [scs.fileSuffix, ["bin", "a.exe"], "4"],
  [scs.fileSuffix, ["lib", "a.dll"], "5"],
  [scs.fileSuffix, ["text", "txt"], "0"],
  [scs.fileSuffix, ["text", "a.doc"], "0"],
  [scs.notyPevar, [6, ""], "3"],
  [scs.notyPevar, [28, "a"], "3"],
  [scs.notyPevar, [5, "help"], "2"],
  [scs.notyPevar, [5, "hello"], "0"],
  [scs.ordered4, ["aaaaa", "bbbbbb", "ddddd", "ccccc"], "increasing"],
  [scs.ordered4, ["ddddd", "ccccc", "aaaaa", "bbbbb"], "decreasing"],
  [scs.ordered4, ["aaaaa", "bbbbb", "ccccc", "ddddd"], "unordered"],
  [scs.ordered4, ["aaaa", "bbbbb", "ddddd", "ccccc"], "unordered"],
  [scs.pat, ["abccba", "abc"], "0"],
  [scs.pat, ["xabcxcbax", "abc"], "1"],
  [scs.pat, ["xxcbaabc", "abc"], "2"],
  [scs.pat, ["abc", "abc"], "1"],
  [scs.pat, ["cba", "abc"], "2"],
  [scs.pat, ["abcba", "abc"], "2"],
  [scs.pat, ["acba", "abca"], "0"],
  [scs.pat, ["xxxabccba", "abc"], "3"],
  [scs.pat, ["abab", "ab"], "0"],
  [scs.regex, ["mon00jan"], "date"],
  [scs.regex, ["thur31dec"], "date"],
  [scs.regex, ["1.5e+10"], "fpe"],
  [scs.regex, ["12.34e-05"], "fpe"],
  [scs.regex, ["1.5e10"], "none"],
  [scs.regex, ["http//:a/b"], "url"],
  [scs.regex, ["http://a/b"], "none"],
  [scs.regex, ["mon00jan\n"], "none"],
  [scs.text2Txt, ["two", "", ""], "2"],
  [scs.text2Txt, ["FOR", "", ""], "4"],
  [scs.text2Txt, ["four", "", ""], "4"],
  [scs.text2Txt, ["you", "", ""], "u"],
  [scs.text2Txt, ["and", "", ""], "n"],
  [scs.text2Txt, ["are", "", ""], "r"],
  [scs.text2Txt, ["see", "you", ""], "cu"],
  [scs.text2Txt, ["by", "the", "way"], "btw"],
  [scs.text2Txt, ["by", "the", "by"], ""],
  [scs.title, ["male", "Sir"], "1"],
  [scs.title, ["male", "lady"], "-1"],
  [scs.title, ["female", "rthon"], "0"],
  [scs.title, ["none", "prof"], "2"],
  [scs.title, ["none", "mr"], "-1"],
  [scs.costfuns, [-445, "abab"], "6"],
  [scs.costfuns, [-333, "abab"], "6"],
  [scs.costfuns, [667, "abab"], "6"],
  [scs.costfuns, [555, "ababba"], "10"],
  [scs.notyPevar, [7, "hello"], "3"],
  [scs.dateParse, ["", "jan"], "1"],
  [scs.dateParse, ["", "feb"], "2"],
  [scs.dateParse, ["", "mar"], "3"],
  [scs.dateParse, ["", "apr"], "4"],
  [scs.dateParse, ["", "may"], "5"],
  [scs.dateParse, ["", "jun"], "6"],
  [scs.dateParse, ["", "jul"], "7"],
  [scs.dateParse, ["", "aug"], "8"],
  [scs.dateParse, ["", "sep"], "9"],
  [scs.dateParse, ["", "oct"], "10"],
  [scs.dateParse, ["", "nov"], "11"],
  [scs.fileSuffix, ["acrobat", "a.b"], "0"],
  [scs.fileSuffix, ["word", "a.b"], "0"],
  [scs.fileSuffix, ["bin", "a.b"], "0"],
  [scs.fileSuffix, ["lib", "a.b"], "0"],
  [scs.title, ["female", "mr"], "-1"],
  [scs.title, ["other", "mr"], "-1"],
];

/** The rule in words of its own: hits from left to right, of which one may end the search. */
function expectedPat(txt, pat) {
  if (pat.length < 3) return "0";
  const rev = [...pat].reverse().join("");
  let last = "0";
  for (let start = 0; start + pat.length <= txt.length; start++) {
    const here = txt.slice(start, start + pat.length);
    const backward = here === rev && pat[0] !== pat.at(-1);
    if (here !== pat && !backward) continue;
    last = here === pat ? "1" : "2";
    const other = here === pat ? rev : pat;
    if (txt.slice(start + pat.length).includes(other)) return String(start);
  }
  return last;
}

/** All texts of a length that are made of two letters. */
function textsOf(length) {
  if (length === 0) return [""];
  return textsOf(length - 1).flatMap((text) => [`a${text}`, `b${text}`]);
}

test("known answers", () => {
  for (const [known, inputs, expected] of ANSWERS) {
    assert.equal(known(...inputs), expected, `${known.name}(${inputs})`);
  }
});

test("what has no value", () => {
  for (const inputs of [["sqrt", -1, 0], ["log", -1, 0], ["divide", 0, 0]]) {
    assert.ok(Number.isNaN(scs.calc(...inputs)), inputs);
  }
});

test("pat agrees with its rule", () => {
  for (const txt of [0, 1, 2, 3, 4, 5, 6, 7].flatMap(textsOf)) {
    for (const pat of [2, 3, 4].flatMap(textsOf)) {
      assert.equal(scs.pat(txt, pat), expectedPat(txt, pat), `pat(${txt}, ${pat})`);
    }
  }
});
