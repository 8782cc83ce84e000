//! The loop against fake services on loopback: running, replaying, hunting, and lock-outs.

mod desk;
mod hunting;
mod lockout;
mod replaying;
mod running;
