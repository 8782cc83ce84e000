// Hooks for modules in the thread that Node runs them in, where it can't run them elsewhere.
import { introduced, moduleFile, textOf } from './hooks.js';
import probe from './probe.js';

let rewriter;

export function initialize(environment) {
  rewriter = new probe.Rewriter(environment);
}

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  try {
    const file = moduleFile(url, loaded.format);
    if (file === undefined || loaded.source === undefined || loaded.source === null) return loaded;
    const rewritten = rewriter.rewrite(file, textOf(loaded.source), true, true);
    return rewritten === undefined ? loaded : { ...loaded, source: introduced(rewritten) };
  } catch {
    return loaded;
  }
}
