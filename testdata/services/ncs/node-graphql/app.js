// The numerical case study as a GraphQL service: `ncs.js` by fields.
//
// A number that is missing or null is 0. What a function refuses is an error of the field, and so
// is a result that is no finite number, which GraphQL cannot tell.

import { createServer } from "node:http";

import { GraphQLError } from "graphql";
import { createSchema, createYoga } from "graphql-yoga";

import { Refused, bessj, expint, fisher, gammq, remainder, triangle } from "../node/ncs.js";

const typeDefs = /* GraphQL */ `
  type Query {
    bessj(n: Int, x: Float): Float
    expint(n: Int, x: Float): Float
    fisher(m: Int, n: Int, x: Float): Float
    gammq(a: Float, x: Float): Float
    remainder(a: Int, b: Int): Int
    triangleClassification(a: Int, b: Int, c: Int): Int
  }
`;

function answer(method, ...inputs) {
  try {
    return method(...inputs.map((input) => input ?? 0));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw invalidInput();
  }
}

function invalidInput() {
  const extensions = { errorCode: 400, errorMessage: "Invalid input" };
  return new GraphQLError("Invalid input", { extensions });
}

const resolvers = {
  Query: {
    bessj: (_, { n, x }) => answer(bessj, n, x),
    expint: (_, { n, x }) => answer(expint, n, x),
    fisher: (_, { m, n, x }) => answer(fisher, m, n, x),
    gammq: (_, { a, x }) => answer(gammq, a, x),
    remainder: (_, { a, b }) => answer(remainder, a, b),
    triangleClassification: (_, { a, b, c }) => answer(triangle, a, b, c),
  },
};

const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers }),
  graphiql: false,
  logging: false,
});

createServer(yoga).listen(Number(process.argv[2]), "127.0.0.1");
