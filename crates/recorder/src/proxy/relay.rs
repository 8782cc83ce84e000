//! The body of an answer on its way to the client, piece by piece.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::time::{Sleep, sleep};

use super::line::Line;
use super::pool::{Lane, Pool};
use super::silence::{Broken, Silence};
use crate::record::Note;

#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are relays, and another box for each costs more"
)]
/// What the client gets: the upstream's answer, or a few words of ours.
pub(crate) enum Reply {
    Relay(Relay),
    Words(Option<Bytes>),
}

pub(crate) struct Relay {
    body: Incoming,
    /// None with HTTP/2, or after the end.
    line: Option<Box<Line>>,
    pool: Arc<Pool>,
    note: Note,
    silence: Silence,
    breaking: Option<(Pin<Box<Sleep>>, Broken)>,
}

/// What has come of an answer that breaks off is still on its way to the client, and an error
/// would overtake it.
const BEFORE_BREAKING: Duration = Duration::from_millis(10);

impl Relay {
    pub(crate) fn new(
        body: Incoming,
        lane: Lane,
        pool: &Arc<Pool>,
        note: Note,
        patience: Duration,
    ) -> Self {
        let mut relay = Self {
            body,
            line: match lane {
                Lane::One(line) => Some(line),
                Lane::Two { .. } => None,
            },
            pool: Arc::clone(pool),
            note,
            silence: Silence::new(patience),
            breaking: None,
        };
        // Nobody asks for a body that is known to be empty.
        if relay.body.is_end_stream() {
            relay.end();
        }
        relay
    }

    fn end(&mut self) {
        self.note.ended();
        if let Some(line) = self.line.take() {
            self.pool.give_back(line);
        }
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        if self.breaking.is_some() {
            return self.poll_breaking(cx);
        }
        let next = match &mut self.line {
            Some(line) => line.poll_frame(&mut self.body, cx),
            None => Pin::new(&mut self.body).poll_frame(cx),
        };
        match ready!(self.silence.guard(cx, next)) {
            Some(Ok(frame)) => {
                self.saw(&frame);
                Poll::Ready(Some(Ok(frame)))
            }
            None => {
                self.end();
                Poll::Ready(None)
            }
            Some(Err(why)) => {
                self.breaking = Some((Box::pin(sleep(BEFORE_BREAKING)), why));
                self.poll_breaking(cx)
            }
        }
    }

    fn poll_breaking(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        if let Some((pause, _)) = &mut self.breaking {
            ready!(pause.as_mut().poll(cx));
        }
        let why = self.breaking.take();
        Poll::Ready(why.map(|(_, why)| Err(why)))
    }

    fn saw(&mut self, frame: &Frame<Bytes>) {
        if let Some(data) = frame.data_ref() {
            self.note.add(data);
        }
        if self.body.is_end_stream() || frame.is_trailers() {
            self.end();
        }
    }
}

impl Body for Reply {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        match &mut *self {
            Self::Relay(relay) => relay.poll_next(cx),
            Self::Words(words) => Poll::Ready(words.take().map(|words| Ok(Frame::data(words)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Relay(relay) => relay.body.is_end_stream(),
            Self::Words(words) => words.is_none(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Relay(relay) => relay.body.size_hint(),
            Self::Words(words) => {
                SizeHint::with_exact(words.as_ref().map_or(0, |words| words.len() as u64))
            }
        }
    }
}
