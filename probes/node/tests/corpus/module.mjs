#!/usr/bin/env node
import { once } from './part.mjs'
import * as part from './part.mjs'
export const early = typeof late === 'function', two = once() == 1
export default (a = 1) => a === 1
export function late() { return part.count >= 1 ? helper() : null }
export class Thing { static x = part.count === 1; y = this?.x ?? 'none' }
function helper() { return import.meta.url.endsWith('module.mjs') }
export { helper as renamed }
import self, { early as e2 } from './module.mjs'
note(early, two, late(), Thing.x, new Thing().y, self(), self.name, e2, this === undefined)
for await (const x of [Promise.resolve(1)]) if (x === 1) note('awaited')
export let value = await Promise.resolve(part.count) ? 'yes' : 'no'
note(value, part.default.name, typeof require)
try { undeclared = 1 } catch (error) { note(error.name) }
