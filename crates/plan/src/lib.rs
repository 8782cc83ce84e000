//! Plans: what we intend to do, step by step, and how that is written as calls.
//!
//! A plan is made of genes and binds; it can be changed. A [`fossick_trace::Script`] is what it
//! is rendered to; it can be sent, stored and sent again. Nothing here sends anything.

mod body;
mod connect;
mod graphql;
mod literal;
mod media;
mod parameter;
mod plan;
mod render;
mod xml;

pub use body::{best_content, writable_contents};
pub use connect::{connect, place_of, spot_of, spots_of};
pub use plan::{
    Ask, Beside, Bind, BodyValue, DocumentFault, Extra, Ground, Plan, Spot, Step, field_path,
    item_path, keys,
};
pub use render::render;
