//! REST services made to order, to try a search on.
//!
//! A [`Model`] says which resources there are, which of them own or depend on others, and whether
//! the paths show it. [`serve`] makes a service of it that keeps everything in memory, behaves the
//! same on every run and has no faults: what is hard about it is to get past its checks. How far
//! a run got is counted ([`Service::coverage`], `GET /__coverage`) and told call by call to
//! whoever connects to [`Service::probe_path`].
//!
//! Resources, methods and checks follow the generator of synthetic APIs in Zhang, Marculescu and
//! Arcuri, "Resource and dependency based test case generation for `RESTful` Web services" (2021),
//! section 7.2. The twelve services of that paper are there by [`NAMES`]; what its text leaves
//! open is said in [`Model`].

#![cfg(unix)]

mod compile;
mod coverage;
mod distance;
mod document;
mod engine;
mod exchange;
mod input;
mod model;
mod program;
mod random;
mod routes;
mod service;
mod site;
mod store;
mod trail;
mod twelve;

pub use coverage::{Count, Coverage};
pub use document::document;
pub use model::{Dependency, Link, Method, Model, ModelError, Paths, Resource};
pub use random::Numbers;
pub use service::{Service, serve, serve_for};
pub use site::RESET;
pub use twelve::NAMES;
