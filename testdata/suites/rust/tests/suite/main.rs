//! Shed.
//! Made by fossick: fossick test openapi.json --seed 1
//!
//! Needs in the environment: ALICE_AUTHORIZATION, BOB_PASSWORD

#![allow(
    clippy::approx_constant,
    reason = "a number of the service may look like one of mathematics"
)]

mod faults;
mod others;
mod successes;
mod support;
