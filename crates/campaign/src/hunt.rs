//! One run, from the first proposal to the last confirmation.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fossick_contract::{Api, OperationIndex};
use fossick_oracles::Judge;
use fossick_search::{Proposal, Search, Shrinker};
use fossick_trace::{Ending, Episode, Finding, Script, Tally};
use fossick_transport::Client;
use fossick_validate::Validators;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::budget::{Budget, Spending};
use crate::candidates::{Candidates, Confirmed};
use crate::confirm::Confirmer;
use crate::lockout::{Alarm, Refusal, Watch};
use crate::runner;
use crate::tally::Tallies;

/// Plans proposed at a time. Fixed, whatever the concurrency: determinism hangs on it.
const ROUND: usize = 16;
/// Rounds under way at once.
const ROUNDS: usize = 2;
const CONFIRMERS: usize = 3;

#[derive(Debug, Clone)]
pub struct Settings {
    pub budget: Budget,
    pub search: fossick_search::Settings,
    pub ignore: Vec<Ignore>,
    /// Codes that are not looked for at all.
    pub silenced: Vec<String>,
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
    pub elapsed: Duration,
    pub ending: Ending,
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
    api: &'a Api,
    client: Client,
    settings: Settings,
    judge: Judge<'a>,
    validators: &'a Validators,
    search: RefCell<Search<'a>>,
    candidates: RefCell<Candidates>,
    tallies: RefCell<Tallies>,
    notes: RefCell<Vec<String>>,
    spending: RefCell<Spending>,
    watch: RefCell<Watch>,
    /// A script that worked and changes nothing: it tells whether the service still answers us.
    witness: RefCell<Option<Arc<Script>>>,
    listener: RefCell<&'a mut dyn FnMut(Event<'_>)>,
    confirm_time: Cell<(u32, Duration)>,
    over: Cell<bool>,
    ending: Cell<Ending>,
    news: Notify,
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
        let search = Search::new(api, validators, settings.search.clone());
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
            watch: RefCell::new(Watch::new()),
            witness: RefCell::default(),
            listener: RefCell::new(listener),
            confirm_time: Cell::new((0, Duration::ZERO)),
            over: Cell::new(false),
            ending: Cell::new(Ending::Finished),
            news: Notify::new(),
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
            tokio::join!(
                self.hunt(),
                self.confirm(1),
                self.confirm(2),
                self.confirm(3)
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
        while self.ending.get() == Ending::Finished {
            while flights.len() < ROUNDS {
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
            self.until_confirmed().await;
            self.last_things().await;
        }
        self.over.set(true);
        self.news.notify_waiters();
    }

    /// Waits until nothing is left to confirm: what comes next may end the service.
    async fn until_confirmed(&self) {
        while self.candidates.borrow().pending() != (0, 0) && !self.is_past_hard_end() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Operations that may end the run, one call after the other. Only what they show themselves
    /// counts: after them, others fail for their sake.
    async fn last_things(&self) {
        const TRIES: usize = 3;
        let end = Instant::now() + self.spending.borrow().for_last_things();
        let last = self.search.borrow().last_ones();
        for index in last.iter().copied() {
            for _ in 0..TRIES {
                let proposal = self.search.borrow_mut().propose_last(index);
                let Some(proposal) = proposal.filter(|_| Instant::now() < end) else {
                    break;
                };
                let script = Arc::new(self.search.borrow().render(&proposal.plan));
                let episode = runner::run(&self.client, script).await;
                self.learn_last(&proposal, episode, &last);
            }
            if self.witness.borrow().is_some() && !self.still_answers().await {
                let label = &self.api.operation(index).label;
                self.note(format!("after {label} the service no longer answers what it answered before; it was tried last, so nothing else was lost"));
                break;
            }
        }
    }

    fn learn_last(&self, proposal: &Proposal, episode: Episode, last: &[OperationIndex]) {
        self.tallies.borrow_mut().count(&episode);
        let mut findings = self.judge.judge(&episode);
        let concerns = |f: &Finding| {
            last.iter()
                .any(|i| self.api.operation(*i).label == f.operation)
        };
        findings.retain(concerns);
        self.search
            .borrow_mut()
            .learn(proposal, &episode, &findings);
        if !findings.is_empty() {
            self.offer(proposal, episode, &findings);
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
        let mut flight = Flight::with_capacity(ROUND);
        while flight.len() < ROUND
            && let Some(proposal) = search.propose()
        {
            let script = Arc::new(search.render(&proposal.plan));
            let client = self.client.clone();
            let run = async move { runner::run(&client, script).await };
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
        self.keep_witness(&episode);
        let alarm = self.watch.borrow_mut().see(self.api, &episode);
        if !findings.is_empty() {
            self.offer(proposal, episode, &findings);
        }
        alarm
    }

    fn offer(&self, proposal: &Proposal, episode: Episode, findings: &[Finding]) {
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
        let works = call.method == fossick_contract::Method::Get
            && call.intent.is_valid()
            && episode
                .exchanges
                .first()
                .is_some_and(|e| e.outcome.is_success());
        if witness.is_none() && works {
            *witness = Some(Arc::clone(&episode.script));
        }
    }

    /// Confirms what was found, the weightiest first, until the search is over and nothing waits.
    async fn confirm(&self, number: u64) {
        let render = |plan: &fossick_plan::Plan| self.search.borrow_mut().render_repeatable(plan);
        // Each confirmer counts in a range of its own.
        let salt = Cell::new(number << 32);
        let mut confirmer = Confirmer {
            client: &self.client,
            judge: &self.judge,
            shrinker: Shrinker::new(
                self.api,
                self.validators,
                self.settings.search.seed ^ number,
            ),
            render: &render,
            hard_end: self.spending.borrow().hard_end(),
            salt: &salt,
        };
        loop {
            let next = self.candidates.borrow_mut().take();
            match next {
                Some(candidate)
                    if !self.is_past_hard_end() && self.ending.get() != Ending::ServiceLost =>
                {
                    let started = Instant::now();
                    let confirmed = confirmer.confirm(candidate).await;
                    self.note_time(started.elapsed());
                    self.tell(&confirmed);
                    self.candidates.borrow_mut().put(confirmed);
                }
                Some(candidate) => {
                    let unseen = Confirmed {
                        finding: candidate.finding,
                        shrunk_from: candidate.plan.steps.len(),
                        episode: candidate.episode,
                        came_back: 0,
                        replays: 0,
                    };
                    self.candidates.borrow_mut().put(unseen);
                }
                None if self.over.get() => break,
                None => {
                    let nap = tokio::time::sleep(Duration::from_millis(50));
                    tokio::select! { () = self.news.notified() => {}, () = nap => {} }
                }
            }
        }
    }

    fn tell(&self, confirmed: &Confirmed) {
        if confirmed.is_sure() {
            let name = fossick_oracles::find(&confirmed.finding.code).map_or("", |o| o.name);
            (self.listener.borrow_mut())(Event::Found(&confirmed.finding, name));
        }
    }

    fn note_time(&self, took: Duration) {
        let (count, total) = self.confirm_time.get();
        self.confirm_time.set((count + 1, total + took));
    }

    /// An estimate of what confirming the rest will take.
    fn time_to_confirm(&self) -> Duration {
        let (count, total) = self.confirm_time.get();
        let each = if count == 0 {
            Duration::from_millis(100)
        } else {
            total / count
        };
        let (weighty, mild) = self.candidates.borrow().pending();
        each * weighty as u32 / CONFIRMERS as u32 + each * mild as u32 / (2 * CONFIRMERS as u32)
    }

    fn is_past_hard_end(&self) -> bool {
        self.spending
            .borrow()
            .hard_end()
            .is_some_and(|end| Instant::now() > end)
    }

    /// The service refuses what used to work: find out why, and get back in if there is a way.
    async fn deal_with(&self, alarm: &Alarm) {
        let culprit = alarm.suspects.first().map(|(index, request)| {
            format!(
                " {} did it, as far as can be told (request {request}).",
                self.api.operation(*index).label
            )
        });
        let mut note = format!(
            "since request {} the service {}.{}",
            alarm.since,
            alarm.refusal,
            culprit.unwrap_or_default()
        );
        let recovered = self.recover(alarm).await;
        match (&recovered, alarm.suspects.first()) {
            (Some(how), Some((index, _))) => {
                self.search.borrow_mut().hold(*index);
                note.push_str(&format!(
                    " {how}; that operation waits for the end of the run."
                ));
            }
            (Some(how), None) => note.push_str(&format!(" {how}.")),
            (None, _) => note.push_str(" It stayed so to the end of the run."),
        }
        self.note(note);
        match recovered {
            Some(_) => self.watch.borrow_mut().forgive(),
            None => self.ending.set(Ending::ServiceLost),
        }
    }

    /// Logs in again, waits, tries once more. Tells what helped.
    async fn recover(&self, alarm: &Alarm) -> Option<String> {
        if self.still_answers().await {
            return Some("It answers again".to_owned());
        }
        let denied = matches!(alarm.refusal, Refusal::Credentials(_));
        if denied
            && self.client.can_log_in(None)
            && self.client.log_in(None).await.is_ok()
            && self.still_answers().await
        {
            return Some("Logged in again".to_owned());
        }
        for (index, _) in &alarm.suspects {
            if self.undo(*index).await && self.still_answers().await {
                return Some(format!(
                    "Undone by {} with its switches turned",
                    self.api.operation(*index).label
                ));
            }
        }
        for wait in [1, 2, 4, 8] {
            tokio::time::sleep(Duration::from_secs(wait)).await;
            if self.still_answers().await {
                return Some(format!("It came back after {wait} s"));
            }
        }
        None
    }

    async fn still_answers(&self) -> bool {
        let witness = self.witness.borrow().clone();
        let Some(script) = witness else { return false };
        let episode = runner::run(&self.client, script).await;
        episode
            .exchanges
            .last()
            .is_some_and(|e| e.outcome.is_success())
    }

    /// Calls a switch again with every flag turned off: maintenance modes end that way.
    async fn undo(&self, index: OperationIndex) -> bool {
        let script = self.search.borrow_mut().switch_off(index);
        let Some(script) = script else { return false };
        let episode = runner::run(&self.client, Arc::new(script)).await;
        episode
            .exchanges
            .last()
            .is_some_and(|e| e.outcome.is_success())
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

    fn note(&self, text: String) {
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
                    episode: candidate.episode,
                    came_back: 0,
                    replays: 0,
                }),
        );
        let mut notes = self.notes.into_inner();
        if let Some(problem) = self.client.login_problem() {
            notes.push(problem);
        }
        Outcome {
            tallies: self.tallies.into_inner().finish(refusal),
            findings: ranked(done, &candidates),
            notes,
            requests: self.client.requests(),
            targets: search.targets(),
            elapsed: self.spending.into_inner().elapsed(),
            ending: self.ending.get(),
        }
    }
}

/// Confirmed before unconfirmed, then by weight, then in the order of the document.
fn ranked(done: Vec<Confirmed>, candidates: &Candidates) -> Vec<Shown> {
    let mut shown: Vec<Shown> = done
        .into_iter()
        .map(|c| Shown {
            seen: candidates.seen(&c.finding),
            confirmed: c.is_sure(),
            replays: (c.came_back, c.replays),
            shrunk_from: c.shrunk_from,
            finding: c.finding,
            episode: c.episode,
        })
        .collect();
    let valid = |s: &Shown| s.episode.script.calls[s.finding.call].intent.is_valid();
    shown.sort_by(|a, b| {
        (
            b.confirmed,
            b.finding.severity,
            b.finding.sureness,
            valid(b),
        )
            .cmp(&(
                a.confirmed,
                a.finding.severity,
                a.finding.sureness,
                valid(a),
            ))
            .then_with(|| a.finding.code.cmp(&b.finding.code))
            .then_with(|| a.finding.operation.cmp(&b.finding.operation))
            .then_with(|| a.finding.mark.cmp(&b.finding.mark))
    });
    shown
}

fn listed(labels: &[&str]) -> String {
    const MOST: usize = 8;
    let mut text = labels[..labels.len().min(MOST)].join(", ");
    if labels.len() > MOST {
        text.push_str(&format!(" and {} more", labels.len() - MOST));
    }
    text
}
