// Shed: what is done once after all tests.
// Written by: fossick test openapi.json

const { spawnSync } = require("node:child_process");

const STOP = "echo 'the shed is closed' >> \"${SHED_LOG:-/dev/null}\"";

module.exports = () => {
  spawnSync(STOP, { shell: true, stdio: "inherit" });
  const { service } = globalThis;
  if (service.exitCode === null) process.kill(-service.pid);
};
