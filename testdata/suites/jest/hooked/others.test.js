// Shed: requests that are refused, and what else was seen.
// Written by: fossick test openapi.json

const { anybody } = require("./support");

test("the same tool is made once more", async () => {
  // Works only after a reset.

  const answer = await anybody.post("/tools", {
    json: { name: "Saw", code: "HA-0001" },
  });
  expect(answer).toHaveStatus(201);
  expect(answer).toHaveValue(["id"], 1);
});
