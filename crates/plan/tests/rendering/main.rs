//! Plans written as calls, through documents as people write them.

mod bodies;
mod desk;
mod links;
mod parameters;
