// Shed: runs the collection with newman.

const { mkdtempSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const newman = require("newman");

const COLLECTION = "./shed.postman_collection.json";
const SECRETS = ["ALICE_AUTHORIZATION", "BOB_PASSWORD", "FOSSICK_BASE_URL"];
const workingDir = mkdtempSync(join(tmpdir(), "bodies-"));
const layOut = (name, hex) =>
  writeFileSync(join(workingDir, name), Buffer.from(hex, "hex"));
layOut("body_1.bin", "00fffe7b7d27225c0a0d24");

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

async function main() {
  const failures = await run();
  return failures;
}

main().then(
  (failures) => process.exit(failures === 0 ? 0 : 1),
  (error) => {
    console.error(error);
    process.exit(2);
  },
);
