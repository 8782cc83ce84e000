//! GraphQL operations as data: what is asked for, read from text and written as text.
//!
//! A [`Document`] is one operation with its fragments laid in where they are used. It knows no
//! schema: whoever writes one has chosen its fields, whoever reads one looks them up.

mod cursor;
mod document;
mod lay;
mod lex;
mod parse;
mod read;
mod resolve;
mod text;
mod values;
mod write;

pub use document::{Asked, Directive, Document, Literal, Part, Pick, Variable};
pub use read::{NotReadable, read};
pub use write::{write, write_compact};
