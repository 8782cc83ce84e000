// What Node loads before everything else: NODE_OPTIONS=--require …/register.cjs
//
// Without FOSSICK_PROBE nothing happens. With it the hooks wait for the first file of the user's
// own; a process that loads none, such as npm, is left alone.
'use strict';

if (process.env.FOSSICK_PROBE) {
  try {
    require('./lib/hooks.js').install(process.env);
  } catch {
    // A service must run as it would without us.
  }
}
