//! The socket around a site: HTTP/1.1 on loopback, on a thread of its own, and beside it the
//! socket of the probe.
//!
//! It stops when its [`Service`] is dropped.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;

use bytes::Bytes;
use fossick_probe::Serving;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body as _, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::coverage::Coverage;
use crate::exchange::{Reply, Request};
use crate::model::Model;
use crate::site::Site;

/// Longer bodies are refused unread.
const LONGEST_BODY: usize = 1 << 16;

/// The header by which a tool numbers its calls.
const CALL: &str = "x-fossick-call";

/// A running service. Dropping it stops it.
#[derive(Debug)]
pub struct Service {
    pub address: SocketAddr,
    site: Arc<Site>,
    probe_path: PathBuf,
    _probe: Serving,
    stop: Option<oneshot::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The socket on which it tells what calls reach.
    pub fn probe_path(&self) -> &Path {
        &self.probe_path
    }

    /// What was reached since it began.
    pub fn coverage(&self) -> Coverage {
        self.site.coverage()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A service that panicked is stopped as well; there is nothing to add here.
            let _ = thread.join();
        }
    }
}

/// Serves a model on 127.0.0.1; port 0 takes any that is free. When this returns, the service
/// answers.
pub fn serve(model: &Model, port: u16) -> io::Result<Service> {
    serve_for(None, model, port)
}

/// The same, where a tool that waits at a socket is to be told what calls reach.
pub fn serve_for(tool: Option<&Path>, model: &Model, port: u16) -> io::Result<Service> {
    let site = Site::new(model).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error));
    let site = Arc::new(site?);
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    let (probe_path, probe) = probe(&site)?;
    // A tool that is gone is no reason not to serve.
    if let Some(tool) = tool.and_then(|path| UnixStream::connect(path).ok()) {
        site.recorder().clone().join(tool)?;
    }
    let (stop, stopped) = oneshot::channel();
    Ok(Service {
        address: listener.local_addr()?,
        probe_path,
        _probe: probe,
        stop: Some(stop),
        thread: Some(spawn(listener, site.clone(), stopped)?),
        site,
    })
}

fn probe(site: &Site) -> io::Result<(PathBuf, Serving)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("fossick-synth-{}-{number}.sock", std::process::id());
    let path = std::env::temp_dir().join(name);
    // Left behind by a process of the same number that had no time to tidy up.
    let _ = std::fs::remove_file(&path);
    let serving = site.recorder().clone().serve(UnixListener::bind(&path)?)?;
    Ok((path, serving))
}

fn spawn(
    listener: std::net::TcpListener,
    site: Arc<Site>,
    stopped: oneshot::Receiver<Infallible>,
) -> io::Result<JoinHandle<()>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let thread = std::thread::Builder::new().name("fossick-synth".to_owned());
    thread.spawn(move || {
        runtime.block_on(async {
            tokio::select! {
                _ = stopped => {}
                _ = accept(listener, site) => {}
            }
        });
    })
}

async fn accept(listener: std::net::TcpListener, site: Arc<Site>) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    loop {
        // A caller that is gone before it was accepted is no reason to stop.
        if let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, site.clone()));
        }
    }
}

async fn converse(stream: TcpStream, site: Arc<Site>) {
    // Without this, small answers wait for the caller's delayed acknowledgement.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| respond(request, site.clone()));
    // Errors here are broken connections: the caller knows already.
    let _ = http1::Builder::new()
        .pipeline_flush(true)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

async fn respond(
    request: hyper::Request<Incoming>,
    site: Arc<Site>,
) -> Result<hyper::Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let reply = match received(body).await {
        Some(body) => site.answer(&Request {
            method: head.method.as_str(),
            path: head.uri.path(),
            content_type: text(&head.headers, CONTENT_TYPE.as_str()),
            call: call(&head.headers),
            body: &body,
        }),
        None => Reply::problem(400, "the body is too long or broken off"),
    };
    Ok(response(reply))
}

async fn received(body: Incoming) -> Option<Bytes> {
    if body.is_end_stream() {
        return Some(Bytes::new());
    }
    let body = Limited::new(body, LONGEST_BODY).collect().await.ok()?;
    Some(body.to_bytes())
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn call(headers: &HeaderMap) -> u64 {
    let number = text(headers, CALL).and_then(|text| text.parse().ok());
    number.unwrap_or_default()
}

fn response(reply: Reply) -> hyper::Response<Full<Bytes>> {
    let has_body = reply.body.is_some();
    let body = Full::from(reply.body.unwrap_or_default());
    let mut response = hyper::Response::builder().status(reply.status);
    if has_body {
        response = response.header(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    if let Some(allow) = reply.allow {
        response = response.header(ALLOW, allow);
    }
    response
        .body(body)
        .expect("statuses and headers are our own words")
}
