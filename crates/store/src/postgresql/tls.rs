//! TLS to the server: its certificate must be good, for its own name.
//!
//! Whom to trust is the machine's affair, unless a file is named. A server that should not be
//! checked is not asked for TLS at all: that says the same and hides nothing.

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::{fs, io};

use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;
use tokio_rustls::client;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

#[derive(Clone)]
pub(super) struct Tls(TlsConnector);

impl Tls {
    pub(super) fn new(roots: Option<&Path>) -> Result<Self, String> {
        let roots = match roots {
            Some(file) => named(file)?,
            None => usual(),
        };
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self(TlsConnector::from(Arc::new(config))))
    }
}

/// The machine's own, and the public ones for machines that have none.
fn usual() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    roots
}

fn named(file: &Path) -> Result<RootCertStore, String> {
    let wrong = |why: String| format!("{}: {why}", file.display());
    let text = fs::read(file).map_err(|error| wrong(error.to_string()))?;
    let mut roots = RootCertStore::empty();
    let found = CertificateDer::pem_slice_iter(&text).flatten();
    let (known, _) = roots.add_parsable_certificates(found);
    if known == 0 {
        return Err(wrong("no certificate in it".to_owned()));
    }
    Ok(roots)
}

impl<S> MakeTlsConnect<S> for Tls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Secured<S>;
    type TlsConnect = Handshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, name: &str) -> io::Result<Handshake> {
        Ok(Handshake {
            connector: self.0.clone(),
            name: name.to_owned(),
        })
    }
}

pub(super) struct Handshake {
    connector: TlsConnector,
    name: String,
}

type Securing<S> = Pin<Box<dyn Future<Output = io::Result<Secured<S>>> + Send>>;

impl<S> TlsConnect<S> for Handshake
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Secured<S>;
    type Error = io::Error;
    type Future = Securing<S>;

    fn connect(self, stream: S) -> Securing<S> {
        Box::pin(async move {
            let name = ServerName::try_from(self.name)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            let stream = self.connector.connect(name, stream).await?;
            Ok(Secured(Box::new(stream)))
        })
    }
}

pub(super) struct Secured<S>(Box<client::TlsStream<S>>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Secured<S> {
    /// A password is proved without it; the certificate has been checked.
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Secured<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Secured<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
