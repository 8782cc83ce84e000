//! The search: first everything once, then what brings something new.

use std::sync::Arc;

use fossick_contract::{Api, Deed, OperationIndex, RootKind};
use fossick_evolve::Evolution;
use fossick_genes::{Manner, Rng, Source, Values};
use fossick_graph::{Graph, Sequences};
use fossick_plan::{Bind, Ground, Plan, Spot, Step, render, spot_of};
use fossick_trace::{Intent, PropertyGraph, Role, Script};
use fossick_validate::Validators;
use rand::SeedableRng as _;
use serde_json::Value;

use crate::archive::Archive;
use crate::builder::{Builder, Setups};
use crate::cleanup::Population;
use crate::coverage::Coverage;
use crate::doubts::Doubts;
use crate::inside::Inside;
use crate::knowledge::Knowledge;
use crate::origins::Origins;
use crate::places::Places;
use crate::proposal::{Proposal, Use};
use crate::replays::Traffic;
use crate::rpg::RpgSettings;
use crate::schedule::Schedule;
use crate::shares::Shares;
use crate::tasks::Task;
use crate::{Risk, risk_of, twins};

/// What the search may do.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub seed: u64,
    /// Change and remove also what the run did not make.
    pub free: bool,
    /// Try methods that the document does not declare.
    pub undeclared: bool,
    /// Calls carry credentials, so leaving them out means something.
    pub credentials: bool,
    /// Users whom calls can be made as, beside the first.
    pub users: Vec<String>,
    /// Names of the accounts that calls are made with: who changes these is locked out.
    pub accounts: Vec<String>,
    /// GraphQL arguments are written into the operation and not sent as variables.
    pub inline: bool,
    /// GraphQL queries are sent with GET as well, now and then.
    pub get: bool,
    pub strategy: Strategy,
    /// Keep the best test for each target, so that a suite can be made of them.
    pub keep: bool,
}

/// How the next plan is made.
#[derive(Debug, Clone, Default)]
pub enum Strategy {
    /// All ways of making a plan share the budget by what they brought lately.
    #[default]
    Auto,
    /// An evolutionary search alone, as the literature has it.
    Evolve(Box<fossick_evolve::Settings>),
    /// Call sequences from the property graph alone.
    Graph(RpgSettings),
}

/// Tries to find a plan before a round is given up.
const TRIES: usize = 50;

pub struct Search<'a> {
    pub(crate) api: &'a Api,
    pub(crate) validators: &'a Validators,
    pub(crate) settings: Settings,
    pub(crate) labels: Vec<Arc<str>>,
    pub(crate) graph: Graph,
    pub(crate) places: Places,
    pub(crate) values: Values,
    pub(crate) known: Vec<Knowledge>,
    pub(crate) schedule: Schedule,
    pub(crate) coverage: Coverage,
    pub(crate) archive: Archive,
    pub(crate) rng: Rng,
    pub(crate) active: Vec<bool>,
    /// The service takes GraphQL queries by GET.
    pub(crate) get_works: bool,
    /// Made when its turn first comes: a short run never needs it.
    pub(crate) evolution: Option<Box<Evolution<'a>>>,
    pub(crate) shares: Shares,
    pub(crate) sequences: Sequences,
    pub(crate) origins: Origins,
    /// What the run made, by the operations that make it.
    pub(crate) population: Vec<Population>,
    /// Recorded calls, where some were sown.
    pub(crate) traffic: Option<Box<Traffic>>,
    /// The used share of the budget.
    pub(crate) spent: f64,
    pub(crate) doubts: Doubts,
    pub(crate) inside: Inside,
}

