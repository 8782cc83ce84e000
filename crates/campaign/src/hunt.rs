//! One run, from the first proposal to the last confirmation.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use fossick_contract::{Api, Deed};
use fossick_minimise::Kept;
use fossick_oracles::Judge;
use fossick_plan::keys;
use fossick_search::{Proposal, Search};
use fossick_trace::{Ending, Episode, Finding, GraphFigures, PropertyGraph, Schema, Script, Tally};
use fossick_transport::Client;
use fossick_validate::Validators;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::budget::{Budget, Spending};
use crate::candidates::{Candidates, Confirmed};
use crate::keep::Keeping;
use crate::lockout::{Alarm, Watch};
use crate::probes::{Probe, Probes};
use crate::rank::ranked;
use crate::rest::Resting;
use crate::runner;
use crate::tally::Tallies;

/// Plans proposed at a time. Fixed, whatever the concurrency: determinism hangs on it.
const ROUND: usize = 16;
/// Rounds under way at once.
const ROUNDS: usize = 3;

#[derive(Debug, Clone)]
pub struct Settings {
    pub budget: Budget,
    pub search: fossick_search::Settings,
    pub ignore: Vec<Ignore>,
    /// Codes that are not looked for at all.
    pub silenced: Vec<String>,
    /// What is known of a probe inside the service.
    pub probe: Option<Probe>,
    /// Make a suite of it at the end.
    pub keep: Option<Keeping>,
    /// One test after the other, and what was found is confirmed when the search is over: a service
    /// that remembers then meets the same calls in the same order each time.
    pub in_order: bool,
}

/// Findings that the user has seen and accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignore {
    pub code: String,
    /// Label of one operation; all of them where nothing is said.
    pub operation: Option<String>,
}

impl Ignore {
    fn covers(&self, finding: &Finding) -> bool {
        self.code.eq_ignore_ascii_case(&finding.code)
            && self
                .operation
                .as_ref()
                .is_none_or(|o| *o == finding.operation)
    }
}

/// What a run tells while it goes on.
pub enum Event<'e> {
    Progress(State),
    Found(&'e Finding, &'e str),
    Note(&'e str),
}

/// Where a run stands.
#[derive(Debug, Clone, Copy)]
pub struct State {
    pub elapsed: Duration,
    pub tried: usize,
    pub succeeded: usize,
    pub findings: usize,
    pub requests: u64,
}

/// Everything that a run leaves behind.
#[derive(Debug)]
pub struct Outcome {
    pub tallies: Vec<Tally>,
    pub findings: Vec<Shown>,
    pub notes: Vec<String>,
    pub requests: u64,
    pub targets: usize,
    /// How much of a GraphQL schema was asked for.
    pub graphql: Option<Schema>,
    pub elapsed: Duration,
    pub ending: Ending,
    /// Targets that were covered after so many requests of the search.
    pub curve: Vec<(u64, u64)>,
    /// The suite, where one was asked for.
    pub kept: Option<Kept>,
    pub graph: GraphFigures,
    /// What was believed of the service in the end.
    pub property_graph: PropertyGraph,
}

/// A finding with what confirming it showed.
#[derive(Debug, Clone)]
pub struct Shown {
    pub finding: Finding,
    pub episode: Arc<Episode>,
    pub confirmed: bool,
    pub replays: (u32, u32),
    pub shrunk_from: usize,
    pub seen: u64,
}

