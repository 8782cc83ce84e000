// Shed: what is done once before all tests.
// Written by: fossick test openapi.json

const { spawn } = require("node:child_process");
const { setTimeout: sleep } = require("node:timers/promises");
const { anybody } = require("./support");

const START = 'exec python3 "${SHED:-shed.py}" 8461';

async function start() {
  const options = { shell: true, detached: true, stdio: "inherit" };
  const service = spawn(START, options);
  globalThis.service = service;
  for (let tries = 0; tries < 600; tries += 1) {
    if (service.exitCode) {
      throw new Error(`the service ended with ${service.exitCode}`);
    }
    if (await isUp()) return;
    await sleep(100);
  }
  throw new Error("nothing answers at the base URL");
}

function isUp() {
  return anybody.get("/").then(
    () => true,
    () => false,
  );
}

module.exports = async () => {
  await start();
};
