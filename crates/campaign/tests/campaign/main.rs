//! The loop against fake services on loopback: running, replaying, hunting, keeping, and lock-outs.

mod desk;
mod hunting;
mod keeping;
mod lockout;
mod replaying;
mod running;