/// A run over one service.
pub struct Hunt<'a> {
    pub(crate) api: &'a Api,
    pub(crate) client: Client,
    pub(crate) settings: Settings,
    pub(crate) judge: Judge<'a>,
    pub(crate) validators: &'a Validators,
    pub(crate) search: RefCell<Search<'a>>,
    pub(crate) candidates: RefCell<Candidates>,
    pub(crate) tallies: RefCell<Tallies>,
    pub(crate) notes: RefCell<Vec<String>>,
    pub(crate) spending: RefCell<Spending>,
    pub(crate) watch: RefCell<Watch>,
    pub(crate) resting: RefCell<Resting>,
    /// A script that worked and changes nothing: it tells whether the service still answers us.
    pub(crate) witness: RefCell<Option<Arc<Script>>>,
    pub(crate) listener: RefCell<&'a mut dyn FnMut(Event<'_>)>,
    pub(crate) confirm_time: Cell<(u32, Duration)>,
    pub(crate) over: Cell<bool>,
    pub(crate) ending: Cell<Ending>,
    pub(crate) news: Notify,
    pub(crate) probes: Option<Rc<Probes>>,
    curve: RefCell<Vec<(u64, u64)>>,
    kept: RefCell<Option<Kept>>,
    succeeded: RefCell<Vec<(u64, u64)>>,
}

type Flight = Vec<(Proposal, JoinHandle<Episode>)>;

