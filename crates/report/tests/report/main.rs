//! Reports of whole runs, looked at from outside.

mod coverage;
mod curl;
mod golden;
mod graphql;
mod hostile;
mod library;
mod redaction;
mod sample;
mod schema;
