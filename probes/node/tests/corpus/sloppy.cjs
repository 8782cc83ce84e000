// Old and odd things that a rewriter could get wrong. Each tells `note` what it came to.
note((5 & 1) === 0, (6 & 1) === 0, 1 + (2 == 2), typeof undeclared === 'undefined', typeof undeclared)
note(function () { return this === globalThis || this === undefined }() , (function () { return typeof this })())
var a = 1
var b = a
++b
note(a, b)
var regex = 4 / 2 / 1
note(regex)
if (a) function declared() { return 'hoisted' }
note(declared())
note((function (x, y) { arguments[0] = 9; return x + y })(1, 2))
note((function () { "use strict"; return this })())
note(void 0 === undefined, null == undefined, null === undefined, NaN === NaN, NaN != NaN)
label: for (var i = 0; i < 3; i++) { for (;;) { if (i == 1) break label; continue label } }
note(i)
outer: { if (i) break outer; note('never') }
var o = { valueOf: function () { note('valueOf'); return 2 }, toString: function () { note('toString'); return 'x' } }
note(o == 2, o < 3, o + '' == '2', o === 2)
var order = []
function say(x) { order.push(x); return x }
note(say(1) < say(2), say(3) == say(4) || say(5) && say(6), order.join())
order.length = 0
note([say('o'), { k: { f: function (x) { return this.n + x }, n: 'this ' } }][say(1)].k.f(say('z')), order.join())
note(eval('var evaled = a == 1; evaled'), evaled, new Function('a', 'return a === this')(globalThis))
var has = { 'in': 1, get: function () { return this === has }, includes: function (x) { return this === has && x } }
note('in' in has, has.get('x'), has.includes('y'), delete has.in, delete has?.nothing, 'in' in has)
with ({ x: 1, $f: 2 }) { note(x === 1 && $f) }
switch (say(3)) { case say(1): note('one'); case say(3): note('three'); default: note('default') }
switch (typeof a) { case 'string': case 'number': note('number'); break; case 'object': note('no') }
switch (true) { case a > 1: note('>'); break; case a === 1: note('='); break }
switch (a) {}
do note('once'); while (a != 1)
while (a++ < 3) note(a)
if (a == 1) note('1'); else if (a == 4) note('4'); else note('?')
if (a) if (!a) note('dangling'); else note('else of the inner')
for (var k in { x: 1, y: 2 }) note(k)
for (var k of [1, 2]) if (k == 1) continue; else note(k)
note(function named() { return typeof named }(), (function () {}).name, (() => {}).name)
var inferred = function () {}, arrow = () => a == 1, klass = class {}
note(inferred.name, arrow.name, klass.name, { m() {} }.m.name, { p: () => {} }.p.name)
inferred ||= 1; var late; late ??= () => {}; late &&= late
note(late.name, a ? b ? 'both' : 'a' : 'none', (a, b), ((a, b)))
note(`${a == 4}${`${b}`}`, String.raw`\n${a}`, ((s, ...v) => s.raw.join('|') + v)`x${a == 4}y`)
var getter = { get x() { order.push('get'); return undefined }, f: undefined }
order.length = 0
note(getter.x, getter?.x, getter.x === undefined, getter['x'], getter.x ?? 'nothing', order.join())
try { getter.f() } catch (e) { note(e.message) }
try { getter.x.y.z } catch (e) { note(e.message) }
try { var { p, q } = getter.x } catch (e) { note(e.message) }
try { var { p } = getter.f } catch (e) { note(e.message) }
try { null.startsWith(say('not reached')) } catch (e) { note(e.message) }
var query = { tags: ['a'], n: 5 }
try { query.tags.startsWith('x') } catch (e) { note(e.message, e instanceof TypeError) }
try { query.n.startsWith('x') } catch (e) { note(e.message) }
try { 'x' in 'y' } catch (e) { note(e.message) }
try { a instanceof b } catch (e) { note(e.message) }
try { JSON.parse('{') } catch (e) { note(e.name) }
try { nothing == 1 } catch (e) { note(e.message) }
note(isNaN('x'), Number('12') === 12, parseInt('12px', 10), [1, 2].includes(2), new Set([1]).has(2), 'abc'.indexOf('c') !== -1)
note('a-b'.split('-').length, 'aXb'.replace('X', function (m) { return m + '!' }), 'abc'.match(/b/)[0], /x/g.test('x'))
note(new Date(0).getTime() === 0, new (class { constructor(x) { this.x = x } })(a == 4).x, new Date(NaN) < 1)
var t = 0, u = t++ + ++t, v = t--
note(t, u, v, -(t ** 2) === -1 ? 1 : (-t) ** 2, !t == false, !!t)
note([..."ab"].map(x => x == 'a'), Math.max(...[1, 2]), [, 1].length, ((x = a == 4, { y = x } = {}) => y)())
x = 5; note(delete x, delete o.nothing, typeof x)
note((function () { try { return 'try' } finally { note('finally') } })(), (function () { try { throw 1 } catch { return 'caught' } })())
note(a /* comment == */ == /* another */ 4, a // line ==
  === 4)
note((function f(n) { return n === 0 ? 0 : f(n - 1) })(50), (function () { return new.target === undefined })(), new (function () { this.t = new.target !== undefined })().t)
var unicode = 'käse ≠ 水', ключ = 1; note(unicode === 'käse ≠ 水', ключ == 1)
<!-- an old comment
note(0 == '', '0' == false, [] == '', 1n == 1, 2n > 1, 'b' > 'a', null >= 0, undefined == 0)
function outerOne() { return inner(); function inner() { return 'inner' } }
note(outerOne(), (function () { return typeof later; var later })(), (() => ({}))(), (() => ({ a: 1 }).a)())
note(this === module.exports, typeof require, arguments.length)
{ let shadow = 1; { let shadow = 2; note(shadow == 2) } note(shadow == 1) }
for (let i = 0, fs = []; i < 2; i++) { fs.push(() => i); if (i) note(fs.map(f => f())) }
var async = 1, of = 2, get = 3, let_ = 4, yield_ = 5; note(async + of + get)
note(a ? (function () { return 1 })() : 0, a && (b, 'last'), (a, b) == 2 || 'no')
return
note('not reached')
