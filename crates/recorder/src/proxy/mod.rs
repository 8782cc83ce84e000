//! The recording proxy: calls go through as they came, and what was seen is told.

mod address;
mod forward;
mod headers;
mod line;
mod pool;
mod relay;
mod silence;
mod trouble;
mod tunnel;
mod upload;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fossick_transport::SetupError;
use hyper::service::service_fn;

use crate::door::{self, Door, Serve};
use crate::record::Queue;
use crate::{Figures, ProxySettings, Recorder, StartError, Teller, Told};
use address::Address;
use forward::{Office, forward};
use pool::{Pool, Ways};

/// A proxy that runs, in threads of its own.
pub struct Proxy {
    door: Door,
    recorder: Recorder,
    tell: Teller,
}

impl Proxy {
    pub fn start(
        settings: ProxySettings,
        recorder: Recorder,
        tell: Teller,
    ) -> Result<Self, StartError> {
        let ways = Arc::new(Ways::new(&settings)?);
        let unnamed = || SetupError::ServerName(settings.upstream.host.clone());
        let address = Arc::new(Address::new(&settings).ok_or_else(unnamed)?);
        let queue = Arc::clone(recorder.queue());
        let upstream = Some(settings.upstream.to_string());
        let (listen, threads) = (settings.listen, settings.threads);
        let ending = settings.patience.ending;
        let door = Door::open(listen, threads, ending, move || {
            let office = Office {
                pool: Pool::new(Arc::clone(&ways)),
                address: Arc::clone(&address),
                queue: Arc::<Queue>::clone(&queue),
                patience: settings.patience.clone(),
                copied: settings.copied,
            };
            serve(Arc::new(office))
        })?;
        let address = door.address();
        tell(Told::Listening { address, upstream });
        Ok(Self {
            door,
            recorder,
            tell,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.door.address()
    }

    pub fn figures(&self) -> Figures {
        self.recorder.figures()
    }

    /// Takes no more connections, waits for calls under way and has what was seen kept, each
    /// within its limit. Blocks meanwhile.
    pub fn end(self) -> Figures {
        self.door.close();
        let figures = self.recorder.end();
        (self.tell)(Told::Ended(figures));
        figures
    }
}

fn serve(office: Arc<Office>) -> Serve {
    let manners = Arc::new(door::manners(&office.patience));
    Box::new(move |stream, peer, presence| {
        let (office, manners) = (Arc::clone(&office), Arc::clone(&manners));
        Box::pin(async move {
            let began = Arc::new(AtomicBool::new(false));
            let service = service_fn(|request| {
                began.store(true, Ordering::Relaxed);
                forward(Arc::clone(&office), peer, presence.clone(), request)
            });
            let patience = &office.patience;
            door::serve(
                &manners,
                stream,
                patience,
                presence.clone(),
                &began,
                service,
            )
            .await;
        })
    })
}
