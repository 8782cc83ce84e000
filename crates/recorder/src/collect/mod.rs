//! The collector: an endpoint to which middleware tells the calls that it saw.
//!
//! `POST /v1/seen` (or `/`) with one call per line. The lines are read by whoever knows their
//! form; here they are queued, all of a request or none, and answered for.

mod answer;
mod desk;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fossick_harvest::Seen;
use hyper::service::service_fn;

use crate::door::{self, Door, Serve};
use crate::{CollectSettings, Figures, Recorder, StartError, Teller, Told};
use desk::Desk;

/// Reads the lines of a body: for each line a call, or what is wrong with it.
pub type Parse = Arc<dyn Fn(&[u8]) -> Vec<Result<Seen, String>> + Send + Sync>;

/// A collector that runs, in threads of its own.
pub struct Collector {
    door: Door,
    recorder: Recorder,
    tell: Teller,
}

impl Collector {
    pub fn start(
        settings: CollectSettings,
        parse: Parse,
        recorder: Recorder,
        tell: Teller,
    ) -> Result<Self, StartError> {
        let (listen, threads) = (settings.listen, settings.threads);
        let ending = settings.patience.ending;
        let desk = Arc::new(Desk {
            settings,
            parse,
            queue: Arc::clone(recorder.queue()),
        });
        let door = Door::open(listen, threads, ending, move || serve(Arc::clone(&desk)))?;
        let address = door.address();
        let upstream = None;
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

    /// Takes no more connections, waits for requests under way and has what was told kept, each
    /// within its limit. Blocks meanwhile.
    pub fn end(self) -> Figures {
        self.door.close();
        let figures = self.recorder.end();
        (self.tell)(Told::Ended(figures));
        figures
    }
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
