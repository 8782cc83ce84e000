//! A thread that owns a store, for those who must not wait for one.
//!
//! Batches stand in a queue of limited length; whoever finds it full is told so at once and gets
//! the batch back. What is done with it then, and what is said, is theirs to decide.

use std::thread::JoinHandle;

use fossick_harvest::{Flow, Sighting};
use tokio::sync::{mpsc, oneshot};

use crate::{Access, Added, BatchId, Place, Store, StoreError};

/// What came of a batch, once it is known.
pub type Outcome = oneshot::Receiver<Result<Added, StoreError>>;

/// The handle of the thread. When it is dropped, what stands in the queue is still written.
#[derive(Debug)]
pub struct Writer {
    queue: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Job {
    id: BatchId,
    sightings: Vec<Sighting>,
    flows: Vec<Flow>,
    reply: oneshot::Sender<Result<Added, StoreError>>,
}

/// A batch that found no place in the queue.
#[derive(Debug)]
pub struct Refused {
    pub id: BatchId,
    pub sightings: Vec<Sighting>,
    pub flows: Vec<Flow>,
}

impl Writer {
    /// Opens the store, which may take a while, and starts the thread.
    pub fn open(place: &Place, queue: usize) -> Result<Self, StoreError> {
        let store = Store::open(place, Access::Write)?;
        let (sender, receiver) = mpsc::channel(queue.max(1));
        let place = place.clone();
        let thread = std::thread::spawn(move || work(store, &place, receiver));
        Ok(Self {
            queue: Some(sender),
            thread: Some(thread),
        })
    }

    /// Never waits. The outcome may be waited for or thrown away.
    pub fn add(
        &self,
        id: BatchId,
        sightings: Vec<Sighting>,
        flows: Vec<Flow>,
    ) -> Result<Outcome, Refused> {
        let (reply, outcome) = oneshot::channel();
        let job = Job {
            id,
            sightings,
            flows,
            reply,
        };
        let refused = |job: Job| Refused {
            id: job.id,
            sightings: job.sightings,
            flows: job.flows,
        };
        let Some(queue) = &self.queue else {
            return Err(refused(job));
        };
        match queue.try_send(job) {
            Ok(()) => Ok(outcome),
            Err(error) => Err(refused(error.into_inner())),
        }
    }

    /// Waits until everything in the queue has been written or has failed.
    pub fn finish(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.end();
    }
}

fn work(mut store: Store, place: &Place, mut queue: mpsc::Receiver<Job>) {
    while let Some(job) = queue.blocking_recv() {
        let mut done = store.add_once(job.id, &job.sightings, &job.flows);
        if matches!(done, Err(StoreError::Gone { .. })) {
            done = again(&mut store, place, &job);
        }
        let _ = job.reply.send(done);
    }
}

/// The file was moved away, as is done to begin a new one: begin it.
fn again(store: &mut Store, place: &Place, job: &Job) -> Result<Added, StoreError> {
    *store = Store::open(place, Access::Write)?;
    store.add_once(job.id, &job.sightings, &job.flows)
}
