// Shed: runs the collection with newman.

const { spawn, spawnSync } = require("node:child_process");
const { setTimeout: sleep } = require("node:timers/promises");
const newman = require("newman");

const COLLECTION = "./shed.postman_collection.json";
const SECRETS = ["FOSSICK_BASE_URL"];
const START = 'exec python3 "${SHED:-shed.py}" 8461';
const DEFAULT_BASE_URL = "http://127.0.0.1:8461";
const BASE_URL = process.env.FOSSICK_BASE_URL || DEFAULT_BASE_URL;
const STOP = "echo 'the shed is closed' >> \"${SHED_LOG:-/dev/null}\"";
const workingDir = __dirname;

// Postman knows no environment but its own.
const envVar = SECRETS.filter((key) => process.env[key]).map((key) => ({
  key,
  value: process.env[key],
}));

function run(folder) {
  const options = {
    collection: require(COLLECTION),
    envVar,
    folder,
    reporters: "cli",
    timeoutRequest: 30_000,
    workingDir,
  };
  return new Promise((resolve, reject) => {
    newman.run(options, (error, summary) => {
      if (error) reject(error);
      else resolve(summary.run.failures.length);
    });
  });
}

async function start() {
  const options = { shell: true, detached: true, stdio: "inherit" };
  const service = spawn(START, options);
  for (let tries = 0; tries < 600; tries += 1) {
    if (service.exitCode) {
      throw new Error(`the service ended with ${service.exitCode}`);
    }
    if (await isUp()) return service;
    await sleep(100);
  }
  throw new Error(`nothing answers at ${BASE_URL}`);
}

function isUp() {
  return fetch(BASE_URL).then(
    () => true,
    () => false,
  );
}

async function main() {
  const service = await start();
  try {
    const failures = await run();
    return failures;
  } finally {
    spawnSync(STOP, { shell: true, stdio: "inherit" });
    if (service.exitCode === null) process.kill(-service.pid);
  }
}

main().then(
  (failures) => process.exit(failures === 0 ? 0 : 1),
  (error) => {
    console.error(error);
    process.exit(2);
  },
);
