//! The search against a small service without sockets: what it proposes, in which order, and what
//! it makes of the answers.

mod alternatives;
mod anything;
mod beforehand;
mod broken;
mod cleanup;
mod depot;
mod evolved;
mod first;
mod handlings;
mod heeded;
mod inside;
mod kin;
mod learned;
mod origins;
mod pairs;
mod petstore;
mod piecewise;
mod play;
mod preludes;
mod recipes;
mod relations;
mod rules;
mod safety;
mod seeds;
mod shrinking;
mod states;
mod strangers;
mod unique;
mod whole;
mod workshop;
