//! One HTTP/1.1 connection.
//!
//! It is driven by whoever waits for its answer, and by nobody while it is idle. No task is
//! spawned for it (that costs the same): so an exchange that is given up closes its connection by
//! being dropped, nothing can be left running, and what came before an end can be looked at.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use fossick_trace::Failure;
use http_body_util::Full;
use hyper::body::{Body, Frame, Incoming};
use hyper::client::conn::http1;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;

use crate::body::Collected;
use crate::reply::{self, Reply, Trouble};
use crate::stream::Stream;

type Connection = http1::Connection<TokioIo<Stream>, Full<Bytes>>;

pub(crate) struct Line {
    sender: http1::SendRequest<Full<Bytes>>,
    /// `None` once it has ended.
    connection: Option<Connection>,
    /// Part of an answer had come when it ended.
    left_over: bool,
    pub(crate) reused: bool,
}

impl Line {
    pub(crate) async fn over(stream: Stream) -> Result<Self, Failure> {
        let (sender, connection) = http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|error| reply::failure(&error))?;
        Ok(Self {
            sender,
            connection: Some(connection),
            left_over: false,
            reused: false,
        })
    }

    /// Whether another request can be sent; notices that the other side has closed.
    pub(crate) fn is_usable(&mut self) -> bool {
        self.drive(&mut Context::from_waker(Waker::noop()));
        self.connection.is_some() && self.sender.is_ready()
    }

    pub(crate) async fn exchange(
        &mut self,
        request: Request<Full<Bytes>>,
        limit: usize,
    ) -> Result<Reply, Trouble> {
        let response = self.head(request).await?;
        let (head, mut body) = response.into_parts();
        let mut collected = Collected::new(&body, limit);
        while !collected.is_full() && !body.is_end_stream() {
            match poll_fn(|cx| self.poll_frame(&mut body, cx)).await {
                Some(Ok(frame)) => collected.add(frame),
                Some(Err(error)) => return Err(Trouble::Failed(reply::failure(&error))),
                None => break,
            }
        }
        Ok(collected.into_reply(head))
    }

    async fn head(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, Trouble> {
        let mut response = pin!(self.sender.try_send_request(request));
        let result = poll_fn(|cx| {
            self.drive(cx);
            response.as_mut().poll(cx)
        })
        .await;
        result.map_err(|mut refusal| {
            let unsent = refusal.take_message().is_some();
            let failure = reply::failure(refusal.error());
            match failure {
                _ if unsent => Trouble::Unsent(failure),
                Failure::Dropped(_) if !self.left_over => Trouble::Silent(failure),
                _ => Trouble::Failed(failure),
            }
        })
    }

    fn poll_frame(
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

    /// Moves bytes both ways as far as they go. What goes wrong is told to the waiting request.
    fn drive(&mut self, cx: &mut Context<'_>) {
        let Some(connection) = &mut self.connection else {
            return;
        };
        if Pin::new(connection).poll(cx).is_ready()
            && let Some(ended) = self.connection.take()
        {
            self.left_over = !ended.into_parts().read_buf.is_empty();
        }
    }
}
