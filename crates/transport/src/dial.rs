//! Opens connections to one host: looks up its name, connects, shakes hands.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fossick_trace::Failure;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::stream::Stream;
use crate::{Scheme, Settings, SetupError, tls};

pub struct Dial {
    host: String,
    port: u16,
    patience: Duration,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    /// What the name meant last time, the address that answered first.
    known: Mutex<Vec<SocketAddr>>,
}

impl Dial {
    /// Offers both versions of HTTP where there is TLS to agree on one.
    pub fn new(settings: &Settings) -> Result<Self, SetupError> {
        Self::offering(settings, &[tls::H2, tls::HTTP1])
    }

    /// Agrees on HTTP/1.1 only.
    pub fn http1(settings: &Settings) -> Result<Self, SetupError> {
        Self::offering(settings, &[tls::HTTP1])
    }

    fn offering(settings: &Settings, versions: &[&[u8]]) -> Result<Self, SetupError> {
        let base = &settings.base;
        let known = match base.host.parse::<IpAddr>() {
            Ok(address) => vec![SocketAddr::new(address, base.port)],
            Err(_) => Vec::new(),
        };
        Ok(Self {
            host: base.host.clone(),
            port: base.port,
            patience: settings.connect_timeout,
            tls: match base.scheme {
                Scheme::Http => None,
                Scheme::Https => Some(secure(&base.host, settings.insecure, versions)?),
            },
            known: Mutex::new(known),
        })
    }

    pub fn is_tls(&self) -> bool {
        self.tls.is_some()
    }

    pub async fn open(&self) -> Result<Stream, Failure> {
        let stream = match timeout(self.patience, self.connect()).await {
            Ok(connected) => connected.map_err(Failure::Unreachable)?,
            Err(_) => return Err(self.too_slow("connection")),
        };
        let Some((connector, name)) = &self.tls else {
            return Ok(Stream::Plain(stream));
        };
        match timeout(self.patience, connector.connect(name.clone(), stream)).await {
            Ok(Ok(stream)) => Ok(Stream::Tls(Box::new(stream))),
            Ok(Err(why)) => Err(Failure::Unreachable(format!("TLS: {why}"))),
            Err(_) => Err(self.too_slow("TLS handshake")),
        }
    }

    fn too_slow(&self, what: &str) -> Failure {
        let seconds = self.patience.as_secs_f64();
        Failure::Unreachable(format!("no {what} within {seconds} s"))
    }

    async fn connect(&self) -> Result<TcpStream, String> {
        let addresses = self.addresses().await?;
        // One silent address must not use up the time of all.
        let share = self.patience / (addresses.len().max(1) as u32);
        let mut last = format!("{} has no address", self.host);
        for address in addresses {
            match timeout(share, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(self.settle(stream, address)),
                Ok(Err(why)) => last = format!("{address}: {why}"),
                Err(_) => last = format!("{address} is silent"),
            }
        }
        self.forget();
        Err(last)
    }

    fn settle(&self, stream: TcpStream, address: SocketAddr) -> TcpStream {
        // Requests are written whole: waiting to fill a packet would only cost time. If the
        // system refuses, it is slower and no less right.
        let _ = stream.set_nodelay(true);
        let mut known = self.lock();
        if known.first() != Some(&address) {
            known.retain(|other| *other != address);
            known.insert(0, address);
        }
        stream
    }

    async fn addresses(&self) -> Result<Vec<SocketAddr>, String> {
        let known = self.lock().clone();
        if !known.is_empty() {
            return Ok(known);
        }
        let found = tokio::net::lookup_host((self.host.as_str(), self.port))
            .await
            .map_err(|why| format!("{}: {why}", self.host))?;
        Ok(found.collect())
    }

    /// A name that led nowhere is looked up again; an address stays what it is.
    fn forget(&self) {
        if self.host.parse::<IpAddr>().is_err() {
            self.lock().clear();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<SocketAddr>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn secure(
    host: &str,
    insecure: bool,
    versions: &[&[u8]],
) -> Result<(TlsConnector, ServerName<'static>), SetupError> {
    let name = tls::server_name(host).ok_or_else(|| SetupError::ServerName(host.to_owned()))?;
    let config =
        tls::configuration(insecure, versions).map_err(|why| SetupError::Tls(why.to_string()))?;
    Ok((TlsConnector::from(Arc::new(config)), name))
}
