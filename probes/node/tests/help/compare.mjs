// Runs a file of the corpus and prints what it noted.
import { createRequire } from 'node:module';
import { format } from 'node:util';
import { pathToFileURL } from 'node:url';

const lines = [];
globalThis.note = (...values) => { lines.push(values.map((it) => format('%o', it)).join(' ')); };
const [, , file] = process.argv;
await (file.endsWith('.mjs') ? import(pathToFileURL(file)) : createRequire(import.meta.url)(file));
// The tool may hear what ran.
if (process.env.FOSSICK_PROBE) await new Promise((done) => setTimeout(done, 300));
console.log(lines.join('\n'));
