//! The connections to the upstream, of one thread.
//!
//! HTTP/1.1: a stack of idle ones, the last used on top, because it is the least likely to have
//! been closed meanwhile. HTTP/2: one connection that all share, opened again when it dies.
//! Clients of HTTP/1.1 are served over HTTP/1.1, so that the upstream sees what it would see
//! without a proxy.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use fossick_transport::{Dial, SetupError, Stream};
use hyper::body::Incoming;
use hyper::client::conn::http2;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};

use super::line::Line;
use super::trouble::{Trouble, chain};
use super::upload::Upload;
use crate::ProxySettings;
use crate::socket::{Guarded, settle};

type Shared = http2::SendRequest<Upload>;

/// How connections are opened; all threads share it.
pub(crate) struct Ways {
    /// Agrees on HTTP/1.1.
    one: Dial,
    /// Offers both versions.
    any: Dial,
    /// HTTP/2 without asking.
    http2: bool,
    /// Both versions were offered and the older one was taken.
    only_one: AtomicBool,
    stall: Duration,
    idle: Duration,
}

impl Ways {
    pub(crate) fn new(settings: &ProxySettings) -> Result<Self, SetupError> {
        let dialling = fossick_transport::Settings {
            connect_timeout: settings.patience.connect,
            insecure: settings.insecure,
            ..fossick_transport::Settings::new(settings.upstream.clone())
        };
        let any = Dial::new(&dialling)?;
        Ok(Self {
            one: Dial::http1(&dialling)?,
            http2: settings.http2 && !any.is_tls(),
            only_one: AtomicBool::new(!settings.http2 && !any.is_tls()),
            any,
            stall: settings.patience.stall,
            idle: settings.patience.idle,
        })
    }

    /// Whether a call goes over HTTP/2, as far as is known.
    pub(crate) fn prefers_two(&self, client_speaks_two: bool, upgrade: bool) -> bool {
        !upgrade && (self.http2 || (client_speaks_two && !self.only_one.load(Ordering::Relaxed)))
    }

    async fn line(&self, stream: Stream) -> Result<Lane, String> {
        let line = Line::over(stream, self.stall).await?;
        Ok(Lane::One(Box::new(line)))
    }
}

pub(crate) struct Pool {
    pub(crate) ways: Arc<Ways>,
    #[expect(clippy::vec_box, reason = "a line goes in and out by one pointer")]
    idle: Mutex<Vec<Box<Line>>>,
    shared: Mutex<Option<Shared>>,
    /// Held while a connection is opened that others may be able to share.
    opening: tokio::sync::Mutex<()>,
}

pub(crate) enum Lane {
    One(Box<Line>),
    Two { sender: Shared, reused: bool },
}

impl Pool {
    /// Must be called where a runtime is: it looks after idle connections from time to time.
    pub(crate) fn new(ways: Arc<Ways>) -> Arc<Self> {
        let pool = Arc::new(Self {
            ways,
            idle: Mutex::default(),
            shared: Mutex::default(),
            opening: tokio::sync::Mutex::default(),
        });
        tokio::spawn(tidy(Arc::downgrade(&pool)));
        pool
    }

    /// A connection for one call; a fresh one where an old one has just failed.
    pub(crate) async fn take(&self, two: bool, fresh: bool) -> Result<Lane, String> {
        if two {
            return self.take_shared(fresh).await;
        }
        if !fresh && let Some(line) = self.idle_line() {
            return Ok(Lane::One(line));
        }
        let stream = self.ways.one.open().await;
        self.ways.line(stream.map_err(|why| why.to_string())?).await
    }

    fn idle_line(&self) -> Option<Box<Line>> {
        loop {
            let mut line = lock(&self.idle).pop()?;
            if line.is_usable() && line.idle_since.elapsed() < self.ways.idle {
                line.reused = true;
                return Some(line);
            }
        }
    }

    async fn take_shared(&self, fresh: bool) -> Result<Lane, String> {
        if fresh {
            *lock(&self.shared) = None;
        } else if let Some(lane) = self.share() {
            return Ok(lane);
        }
        let _opening = self.opening.lock().await;
        // Somebody else may have opened it while this call waited.
        if let Some(lane) = self.share() {
            return Ok(lane);
        }
        let stream = self.ways.any.open().await.map_err(|why| why.to_string())?;
        if stream.agreed_on_http2() || self.ways.http2 {
            return self.open_shared(stream).await;
        }
        self.ways.only_one.store(true, Ordering::Relaxed);
        self.ways.line(stream).await
    }

    fn share(&self) -> Option<Lane> {
        let mut shared = lock(&self.shared);
        if shared.as_ref().is_some_and(Shared::is_closed) {
            *shared = None;
        }
        let sender = shared.clone()?;
        let reused = true;
        Some(Lane::Two { sender, reused })
    }

    async fn open_shared(&self, stream: Stream) -> Result<Lane, String> {
        settle(stream.socket());
        let io = TokioIo::new(Guarded::new(stream, self.ways.stall));
        let (sender, connection) = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .keep_alive_interval(Duration::from_secs(30))
            .handshake(io)
            .await
            .map_err(|error| chain(&error))?;
        // Ends by itself when the last sender is gone; its errors reach the waiting calls.
        tokio::spawn(connection);
        *lock(&self.shared) = Some(sender.clone());
        let reused = false;
        Ok(Lane::Two { sender, reused })
    }

    /// Takes a connection back after a whole answer.
    pub(crate) fn give_back(&self, mut line: Box<Line>) {
        if line.is_usable() {
            line.idle_since = Instant::now();
            lock(&self.idle).push(line);
        }
    }

    fn drop_stale(&self) {
        let idle = self.ways.idle;
        lock(&self.idle).retain_mut(|line| line.idle_since.elapsed() < idle && line.is_usable());
    }
}

/// Lets go of connections that nobody used for a while, or that the upstream has closed.
async fn tidy(pool: Weak<Pool>) {
    const EVERY: Duration = Duration::from_millis(500);
    loop {
        tokio::time::sleep(EVERY).await;
        match pool.upgrade() {
            Some(pool) => pool.drop_stale(),
            None => return,
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

    pub(crate) fn is_two(&self) -> bool {
        matches!(self, Self::Two { .. })
    }

    pub(crate) async fn send(
        &mut self,
        request: Request<Upload>,
    ) -> Result<Response<Incoming>, Trouble> {
        match self {
            Self::One(line) => line.send(request).await,
            Self::Two { sender, .. } => send_shared(sender, request).await,
        }
    }
}

async fn send_shared(
    sender: &mut Shared,
    request: Request<Upload>,
) -> Result<Response<Incoming>, Trouble> {
    let sent = sender.try_send_request(request).await;
    sent.map_err(|mut refusal| {
        let unsent = refusal.take_message();
        let why = chain(refusal.error());
        match unsent {
            Some(request) => Trouble::Unsent(Box::new(request), why),
            None => Trouble::Silent(why),
        }
    })
}
