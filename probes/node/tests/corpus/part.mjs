import { late } from './module.mjs'
export let count = 0
export function once() { count++; return count }
export default () => {}
note('cycle', late() === null)
