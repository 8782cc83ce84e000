//! Ports of loopback, and where they are written in.

use std::net::{Ipv4Addr, TcpListener};

use crate::Failure;

/// Stands for the port in a command, a URL and the like.
pub const PORT: &str = "{port}";

pub fn fill(text: &str, port: u16) -> String {
    text.replace(PORT, &port.to_string())
}

/// A port that nobody listens at. Whoever is quicker may take it: it is tried again then.
pub fn free_port() -> Result<u16, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let address = listener.and_then(|listener| listener.local_addr());
    address
        .map(|address| address.port())
        .map_err(|why| Failure::NoPort(why.to_string()))
}

pub fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}
