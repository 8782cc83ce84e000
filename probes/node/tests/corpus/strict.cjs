'use strict'
note((function () { return this })(), (() => { try { undeclaredOne = 1 } catch (e) { return e.message } })())
class Base { static #count = 0; #own = 1; static { Base.ready = Base.#count === 0 } field = () => this.#own === 1; get own() { return this.#own } set own(v) { this.#own = v } static has(o) { return #own in o } }
class Derived extends Base { constructor() { if (new.target === Derived) note('new Derived'); super(); this.own = super.own + 1 } toString() { return super.toString() == '[object Object]' } static async *gen() { yield 1; const x = yield 2; if (x === 3) yield x } ['comp' + (1 == 1)]() { return true } async late() { return await super.own } }
const d = new Derived()
note(d.own, d.field(), Base.has(d), Base.has({}), d.toString(), Base.ready, d.comptrue(), Derived.name, Derived.length, d.constructor.name)
function* numbers(n) { try { for (let i = 0; i < n; i++) { const got = yield i; if (got === 'stop') return 'stopped' } } finally { note('closed') } }
const it = numbers(5)
note(it.next().value, it.next('x').value, it.next('stop'), [...numbers(2)], it.return(1))
const thrown = numbers(3); thrown.next(); try { thrown.throw(new Error('in')) } catch (e) { note(e.message) }
const { a = 1, b: { c = 2, ...rest } = {}, ['d' + 1]: dd = 3 } = { b: { e: 5 } }
note(a, c, rest, dd)
const body = { role: 'admin', tags: ['x'] }, request = { body, headers: { 'x-a': '1' } }
const { role, missing } = request.body, [first, second = role === 'admin'] = request.body.tags
note(role, missing, first, second, request.headers['x-a'], request.headers['x-b'], request.body.nothing, request.nothing?.deep.er, request?.body?.role?.length)
note(request.body?.role.startsWith('ad'), request.nothing?.role.startsWith('x'), request.nothing?.f?.(), request.body.f?.(), request.body['role']?.at(0))
try { request.nothing.deep } catch (e) { note(e.message) }
try { const { x } = request.nothing } catch (e) { note(e.message) }
try { const { x } = null } catch (e) { note(e.message) }
try { (({ y }) => y)(undefined) } catch (e) { note(e.message) }
try { request.body.role() } catch (e) { note(e.message) }
try { request.body.nope() } catch (e) { note(e.message) }
try { request.body.role.nope() } catch (e) { note(e.message) }
const bound = { n: 1, f() { return this?.n === 1 }, g: () => typeof this }
note(bound.f(), (bound.f)(), (0, bound.f)(), bound?.f(), (bound?.f)(), bound['f'](), bound.f?.(), bound.g())
note(typeof bound.h === 'undefined', void bound.f(), [bound.f][0]?.call(bound), ((f) => f?.())(bound.f))
const timeline = []
async function work(n) { timeline.push(`in ${n}`); if (n === 2) throw new Error('two'); await null; timeline.push(`out ${n}`); return n == 1 ? 'one' : n }
const failing = async () => await work(2), chained = x => work(x).then(y => y === 3)
async function all() {
  for await (const x of Derived.gen()) timeline.push(x)
  const settled = await Promise.allSettled([work(1), failing(), chained(3), d.late(), (async () => { for (const x of [1]) if (x) return x })()])
  note(settled.map(x => x.value ?? x.reason.message), timeline)
  const g = Derived.gen(); note(await g.next(), await g.next(), await g.next(3), await g.next())
  try { await work(2) } catch ({ message }) { note(message) } finally { note('done') }
  label: { if (await 1) break label; note('no') }
  note(await Promise.resolve(1) === 1 && await 'x' || 0, [await 1 == 1], `${await 2}`, (await work(1)).length > 2)
  const { one, two = await 2 } = await Promise.resolve({ one: 1 }); note(one, two)
  try { const { z } = await null } catch (e) { note(e.message) }
}
const symbol = Symbol('s'), map = new Map([['k', 1]]), weak = new WeakMap([[d, 1]])
note(map.get('k') === 1, map.get('x') ?? 'none', map.has('k') && weak.has(d), { [symbol]: 1 }[symbol], symbol in { [symbol]: 1 }, Object.hasOwn(body, 'role'), body.hasOwnProperty('x'))
const proxy = new Proxy({}, { get: (_, key) => (note('get', String(key)), key === 'f' ? () => 'called' : undefined), has: (_, key) => (note('has', String(key)), true) })
note(proxy.x, proxy.f(), 'y' in proxy, proxy['q'], proxy.has?.('x'), proxy?.z)
const { p1 } = proxy
const big = 12345678901234567890n; note(big > 1, big === 12345678901234567890n, 10n ** 2n === 100n, -big < 0)
note([3, 1, 2].sort((x, y) => x < y ? -1 : x > y ? 1 : 0), [1, 2, 3].filter(x => !(x & 1)), [1, 2].some(x => x === 2 && !false), [[1, 2]].map(([x, y]) => x !== y))
note(((...args) => args.length === 2)(1, 2), (function (x, y = () => x) { var x = 2; return y() === 1 })(1), ((x = arguments.length) => x >= 0)())
note(Buffer.from('aGk=', 'base64').toString() === 'hi', new URL('http://a/b').pathname === '/b', new Date('x').getTime() === 1, Number.isInteger('5'), decodeURIComponent('%20') === ' ')
try { decodeURIComponent('%') } catch (e) { note(e.name) }
try { new URL('x') } catch (e) { note(e.code) }
try { BigInt('x') } catch (e) { note(e.message) }
const self = (() => { const f = n => n <= 1 ? 1 : n * f(n - 1); return f })(); note(self(5), self.name)
note((x => y => z => x === y && y !== z)(1)(1)(2), (() => { throw new RangeError('r') }).length, (async () => {}).constructor.name)
const stack = (() => { try { null.x } catch (e) { return e.stack.split('\n')[1].match(/:(\d+):\d+/)[1] } })()
note(stack, new Error().stack.split('\n')[1].match(/:(\d+):\d+/)[1])
if (a === 1) { function block() { return 'block' } note(block()) }
const longText =
  body.role
    .toUpperCase() ===
  'ADMIN'
    ? 'long'
    : 'short'
note(longText, body
  .tags.includes(
    'x' // a comment, with (brackets
  ))
module.exports = all()
