//! What can be chosen, and what is chosen where nothing is said.

use std::net::SocketAddr;
use std::time::Duration;

use fossick_transport::{Base, Scheme};

#[derive(Debug, Clone)]
pub struct ProxySettings {
    pub listen: SocketAddr,
    pub upstream: Base,
    pub host: HostHeader,
    /// Add `X-Forwarded-For`, `-Proto` and `-Host`. Off, because a call should arrive as it would
    /// without a recorder.
    pub forwarded: bool,
    /// Accept any certificate of the upstream.
    pub insecure: bool,
    /// Speak HTTP/2 to an `http` upstream without asking. To an `https` upstream it is spoken
    /// where the client speaks it too and the upstream agrees.
    pub http2: bool,
    pub threads: usize,
    /// At most this much of a body is copied. A longer request is let through unrecorded, a longer
    /// answer is recorded without its body.
    pub copied: usize,
    pub patience: Patience,
}

/// The `Host` that the upstream sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostHeader {
    /// What the client said: the upstream can't tell that there is a proxy.
    Kept,
    /// The upstream's own.
    Upstream,
}

impl HostHeader {
    /// Behind TLS the name in the handshake is the upstream's, and a host that differs from it is
    /// answered with 421 or by another site; elsewhere the client's own word is the faithful one.
    pub fn usual(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Http => Self::Kept,
            Scheme::Https => Self::Upstream,
        }
    }
}

/// How long peers are waited for.
#[derive(Debug, Clone)]
pub struct Patience {
    /// For a connection to the upstream.
    pub connect: Duration,
    /// For the head of a request, and for the next request on a connection.
    pub head: Duration,
    /// For the head of an answer.
    pub answer: Duration,
    /// For the next piece of a body, on the way in or out.
    pub stall: Duration,
    /// How long a connection to the upstream is kept unused. Short: services close idle
    /// connections after a few seconds, and whoever sends in that moment loses the call.
    pub idle: Duration,
    /// For calls under way when the end has come.
    pub ending: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            head: Duration::from_secs(75),
            answer: Duration::from_mins(10),
            stall: Duration::from_mins(5),
            idle: Duration::from_millis(1500),
            ending: Duration::from_secs(10),
        }
    }
}

impl ProxySettings {
    pub fn new(listen: SocketAddr, upstream: Base) -> Self {
        Self {
            listen,
            host: HostHeader::usual(upstream.scheme),
            upstream,
            forwarded: false,
            insecure: false,
            http2: false,
            threads: cores(),
            copied: 1 << 20,
            patience: Patience::default(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct CollectSettings {
    pub listen: SocketAddr,
    /// Whoever posts must show it: `Authorization: Bearer …`.
    pub token: Option<String>,
    pub max_body: usize,
    pub threads: usize,
    /// The longest that `?wait=true` waits for the store.
    pub wait: Duration,
    pub patience: Patience,
}

impl CollectSettings {
    pub fn new(listen: SocketAddr) -> Self {
        Self {
            listen,
            token: None,
            max_body: 16 << 20,
            threads: 1,
            wait: Duration::from_secs(30),
            patience: Patience::default(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct RecordSettings {
    /// Calls that may wait for the store.
    pub most_calls: usize,
    /// Bytes of calls that may be held: while they go by, while they wait and while they are kept.
    pub most_bytes: usize,
    /// Calls that are handed over at a time, and how long they are gathered.
    pub batch: usize,
    pub every: Duration,
    /// The longest pause between two tries to keep a batch.
    pub pause: Duration,
    /// What can't be kept within this time at the end is lost.
    pub flush: Duration,
}

impl Default for RecordSettings {
    fn default() -> Self {
        Self {
            most_calls: 20_000,
            most_bytes: 96 << 20,
            batch: 500,
            every: Duration::from_millis(200),
            pause: Duration::from_secs(5),
            flush: Duration::from_secs(10),
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_tls_the_host_is_the_upstream_s() {
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        let host = |url: &str| {
            let base = url.parse().expect("a good URL");
            ProxySettings::new(listen, base).host
        };
        assert_eq!(host("http://api:8080"), HostHeader::Kept);
        assert_eq!(host("https://api.example"), HostHeader::Upstream);
    }
}
