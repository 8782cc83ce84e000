//! How many requests are under way at once: as many as the service answers well, up to the ceiling
//! that the user set.
//!
//! It begins with a few, adds more while that brings more answers a second, and takes away half as
//! soon as the service refuses for want of room. Sixteen requests at once make SQLite say that it
//! is locked, and a service with one thread queue them. Which requests are sent is not decided
//! here, nor by how fast answers come, so the same seed still leads to the same run.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fossick_trace::Outcome;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

/// Where it begins.
const FIRST: usize = 2;
/// Answers on which a change is judged; more of them where more are under way.
const STRETCH: usize = 24;
/// A change is kept if it brings this much more.
const GAIN: f64 = 1.05;
/// Stretches after which more are tried again, although it did not pay before.
const REST: usize = 12;
/// Refusals of this share, beyond what is usual, are for want of room.
const REFUSED: f64 = 0.1;
/// Who takes so many times longer than usual does not keep others waiting.
const LATE: u32 = 4;
const SHORTEST_WAIT: Duration = Duration::from_millis(100);

pub(crate) struct Slots {
    /// Requests under way, however long they take.
    all: Semaphore,
    /// Those that the service is thought to work on.
    quick: Semaphore,
    state: Mutex<State>,
}

struct State {
    gauge: Gauge,
    /// Slots that are taken away when they are given back.
    surplus: usize,
}

impl Slots {
    pub(crate) fn new(ceiling: usize) -> Self {
        let ceiling = ceiling.min(Semaphore::MAX_PERMITS);
        let gauge = Gauge::new(ceiling, Instant::now());
        Self {
            all: Semaphore::new(ceiling),
            quick: Semaphore::new(gauge.limit),
            state: Mutex::new(State { gauge, surplus: 0 }),
        }
    }

    /// How many may be under way at the moment.
    pub(crate) fn limit(&self) -> usize {
        self.state().gauge.limit
    }

    /// Waits for a slot and does the work in it.
    pub(crate) async fn run(&self, work: impl Future<Output = Outcome>) -> Outcome {
        // The semaphores are never closed.
        let _place = self.all.acquire().await;
        let slot = self.quick.acquire().await.ok();
        let began = Instant::now();
        let mut work = std::pin::pin!(work);
        let patience = self.state().gauge.patience();
        let quick = timeout(patience, &mut work).await;
        self.give_back(slot);
        let outcome = match quick {
            Ok(outcome) => outcome,
            Err(_) => work.await,
        };
        self.note(began.elapsed(), is_refused(&outcome));
        outcome
    }

    fn give_back(&self, slot: Option<SemaphorePermit<'_>>) {
        let mut state = self.state();
        if state.surplus > 0
            && let Some(slot) = slot
        {
            state.surplus -= 1;
            slot.forget();
        }
    }

