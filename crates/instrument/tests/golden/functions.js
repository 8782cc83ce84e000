function plain(a = b == c) { 'use strict'; return g(a) }
function nested() { return inner(); function inner() { return 1 } }
const k = x => ({ x }), l = x => x.y, m = async () => { await n() }
class A extends b.C { #p = 1; static { d() } get q() { return this.#p } constructor() { super(); e() } }
function* gen() { const x = yield 1; if (x) yield* other() }
label: for (const x of xs) { if (x) continue label; else break }
with (o) { hidden() }
a = b
++c
if (a) function odd() {}
