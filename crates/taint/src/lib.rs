//! What to send next, from what the service compared its inputs with.
//!
//! A probe reports both sides of each comparison and does not know which of them is an input. Here
//! the inputs of the call are looked for on either side, also inside one another: in lower case,
//! trimmed, cut out of a longer text, parsed, behind Base64, in JSON inside a text, as the year of a
//! date. Where one is found, [`advise`] says what to send so that the comparison comes out the other
//! way. Pure: it knows values, not plans.

mod advice;
mod compose;
mod layer;
mod measure;
mod moment;
mod number;
mod sample;
mod view;

pub use advice::{Advice, advise, marker};
pub use measure::{measure, with_measure};
pub use view::{Inputs, View};
