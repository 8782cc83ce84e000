//! What is said while it runs, for a screen or a log, and what can prevent a start.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use crate::Figures;

/// Hears what is said. It is called from several threads and should return soon.
pub type Teller = Arc<dyn Fn(Told) + Send + Sync>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    Listening {
        address: SocketAddr,
        /// Where calls go; none for a collector.
        upstream: Option<String>,
    },
    /// Calls went by unrecorded: since the last time it was said, and in all.
    Lost {
        new: u64,
        total: u64,
    },
    /// The store did not take a batch; it is tried again.
    StoreGone {
        why: String,
    },
    /// The store has had the same batch in hand for this long.
    StoreSlow {
        since: Duration,
    },
    StoreBack,
    /// The store's code broke off with a batch in hand, which is lost.
    StoreBroke {
        why: String,
    },
    Ended(Figures),
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listening {
                address,
                upstream: Some(upstream),
            } => write!(f, "listening on http://{address}, calls go to {upstream}"),
            Self::Listening { address, .. } => write!(f, "listening on http://{address}"),
            Self::Lost { new, total } => {
                write!(f, "{new} calls went by unrecorded, {total} in all")
            }
            Self::StoreGone { why } => {
                write!(f, "the store takes nothing, traffic flows on: {why}")
            }
            Self::StoreSlow { since } => {
                let seconds = since.as_secs();
                write!(f, "the store is slow ({seconds} s), traffic flows on")
            }
            Self::StoreBack => f.write_str("the store is back"),
            Self::StoreBroke { why } => write!(f, "the store failed, a batch is lost: {why}"),
            Self::Ended(figures) => write!(f, "ended: {figures}"),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("failed to listen on {address}: {why}")]
    Listen {
        address: SocketAddr,
        why: std::io::Error,
    },
    #[error("failed to reach the upstream: {0}")]
    Upstream(#[from] fossick_transport::SetupError),
    #[error("failed to start a thread: {0}")]
    Thread(#[from] std::io::Error),
}
