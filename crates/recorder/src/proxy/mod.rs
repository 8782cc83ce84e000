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

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fossick_transport::SetupError;
use hyper::service::service_fn;

use crate::door::{self, Door, Serve};
use crate::record::Queue;
use crate::{ProxySettings, Recorder, Running, StartError, Teller};
use address::Address;
use forward::{Office, forward};
use pool::{Pool, Ways};

/// Starts a proxy.
pub fn start_proxy(
    settings: ProxySettings,
    recorder: Recorder,
    tell: Teller,
) -> Result<Running, StartError> {
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
    Ok(Running::new(door, recorder, tell, upstream))
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
