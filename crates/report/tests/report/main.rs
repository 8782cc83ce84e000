//! Reports of whole runs, looked at from outside.

mod curl;
mod golden;
mod hostile;
mod redaction;
mod sample;
mod schema;
