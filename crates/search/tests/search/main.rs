//! The search against a small service without sockets: what it proposes, in which order, and what
//! it makes of the answers.

mod anything;
mod broken;
mod first;
mod handlings;
mod heeded;
mod learned;
mod petstore;
mod play;
mod relations;
mod safety;
mod seeds;
mod shrinking;
mod strangers;
mod workshop;
