// Shed: requests that succeed.
// Written by: fossick test openapi.json

const { anybody } = require("./support");

test("tool of a known name is made", async () => {
  const answer = await anybody.post("/tools", {
    json: { name: "Saw", code: "HA-0001" },
  });
  expect(answer).toHaveStatus(201);
  expect(answer).toHaveValue(["id"], 1);
});
