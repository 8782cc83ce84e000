//! A limit on how long a body may be silent. The clock is started only where a piece is waited for.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Sleep, sleep};

/// Why a body ended too early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Broken {
    #[error(transparent)]
    Peer(#[from] hyper::Error),
    #[error("no more of the body came for {0:?}")]
    Silent(Duration),
}

type Next<T> = Option<Result<T, Broken>>;

pub(crate) struct Silence {
    patience: Duration,
    clock: Option<Pin<Box<Sleep>>>,
}

impl Silence {
    pub(crate) fn new(patience: Duration) -> Self {
        let clock = None;
        Self { patience, clock }
    }

    pub(crate) fn guard<T>(
        &mut self,
        cx: &mut Context<'_>,
        next: Poll<Option<Result<T, hyper::Error>>>,
    ) -> Poll<Next<T>> {
        if let Poll::Ready(next) = next {
            self.clock = None;
            return Poll::Ready(next.map(|piece| piece.map_err(Broken::Peer)));
        }
        let patience = self.patience;
        let clock = self.clock.get_or_insert_with(|| Box::pin(sleep(patience)));
        std::task::ready!(clock.as_mut().poll(cx));
        Poll::Ready(Some(Err(Broken::Silent(patience))))
    }
}