impl<'a> Search<'a> {
    pub fn new(api: &'a Api, validators: &'a Validators, settings: Settings) -> Self {
        let undone = twins::undone(api).into_iter();
        let mut graph = Graph::of(api);
        let known = api
            .indexed()
            .zip(undone)
            .map(|((index, operation), undoes)| {
                let mut known = Knowledge::new(risk_of(operation), undoes);
                let keys = graph.own_keys(api, index);
                known.unique = keys.iter().map(spot_of).collect();
                known
            })
            .collect();
        if let Strategy::Graph(wanted) = &settings.strategy {
            graph.repair(wanted.repair());
        }
        Self {
            api,
            validators,
            labels: api
                .operations
                .iter()
                .map(|o| Arc::from(o.label.as_str()))
                .collect(),
            graph,
            sequences: Sequences::default(),
            origins: Origins::default(),
            population: vec![Population::default(); api.operations.len()],
            traffic: None,
            places: Places::of(api),
            values: Values::new(),
            known,
            schedule: Schedule::new(api.operations.len()),
            coverage: Coverage::default(),
            archive: Archive::default(),
            rng: Rng::seed_from_u64(settings.seed),
            active: vec![true; api.operations.len()],
            get_works: false,
            evolution: None,
            shares: Shares::default(),
            spent: 0.0,
            doubts: Doubts::default(),
            inside: Inside::default(),
            settings,
        }
    }

    /// Leaves operations out of the search; set-up steps may still use them.
    pub fn only(&mut self, wanted: impl Fn(OperationIndex) -> bool) {
        for (at, active) in self.active.iter_mut().enumerate() {
            *active = wanted(OperationIndex(at as u32));
        }
    }

