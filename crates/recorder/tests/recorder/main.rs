//! The proxy and the collector against real sockets on loopback.

mod bodies;
mod bytes_kept;
mod collecting;
mod ends;
mod kills;
mod rig;
mod upgrades;
mod upstream;
mod versions;
