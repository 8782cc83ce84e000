//! The connections to one service.
//!
//! HTTP/1.1: a stack of idle ones, the last used on top, because it is the least likely to have
//! been closed meanwhile. HTTP/2: one connection that all share, opened again when it dies.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use fossick_trace::Failure;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};

use crate::body::Collected;
use crate::dial::Dial;
use crate::line::Line;
use crate::reply::{self, Reply, Trouble};
use crate::stream::Stream;
use crate::{Settings, SetupError};

/// Answers with more bytes of headers than this are refused, as they are over HTTP/1.1.
const MOST_HEADERS: u32 = 256 << 10;

type Shared = http2::SendRequest<Full<Bytes>>;

pub(crate) struct Pool {
    dial: Dial,
    /// HTTP/2 without asking.
    http2: bool,
    #[expect(clippy::vec_box, reason = "a line goes in and out by one pointer")]
    idle: Mutex<Vec<Box<Line>>>,
    shared: Mutex<Option<Shared>>,
    /// Held while a connection is opened that others may be able to share.
    opening: tokio::sync::Mutex<Version>,
}

/// What the service turned out to speak.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    Unknown,
    One,
}

pub(crate) enum Lane {
    One(Box<Line>),
    Two { sender: Shared, reused: bool },
}

impl Pool {
    pub(crate) fn new(settings: &Settings) -> Result<Self, SetupError> {
        let dial = Dial::new(settings)?;
        let version = if settings.http2 || dial.is_tls() {
            Version::Unknown
        } else {
            Version::One
        };
        Ok(Self {
            dial,
            http2: settings.http2,
            idle: Mutex::default(),
            shared: Mutex::default(),
            opening: tokio::sync::Mutex::new(version),
        })
    }

    /// A connection for one exchange; a fresh one where an old one has just failed.
    pub(crate) async fn take(&self, fresh: bool) -> Result<Lane, Failure> {
        match self.ready(fresh) {
            Some(lane) => Ok(lane),
            None => self.open().await,
        }
    }

    fn ready(&self, fresh: bool) -> Option<Lane> {
        if fresh {
            return None;
        }
        while let Some(mut line) = self.pop() {
            if line.is_usable() {
                line.reused = true;
                return Some(Lane::One(line));
            }
        }
        self.share()
    }

    fn pop(&self) -> Option<Box<Line>> {
        lock(&self.idle).pop()
    }

    fn share(&self) -> Option<Lane> {
        let mut shared = lock(&self.shared);
        if shared.as_ref().is_some_and(Shared::is_closed) {
            *shared = None;
        }
        let sender = shared.clone()?;
        Some(Lane::Two {
            sender,
            reused: true,
        })
    }

    async fn open(&self) -> Result<Lane, Failure> {
        let mut version = self.opening.lock().await;
        if *version == Version::One {
            drop(version);
            let line = Line::over(self.dial.open().await?).await?;
            return Ok(Lane::One(Box::new(line)));
        }
        // Somebody else may have opened it while this request waited.
        if let Some(lane) = self.share() {
            return Ok(lane);
        }
        let stream = self.dial.open().await?;
        if stream.agreed_on_http2() || (self.http2 && !self.dial.is_tls()) {
            return self.open_shared(stream).await;
        }
        *version = Version::One;
        Ok(Lane::One(Box::new(Line::over(stream).await?)))
    }

    async fn open_shared(&self, stream: Stream) -> Result<Lane, Failure> {
        let (sender, connection) = http2::Builder::new(TokioExecutor::new())
            .max_header_list_size(MOST_HEADERS)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| reply::failure(&error))?;
        // Ends by itself when the last sender is gone; its errors reach the waiting requests.
        tokio::spawn(connection);
        *lock(&self.shared) = Some(sender.clone());
        Ok(Lane::Two {
            sender,
            reused: false,
        })
    }

    /// Takes a connection back after a whole answer.
    pub(crate) fn give_back(&self, lane: Lane) {
        if let Lane::One(mut line) = lane
            && line.is_usable()
        {
            lock(&self.idle).push(line);
        }
    }

    /// After a silence or an error nobody knows whether a shared connection still lives.
    pub(crate) fn distrust(&self, lane: &Lane) {
        if lane.is_shared() {
            *lock(&self.shared) = None;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Lane {
    pub(crate) fn is_reused(&self) -> bool {
        match self {
            Self::One(line) => line.reused,
            Self::Two { reused, .. } => *reused,
        }
    }

    pub(crate) fn is_shared(&self) -> bool {
        matches!(self, Self::Two { .. })
    }

    pub(crate) async fn exchange(
        &mut self,
        request: Request<Full<Bytes>>,
        limit: usize,
    ) -> Result<Reply, Trouble> {
        match self {
            Self::One(line) => line.exchange(request, limit).await,
            Self::Two { sender, .. } => exchange_shared(sender, request, limit).await,
        }
    }
}

async fn exchange_shared(
    sender: &mut Shared,
    request: Request<Full<Bytes>>,
    limit: usize,
) -> Result<Reply, Trouble> {
    let sent = sender.try_send_request(request).await;
    let response = sent.map_err(|mut refusal| {
        let unsent = refusal.take_message().is_some();
        let failure = reply::failure(refusal.error());
        if unsent {
            Trouble::Unsent(failure)
        } else {
            Trouble::Silent(failure)
        }
    })?;
    let (head, mut body) = response.into_parts();
    let mut collected = Collected::new(&body, limit);
    while !collected.is_full()
        && let Some(frame) = body.frame().await
    {
        collected.add(frame.map_err(|error| Trouble::Failed(reply::failure(&error)))?);
    }
    Ok(collected.into_reply(head))
}
