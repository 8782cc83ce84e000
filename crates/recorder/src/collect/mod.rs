//! The collector: an endpoint to which middleware tells the calls that it saw.
//!
//! `POST /v1/seen` (or `/`) with one call per line. The lines are read by whoever knows their
//! form; here they are queued, all of a request or none, and answered for.

mod answer;
mod desk;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fossick_harvest::Seen;
use hyper::service::service_fn;

use crate::door::{self, Door, Serve};
use crate::{CollectSettings, Recorder, Running, StartError, Teller};
use desk::Desk;

/// Reads the lines of a body: for each line a call, or what is wrong with it.
pub type Parse = Arc<dyn Fn(&[u8]) -> Vec<Result<Seen, String>> + Send + Sync>;

/// Starts a collector.
pub fn start_collector(
    settings: CollectSettings,
    parse: Parse,
    recorder: Recorder,
    tell: Teller,
) -> Result<Running, StartError> {
    let (listen, threads) = (settings.listen, settings.threads);
    let ending = settings.patience.ending;
    let desk = Arc::new(Desk {
        settings,
        parse,
        queue: Arc::clone(recorder.queue()),
    });
    let door = Door::open(listen, threads, ending, move || serve(Arc::clone(&desk)))?;
    Ok(Running::new(door, recorder, tell, None))
}

fn serve(desk: Arc<Desk>) -> Serve {
    let manners = Arc::new(door::manners(&desk.settings.patience));
    Box::new(move |stream, _, presence| {
        let (desk, manners) = (Arc::clone(&desk), Arc::clone(&manners));
        Box::pin(async move {
            let began = AtomicBool::new(false);
            let service = service_fn(|request| {
                began.store(true, Ordering::Relaxed);
                Arc::clone(&desk).handle(request)
            });
            let patience = &desk.settings.patience;
            door::serve(&manners, stream, patience, presence, &began, service).await;
        })
    })
}
