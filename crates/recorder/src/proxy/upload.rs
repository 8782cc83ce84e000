//! The body of a request on its way to the upstream, piece by piece.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::silence::{Broken, Silence};
use crate::figures::count;
use crate::record::{Note, Queue, Sent};

/// How long a client is kept waiting for the upstream's leave to send its body.
const LEAVE: Duration = Duration::from_secs(1);

type Gate = Pin<Box<dyn Future<Output = ()> + Send>>;

pub(crate) struct Upload(Option<Piecewise>);

struct Piecewise {
    body: Incoming,
    sent: Arc<Sent>,
    queue: Arc<Queue>,
    silence: Silence,
    /// Closed until the upstream says `100 Continue`.
    gate: Option<Gate>,
}

impl Upload {
    pub(crate) fn empty() -> Self {
        Self(None)
    }

    /// Also gives what tells how far it has come, where there is anything to send.
    pub(crate) fn new(
        body: Incoming,
        note: &mut Note,
        queue: &Arc<Queue>,
        patience: Duration,
    ) -> (Self, Option<Arc<Sent>>) {
        if body.is_end_stream() {
            return (Self::empty(), None);
        }
        let sent = note.expect_body(body.size_hint().lower());
        let upload = Piecewise {
            body,
            sent: Arc::clone(&sent),
            queue: Arc::clone(queue),
            silence: Silence::new(patience),
            gate: None,
        };
        (Self(Some(upload)), Some(sent))
    }

    /// Sends nothing before leave is given, or has been waited for long enough: a body is asked
    /// for by reading it, and an upstream that refuses should not have made the client send it.
    pub(crate) fn wait_for_leave(&mut self) -> Arc<Notify> {
        let leave = Arc::new(Notify::new());
        let given = Arc::clone(&leave);
        if let Some(upload) = &mut self.0 {
            upload.gate = Some(Box::pin(async move {
                // Either way the body goes.
                let _ = timeout(LEAVE, given.notified()).await;
            }));
        }
        leave
    }
}

impl Piecewise {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        if let Some(gate) = &mut self.gate {
            std::task::ready!(gate.as_mut().poll(cx));
            self.gate = None;
        }
        let next = Pin::new(&mut self.body).poll_frame(cx);
        let next = std::task::ready!(self.silence.guard(cx, next));
        match &next {
            Some(Ok(frame)) => self.saw(frame),
            None => self.sent.end(),
            Some(Err(_)) => {}
        }
        Poll::Ready(next)
    }

    fn saw(&self, frame: &Frame<Bytes>) {
        if let Some(data) = frame.data_ref() {
            count(&self.queue.counters.bytes_up, data.len() as u64);
            self.sent.add(data);
        }
        // Nobody asks again after the last byte of a known length, or after trailers.
        if self.body.is_end_stream() || frame.is_trailers() {
            self.sent.end();
        }
    }
}

impl Body for Upload {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        match &mut self.0 {
            Some(upload) => upload.poll_next(cx),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        let upload = self.0.as_ref();
        upload.is_none_or(|upload| upload.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        let upload = self.0.as_ref();
        upload.map_or_else(|| SizeHint::with_exact(0), |up| up.body.size_hint())
    }
}
