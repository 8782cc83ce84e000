//! The cells of one sitting, several at a time, each on a thread of its own.
//!
//! A record is written as soon as its cell is done. A cell that fails is told and left for the
//! next sitting; Ctrl-C leaves those that are under way.

use std::collections::{BTreeSet, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use fossick_lab::{Cell, Experiment, Record, Records, ServiceKind, progress};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

use super::RESULTS;
use super::cell::Run;
use super::setting::Settings;
use crate::exit::Exit;
use crate::screen::Screen;
use crate::test::runtime;

pub(super) struct Sitting<'a> {
    pub(super) experiment: &'a Experiment,
    pub(super) settings: &'a Settings,
    pub(super) out: &'a Path,
    /// Cells at once.
    pub(super) slots: usize,
}

/// What a worker tells.
enum News {
    Began(String),
    Ended(String, Result<Option<Record>>),
}

impl Sitting<'_> {
    pub(super) fn run(
        &self,
        cells: &[Cell],
        records: &mut Records,
        screen: &mut Screen,
    ) -> Result<Exit> {
        if cells.is_empty() {
            screen.line("every run of the experiment is done already");
            return Ok(Exit::Clean);
        }
        let log = Log::open(&self.out.join(RESULTS), records.torn)?;
        let queue = Queue::new(self.experiment, cells);
        let (stop, stopped) = watch::channel(false);
        let (tell, news) = unbounded_channel();
        let desk = Desk::new(log, records, screen, cells.len());
        thread::scope(|scope| {
            for _ in 0..self.slots.min(cells.len()) {
                let (tell, stopped, queue) = (tell.clone(), stopped.clone(), &queue);
                scope.spawn(move || self.work(queue, &tell, &stopped));
            }
            drop(tell);
            let exit = runtime().and_then(|runtime| runtime.block_on(desk.hear(news, &stop)));
            // Workers end with what they are at, whatever went wrong here.
            let _ = stop.send(true);
            exit
        })
    }

    fn work(&self, queue: &Queue<'_>, tell: &UnboundedSender<News>, stop: &watch::Receiver<bool>) {
        while let Some(cell) = queue.take(|| *stop.borrow()) {
            let key = cell.key();
            let run = Run {
                experiment: self.experiment,
                strategy: self.settings.of(self.experiment, &cell.strategy),
                out: self.out,
                cell: cell.0,
            };
            let _ = tell.send(News::Began(key.clone()));
            let record = run.run(stop.clone());
            drop(cell);
            let _ = tell.send(News::Ended(key, record));
        }
    }
}

/// Who writes results and tells how far the lab is.
struct Desk<'a> {
    log: Log,
    records: &'a mut Records,
    screen: &'a mut Screen,
    started: Instant,
    running: Vec<String>,
    ended: usize,
    all: usize,
    failed: usize,
}

impl<'a> Desk<'a> {
    fn new(log: Log, records: &'a mut Records, screen: &'a mut Screen, all: usize) -> Self {
        Self {
            log,
            records,
            screen,
            started: Instant::now(),
            running: Vec::new(),
            ended: 0,
            all,
            failed: 0,
        }
    }

    /// Until the last worker is gone.
    async fn hear(
        mut self,
        mut news: UnboundedReceiver<News>,
        stop: &watch::Sender<bool>,
    ) -> Result<Exit> {
        let mut interrupt = std::pin::pin!(tokio::signal::ctrl_c());
        let mut tick = tokio::time::interval(Duration::from_millis(200));
        loop {
            tokio::select! {
                heard = news.recv() => match heard {
                    Some(heard) => self.take(heard, *stop.borrow())?,
                    None => break,
                },
                _ = &mut interrupt, if !*stop.borrow() => {
                    stop.send_replace(true);
                }
                _ = tick.tick() => self.show(),
            }
        }
        let stopped = *stop.borrow();
        Ok(match self.failed {
            _ if stopped => Exit::Interrupted,
            0 => Exit::Clean,
            _ => Exit::Unreachable,
        })
    }

    fn take(&mut self, news: News, stopped: bool) -> Result<()> {
        match news {
            News::Began(key) => self.running.push(key),
            News::Ended(key, result) => {
                self.running.retain(|running| *running != key);
                self.ended += 1;
                match result {
                    Ok(Some(record)) => {
                        self.log.write(&record)?;
                        self.records.add(record);
                    }
                    Ok(None) => {}
                    // A cell that was broken off has not failed.
                    Err(_) if stopped => {}
                    Err(error) => {
                        self.failed += 1;
                        self.screen.line(&format!("{key} failed: {error:#}"));
                    }
                }
            }
        }
        Ok(())
    }

