//! A GraphQL operation.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(graphql_query);
