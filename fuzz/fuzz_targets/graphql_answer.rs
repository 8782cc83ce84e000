//! What a GraphQL service answers.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(graphql_answer);
