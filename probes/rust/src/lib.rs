//! What fossick puts into a Rust service: it counts, compares and tells.
//!
//! The compiler was made to call it at each block and comparison (`callbacks`). After the service
//! was linked, fossick took out the calls that are not in the user's own code and wrote a map of
//! the rest (`map`). What happens is kept in arrays (`record`); a thread of its own (`server`)
//! answers the tool. Without `FOSSICK_PROBE`, or without a map, nothing of this is ever switched
//! on. There is no dependency, since a service's own versions must stay what they are.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]
#![warn(unsafe_op_in_unsafe_fn)]

mod callbacks;
#[cfg(test)]
mod golden;
mod map;
mod observe;
mod panics;
mod patterns;
mod record;
mod scalar;
mod server;
mod wire;
