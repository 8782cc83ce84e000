//! Plans that are under way: rounds of a fixed size, learned in the order of their proposal.
//!
//! An answer that takes far longer than its round holds nobody up: it is set aside and learned
//! when it comes. Its place in the order is then that of its arrival, which only a service that
//! slow can make out.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use fossick_contract::OperationIndex;
use fossick_search::Proposal;
use fossick_trace::Episode;
use tokio::task::JoinHandle;

/// Plans proposed at a time. Fixed, whatever the concurrency: determinism hangs on it.
pub(crate) const ROUND: usize = 16;
/// Rounds under way at once.
pub(crate) const ROUNDS: usize = 3;
/// A round waits for its last answer at least so long…
const PATIENCE: Duration = Duration::from_millis(600);
/// …and at least so many times as long as rounds usually take.
const USUAL: u32 = 4;
/// Answers that are waited for beside the rounds; more of them, and the service is just slow.
const MOST_LATE: usize = 12;

pub(crate) type Flight = (Proposal, JoinHandle<Episode>);

struct Round {
    began: Instant,
    flights: VecDeque<Flight>,
}

/// What came of waiting for the next answer.
pub(crate) enum Landed {
    Answered(Proposal, Episode),
    /// It takes long: its operation should rest until it is there.
    Late(OperationIndex),
    /// It came after all.
    AtLast(Proposal, Episode),
    RoundOver,
    /// Nothing will come of this one.
    Lost,
    /// Nothing is under way.
    Nothing,
}

#[derive(Default)]
pub(crate) struct Flights {
    rounds: VecDeque<Round>,
    late: VecDeque<Flight>,
    /// How long rounds take.
    usual: Duration,
    /// Every answer is waited for: tests follow one another.
    in_order: bool,
}

impl Flights {
    pub(crate) fn new(in_order: bool) -> Self {
        Self {
            in_order,
            ..Self::default()
        }
    }

    pub(crate) fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// Whether answers are awaited that are late.
    pub(crate) fn has_late(&self) -> bool {
        !self.late.is_empty()
    }

    /// Calls that are planned and not learned yet.
    pub(crate) fn calls(&self) -> u64 {
        let rounds = self.rounds.iter().flat_map(|round| &round.flights);
        let steps = rounds.map(|(proposal, _)| proposal.plan.steps.len());
        steps.sum::<usize>() as u64
    }

    pub(crate) fn launch(&mut self, flights: Vec<Flight>) {
        self.rounds.push_back(Round {
            began: Instant::now(),
            flights: flights.into(),
        });
    }

    /// Waits for the next answer in the order of proposal.
    pub(crate) async fn next(&mut self) -> Landed {
        if let Some((proposal, episode)) = self.arrived().await {
            return Landed::AtLast(proposal, episode);
        }
        let patience = PATIENCE.max(self.usual * USUAL);
        let Some(round) = self.rounds.front_mut() else {
            return Landed::Nothing;
        };
        let Some((proposal, mut handle)) = round.flights.pop_front() else {
            let took = round.began.elapsed();
            self.usual = (self.usual * 7 + took.min(patience)) / 8;
            self.rounds.pop_front();
            return Landed::RoundOver;
        };
        let waits = self.in_order || self.late.len() >= MOST_LATE;
        let until = round.began + patience;
        tokio::select! {
            biased;
            episode = &mut handle => match episode {
                Ok(episode) => Landed::Answered(proposal, episode),
                Err(_) => Landed::Lost,
            },
            () = tokio::time::sleep_until(until.into()), if !waits => {
                let subject = proposal.subject;
                self.late.push_back((proposal, handle));
                Landed::Late(subject)
            }
        }
    }

    /// The first late answer that has come.
    async fn arrived(&mut self) -> Option<(Proposal, Episode)> {
        let at = self
            .late
            .iter()
            .position(|(_, handle)| handle.is_finished())?;
        let (proposal, handle) = self.late.remove(at)?;
        Some((proposal, handle.await.ok()?))
    }

    /// The next answer of the rounds that are under way, however long it takes.
    pub(crate) async fn land(&mut self) -> Option<(Proposal, Episode)> {
        while let Some((proposal, handle)) = self.next_flight() {
            if let Ok(episode) = handle.await {
                return Some((proposal, episode));
            }
        }
        None
    }

    /// The next late answer, if it comes in time.
    pub(crate) async fn land_late(&mut self, until: Instant) -> Option<(Proposal, Episode)> {
        let (proposal, handle) = self.late.pop_front()?;
        let episode = tokio::time::timeout_at(until.into(), handle).await;
        Some((proposal, episode.ok()?.ok()?))
    }

    fn next_flight(&mut self) -> Option<Flight> {
        while let Some(round) = self.rounds.front_mut() {
            if let Some(flight) = round.flights.pop_front() {
                return Some(flight);
            }
            self.rounds.pop_front();
        }
        None
    }
}