impl<'a> Hunt<'a> {
    pub fn new(
        api: &'a Api,
        validators: &'a Validators,
        client: Client,
        settings: Settings,
        listener: &'a mut dyn FnMut(Event<'_>),
    ) -> Self {
        let mut wanted = settings.search.clone();
        wanted.keep |= settings.keep.is_some();
        let search = Search::new(api, validators, wanted);
        Self {
            api,
            client,
            judge: Judge::new(api, validators).silence(settings.silenced.clone()),
            validators,
            search: RefCell::new(search),
            candidates: RefCell::default(),
            tallies: RefCell::new(Tallies::new(api)),
            notes: RefCell::default(),
            spending: RefCell::new(Spending::new(settings.budget)),
            watch: RefCell::new(Watch::new(api)),
            resting: RefCell::default(),
            witness: RefCell::default(),
            listener: RefCell::new(listener),
            confirm_time: Cell::new((0, Duration::ZERO)),
            over: Cell::new(false),
            ending: Cell::new(Ending::Finished),
            news: Notify::new(),
            probes: settings
                .probe
                .clone()
                .map(|probe| Rc::new(Probes::new(probe))),
            curve: RefCell::default(),
            kept: RefCell::default(),
            succeeded: RefCell::default(),
            settings,
        }
    }

    /// The search, to be told before the run what to leave out and which words to use.
    pub fn search(&mut self) -> &mut Search<'a> {
        self.search.get_mut()
    }

    /// Runs until the budget is spent or `stop` resolves. Must run on a local task set.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Outcome {
        let mut stop = std::pin::pin!(stop);
        let work = async {
            if self.settings.in_order {
                self.hunt().await;
                self.confirm(1, false).await;
                return;
            }
            tokio::join!(
                self.hunt(),
                self.confirm(1, true),
                self.confirm(2, true),
                self.confirm(3, true)
            );
        };
        let interrupted = tokio::select! {
            () = work => false,
            () = &mut stop => true,
        };
        if interrupted {
            self.ending.set(Ending::Interrupted);
        }
        self.finish()
    }

    async fn hunt(&self) {
        self.tell_what_waits();
        let mut flights: VecDeque<Flight> = VecDeque::new();
        let (_, rounds) = self.rounds();
        while self.ending.get() == Ending::Finished {
            while flights.len() < rounds {
                let planned: usize = flights
                    .iter()
                    .flatten()
                    .map(|(p, _)| p.plan.steps.len())
                    .sum();
                let Some(flight) = self.launch(planned as u64) else {
                    break;
                };
                flights.push_back(flight);
            }
            let Some(flight) = flights.pop_front() else {
                if self.nap().await {
                    continue;
                }
                break;
            };
            let mut alarm = None;
            for (proposal, handle) in flight {
                if let Ok(episode) = handle.await {
                    alarm = self.learn(&proposal, episode).or(alarm);
                }
            }
            self.report_progress();
            if let Some(alarm) = alarm {
                self.land(&mut flights).await;
                self.deal_with(&alarm).await;
            }
        }
        self.land(&mut flights).await;
        if self.ending.get() == Ending::Finished {
            if self.settings.in_order {
                self.confirm(1, false).await;
            }
            self.until_confirmed().await;
            if let Some(keeping) = &self.settings.keep {
                let kept = self.keep(keeping).await;
                *self.kept.borrow_mut() = Some(kept);
            }
            self.last_things().await;
        }
        self.over.set(true);
        self.news.notify_waiters();
    }

    /// Plans proposed at a time, and such rounds under way. Where tests wait for each other,
    /// proposing ahead would only mean to know less.
    fn rounds(&self) -> (usize, usize) {
        let probe = self.settings.probe.as_ref();
        let resets = probe.is_some_and(|probe| probe.reset.is_some());
        if resets || self.settings.in_order {
            (1, 1)
        } else {
            (ROUND, ROUNDS)
        }
    }

    /// Waits for everything that is under way and learns from it.
    async fn land(&self, flights: &mut VecDeque<Flight>) {
        for (proposal, handle) in flights.drain(..).flatten() {
            if let Ok(episode) = handle.await {
                self.learn(&proposal, episode);
            }
        }
    }

    /// Sleeps until an operation has rested enough, where everything rests and there is time left.
    async fn nap(&self) -> bool {
        let next = self.resting.borrow().next();
        let spent = self.spending.borrow().is_spent(0, self.time_to_confirm());
        let Some(next) = next.filter(|_| !spent) else {
            return false;
        };
        let longest = std::time::Instant::now() + Duration::from_secs(1);
        tokio::time::sleep_until(next.min(longest).into()).await;
        true
    }

    /// Proposes a round and sends it on its way; `None` when there is nothing more to do.
    fn launch(&self, planned: u64) -> Option<Flight> {
        if self
            .spending
            .borrow()
            .is_spent(planned, self.time_to_confirm())
        {
            return None;
        }
        let mut search = self.search.borrow_mut();
        search.spend(self.spending.borrow().share());
        for index in self.resting.borrow_mut().awake() {
            search.rest(index, false);
        }
        let (round, _) = self.rounds();
        let mut flight = Flight::with_capacity(round);
        while flight.len() < round
            && let Some(proposal) = search.propose()
        {
            let script = Arc::new(search.render(&proposal.plan));
            let client = self.client.clone();
            let probes = self.probes.clone();
            let run = async move { runner::run_probed(&client, script, probes.as_deref()).await };
            flight.push((proposal, tokio::task::spawn_local(run)));
        }
        (!flight.is_empty()).then_some(flight)
    }

    fn learn(&self, proposal: &Proposal, episode: Episode) -> Option<Alarm> {
        self.spending.borrow_mut().requests += episode.exchanges.len() as u64;
        self.tallies.borrow_mut().count(&episode);
        let findings = self.judge.judge(&episode);
        self.search
            .borrow_mut()
            .learn(proposal, &episode, &findings);
        for tired in self.resting.borrow_mut().see(self.api, &episode) {
            self.search.borrow_mut().rest(tired, true);
        }
        self.keep_witness(&episode);
        self.note_curve();
        let alarm = self.watch.borrow_mut().see(self.api, &episode);
        if !findings.is_empty() {
            self.offer(proposal, episode, &findings);
        }
        alarm
    }

    /// A point of the curve every hundredth of what is usual.
    fn note_curve(&self) {
        let requests = self.spending.borrow().requests;
        let mut curve = self.curve.borrow_mut();
        let last = curve.last().map_or(0, |(at, _)| *at);
        if requests >= last + (requests / 100).max(20) {
            curve.push((requests, self.search.borrow().targets() as u64));
            let succeeded = self.tallies.borrow().succeeded as u64;
            self.succeeded.borrow_mut().push((requests, succeeded));
        }
    }

    pub(crate) fn offer(&self, proposal: &Proposal, mut episode: Episode, findings: &[Finding]) {
        episode.forget_parsed();
        let episode = Arc::new(episode);
        let mut candidates = self.candidates.borrow_mut();
        for finding in findings {
            let ignored = self
                .settings
                .ignore
                .iter()
                .any(|ignore| ignore.covers(finding));
            if !ignored && candidates.offer(finding, &proposal.plan, &episode) {
                self.news.notify_one();
            }
        }
    }

    fn keep_witness(&self, episode: &Episode) {
        let mut witness = self.witness.borrow_mut();
        let [call] = episode.script.calls.as_slice() else {
            return;
        };
        if witness.is_some() {
            return;
        }
        let reads = || {
            let index = self.api.find(&call.operation);
            let operation = index.map(|index| self.api.operation(index));
            // A thing that may be removed is no witness.
            operation.is_some_and(|o| o.deed() == Deed::Read && keys(o).is_empty())
        };
        let works = call.intent.is_valid()
            && episode
                .exchanges
                .first()
                .is_some_and(|e| e.outcome.is_success())
            && reads();
        if works {
            *witness = Some(Arc::clone(&episode.script));
        }
    }

    fn tell_what_waits(&self) {
        let search = self.search.borrow();
        let labels: Vec<&str> = search
            .held()
            .map(|index| self.api.operation(index).label.as_str())
            .collect();
        if !labels.is_empty() {
            self.note(format!(
                "kept for the end of the run, as they may end it: {}",
                listed(&labels)
            ));
        }
    }

    /// Tells something that the report keeps, too.
    pub fn note(&self, text: String) {
        (self.listener.borrow_mut())(Event::Note(&text));
        self.notes.borrow_mut().push(text);
    }

    fn report_progress(&self) {
        let state = self.state();
        (self.listener.borrow_mut())(Event::Progress(state));
    }

    fn state(&self) -> State {
        let tallies = self.tallies.borrow();
        let spending = self.spending.borrow();
        State {
            elapsed: spending.elapsed(),
            tried: tallies.tried,
            succeeded: tallies.succeeded,
            findings: self
                .candidates
                .borrow()
                .done
                .iter()
                .filter(|c| c.is_sure())
                .count(),
            requests: self.client.requests(),
        }
    }

    fn finish(self) -> Outcome {
        let search = self.search.into_inner();
        let refusal = |index| search.refusal(index).map(str::to_owned);
        let mut candidates = self.candidates.into_inner();
        let mut done = std::mem::take(&mut candidates.done);
        done.extend(
            candidates
                .left_over()
                .into_iter()
                .map(|candidate| Confirmed {
                    finding: candidate.finding,
                    shrunk_from: candidate.plan.steps.len(),
                    borrows: fossick_search::borrows(&candidate.plan),
                    script: Arc::clone(&candidate.episode.script),
                    episode: candidate.episode,
                    came_back: 0,
                    replays: 0,
                }),
        );
        let mut notes = self.notes.into_inner();
        if candidates.left_out > 0 {
            notes.push(format!(
                "{} more sightings of mild findings are not listed; --ignore with their codes makes room",
                candidates.left_out
            ));
        }
        if let Some(problem) = self.client.login_problem() {
            notes.push(problem);
        }
        Outcome {
            tallies: self.tallies.into_inner().finish(refusal),
            findings: ranked(done, &candidates),
            notes,
            requests: self.client.requests(),
            targets: search.targets(),
            graphql: self.api.is_graphql().then(|| Schema {
                tuples: self.api.types.pairs(),
                covered: search.pairs(),
            }),
            elapsed: self.spending.into_inner().elapsed(),
            ending: self.ending.get(),
            curve: self.curve.into_inner(),
            kept: self.kept.into_inner(),
            graph: figures(&search, self.succeeded.into_inner()),
            property_graph: search.property_graph(),
        }
    }
}

fn figures(search: &Search<'_>, succeeded: Vec<(u64, u64)>) -> GraphFigures {
    let changes = search.graph().changes();
    GraphFigures {
        sequences: search.sequences(),
        edges_added: changes.added,
        edges_removed: changes.removed,
        edges_returned: changes.returned,
        succeeded,
    }
}

fn listed(labels: &[&str]) -> String {
    const MOST: usize = 8;
    let mut text = labels[..labels.len().min(MOST)].join(", ");
    if labels.len() > MOST {
        text.push_str(&format!(" and {} more", labels.len() - MOST));
    }
    text
}
