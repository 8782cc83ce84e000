//! One HTTP/1.1 connection to the upstream.
//!
//! It is driven by whoever waits for its answer and by nobody while it is idle: a call stays in
//! one task from the client to the upstream and back, and a call that is given up closes its
//! connection by being dropped. Only where an answer begins before the request has ended do both
//! directions need a life of their own; then a task drives it.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use bytes::Bytes;
use fossick_transport::Stream;
use hyper::body::{Body as _, Frame, Incoming};
use hyper::client::conn::http1;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::task::JoinHandle;

use super::trouble::{Trouble, chain};
use super::upload::Upload;
use crate::socket::{Guarded, settle};

type Connection = http1::Connection<TokioIo<Guarded<Stream>>, Upload>;

pub(crate) struct Line {
    sender: http1::SendRequest<Upload>,
    driver: Driver,
    /// Part of an answer had come when it ended.
    left_over: bool,
    pub(crate) reused: bool,
    pub(crate) idle_since: Instant,
}

#[expect(clippy::large_enum_variant, reason = "the line is in a box itself")]
enum Driver {
    /// Whoever waits.
    Here(Connection),
    Task {
        _runs: Task,
    },
    Ended,
}

/// Ends when it is dropped.
struct Task(JoinHandle<()>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Line {
    pub(crate) async fn over(stream: Stream, patience: Duration) -> Result<Self, String> {
        settle(stream.socket());
        let io = TokioIo::new(Guarded::new(stream, patience));
        let (sender, connection) = http1::Builder::new()
            .preserve_header_case(true)
            .handshake(io)
            .await
            .map_err(|error| chain(&error))?;
        Ok(Self {
            sender,
            driver: Driver::Here(connection),
            left_over: false,
            reused: false,
            idle_since: Instant::now(),
        })
    }

    /// Whether another request can be sent; notices that the other side has closed.
    pub(crate) fn is_usable(&mut self) -> bool {
        self.drive(&mut Context::from_waker(Waker::noop()));
        matches!(self.driver, Driver::Here(_)) && self.sender.is_ready()
    }

    /// Lets a task drive it from now on.
    pub(crate) fn detach(&mut self) {
        self.hand_to_task(|connection| {
            tokio::spawn(async move {
                // What goes wrong is told to the waiting call.
                let _ = connection.await;
            })
        });
    }

    /// Lets a task drive it that also hands the bare connection over, should it become one.
    pub(crate) fn allow_upgrade(&mut self) {
        self.hand_to_task(|connection| {
            tokio::spawn(async move {
                let _ = connection.with_upgrades().await;
            })
        });
    }

    fn hand_to_task(&mut self, spawn: impl FnOnce(Connection) -> JoinHandle<()>) {
        self.driver = match std::mem::replace(&mut self.driver, Driver::Ended) {
            Driver::Here(connection) => Driver::Task {
                _runs: Task(spawn(connection)),
            },
            other => other,
        };
    }

    pub(crate) async fn send(
        &mut self,
        request: Request<Upload>,
    ) -> Result<Response<Incoming>, Trouble> {
        let mut response = pin!(self.sender.try_send_request(request));
        let driver = &mut self.driver;
        let left_over = &mut self.left_over;
        let result = poll_fn(|cx| {
            drive(driver, left_over, cx);
            response.as_mut().poll(cx)
        })
        .await;
        result.map_err(|mut refusal| {
            let unsent = refusal.take_message();
            let why = chain(refusal.error());
            let error = refusal.error();
            match unsent {
                Some(request) => Trouble::Unsent(Box::new(request), why),
                None if !self.left_over && !error.is_parse() && !error.is_user() => {
                    Trouble::Silent(why)
                }
                None => Trouble::Failed(why),
            }
        })
    }

    pub(crate) fn poll_frame(
        &mut self,
        body: &mut Incoming,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        // Asking first tells the connection that the body is wanted.
        if let Poll::Ready(frame) = Pin::new(&mut *body).poll_frame(cx) {
            return Poll::Ready(frame);
        }
        self.drive(cx);
        Pin::new(body).poll_frame(cx)
    }

    fn drive(&mut self, cx: &mut Context<'_>) {
        drive(&mut self.driver, &mut self.left_over, cx);
    }
}

/// Moves bytes both ways as far as they go. What goes wrong is told to the waiting call.
fn drive(driver: &mut Driver, left_over: &mut bool, cx: &mut Context<'_>) {
    let Driver::Here(connection) = driver else {
        return;
    };
    if Pin::new(connection).poll(cx).is_ready()
        && let Driver::Here(ended) = std::mem::replace(driver, Driver::Ended)
    {
        *left_over = !ended.into_parts().read_buf.is_empty();
    }
}
