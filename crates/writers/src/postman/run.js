
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
