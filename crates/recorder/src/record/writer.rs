//! The thread that takes batches from the queue and has them kept.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::Keep;
use super::queue::{Batch, Queue};
use crate::{Teller, Told};

const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// How much the writer yields to the traffic where both want the same core.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;

pub(crate) struct Writer {
    pub(crate) keep: Box<dyn Keep>,
    pub(crate) tell: Teller,
    pub(crate) longest_pause: Duration,
    /// It has been said that the store takes nothing.
    pub(crate) gone: bool,
}

impl Writer {
    /// Runs until the queue is closed and empty. A panic costs the batch in hand and no more.
    pub(crate) fn run(mut self, queue: &Queue) {
        yield_to_traffic();
        loop {
            let ended = catch_unwind(AssertUnwindSafe(|| self.work(queue)));
            match ended {
                Ok(()) => return,
                Err(panic) => self.say_broke(&panic),
            }
        }
    }

    fn work(&mut self, queue: &Queue) {
        while let Some(batch) = queue.next() {
            self.keep_batch(queue, batch);
        }
    }

    fn keep_batch(&mut self, queue: &Queue, mut batch: Batch<'_>) {
        let seen = batch.take_seen();
        let mut pause = FIRST_PAUSE;
        loop {
            match self.keep.keep(&seen) {
                Ok(kept) => {
                    batch.kept(kept);
                    return self.say_back();
                }
                Err(why) => self.say_gone(why),
            }
            if !queue.pause(pause) {
                return;
            }
            pause = (pause * 2).min(self.longest_pause);
        }
    }

    fn say_gone(&mut self, why: String) {
        if !self.gone {
            self.gone = true;
            (self.tell)(Told::StoreGone { why });
        }
    }

    fn say_back(&mut self) {
        if self.gone {
            self.gone = false;
            (self.tell)(Told::StoreBack);
        }
    }

    fn say_broke(&self, panic: &Box<dyn std::any::Any + Send>) {
        let why = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_else(|| "it panicked".to_owned());
        let tell = &self.tell;
        // Whoever listens may be what broke.
        let _ = catch_unwind(AssertUnwindSafe(|| tell(Told::StoreBroke { why })));
    }
}

#[cfg(target_os = "linux")]
fn yield_to_traffic() {
    // On Linux this is the thread's own; if the system refuses, recording is only less modest.
    let _ = rustix::process::setpriority_process(None, NICENESS);
}

#[cfg(not(target_os = "linux"))]
fn yield_to_traffic() {}
