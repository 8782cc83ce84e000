//! What GraphQL answers are judged by: what was asked, what came, and who is to blame.

pub(crate) mod blame;
pub(crate) mod complaint;
mod errors;
mod exceptions;
pub(crate) mod inquiry;
mod leaf;
pub(crate) mod library;
mod outline;
pub(crate) mod review;
mod route;
pub(crate) mod rules;
pub(crate) mod untold;
mod walk;
mod words;
