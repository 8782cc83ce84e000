//! The store of harvested calls: SQLite in a file, or PostgreSQL by URL.
//!
//! A [`Store`] adds sightings of the same call up to one record and gives the records back. What
//! [`Store::add`] has taken is on the disk when it returns, and it is counted once, whoever is
//! killed and whatever is tried again. Many programs may add to one store at the same time.
//!
//! The store waits for disks and servers, so it belongs to a thread of its own; [`Writer`] is that
//! thread, for those who must not wait. What is worth keeping, and whether it holds secrets, has
//! been decided before anything comes here.

mod batch;
mod database;
mod error;
mod filter;
mod glob;
mod numbers;
mod place;
mod postgresql;
mod row;
mod schema;
mod sql;
mod sqlite;
mod store;
mod writer;

pub use batch::BatchId;
pub use database::Database;
pub use error::StoreError;
pub use filter::{Filter, Kind, Roots};
pub use glob::Glob;
pub use place::{Place, PlaceError};
pub use store::{Access, Added, Store};
pub use writer::{Outcome, Refused, Writer};
