//! A GraphQL schema, as SDL or introspection.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(graphql_schema);
