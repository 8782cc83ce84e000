//! GraphQL services: what they answer, whose mistakes their errors are, and what they forget.

mod aftermath;
mod anything;
mod ask;
mod data;
mod executor;
mod form;
mod nulls;
mod refusals;
mod relations;
mod resolvers;
mod right;
mod secrets;
mod state;
