// Some of the gates as a GraphQL service; what opens them is in `../node/gates.js`.
//
// POST /__reset forgets what earlier calls have left.

import { createServer } from "node:http";

import { createSchema, createYoga } from "graphql-yoga";

import * as gates from "../node/gates.js";

const memory = new gates.Memory();

const typeDefs = /* GraphQL */ `
  type Gate {
    gate: String!
    open: Boolean!
  }

  input Terms {
    amount: Int!
    months: Int!
    purpose: String!
    grade: String!
  }

  type Query {
    word(word: String!): Gate!
    version(version: String!): Gate!
    code(code: String!): Gate!
    birthday(day: String!): Gate!
    number(number: Int!): Gate!
    rectangle(width: Int!, height: Int!): Gate!
    fee(country: String!, weight: Int!): Gate!
    mirror(left: String!, right: String!): Gate!
    token(token: String!): Gate!
    basket(items: [String!]!): Gate!
    loan(terms: Terms!): Gate!
    report: Gate!
    flow(valve: String!): Gate!
  }

  type Mutation {
    addEntry(ledger: String!, amount: Int!): Gate!
    closeLedger(ledger: String!, total: Int!): Gate!
    turnValve(valve: String!, position: String!): Gate!
    ringBell(bell: String!): Gate!
  }
`;

const gate = (name, open) => ({ gate: name, open });

const Query = {
  word: (_, { word }) => gate("text-equal", gates.textEqual(word)),
  version: (_, { version }) => gate("regex-groups", gates.regexGroups(version)),
  code: (_, { code }) => gate("slice", gates.sliceOfText(code)),
  birthday: (_, { day }) => gate("leap-day", gates.leapDay(day)),
  number: (_, { number }) => gate("big-integer", gates.bigInteger(number)),
  rectangle: (_, { width, height }) => gate("sum-product", gates.sumProduct(width, height)),
  fee: (_, { country, weight }) => gate("table-code", gates.tableCode(country, weight)),
  mirror: (_, { left, right }) => gate("inputs-reversed", gates.inputsReversed(left, right)),
  token: (_, { token }) => gate("base64-json", gates.base64Json(token)),
  basket: (_, { items }) => gate("array", gates.array(items)),
  loan: (_, { terms: { amount, months, purpose, grade } }) =>
    gate("four-conditions", gates.fourConditions(amount, months, purpose, grade)),
  report: (_source, _inputs, { request }) => {
    if (request.headers.get("x-audit-mode") === "full") {
      return gate("header", true); // gate: header
    }
    return gate("header", false);
  },
  flow: (_, { valve }) => gate("state", memory.state(valve)),
};

const Mutation = {
  addEntry: (_, { ledger, amount }) => {
    memory.enter(ledger, amount);
    return gate("stored-sum", false);
  },
  closeLedger: (_, { ledger, total }) => gate("stored-sum", memory.storedSum(ledger, total)),
  turnValve: (_, { valve, position }) => {
    memory.turn(valve, position);
    return gate("state", false);
  },
  ringBell: (_, { bell }) => gate("counter", memory.counter(bell)),
};

const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers: { Query, Mutation } }),
  graphiql: false,
  logging: false,
});

const server = createServer((request, response) => {
  if (request.method === "POST" && request.url === "/__reset") {
    memory.reset();
    return response.end("{}");
  }
  return yoga(request, response);
});

server.listen(Number(process.argv[2]), "127.0.0.1");
