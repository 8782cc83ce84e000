//! How one knows that a service is ready.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use fossick_transport::fetch;
use tokio::net::TcpStream;

use crate::port::fill;
use crate::{Failure, Log};

/// Between two looks at a service that is not ready yet.
pub(crate) const ASK_EVERY: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ready {
    /// Something answers there, and not with 5xx.
    Url {
        url: String,
        headers: Vec<(String, String)>,
    },
    /// Something listens there.
    Port(u16),
    /// It printed this.
    Line(String),
}

impl Ready {
    #[must_use]
    pub fn at_port(&self, port: u16) -> Self {
        match self {
            Self::Url { url, headers } => Self::Url {
                url: fill(url, port),
                headers: headers.clone(),
            },
            Self::Line(line) => Self::Line(fill(line, port)),
            Self::Port(port) => Self::Port(*port),
        }
    }

    /// Waits for a service that somebody else started.
    pub async fn wait(&self, log: &Log, patience: Duration) -> Result<(), Failure> {
        let begun = Instant::now();
        while let Some(why) = self.missing(log, 0).await {
            if begun.elapsed() > patience {
                return Err(Failure::NeverReady {
                    waited: patience,
                    why,
                    lines: Vec::new(),
                });
            }
            tokio::time::sleep(ASK_EVERY).await;
        }
        Ok(())
    }

    /// What is missing, if anything is.
    pub(crate) async fn missing(&self, log: &Log, from: u64) -> Option<String> {
        match self {
            Self::Url { url, headers } => match fetch(url, headers, false).await {
                // A service that has no page at its base URL is there all the same.
                Ok((status, ..)) if status < 500 => None,
                Ok((status, ..)) => Some(format!("{url} answers {status}")),
                Err(why) => Some(format!("nothing answers at {url} ({why})")),
            },
            Self::Port(port) => TcpStream::connect((Ipv4Addr::LOCALHOST, *port))
                .await
                .err()
                .map(|why| format!("nothing listens at port {port} ({why})")),
            Self::Line(line) => {
                (!log.says(from, line)).then(|| format!("it did not print `{line}`"))
            }
        }
    }
}
