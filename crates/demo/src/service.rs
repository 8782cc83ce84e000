//! The socket around a desk: HTTP/1.1 on loopback, on a thread of its own.
//!
//! An own thread with an own runtime, so that the service takes no turns from whoever tests it,
//! and so that a test without a runtime can start one too. It stops when its [`Service`] is
//! dropped.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::JoinHandle;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::GraphqlFault;
use crate::bank::Bank;
use crate::desk::Desk;
use crate::exchange::{Refusal, Reply, Request};
use crate::faults::Faults;

/// Longer bodies are refused unread; nothing in the document needs a hundredth of it.
const LONGEST_BODY: usize = 1 << 20;

/// A running service. Dropping it stops it.
#[derive(Debug)]
pub struct Service {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
    state: State,
}

impl Service {
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What brings it back to where it began, for whoever outlives this borrow.
    pub fn reset(&self) -> impl Fn() + Send + Sync + 'static {
        let state = self.state.clone();
        move || state.reset()
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

/// What stands behind the socket; no reply means that the connection is to be dropped.
type Answers = Arc<dyn Fn(&Request) -> Option<Reply> + Send + Sync>;

/// The answers of a service that can begin anew.
#[derive(Clone)]
struct State {
    make: Arc<dyn Fn() -> Answers + Send + Sync>,
    now: Arc<RwLock<Answers>>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("State")
    }
}

impl State {
    fn new(make: impl Fn() -> Answers + Send + Sync + 'static) -> Self {
        Self {
            now: Arc::new(RwLock::new(make())),
            make: Arc::new(make),
        }
    }

    fn reset(&self) {
        let fresh = (self.make)();
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = fresh;
    }

    fn answers(&self) -> Answers {
        let now = self.now.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&now)
    }
}

/// Serves the Shed on 127.0.0.1; port 0 takes any that is free. When this returns, the service
/// answers.
pub fn serve(faults: Faults, port: u16) -> io::Result<Service> {
    let make = move || -> Answers {
        let desk = Desk::new(faults);
        Arc::new(move |request| desk.answer(request))
    };
    start(State::new(make), port)
}

/// Serves the Seed Bank in the same manner; its endpoint is `/graphql`.
pub fn serve_graphql(faults: Faults<GraphqlFault>, port: u16) -> io::Result<Service> {
    let make = move || -> Answers {
        let bank = Bank::new(faults);
        Arc::new(move |request| Some(bank.answer(request)))
    };
    start(State::new(make), port)
}

fn start(state: State, port: u16) -> io::Result<Service> {
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let (stop, stopped) = oneshot::channel();
    let answers = state.clone();
    let thread = std::thread::Builder::new()
        .name("fossick-demo".to_owned())
        .spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    _ = stopped => {}
                    _ = accept(listener, answers) => {}
                }
            });
        })?;
    Ok(Service {
        address,
        stop: Some(stop),
        thread: Some(thread),
        state,
    })
}

async fn accept(listener: std::net::TcpListener, answers: State) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    loop {
        // A caller that is gone before it was accepted is no reason to stop.
        if let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, answers.clone()));
        }
    }
}

async fn converse(stream: TcpStream, answers: State) {
    // Without this, small answers wait for the caller's delayed acknowledgement.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| respond(request, answers.clone()));
    // Errors here are broken connections: the caller knows already.
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

/// The error that makes hyper drop the connection.
#[derive(Debug)]
struct HungUp;

impl fmt::Display for HungUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the service hung up")
    }
}

impl std::error::Error for HungUp {}

async fn respond(
    request: hyper::Request<Incoming>,
    answers: State,
) -> Result<hyper::Response<Full<Bytes>>, HungUp> {
    let reply = match received(request).await {
        Some(request) => answers.answers()(&request),
        None => Refusal::Problem(400, "the body is too long or broken off".to_owned()).reply(),
    };
    reply.map(response).ok_or(HungUp)
}

async fn received(request: hyper::Request<Incoming>) -> Option<Request> {
    let (head, body) = request.into_parts();
    let header = |name: HeaderName| {
        let value = head.headers.get(name)?;
        value.to_str().ok().map(str::to_owned)
    };
    let body = Limited::new(body, LONGEST_BODY).collect().await.ok()?;
    Some(Request {
        method: head.method.as_str().to_owned(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        authorization: header(AUTHORIZATION),
        content_type: header(CONTENT_TYPE),
        body: body.to_bytes(),
    })
}

fn response(reply: Reply) -> hyper::Response<Full<Bytes>> {
    let mut response = hyper::Response::builder().status(reply.status);
    if reply.body.is_some() {
        response = response.header(CONTENT_TYPE, reply.media_type);
    }
    for (name, value) in &reply.headers {
        response = response.header(*name, value);
    }
    response
        .body(Full::from(reply.body.unwrap_or_default()))
        .expect("statuses and headers are our own words")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_service_frees_its_port() {
        let service = serve(Faults::None, 0).expect("loopback has a free port");
        let port = service.address.port();
        drop(service);
        assert!(std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err());
    }

    #[test]
    fn a_reset_brings_back_the_beginning() {
        let request = |method: &str, body: &str| Request {
            method: method.to_owned(),
            path: "/graphql".to_owned(),
            query: String::new(),
            authorization: None,
            content_type: Some("application/json".to_owned()),
            body: Bytes::from(body.to_owned()),
        };
        let service = serve_graphql(Faults::None, 0).expect("loopback has a free port");
        let ask = |body: &str| {
            let reply = service.state.answers()(&request("POST", body)).expect("an answer");
            reply.body.unwrap_or_default()
        };
        let look = r#"{"query":"{ varieties { id } }"}"#;
        let before = ask(look);
        let made = ask(
            r#"{"query":"mutation { createVariety(input: {name: \"Ada\", habit: TREE}) { id } }"}"#,
        );
        assert_ne!(ask(look), before, "{made:?}");
        service.reset()();
        assert_eq!(ask(look), before);
    }

    #[test]
    fn a_taken_port_is_an_error_and_not_a_panic() {
        let service = serve(Faults::None, 0).expect("loopback has a free port");
        assert!(serve(Faults::None, service.address.port()).is_err());
    }
}
