//! Every oracle on small stories: one in which it must speak, and the innocent look-alikes of it
//! in which it must be silent. The second kind matters more.
#![allow(
    clippy::needless_pass_by_value,
    reason = "a story reads best with its values written where they are told"
)]

mod aftermath;
mod anything;
mod conformance;
mod crash;
mod graphql;
mod input;
mod kin;
mod leaves;
mod refused;
mod relations;
mod security;
mod state;
mod story;
mod told;
mod unasked;
mod writes;
