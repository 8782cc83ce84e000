//! The property graph of a service as a picture.
//!
//! Values in, strings out: [`svg`], [`dot`], [`html`] and [`json`] write a
//! [`PropertyGraph`](fossick_trace::PropertyGraph), [`read`] takes the JSON back. Schemas are cards
//! with their properties, operations are pills beside the schema they have most to do with, and
//! the layout is ours: the same graph is always the same picture. Of a large graph [`overview`] shows
//! the resources alone, and the page begins with them. Names and sentences come from
//! strangers, so everything goes through `tidy` and an escape before it is written.
//!
//! Nothing here guesses or learns edges, prints, or touches a disk.

mod dot;
mod edge;
mod escape;
mod html;
mod layout;
mod read;
mod select;
mod svg;
mod text;
mod tidy;
mod view;

pub use dot::dot;
pub use edge::{EdgeKind, described, state_name};
pub use html::html;
pub use read::{ReadError, json, read};
pub use select::{PARTS, before, only, was_told, without};
pub use svg::{overview, svg};
