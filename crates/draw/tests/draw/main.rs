//! Pictures of graphs, looked at as a reader would: what is where, what is said, and that no text
//! of strangers breaks out of its place.

mod big;
mod hostile;
mod markup;
mod page;
mod parts;
mod petstore;
mod sample;
