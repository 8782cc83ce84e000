//! How one knows that a service is ready.

use std::net::Ipv4Addr;

use fossick_transport::fetch;
use tokio::net::TcpStream;

use crate::Log;
use crate::port::fill;

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
