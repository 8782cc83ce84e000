//! The graph of small documents: what operations need, who gives it, and what is learned.

mod desk;
mod edges;
mod learning;
mod links;
mod needs;