    fn note(&self, took: Duration, refused: bool) {
        let mut state = self.state();
        let before = state.gauge.limit;
        state.gauge.note(Instant::now(), took, refused);
        let after = state.gauge.limit;
        // What is to be taken away need not be made first.
        let added = after.saturating_sub(before);
        let kept = added.min(state.surplus);
        state.surplus = state.surplus - kept + before.saturating_sub(after);
        self.quick.add_permits(added - kept);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a service says that there is no room for more.
fn is_refused(outcome: &Outcome) -> bool {
    const WORDS: [&str; 5] = [
        "locked",
        "under pressure",
        "too many connections",
        "overloaded",
        "pool exhausted",
    ];
    const READ: usize = 2048;
    let Outcome::Answered(answer) = outcome else {
        return false;
    };
    match answer.status {
        429 | 503 => true,
        500.. => {
            let start = &answer.body[..answer.body.len().min(READ)];
            let text = String::from_utf8_lossy(start).to_lowercase();
            WORDS.iter().any(|word| text.contains(word))
        }
        _ => false,
    }
}

/// Judges from answers how many requests are good at once. Knows the time only as it is told.
struct Gauge {
    ceiling: usize,
    limit: usize,
    /// How long answers take.
    usual: Duration,
    stretch: Stretch,
    /// The limit that was raised last, with the answers a second that it brought.
    lower: Option<(usize, f64)>,
    /// As long as it has never been too much, it is doubled.
    doubles: bool,
    /// Stretches to wait before more are tried.
    rest: usize,
    /// The share of refusals that comes with one request at a time.
    usual_refusals: f64,
}

struct Stretch {
    began: Instant,
    answers: usize,
    refused: usize,
}

impl Stretch {
    fn at(began: Instant) -> Self {
        Self {
            began,
            answers: 0,
            refused: 0,
        }
    }
}

impl Gauge {
    fn new(ceiling: usize, now: Instant) -> Self {
        Self {
            ceiling,
            limit: ceiling.min(FIRST),
            usual: Duration::ZERO,
            stretch: Stretch::at(now),
            lower: None,
            doubles: true,
            rest: 0,
            usual_refusals: 0.0,
        }
    }

    fn patience(&self) -> Duration {
        SHORTEST_WAIT.max(self.usual * LATE)
    }

    fn note(&mut self, now: Instant, took: Duration, refused: bool) {
        // Single calls that take for ever say nothing of the others.
        let most = self.usual * 2 + Duration::from_millis(1);
        self.usual = (self.usual * 15 + took.min(most)) / 16;
        self.stretch.answers += 1;
        self.stretch.refused += usize::from(refused);
        if self.stretch.answers >= STRETCH.max(self.limit * 4) {
            let ended = std::mem::replace(&mut self.stretch, Stretch::at(now));
            self.judge(&ended, now);
        }
    }

    fn judge(&mut self, ended: &Stretch, now: Instant) {
        let took = now.duration_since(ended.began).as_secs_f64().max(1e-6);
        let rate = ended.answers as f64 / took;
        let refused = ended.refused as f64 / ended.answers as f64;
        if self.limit == 1 {
            self.usual_refusals = refused;
        } else if refused > self.usual_refusals + REFUSED {
            self.set(self.limit / 2);
            return;
        }
        match self.lower {
            Some((lower, before)) if rate < before * GAIN => self.set(lower),
            _ if self.rest > 0 => {
                self.rest -= 1;
                self.lower = None;
            }
            _ => self.raise(rate),
        }
    }

    fn raise(&mut self, rate: f64) {
        let step = if self.doubles { self.limit } else { 1 };
        let limit = (self.limit + step).min(self.ceiling);
        self.lower = (limit > self.limit).then_some((self.limit, rate));
        self.limit = limit;
    }

    /// It was too much.
    fn set(&mut self, limit: usize) {
        self.limit = limit.max(1);
        self.lower = None;
        self.doubles = false;
        self.rest = REST;
    }
}

#[cfg(test)]
mod tests {
    use fossick_trace::Failure;

    use super::*;

    /// A service that works on so many requests at a time, each for ten milliseconds, and refuses
    /// some beyond a limit. Plays so many answers and gives the gauge.
    fn played(workers: usize, refuses_beyond: usize, answers: usize) -> Gauge {
        const WORK: Duration = Duration::from_millis(10);
        let mut now = Instant::now();
        let mut gauge = Gauge::new(16, now);
        for number in 0..answers {
            let at_once = gauge.limit.min(workers) as u32;
            now += WORK / at_once;
            let queued = gauge.limit.div_ceil(workers) as u32;
            let refused = gauge.limit > refuses_beyond && number % 3 == 0;
            gauge.note(now, WORK * queued, refused);
        }
        gauge
    }

    #[test]
    fn more_are_sent_as_long_as_it_pays() {
        assert_eq!(played(64, 99, 2000).limit, 16);
        let few = played(4, 99, 2000).limit;
        assert!((4..=5).contains(&few), "{few}");
        let one = played(1, 99, 2000).limit;
        assert!((1..=3).contains(&one), "{one}");
    }

    #[test]
    fn refusals_for_want_of_room_halve_it_at_once() {
        let limits: Vec<usize> = (1..40).map(|it| played(64, 3, it * 50).limit).collect();
        let late = &limits[10..];
        let mean = late.iter().sum::<usize>() as f64 / late.len() as f64;
        assert!(mean < 4.0, "{limits:?}");
    }

    #[test]
    fn what_is_refused_anyway_says_nothing() {
        let limit = played(64, 0, 4000).limit;
        assert!(limit > 4, "{limit}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_answer_keeps_nobody_waiting() {
        let slots = Slots::new(16);
        let answer = |after: u64| async move {
            tokio::time::sleep(Duration::from_millis(after)).await;
            Outcome::Failed(Failure::Unreachable("for the test".to_owned()))
        };
        let began = tokio::time::Instant::now();
        let slow = async { tokio::join!(slots.run(answer(8000)), slots.run(answer(8000))) };
        let quick = async {
            for _ in 0..20 {
                slots.run(answer(10)).await;
            }
            began.elapsed()
        };
        let (_, took) = tokio::join!(slow, quick);
        assert!(took < Duration::from_secs(1), "{took:?}");
    }
}
