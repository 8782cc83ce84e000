// Shed: what is done once before all tests.
// Written by: fossick test openapi.json --seed 1

const { logins } = require("./support");

// Whoever cannot log in fails where a test needs them.
async function logIn() {
  const tokens = {};
  for (const [name, login] of Object.entries(logins)) {
    tokens[name] = await login().then(
      (token) => ({ token }),
      (error) => ({ problem: error.message }),
    );
  }
  process.env.FOSSICK_TOKENS = JSON.stringify(tokens);
}

module.exports = async () => {
  await logIn();
};
