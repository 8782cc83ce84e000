//! The graph of small documents: what operations need, who gives it, and what is learned.

mod alternatives;
mod desk;
mod edges;
mod learning;
mod links;
mod natural;
mod needs;
mod petstore;
mod referred;
mod schemas;
mod sequences;
mod traffic;
mod typed_edges;
mod typed_needs;
mod typed_readers;
