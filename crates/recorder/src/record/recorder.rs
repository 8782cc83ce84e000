//! The recorder: a queue, the thread that empties it, and one that says when calls are lost.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::writer::Writer;
use super::{Keep, Queue};
use crate::figures::read;
use crate::{Figures, RecordSettings, StartError, Teller, Told};

/// How often losses are looked for, and how long a batch in hand is thought to be usual.
const LOOK: Duration = Duration::from_secs(1);
const SLOW: Duration = Duration::from_secs(5);
/// For the last try, which may begin just before the time is up.
const GRACE: Duration = Duration::from_secs(1);

/// Takes calls and has them kept. Ended by [`Recorder::end`]; dropped, it ends without waiting.
pub struct Recorder {
    queue: Arc<Queue>,
    settings: RecordSettings,
    written: Receiver<()>,
    watch: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Recorder {
    pub fn start(
        settings: RecordSettings,
        keep: Box<dyn Keep>,
        tell: Teller,
    ) -> Result<Self, StartError> {
        let queue = Queue::new(settings.clone());
        let writer = Writer {
            keep,
            tell: Arc::clone(&tell),
            longest_pause: settings.pause,
            gone: false,
        };
        let written = write_in_thread(writer, Arc::clone(&queue))?;
        let watch = watch_in_thread(Arc::clone(&queue), tell)?;
        Ok(Self {
            queue,
            settings,
            written,
            watch: Some(watch),
        })
    }

    pub fn figures(&self) -> Figures {
        self.queue.counters.figures()
    }

    pub(crate) fn queue(&self) -> &Arc<Queue> {
        &self.queue
    }

    /// Has what is left kept, waits for it within the limit and counts the rest as lost.
    pub fn end(mut self) -> Figures {
        let flush = self.settings.flush;
        self.queue.close(flush);
        // A store that hangs can't be interrupted: its thread is left behind.
        if let Err(RecvTimeoutError::Timeout) = self.written.recv_timeout(flush + GRACE) {
            self.queue.give_up();
        }
        if let Some((stop, thread)) = self.watch.take() {
            drop(stop);
            // It says what was lost last, and ends.
            let _ = thread.join();
        }
        self.figures()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if !self.queue.is_closed() {
            self.queue.close(Duration::ZERO);
        }
    }
}

fn write_in_thread(writer: Writer, queue: Arc<Queue>) -> Result<Receiver<()>, StartError> {
    let (done, written) = channel();
    Builder::new().name("recorder".to_owned()).spawn(move || {
        writer.run(&queue);
        drop(done);
    })?;
    Ok(written)
}

fn watch_in_thread(
    queue: Arc<Queue>,
    tell: Teller,
) -> Result<(Sender<()>, JoinHandle<()>), StartError> {
    let (stop, stopped) = channel();
    let thread = Builder::new()
        .name("recorder-watch".to_owned())
        .spawn(move || watch(&queue, &tell, &stopped))?;
    Ok((stop, thread))
}

fn watch(queue: &Queue, tell: &Teller, stopped: &Receiver<()>) {
    let (mut said, mut slow) = (0, false);
    loop {
        let last = stopped.recv_timeout(LOOK) == Err(RecvTimeoutError::Disconnected);
        let total = read(&queue.counters.lost);
        if total > said {
            let new = total - said;
            tell(Told::Lost { new, total });
            said = total;
        }
        let busy = queue.busy().filter(|since| *since >= SLOW);
        if let (Some(since), false) = (busy, slow) {
            tell(Told::StoreSlow { since });
        }
        slow = busy.is_some();
        if last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use fossick_harvest::Seen;

    use super::*;
    use crate::figures::count;
    use crate::record::{Entry, Kept};

    fn settings() -> RecordSettings {
        RecordSettings {
            every: Duration::from_millis(2),
            pause: Duration::from_millis(50),
            flush: Duration::from_millis(500),
            ..RecordSettings::default()
        }
    }

    fn listen() -> (Teller, Arc<Mutex<Vec<Told>>>) {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&heard);
        let tell = move |told| into.lock().expect("no listener panics").push(told);
        (Arc::new(tell), heard)
    }

    fn push(recorder: &Recorder, calls: usize) {
        for number in 0..calls {
            let queue = recorder.queue();
            count(&queue.counters.passed, 1);
            let seen = Seen::once(number as u64, "GET", "/");
            queue.push(Entry::told(seen, queue.share(), None));
        }
    }

    fn kept(batch: &[Seen]) -> Kept {
        Kept {
            calls: batch.len() as u64,
            skipped: 0,
        }
    }

    #[test]
    fn a_store_that_comes_back_gets_the_same_batch_and_nothing_twice() {
        let (tell, heard) = listen();
        let tries = Arc::new(AtomicUsize::new(0));
        let all = Arc::new(Mutex::new(Vec::new()));
        let (into, counter) = (Arc::clone(&all), Arc::clone(&tries));
        let keep = move |batch: &[Seen]| {
            if counter.fetch_add(1, Ordering::SeqCst) < 3 {
                return Err("no route to the store".to_owned());
            }
            let times = batch.iter().map(|seen| seen.at);
            into.lock().expect("one writer").extend(times);
            Ok(kept(batch))
        };
        let recorder = Recorder::start(settings(), Box::new(keep), tell).expect("threads");
        push(&recorder, 1000);
        while recorder.figures().waiting > 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        let figures = recorder.end();
        assert_eq!(
            (figures.recorded, figures.lost, figures.kept),
            (1000, 0, 1000)
        );
        let all = all.lock().expect("one writer");
        assert_eq!(*all, (0..1000).collect::<Vec<u64>>());
        let heard = heard.lock().expect("no listener panics");
        assert!(matches!(
            &heard[..],
            [Told::StoreGone { .. }, Told::StoreBack]
        ));
    }

    #[test]
    fn a_panic_costs_one_batch() {
        let (tell, heard) = listen();
        let broken = Arc::new(AtomicBool::new(true));
        let once = Arc::clone(&broken);
        let keep = move |batch: &[Seen]| {
            assert!(
                !once.swap(false, Ordering::SeqCst),
                "the store is upside down"
            );
            Ok(kept(batch))
        };
        let recorder = Recorder::start(settings(), Box::new(keep), tell).expect("threads");
        push(&recorder, 1);
        while broken.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        push(&recorder, 10);
        let figures = recorder.end();
        assert_eq!(figures.recorded + figures.lost, 11);
        assert!(figures.lost >= 1 && figures.recorded >= 1, "{figures}");
        let heard = heard.lock().expect("no listener panics");
        let said = |told: &Told| matches!(told, Told::StoreBroke { why } if why.contains("upside"));
        assert!(heard.iter().any(said), "{heard:?}");
    }

    #[test]
    fn a_store_that_hangs_does_not_hold_the_end_up() {
        let (tell, heard) = listen();
        let keep = |_: &[Seen]| loop {
            std::thread::sleep(Duration::from_mins(1));
        };
        let recorder = Recorder::start(settings(), Box::new(keep), tell).expect("threads");
        push(&recorder, 600);
        let figures = recorder.end();
        assert_eq!(
            (figures.passed, figures.recorded, figures.lost),
            (600, 0, 600)
        );
        let heard = heard.lock().expect("no listener panics");
        let expected = Told::Lost {
            new: 600,
            total: 600,
        };
        assert_eq!(heard.last(), Some(&expected));
    }

    #[test]
    fn a_store_that_stays_away_loses_what_is_left_at_the_end() {
        let (tell, _) = listen();
        let keep = |_: &[Seen]| Err("gone".to_owned());
        let recorder = Recorder::start(settings(), Box::new(keep), tell).expect("threads");
        push(&recorder, 700);
        let figures = recorder.end();
        assert_eq!((figures.recorded, figures.lost), (0, 700));
    }
}
