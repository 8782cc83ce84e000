//! Shed.
//! Made by fossick: fossick test openapi.json --seed 1
//!
//! Needs in the environment: ALICE_AUTHORIZATION, BOB_PASSWORD

mod faults;
mod others;
mod successes;
mod support;
