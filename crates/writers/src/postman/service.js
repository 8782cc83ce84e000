
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