    pub fn values(&mut self) -> &mut Values {
        &mut self.values
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// A picture of what is believed of the service now.
    pub fn property_graph(&self) -> PropertyGraph {
        self.graph.property_graph(self.api, |index| {
            let known = &self.known[index.0 as usize];
            let calls: u32 = known.statuses.values().sum();
            (u64::from(calls), u64::from(known.succeeded))
        })
    }

    /// Different call sequences that were taken from the graph.
    pub fn sequences(&self) -> usize {
        self.sequences.distinct()
    }

    pub fn targets(&self) -> usize {
        self.coverage.len()
    }

    /// Pairs of a GraphQL type and one of its fields that were asked for and answered.
    pub fn pairs(&self) -> usize {
        self.coverage.pairs()
    }

    pub fn render(&self, plan: &Plan) -> Script {
        render(self.api, &self.labels, plan)
    }

    /// A script that can be run again and again: its names are marked as such, and it removes what
    /// it made.
    pub fn render_repeatable(&mut self, plan: &Plan) -> Script {
        let mut script = self.render(plan);
        let names = self.names_in(plan);
        let mut builder = self.builder(Plan::default(), Vec::new());
        let maker = builder.maker(Manner::Plausible);
        let uniques = names.iter().filter_map(|name| name.unique(plan, &maker));
        script.names = uniques.collect();
        script.cleanup = self.cleanup(plan, |_| true);
        script
    }

    /// Whether an operation may change what the service remembers.
    pub fn writes(&self, index: OperationIndex) -> bool {
        let operation = self.api.operation(index);
        match &operation.graphql {
            Some(root) => root.kind == RootKind::Mutation,
            None => !operation.method.is_safe(),
        }
    }

    /// Why an operation was last refused, in the service's words.
    pub fn refusal(&self, index: OperationIndex) -> Option<&str> {
        self.known[index.0 as usize].refusal.as_deref()
    }

    /// Keeps an operation for the very end.
    pub fn hold(&mut self, index: OperationIndex) {
        self.known[index.0 as usize].held = true;
    }

    /// Lets an operation rest, or wakes it.
    pub fn rest(&mut self, index: OperationIndex, resting: bool) {
        self.known[index.0 as usize].resting = resting;
    }

    /// Operations that wait for the end of the run.
    pub fn held(&self) -> impl Iterator<Item = OperationIndex> {
        let waits = |(at, known): (usize, &Knowledge)| {
            (known.waits_for_the_end() && self.active[at]).then_some(OperationIndex(at as u32))
        };
        self.known.iter().enumerate().filter_map(waits)
    }

    /// Tells how much of the budget is used, from 0 to 1.
    pub fn spend(&mut self, spent: f64) {
        self.spent = spent;
    }

    /// The next plan.
    pub fn propose(&mut self) -> Option<Proposal> {
        if let Some(proposal) = self.recorded() {
            return Some(proposal);
        }
        if let Some(proposal) = self.inward() {
            return Some(proposal);
        }
        if self.evolves() {
            let evolved = self.evolved();
            if evolved.is_some() || matches!(self.settings.strategy, Strategy::Evolve(_)) {
                return evolved;
            }
        }
        if let Some(proposal) = self.doubting() {
            return Some(proposal);
        }
        if self.follows_graph()
            && let Some(proposal) = self.sequenced()
        {
            return Some(proposal);
        }
        for _ in 0..TRIES {
            let (known, active) = (&self.known, &self.active);
            let at = self
                .schedule
                .next(|at| active[at] && !known[at].waits_for_the_end() && !known[at].resting)?;
            let index = OperationIndex(at as u32);
            let proposal = match self.settings.strategy {
                Strategy::Graph(_) => self.plain(index, self.manner_of_attempt(at)),
                _ => self.plan_for(index),
            };
            let cost = proposal.as_ref().map_or(1, |p| p.plan.steps.len());
            self.charge(index, cost);
            if let Some(proposal) = proposal.filter(|p| self.may_send(&p.plan, false)) {
                self.known[at].calls += cost as u32;
                return Some(proposal);
            }
        }
        None
    }

    /// Counts an attempt at an operation and what it costs.
    pub(crate) fn charge(&mut self, index: OperationIndex, cost: usize) {
        let at = index.0 as usize;
        let weight = self.known[at].weight();
        self.schedule.charge(at, cost as f64, weight);
        self.known[at].tried += 1;
    }

    /// Operations whose turn comes when everything else is done: removals that found nothing of
    /// their own to remove, then those that may end the run. None where evolution is alone: what
    /// it did not reach must not be reached for it.
    pub fn last_ones(&self) -> Vec<OperationIndex> {
        if matches!(self.settings.strategy, Strategy::Evolve(_)) {
            return Vec::new();
        }
        let removal = |index: &OperationIndex| {
            let known = &self.known[index.0 as usize];
            self.active[index.0 as usize]
                && known.succeeded == 0
                && !known.waits_for_the_end()
                && self.api.operation(*index).deed() == Deed::Delete
        };
        let all = self.api.indexed().map(|(index, _)| index);
        all.filter(removal).chain(self.held()).collect()
    }

    /// A plan for one of the last ones.
    pub fn propose_last(&mut self, index: OperationIndex) -> Option<Proposal> {
        let proposal = self.plan_for(index)?;
        self.known[index.0 as usize].tried += 1;
        self.may_send(&proposal.plan, true).then_some(proposal)
    }

    /// On foreign ground nothing is changed or removed that the plan did not make. At home, what
    /// was found is removed only at the end: others still need it.
    pub(crate) fn may_send(&self, plan: &Plan, late: bool) -> bool {
        plan.steps.iter().enumerate().all(|(at, step)| {
            let operation = self.api.operation(step.operation);
            // What was left out may still set things up; it is not acted with.
            let left_out = !self.active[step.operation.0 as usize];
            let acts = step.role != Role::Setup && self.writes(step.operation);
            if left_out && (acts || step.deed(operation) == Deed::Delete) {
                return false;
            }
            if !late && self.writes(step.operation) && self.may_name_caller(plan, step) {
                return false;
            }
            match step.deed(operation) {
                deed if deed.changes() && !self.settings.free => {
                    plan.ground(self.api, at) == Ground::Made
                }
                // What the document forbids names nothing that anybody has.
                Deed::Delete => {
                    let broken = matches!(step.intent, Intent::Broken { .. });
                    late || broken || plan.ground(self.api, at) > Ground::Found
                }
                _ => true,
            }
        })
    }

    /// Whether a call names an account that calls are made with, or what some read shows where it
    /// is about accounts. A number may be that of anything else, so it counts only there.
    fn may_name_caller(&self, plan: &Plan, step: &Step) -> bool {
        if self.settings.accounts.is_empty() {
            return false;
        }
        let about_accounts = risk_of(self.api.operation(step.operation)) != Risk::None;
        let is_shown = |bind: &Bind| {
            let giver = plan.steps.get(bind.step);
            giver.is_some_and(|giver| !self.writes(giver.operation))
        };
        if about_accounts && step.binds.iter().any(is_shown) {
            return true;
        }
        let body = step.body.iter().flat_map(|body| body.gene.leaves());
        let spots = body.map(|leaf| Spot::Body(leaf.pointer));
        let spots = spots.chain((0..step.arguments.len()).map(Spot::Parameter));
        let mut values = spots.filter_map(|spot| step.value_at(&spot));
        values.any(|value| {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            let counts = about_accounts || text.parse::<f64>().is_err();
            counts && self.settings.accounts.contains(&text)
        })
    }

    pub(crate) fn reader(&self, index: OperationIndex) -> Option<OperationIndex> {
        self.places.reader(self.api, &self.graph, index)
    }

    pub(crate) fn lister(&self, index: OperationIndex) -> Option<OperationIndex> {
        self.places.lister(self.api, &self.graph, index)
    }

    pub(crate) fn builder(&mut self, plan: Plan, uses: Vec<Use>) -> Builder<'_, 'a> {
        Builder {
            api: self.api,
            validators: self.validators,
            graph: &self.graph,
            places: &self.places,
            values: &self.values,
            known: &self.known,
            rng: &mut self.rng,
            free: self.settings.free,
            inline: self.settings.inline,
            along: false,
            proven: false,
            forced: None,
            setups: Setups::Plain,
            plan,
            uses,
        }
    }

    pub(crate) fn plan_for(&mut self, index: OperationIndex) -> Option<Proposal> {
        let at = index.0 as usize;
        if self.known[at].base.is_none() || self.known[at].wants_better() {
            return self.plain(index, self.manner_of_attempt(at));
        }
        self.prepare(index);
        if let Some(task) = self.next_task(at) {
            let again = task.for_another_attempt();
            let mut proposal = self.carry_out(index, task)?;
            proposal.task = again.map(Box::new);
            return Some(proposal);
        }
        self.known[at].turn += 1;
        match self.known[at].turn % 8 {
            // Every second turn of chance, while there is something better to do with it.
            0 if self.known[at].turn.is_multiple_of(16) => {
                self.beforehand(index).or_else(|| self.varied(index))
            }
            0 if self.api.operation(index).deed() == Deed::Read => {
                self.walk(index).or_else(|| self.varied(index))
            }
            0 => self.varied(index),
            2 | 4 | 6 => self
                .broken(index)
                .or_else(|| self.edge(index))
                .or_else(|| self.varied(index)),
            _ => self
                .edge(index)
                .or_else(|| self.broken(index))
                .or_else(|| self.varied(index)),
        }
    }

    /// What is to be tried next with an operation. What shows little on others' things waits until
    /// there is one of its own, or until it is late.
    fn next_task(&mut self, at: usize) -> Option<Task> {
        const LATE: f64 = 0.6;
        let known = &mut self.known[at];
        if !known.works_on_others() || self.spent > LATE {
            let waited = std::mem::take(&mut known.later);
            known.tasks.extend(waited);
            return known.tasks.pop_front();
        }
        while let Some(task) = known.tasks.pop_front() {
            if !task.wants_own() {
                return Some(task);
            }
            known.later.push(task);
        }
        None
    }

    /// The first attempts are the most plausible; later ones look elsewhere.
    pub(crate) fn manner_of_attempt(&self, at: usize) -> Manner {
        match self.known[at].tried {
            0 | 2 => Manner::Plausible,
            1 => Manner::Full,
            attempt if attempt % 3 == 0 => Manner::Plausible,
            attempt if attempt % 3 == 1 => Manner::Full,
            _ => Manner::Varied,
        }
    }

    /// A plausible call of an operation with all it needs, to see whether one can be written.
    pub fn sketch(&mut self, index: OperationIndex) -> Option<Script> {
        let proposal = self.plain(index, Manner::Plausible)?;
        Some(self.render(&proposal.plan))
    }

    /// The operation's known good call with every flag in its body turned off, if it has one.
    pub fn switch_off(&mut self, index: OperationIndex) -> Option<Script> {
        let (mut plan, _) = self.base(index)?;
        let main = plan.main();
        let body = plan.steps[main].body.as_mut()?;
        let whole = body.gene.value();
        let flags: Vec<String> = body
            .gene
            .leaves()
            .into_iter()
            .map(|leaf| leaf.pointer)
            .filter(|pointer| whole.pointer(pointer).is_some_and(Value::is_boolean))
            .collect();
        for pointer in &flags {
            body.gene.set(pointer, Value::Bool(false), Source::Fixed);
        }
        (!flags.is_empty()).then(|| self.render(&plan))
    }
}
