// usage: node --test

import assert from "node:assert/strict";
import test from "node:test";

import { Refused, bessj, expint, fisher, gammq, remainder, triangle } from "./ncs.js";

const ANSWERS = [
  [triangle, [3, 4, 5], 1],
  [triangle, [2, 2, 3], 2],
  [triangle, [2, 3, 2], 2],
  [triangle, [3, 2, 2], 2],
  [triangle, [2, 2, 2], 3],
  [triangle, [1, 2, 3], 0],
  [triangle, [1, 3, 2], 0],
  [triangle, [3, 1, 2], 0],
  [triangle, [2147483647, 2147483647, 1], 2],
  [triangle, [0, 1, 1], 0],
  [bessj, [3, 2], 0.128943249],
  [bessj, [3, 3.1], 0.32644276],
  [bessj, [3, 8.1], -0.2902644],
  [bessj, [4, 50], 0.0708410],
  [bessj, [3, -2], -0.128943249],
  [bessj, [4, -2], 0.03399572],
  [bessj, [3, 0], 0],
  [bessj, [1000, 1e-5], 0],
  [expint, [1, 1], 0.2193839],
  [expint, [2, 2], 0.0375343],
  [expint, [5, 0.5], 0.1309773],
  [expint, [2, 0], 1],
  [expint, [0, 1], 0.3678794],
  [expint, [10, 1], 0.0363940],
  [fisher, [4, 5, 0.5], 0.26079803],
  [fisher, [5, 4, 4], 0.89807904],
  [fisher, [6, 8, 4], 0.96240234],
  [fisher, [3, 3, 0.5], 0.29179141],
  [fisher, [1, 2, 0.5], 0.44721360],
  [fisher, [2, 1, 0.5], 0.29289322],
  [fisher, [2, 2, 1], 0.5],
  [fisher, [30, 1, 0.001], 0],
  [fisher, [30, 2, -1], 1],
  [gammq, [0.5, 0.5], 0.317311],
  [gammq, [1, 2], 0.135335],
  [gammq, [10, 10], 0.457930],
  [gammq, [100, 110], 0.158279],
  [gammq, [7.5, 0], 1],
  [remainder, [7, 3], 1],
  [remainder, [7, -3], 1],
  [remainder, [-7, 3], -1],
  [remainder, [-8, 3], -2],
  [remainder, [-7, -3], 1],
  [remainder, [6, -3], 0],
  [remainder, [3, 5], -1],
  [remainder, [0, 5], -1],
  [remainder, [5, 0], -1],
];

const REFUSED = [
  [bessj, [2, 1]],
  [bessj, [1001, 1]],
  [expint, [-1, 1]],
  [expint, [1, -1]],
  [expint, [0, 0]],
  [expint, [1, 0]],
  [expint, [3, Infinity]],
  [expint, [3, NaN]],
  [fisher, [1001, 1, 1]],
  [fisher, [1, 1001, 1]],
  [gammq, [1, -1]],
  [gammq, [0, 1]],
  [gammq, [1000, 1000]],
  [gammq, [10_000, 10_001]],
  [gammq, [Infinity, 1]],
  [gammq, [1, Infinity]],
  [remainder, [10_001, 1]],
  [remainder, [1, -10_001]],
];

function assertNear(actual, expected, what) {
  assert.ok(Math.abs(actual - expected) <= 1e-6, `${what} is ${actual} and not ${expected}`);
}

test("known answers", () => {
  for (const [known, inputs, expected] of ANSWERS) {
    assertNear(known(...inputs), expected, `${known.name}(${inputs})`);
  }
});

test("refusals", () => {
  for (const [known, inputs] of REFUSED) {
    assert.throws(() => known(...inputs), Refused, `${known.name}(${inputs})`);
  }
});

test("what does not converge is next to what does", () => {
  assertNear(gammq(1000, 900), 0.9994501, "gammq(1000, 900)");
  assertNear(gammq(10_000, 11_000), 0, "gammq(10000, 11000)");
});

test("what has no value", () => {
  assert.ok(Number.isNaN(bessj(3, NaN)));
  assert.ok(Number.isNaN(bessj(3, 1e-50)));
  assert.ok(Number.isNaN(fisher(2, 2, 0)));
});

test("remainders agree with the rule", () => {
  for (let a = -40; a <= 40; a++) {
    for (let b = -40; b <= 40; b++) {
      const done = a !== 0 && b !== 0 && Math.abs(a) >= Math.abs(b);
      const sign = a < 0 && b > 0 ? -1 : 1;
      // Zero has a sign here, which nobody asks for.
      const expected = done ? sign * (Math.abs(a) % Math.abs(b)) + 0 : -1;
      assert.equal(remainder(a, b) + 0, expected, `remainder(${a}, ${b})`);
    }
  }
});
