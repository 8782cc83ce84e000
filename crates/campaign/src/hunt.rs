//! One run, from the first proposal to the last confirmation.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use fossick_contract::Api;
use fossick_minimise::Kept;
use fossick_oracles::Judge;
use fossick_plan::Plan;
use fossick_search::{Proposal, Search, Strategy};
use fossick_trace::{Ending, Episode, Finding, Schema, Script};
use fossick_transport::Client;
use fossick_validate::Validators;

use crate::budget::{Budget, Clock};
use crate::candidates::Candidates;
use crate::figures::Figures;
use crate::flights::{Flight, Flights, Landed, ROUND, ROUNDS};
use crate::guard::Guard;
use crate::instances::{Instance, Instances};
use crate::keep::{Keeping, Reset};
use crate::lockout::Alarm;
use crate::outcome::Outcome;
use crate::printed::Printed;
use crate::probes::{Probe, Probes};
use crate::pulse::Pulse;
use crate::rank::ranked;
use crate::revive::{Lost, Revive, Reviver};
use crate::runner;
use crate::voice::{Event, State, Voice};

#[derive(Clone)]
pub struct Settings {
    pub budget: Budget,
    pub search: fossick_search::Settings,
    pub ignore: Vec<Ignore>,
    /// Codes that are not looked for at all.
    pub silenced: Vec<String>,
    /// What is known of a probe inside the service.
    pub probe: Option<Probe>,
    /// More instances of the service: the search spreads its plans over all of them. Everything
    /// else happens on the first.
    pub beside: Vec<Instance>,
    /// Make a suite of it at the end.
    pub keep: Option<Keeping>,
    /// How the service begins anew, where somebody said so: findings are proven there.
    pub reset: Option<Reset>,
    /// How the service is started again, where it can be: after a crash the run goes on.
    pub revive: Option<Revive>,
    /// What the service prints, where we see it.
    pub printed: Option<Printed>,
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

/// A run over one service: the loop, with confirmers beside it.
pub struct Hunt<'a> {
    pub(crate) api: &'a Api,
    pub(crate) validators: &'a Validators,
    pub(crate) judge: Judge<'a>,
    pub(crate) client: Client,
    pub(crate) probes: Option<Rc<Probes>>,
    instances: Instances,
    pub(crate) settings: Settings,
    pub(crate) search: RefCell<Search<'a>>,
    pub(crate) candidates: RefCell<Candidates>,
    pub(crate) guard: RefCell<Guard>,
    pub(crate) reviver: Reviver,
    pub(crate) figures: RefCell<Figures>,
    pub(crate) clock: Clock,
    pub(crate) voice: Voice<'a>,
    kept: RefCell<Option<Kept>>,
    /// How often what could not be confirmed was tried again.
    retries: Cell<usize>,
}

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
        // Where evolution is alone, what a test reaches is its own merit and none of those before it.
        let alone = matches!(settings.search.strategy, Strategy::Evolve(_));
        let first = Instance {
            client: client.clone(),
            probe: settings.probe.clone(),
            reset: settings.reset.clone(),
        };
        let instances = Instances::of(std::iter::once(&first).chain(&settings.beside), alone);
        let probes = instances.first_probes();
        let clock = Clock::new(settings.budget);
        let pulse = Pulse::of(client.clone(), clock.hard_end());
        Self {
            api,
            validators,
            judge: Judge::new(api, validators).silence(settings.silenced.clone()),
            client,
            probes,
            instances,
            search: RefCell::new(Search::new(api, validators, wanted)),
            candidates: RefCell::default(),
            guard: RefCell::new(Guard::new(api)),
            reviver: Reviver::new(settings.revive.clone(), pulse),
            figures: RefCell::new(Figures::new(api)),
            clock,
            voice: Voice::new(listener),
            kept: RefCell::default(),
            retries: Cell::default(),
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
        let interrupted = tokio::select! {
            () = Box::pin(self.work()) => false,
            () = self.cut() => false,
            () = &mut stop => true,
        };
        if interrupted {
            self.clock.end(Ending::Interrupted);
        }
        self.finish()
    }

    /// Waits until even what is being confirmed has had its time: one slow call may take longer
    /// than all of it. Making a suite has a time of its own.
    async fn cut(&self) {
        const GRACE: Duration = Duration::from_secs(1);
        match self.clock.hard_end() {
            Some(end) if self.settings.keep.is_none() => {
                tokio::time::sleep_until((end + GRACE).into()).await;
            }
            _ => std::future::pending().await,
        }
    }

    async fn work(&self) {
        if self.settings.in_order {
            Box::pin(self.hunt()).await;
            self.confirm(1, false).await;
            return;
        }
        tokio::join!(
            self.hunt(),
            self.confirm(1, true),
            self.confirm(2, true),
            self.confirm(3, true)
        );
    }

    /// The loop: propose, run, judge, learn; then what is left to be done.
    async fn hunt(&self) {
        self.tell_what_waits();
        let mut flights = Flights::new(self.in_order());
        self.survey(&mut flights).await;
        while self.clock.goes_on() {
            while flights.rounds() < self.rounds()
                && let Some(round) = self.propose(flights.calls())
            {
                flights.launch(round);
            }
            match self.next(&mut flights).await {
                Some(Landed::RoundOver) => {
                    self.report_progress();
                    self.retry();
                }
                Some(Landed::Nothing) if !self.nap(flights.has_late()).await => break,
                _ => {}
            }
        }
        self.land(&mut flights).await;
        self.conclude().await;
        self.clock.close();
    }

    /// Waits for the next answer and learns from it; tells where there was none.
    async fn next(&self, flights: &mut Flights) -> Option<Landed> {
        match flights.next().await {
            Landed::Answered(proposal, episode) => {
                self.learn(&proposal, episode, flights).await;
                None
            }
            Landed::Late(subject) => {
                self.search.borrow_mut().rest(subject, true);
                None
            }
            Landed::AtLast(proposal, episode) => {
                self.search.borrow_mut().rest(proposal.subject, false);
                self.learn(&proposal, episode, flights).await;
                None
            }
            other => Some(other),
        }
    }

    /// Looks at what is there before the run writes anything. What takes long to answer is looked at
    /// when it does.
    async fn survey(&self, flights: &mut Flights) {
        let proposals = self.search.borrow_mut().survey();
        for round in proposals.chunks(ROUND) {
            let round = round.iter().cloned().map(|proposal| self.send(proposal));
            flights.launch(round.collect());
            while flights.rounds() > 0 {
                self.next(flights).await;
            }
        }
        self.search.borrow_mut().close_survey();
    }

    /// What is left to be done when the search is over.
    async fn conclude(&self) {
        if !self.clock.goes_on() {
            return;
        }
        if let Some(why) = self.instances.trouble() {
            self.note(format!(
                "the service could not be reset before each test: {why}"
            ));
        }
        if self.settings.in_order {
            self.confirm(1, false).await;
        }
        self.until_confirmed().await;
        self.see_in_quiet().await;
        self.see_afresh().await;
        self.hear_what_is_printed().await;
        if let Some(keeping) = &self.settings.keep {
            let kept = self.keep(keeping).await;
            *self.kept.borrow_mut() = Some(kept);
        }
        self.last_things().await;
    }

    /// Tests wait for each other: proposing ahead would only mean to know less.
    fn in_order(&self) -> bool {
        self.resets() || self.settings.in_order
    }

    /// The service begins anew before each test.
    fn resets(&self) -> bool {
        self.probes.as_ref().is_some_and(|probes| probes.resets())
    }

    /// Rounds under way at once.
    fn rounds(&self) -> usize {
        if self.in_order() { 1 } else { ROUNDS }
    }

    /// Waits for everything that is under way and learns from it.
    async fn land(&self, flights: &mut Flights) {
        while let Some((proposal, episode)) = flights.land().await {
            self.take_in(&proposal, episode);
        }
        let until = self.clock.end_of_search();
        while let Some((proposal, episode)) = flights.land_late(until).await {
            self.take_in(&proposal, episode);
        }
    }

    /// Sleeps until an operation has rested enough, or a late answer may have come, where everything
    /// rests and there is time left.
    async fn nap(&self, has_late: bool) -> bool {
        const LATE: Duration = Duration::from_millis(20);
        let next = self.guard.borrow().resting.next();
        let late = has_late.then(|| std::time::Instant::now() + LATE);
        let spent = self.clock.is_spent(0, self.time_to_confirm());
        let next = next.into_iter().chain(late).min();
        let Some(next) = next.filter(|_| !spent) else {
            return false;
        };
        let longest = std::time::Instant::now() + Duration::from_secs(1);
        tokio::time::sleep_until(next.min(longest).into()).await;
        true
    }

    /// Proposes a round and sends it on its way; `None` when there is nothing more to do.
    fn propose(&self, planned: u64) -> Option<Vec<Flight>> {
        if self.clock.is_spent(planned, self.time_to_confirm()) {
            return None;
        }
        let mut search = self.search.borrow_mut();
        search.spend(self.clock.share());
        for index in self.guard.borrow_mut().resting.awake() {
            search.rest(index, false);
        }
        drop(search);
        // Where tests have an instance to themselves, each instance runs one.
        let size = match (self.settings.in_order, self.resets()) {
            (true, _) => 1,
            (false, true) => self.instances.len(),
            (false, false) => ROUND,
        };
        let next = || self.search.borrow_mut().propose();
        let proposals = std::iter::from_fn(next).take(size);
        let round: Vec<Flight> = proposals.map(|proposal| self.send(proposal)).collect();
        (!round.is_empty()).then_some(round)
    }

    /// Sends a proposal on its way.
    fn send(&self, proposal: Proposal) -> Flight {
        let script = Arc::new(self.render(&proposal.plan));
        let (client, probes) = self.instances.next();
        let run = async move { runner::run_probed(&client, script, probes.as_deref()).await };
        (proposal, tokio::task::spawn_local(run))
    }

    /// What a plan makes it removes again, where nothing else empties the service.
    fn render(&self, plan: &Plan) -> Script {
        let mut search = self.search.borrow_mut();
        if self.resets() {
            return search.render(plan);
        }
        search.render_tidy(plan)
    }

    /// Takes an episode in; where it shows that we are locked out, everything waits for that.
    async fn learn(&self, proposal: &Proposal, episode: Episode, flights: &mut Flights) {
        let alarm = self.take_in(proposal, episode);
        if self.reviver.has_lost() {
            self.land(flights).await;
            self.look_after().await;
        } else if let Some(alarm) = alarm {
            self.land(flights).await;
            self.deal_with(&alarm).await;
        }
    }

    /// Judges an episode and lets everybody know of it.
    fn take_in(&self, proposal: &Proposal, episode: Episode) -> Option<Alarm> {
        self.clock.count(&episode);
        let findings = self.judge.judge(&episode);
        let mut search = self.search.borrow_mut();
        search.learn(proposal, &episode, &findings);
        let (tired, alarm) = self.guard.borrow_mut().see(self.api, &episode);
        self.reviver
            .pulse
            .know(self.guard.borrow().witness.as_ref());
        for index in tired {
            search.rest(index, true);
        }
        let mut figures = self.figures.borrow_mut();
        figures.count(&episode);
        figures.note(self.clock.requests(), search.targets());
        if self.reviver.is_due(&episode) {
            self.reviver.keep(Lost {
                since: self.clock.requests(),
                subject: proposal.subject,
                plan: proposal.plan.clone(),
                episode: slim(episode),
                findings,
            });
        } else if !findings.is_empty() {
            self.offer(&proposal.plan, &slim(episode), &findings);
        }
        alarm
    }

    pub(crate) fn offer(&self, plan: &Plan, episode: &Arc<Episode>, findings: &[Finding]) {
        let mut candidates = self.candidates.borrow_mut();
        let ignore = &self.settings.ignore;
        for finding in findings {
            let ignored = ignore.iter().any(|ignore| ignore.covers(finding));
            if !ignored && candidates.offer(finding, plan, episode) {
                self.clock.news.notify_one();
            }
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
        self.voice.note(text);
    }

    fn report_progress(&self) {
        let tallies = &self.figures.borrow().tallies;
        self.voice.say(Event::Progress(State {
            elapsed: self.clock.elapsed(),
            tried: tallies.tried,
            succeeded: tallies.succeeded,
            findings: self.candidates.borrow().confirmed(),
            requests: self.instances.requests(),
        }));
    }

    /// What could not be confirmed is tried again a few times as the search learns more.
    fn retry(&self) {
        const TURNS: [f64; 3] = [0.3, 0.55, 0.8];
        let retries = self.retries.get();
        let is_due = TURNS
            .get(retries)
            .is_some_and(|due| self.clock.progress() > *due);
        if is_due && !self.settings.in_order {
            self.retries.set(retries + 1);
            if self.candidates.borrow_mut().retry() {
                self.clock.news.notify_one();
            }
        }
    }

    fn finish(self) -> Outcome {
        let search = self.search.into_inner();
        let refusal = |index| search.refusal(index).map(str::to_owned);
        let mut candidates = self.candidates.into_inner();
        let mut notes = self.voice.into_notes();
        notes.extend(candidates.left_out());
        notes.extend(self.reviver.told());
        let mut cases = candidates.finish();
        cases.retain(|case| !self.reviver.explains(case));
        notes.extend(self.client.login_problem());
        let figures = self.figures.into_inner();
        Outcome {
            graph: figures.of_graph(&search),
            curve: figures.curve,
            tallies: figures.tallies.finish(refusal, |index| search.rules(index)),
            findings: ranked(cases),
            notes,
            requests: self.instances.requests(),
            targets: search.targets(),
            graphql: self.api.is_graphql().then(|| Schema {
                tuples: self.api.types.pairs(),
                covered: search.pairs(),
            }),
            elapsed: self.clock.elapsed(),
            ending: self.clock.ending(),
            kept: self.kept.into_inner(),
            property_graph: search.property_graph(),
        }
    }
}

/// An episode as it is kept: its bodies are parsed again when somebody asks.
pub(crate) fn slim(mut episode: Episode) -> Arc<Episode> {
    episode.forget_parsed();
    Arc::new(episode)
}

pub(crate) fn listed(labels: &[&str]) -> String {
    const MOST: usize = 8;
    let mut text = labels[..labels.len().min(MOST)].join(", ");
    if labels.len() > MOST {
        text.push_str(&format!(" and {} more", labels.len() - MOST));
    }
    text
}