    fn show(&mut self) {
        let running: Vec<&str> = self.running.iter().map(String::as_str).collect();
        let line = || progress(self.ended, self.all, self.started.elapsed(), &running);
        self.screen.status(line);
    }
}

/// The results file, one line for each record.
struct Log(File);

impl Log {
    fn open(path: &Path, torn: bool) -> Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut log = Self(file.with_context(|| format!("failed to write {}", path.display()))?);
        if torn {
            log.put("\n")?;
        }
        Ok(log)
    }

    fn write(&mut self, record: &Record) -> Result<()> {
        self.put(&record.line())
    }

    fn put(&mut self, text: &str) -> Result<()> {
        self.0
            .write_all(text.as_bytes())
            .context("failed to write the results")
    }
}

/// Cells that wait, in their order. Services that can't run side by side are given to one worker
/// at a time.
struct Queue<'a> {
    alone: BTreeSet<&'a str>,
    state: Mutex<Waiting<'a>>,
    given_back: Condvar,
}

struct Waiting<'a> {
    cells: VecDeque<&'a Cell>,
    busy: BTreeSet<&'a str>,
}

impl<'a> Queue<'a> {
    fn new(experiment: &'a Experiment, cells: &'a [Cell]) -> Self {
        let alone = experiment.services.iter().filter(|service| {
            matches!(&service.kind, ServiceKind::External(told) if !told.runs_side_by_side())
        });
        Self {
            alone: alone.map(|service| service.name.as_str()).collect(),
            state: Mutex::new(Waiting {
                cells: cells.iter().collect(),
                busy: BTreeSet::new(),
            }),
            given_back: Condvar::new(),
        }
    }

    /// The next cell whose service is free; none when all are taken or the lab is over.
    fn take(&self, is_over: impl Fn() -> bool) -> Option<Taken<'_, 'a>> {
        let mut state = self.lock();
        loop {
            if is_over() || state.cells.is_empty() {
                return None;
            }
            let free = |cell: &&Cell| !state.busy.contains(cell.service.as_str());
            if let Some(place) = state.cells.iter().position(free) {
                let cell = state.cells.remove(place)?;
                if self.alone.contains(cell.service.as_str()) {
                    state.busy.insert(&cell.service);
                }
                return Some(Taken(cell, self));
            }
            state = self
                .given_back
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A worker that panicked leaves the queue as it was between two calls.
    fn lock(&self) -> MutexGuard<'_, Waiting<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A cell under way. Its service is free again when this is dropped, even by a panic.
struct Taken<'q, 'a>(&'a Cell, &'q Queue<'a>);

impl Deref for Taken<'_, '_> {
    type Target = Cell;

    fn deref(&self) -> &Cell {
        self.0
    }
}

impl Drop for Taken<'_, '_> {
    fn drop(&mut self) {
        self.1.lock().busy.remove(self.0.service.as_str());
        self.1.given_back.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAB: &str = "budgets = 10\nseeds = 2\n[strategies.mio]\n\
        [services.one]\nurl = \"http://127.0.0.1:9\"\nschema = \"a.json\"\n\
        [services.many]\ndemo = \"rest\"\n";

    #[test]
    fn a_service_that_stands_alone_is_given_to_one_worker_at_a_time() {
        let experiment = Experiment::read(LAB, "lab.toml").expect("a sound file");
        let cells = experiment.cells();
        let queue = Queue::new(&experiment, &cells);
        let take = || queue.take(|| false).expect("a cell waits");
        let first = take();
        assert_eq!(first.key(), "one/mio/1/10");
        let others = [take(), take()];
        assert!(others.iter().all(|cell| cell.service == "many"));
        drop(first);
        assert_eq!(take().key(), "one/mio/2/10");
        assert!(queue.take(|| false).is_none());
    }

    #[test]
    fn nothing_is_taken_when_the_lab_is_over() {
        let experiment = Experiment::read(LAB, "lab.toml").expect("a sound file");
        let cells = experiment.cells();
        assert!(Queue::new(&experiment, &cells).take(|| true).is_none());
    }
}
