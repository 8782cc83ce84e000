//! The search: first everything once, then what brings something new.

use std::collections::BTreeMap;
use std::sync::Arc;

use fossick_contract::{Api, Location, Method, OperationIndex};
use fossick_genes::{Gene, Manner, Rng, Source, Values, is_path_safe};
use fossick_graph::{Graph, Place};
use fossick_plan::{Plan, Spot, Step, render};
use fossick_trace::{Answer, Episode, Finding, Intent, Role, Script, Target};
use fossick_validate::Validators;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::Value;

use crate::builder::Builder;
use crate::coverage::{Coverage, targets_of};
use crate::edges::{break_cases, edge_cases};
use crate::handlings;
use crate::knowledge::Knowledge;
use crate::proposal::{Proposal, Use, Way};
use crate::schedule::Schedule;
use crate::strangers::stranger;
use crate::tasks::{BreakCase, EdgeCase, Task};
use crate::told::{self, Told};
use crate::{Risk, risk_of};

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
}

/// When operations that may end the run get their turn.
const LATE: f64 = 0.9;
/// Tries to find a plan before a round is given up.
const TRIES: usize = 50;
/// Answers of one operation that are read for values.
const ANSWERS_SEEN: u32 = 40;

pub struct Search<'a> {
    api: &'a Api,
    validators: &'a Validators,
    settings: Settings,
    labels: Vec<Arc<str>>,
    graph: Graph,
    values: Values,
    known: Vec<Knowledge>,
    schedule: Schedule,
    coverage: Coverage,
    rng: Rng,
    active: Vec<bool>,
}

impl<'a> Search<'a> {
    pub fn new(api: &'a Api, validators: &'a Validators, settings: Settings) -> Self {
        let known = api
            .operations
            .iter()
            .map(|o| Knowledge::new(risk_of(o)))
            .collect();
        Self {
            api,
            validators,
            labels: api
                .operations
                .iter()
                .map(|o| Arc::from(o.label.as_str()))
                .collect(),
            graph: Graph::of(api),
            values: Values::new(),
            known,
            schedule: Schedule::new(api.operations.len()),
            coverage: Coverage::default(),
            rng: Rng::seed_from_u64(settings.seed),
            active: vec![true; api.operations.len()],
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

    pub fn targets(&self) -> usize {
        self.coverage.len()
    }

    pub fn render(&self, plan: &Plan) -> Script {
        render(self.api, &self.labels, plan)
    }

    /// Why an operation was last refused, in the service's words.
    pub fn refusal(&self, index: OperationIndex) -> Option<&str> {
        self.known[index.0 as usize].refusal.as_deref()
    }

    /// Keeps an operation for the very end.
    pub fn hold(&mut self, index: OperationIndex) {
        self.known[index.0 as usize].held = true;
    }

    /// Operations that wait for the end of the run.
    pub fn held(&self) -> impl Iterator<Item = OperationIndex> {
        let waits = |(at, known): (usize, &Knowledge)| {
            (known.waits_for_the_end() && self.active[at]).then_some(OperationIndex(at as u32))
        };
        self.known.iter().enumerate().filter_map(waits)
    }

    /// The next plan; `progress` is the share of the budget that is used up.
    pub fn propose(&mut self, progress: f64) -> Option<Proposal> {
        let late = progress >= LATE;
        for _ in 0..TRIES {
            let (known, active) = (&self.known, &self.active);
            let at = self
                .schedule
                .next(|at| active[at] && (late || !known[at].waits_for_the_end()))?;
            let index = OperationIndex(at as u32);
            let proposal = self.plan_for(index);
            let cost = proposal.as_ref().map_or(1, |p| p.plan.steps.len());
            self.schedule
                .charge(at, cost as f64, self.known[at].weight());
            self.known[at].tried += 1;
            if let Some(proposal) = proposal.filter(|p| self.may_send(&p.plan)) {
                self.known[at].calls += cost as u32;
                return Some(proposal);
            }
        }
        None
    }

    /// On foreign ground nothing is changed or removed that the plan did not make.
    fn may_send(&self, plan: &Plan) -> bool {
        self.settings.free
            || plan.steps.iter().all(|step| {
                let operation = self.api.operation(step.operation);
                let method = step.method.unwrap_or(operation.method);
                let changes = matches!(method, Method::Put | Method::Patch | Method::Delete);
                !changes
                    || step.holes_are_bound(operation) && operation.path.holes().next().is_some()
            })
    }

    fn builder(&mut self, plan: Plan, uses: Vec<Use>) -> Builder<'_, 'a> {
        Builder {
            api: self.api,
            validators: self.validators,
            graph: &self.graph,
            values: &self.values,
            known: &self.known,
            rng: &mut self.rng,
            free: self.settings.free,
            plan,
            uses,
        }
    }

    fn plan_for(&mut self, index: OperationIndex) -> Option<Proposal> {
        let at = index.0 as usize;
        if self.known[at].base.is_none() {
            return self.plain(index, self.manner_of_attempt(at));
        }
        self.prepare(index);
        if let Some(task) = self.known[at].tasks.pop_front() {
            return self.carry_out(index, task);
        }
        self.known[at].turn += 1;
        match self.known[at].turn % 8 {
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

    /// The first attempts are the most plausible; later ones look elsewhere.
    fn manner_of_attempt(&self, at: usize) -> Manner {
        match self.known[at].tried {
            0 | 2 => Manner::Plausible,
            1 => Manner::Full,
            attempt if attempt % 3 == 0 => Manner::Plausible,
            attempt if attempt % 3 == 1 => Manner::Full,
            _ => Manner::Varied,
        }
    }

    fn plain(&mut self, index: OperationIndex, manner: Manner) -> Option<Proposal> {
        let mut builder = self.builder(Plan::default(), Vec::new());
        builder.call(index, Role::Main, manner)?;
        Some(finished(builder, index, Way::Plain))
    }

    /// A plan that worked, with names made anew so that it works again.
    fn base(&mut self, index: OperationIndex) -> Option<(Plan, Vec<Use>)> {
        let (mut plan, uses) = self.known[index.0 as usize].base.clone()?;
        self.freshen(&mut plan);
        Some((plan, uses))
    }

    /// A plan that worked on something of its own: what others may touch can't be judged.
    fn own_base(&mut self, index: OperationIndex) -> Option<(Plan, Vec<Use>)> {
        let (plan, uses) = self.base(index)?;
        let main = &plan.steps[plan.main()];
        main.is_on_own_ground(self.api.operation(index))
            .then_some((plan, uses))
    }

    /// Texts that we thought up are thought up again, everywhere the same: a second thing of the
    /// same name is often refused.
    fn freshen(&mut self, plan: &mut Plan) {
        let mut renamed: BTreeMap<String, String> = BTreeMap::new();
        for at in 0..plan.steps.len() {
            if matches!(
                self.api.operation(plan.steps[at].operation).method,
                Method::Post | Method::Put
            ) {
                let step = plan.steps[at].clone();
                let fresh = self
                    .builder(Plan::default(), Vec::new())
                    .sample(step.operation, Manner::Plausible);
                collect_names(&step, &fresh, &mut renamed);
            }
        }
        if !renamed.is_empty() {
            plan.steps
                .iter_mut()
                .for_each(|step| rename(step, &renamed));
        }
    }

    /// Lists what is to be tried with an operation that works, once.
    fn prepare(&mut self, index: OperationIndex) {
        let at = index.0 as usize;
        if self.known[at].prepared {
            return;
        }
        self.known[at].prepared = true;
        let tasks = self.tasks_for(index);
        self.known[at].tasks.extend(tasks);
        if let Some((base, _)) = self.known[at].base.clone() {
            let edges = edge_cases(&mut self.builder(Plan::default(), Vec::new()), index, &base);
            self.known[at].edges = edges;
        }
    }

    fn tasks_for(&self, index: OperationIndex) -> Vec<Task> {
        let api = self.api;
        let operation = api.operation(index);
        let mut tasks = Vec::new();
        let read = handlings::neighbour(api, operation, Method::Get);
        match operation.method {
            Method::Post => {
                tasks.push(Task::ReadBack);
                if read.is_some() {
                    tasks.push(Task::Listed);
                }
            }
            Method::Put | Method::Patch if read.is_some() => {
                tasks.extend([Task::Changed, Task::FailedWrite]);
                if operation.method == Method::Put {
                    tasks.push(Task::PutTwice);
                }
                tasks.push(Task::Changed);
            }
            Method::Delete => {
                if read.is_some() {
                    tasks.extend([Task::Removed, Task::RemovedTwice]);
                }
                let children = self.child_creators(index).into_iter().take(2);
                tasks.extend(children.map(Task::RemovedWithChild));
            }
            Method::Get => tasks.extend(self.stranger_tasks(index)),
            _ => {}
        }
        if operation.needs_credentials() {
            tasks.push(Task::Anonymous);
        }
        tasks.extend([Task::Full, Task::Full]);
        tasks.extend(self.undeclared_tasks(index));
        tasks
    }

    /// Operations that create something directly under the item that an operation works on.
    fn child_creators(&self, index: OperationIndex) -> Vec<OperationIndex> {
        let item = self.api.operation(index).path.text.trim_end_matches('/');
        let under = |path: &str| {
            let parent = path
                .trim_end_matches('/')
                .rsplit_once('/')
                .map(|(parent, _)| parent);
            parent.is_some_and(|parent| fossick_graph::same_place(parent, item))
        };
        self.api
            .indexed()
            .filter(|(_, other)| other.method == Method::Post && under(&other.path.text))
            .map(|(other, _)| other)
            .collect()
    }

    fn stranger_tasks(&self, index: OperationIndex) -> Vec<Task> {
        let operation = self.api.operation(index);
        let holes: Vec<usize> = operation
            .path
            .holes()
            .filter_map(|hole| {
                operation
                    .parameters
                    .iter()
                    .position(|p| p.location == Location::Path && p.name == hole)
            })
            .collect();
        let mut tasks = Vec::new();
        if let Some(&last) = holes.last()
            && self.names_something(index, last)
        {
            tasks.push(Task::Strangers(last));
        }
        if holes.len() > 1 && operation.path.ends_with_hole() {
            tasks.push(Task::Misplaced(holes[holes.len() - 2]));
        }
        tasks
    }

    /// Whether a hole holds an identifier: somebody makes or lists it, or it is called one.
    fn names_something(&self, index: OperationIndex, at: usize) -> bool {
        let Some(need) = self.graph.need_at(index, &Place::Parameter(at)) else {
            return false;
        };
        !self.graph.edges(index, need).is_empty()
            || matches!(
                self.graph.needs(index)[need].words.last(),
                Some("id" | "uuid")
            )
    }

    fn undeclared_tasks(&self, index: OperationIndex) -> Vec<Task> {
        let operation = self.api.operation(index);
        let declares = |method| handlings::neighbour(self.api, operation, method).is_some();
        // Asked once for each path, by the first operation that stands there.
        let first = self
            .api
            .indexed()
            .find(|(_, other)| other.path.text == operation.path.text)
            .map(|(first, _)| first);
        if first != Some(index) {
            return Vec::new();
        }
        let mut methods = vec![Method::Options];
        if self.settings.undeclared && self.settings.free {
            methods.extend([
                Method::Post,
                Method::Put,
                Method::Patch,
                Method::Delete,
                Method::Trace,
            ]);
        }
        methods
            .into_iter()
            .filter(|m| !declares(*m))
            .map(Task::Undeclared)
            .collect()
    }

    fn carry_out(&mut self, index: OperationIndex, task: Task) -> Option<Proposal> {
        match task {
            Task::Full => self.plain(index, Manner::Full),
            Task::ReadBack => self.with_read_back(index),
            Task::Removed => self.around(index, Manner::Plausible, handlings::removed),
            Task::RemovedWithChild(child) => self.removed_with_child(index, child),
            Task::RemovedTwice => self.around(index, Manner::Plausible, handlings::removed_twice),
            Task::Changed => self.around(index, Manner::Full, handlings::changed),
            Task::PutTwice => self.around(index, Manner::Full, handlings::put_twice),
            Task::Listed => self.around(index, Manner::Plausible, handlings::listed),
            Task::FailedWrite => self.failed_write(index),
            Task::Strangers(at) => self.strangers(index, at),
            Task::Misplaced(at) => self.misplaced(index, at),
            Task::Anonymous => self.anonymous(index),
            Task::Undeclared(method) => self.undeclared(index, method),
            Task::Contrast(case) => self.contrast(index, &case),
        }
    }

    /// A plan that worked, continued by a handling with the read at the same place.
    fn around(
        &mut self,
        index: OperationIndex,
        manner: Manner,
        handling: fn(&mut Builder<'_, '_>, OperationIndex) -> Option<()>,
    ) -> Option<Proposal> {
        let reader = handlings::neighbour(self.api, self.api.operation(index), Method::Get)?;
        let (plan, uses) = self.own_base(index)?;
        let mut builder = self.builder(plan, uses);
        if manner == Manner::Full {
            fill_body(&mut builder);
        }
        handling(&mut builder, reader)?;
        Some(finished(builder, index, Way::Handling))
    }

    fn removed_with_child(
        &mut self,
        index: OperationIndex,
        child: OperationIndex,
    ) -> Option<Proposal> {
        let reader = handlings::neighbour(self.api, self.api.operation(index), Method::Get);
        let (plan, uses) = self.own_base(index)?;
        let mut builder = self.builder(plan, uses);
        handlings::removed_with_child(&mut builder, child, reader)?;
        Some(finished(builder, index, Way::Handling))
    }

    fn with_read_back(&mut self, index: OperationIndex) -> Option<Proposal> {
        let (plan, uses) = self.base(index)?;
        let readers = self.graph.readers(self.api, index);
        let (reader, _) = *readers.first()?;
        let mut builder = self.builder(plan, uses);
        handlings::read_back(&mut builder, reader)?;
        Some(finished(builder, index, Way::Handling))
    }

    /// A look, a write that must be refused, a look.
    fn failed_write(&mut self, index: OperationIndex) -> Option<Proposal> {
        let (mut plan, uses) = self.own_base(index)?;
        let case = self.next_break(index, |case| {
            matches!(case.spot, Spot::Body(_)) && case.value.is_some()
        })?;
        let main = plan.main();
        break_step(&mut plan.steps[main], &case);
        let reader = handlings::neighbour(self.api, self.api.operation(index), Method::Get)?;
        let mut builder = self.builder(plan, uses);
        handlings::changed(&mut builder, reader)?;
        Some(finished(builder, index, Way::Handling))
    }

    fn strangers(&mut self, index: OperationIndex, at: usize) -> Option<Proposal> {
        const ROW: usize = 3;
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        let parameter = &self.api.operation(index).parameters[at];
        let like = self.values.latest(&parameter.name).cloned();
        let known = plan.steps[main].clone();
        plan.steps.truncate(main);
        for _ in 0..ROW {
            let gene = stranger(self.api, parameter.shape, like.as_ref(), &mut self.rng)?;
            let mut step = known.clone();
            step.put(at, Some(gene));
            step.intent = Intent::Stranger {
                parameter: parameter.name.clone(),
            };
            plan.steps.push(step);
        }
        drop_unneeded(&mut plan, ROW);
        Some(Proposal {
            plan,
            subject: index,
            way: Way::Stranger,
            uses: kept_uses(uses, 0),
        })
    }

    fn misplaced(&mut self, index: OperationIndex, parent: usize) -> Option<Proposal> {
        let (mut plan, uses) = self.base(index)?;
        if let Some(right) = plan.steps.last_mut() {
            right.role = Role::Setup;
        }
        plan.steps.last()?;
        let mut builder = self.builder(plan, uses);
        handlings::misplaced(&mut builder, index, parent)?;
        Some(finished(builder, index, Way::Stranger))
    }

    fn anonymous(&mut self, index: OperationIndex) -> Option<Proposal> {
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        let mut step = plan.steps[main].clone();
        step.intent = Intent::Unauthenticated {
            how: "without credentials".to_owned(),
        };
        // Something that was just removed can't be removed again: the call stands alone then.
        if self.settings.credentials && self.api.operation(index).method.is_safe() {
            plan.steps[main].role = Role::Setup;
            plan.steps.push(step);
        } else {
            plan.steps[main] = step;
        }
        Some(Proposal {
            plan,
            subject: index,
            way: Way::Stranger,
            uses,
        })
    }

    fn undeclared(&mut self, index: OperationIndex, method: Method) -> Option<Proposal> {
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        let step = &mut plan.steps[main];
        step.method = Some(method);
        step.intent = Intent::Undeclared;
        if method.is_safe() {
            step.body = None;
        }
        Some(Proposal {
            plan,
            subject: index,
            way: Way::Stranger,
            uses,
        })
    }

    fn edge(&mut self, index: OperationIndex) -> Option<Proposal> {
        let case = self.known[index.0 as usize].edges.pop_front()?;
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        self.set_edge(index, &mut plan.steps[main], &case)?;
        let way = Way::Edge {
            spot: case.spot.clone(),
            declared: case.declared,
        };
        let operation = self.api.operation(index);
        let lister = handlings::neighbour(self.api, operation, Method::Get);
        let mut builder = self.builder(plan, uses);
        match (&case.spot, lister) {
            (Spot::Body(_), Some(lister)) if case.member && operation.method == Method::Post => {
                handlings::listed(&mut builder, lister)?;
            }
            (Spot::Body(_), _) => look_after(&mut builder, index),
            _ => {}
        }
        Some(finished(builder, index, way))
    }

    /// The call as it works, then the same with the value that was refused.
    fn contrast(&mut self, index: OperationIndex, case: &EdgeCase) -> Option<Proposal> {
        let (mut plan, mut uses) = self.base(index)?;
        let main = plan.main();
        plan.steps[main].role = Role::Setup;
        let (mut second, _) = self.base(index)?;
        let mut step = second.steps.swap_remove(second.main());
        // Both calls share what was set up for the first, unless the call takes it away.
        if self.api.operation(index).method == Method::Delete {
            return None;
        }
        step.binds.clone_from(&plan.steps[main].binds);
        step.arguments.clone_from(&plan.steps[main].arguments);
        self.set_edge(index, &mut step, case)?;
        step.role = Role::Main;
        plan.steps.push(step);
        uses.retain(|used| used.step < main);
        Some(Proposal {
            plan,
            subject: index,
            way: Way::Contrast,
            uses,
        })
    }

    fn set_edge(&mut self, index: OperationIndex, step: &mut Step, case: &EdgeCase) -> Option<()> {
        let operation = self.api.operation(index);
        match &case.spot {
            Spot::Parameter(at) => step.put(
                *at,
                Some(Gene::literal(case.value.clone(), Source::Boundary)),
            ),
            Spot::Body(pointer) => {
                let body = step.body.as_mut()?;
                let shape = operation.body.as_ref()?.contents.get(body.content)?.shape?;
                let base = body.gene.clone();
                let mut builder = self.builder(Plan::default(), Vec::new());
                body.gene = builder.maker(Manner::Plausible).with(
                    "body",
                    shape,
                    &base,
                    pointer,
                    case.value.clone(),
                    Source::Boundary,
                )?;
            }
        }
        step.intent = Intent::Edge {
            place: case.spot.describe(operation),
            value: shown(&case.value),
            declared: case.declared,
        };
        Some(())
    }

    fn broken(&mut self, index: OperationIndex) -> Option<Proposal> {
        let case = self.next_break(index, |_| true)?;
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        break_step(&mut plan.steps[main], &case);
        let operation = self.api.operation(index);
        let own = plan.steps[main].is_on_own_ground(operation);
        let reader = handlings::neighbour(self.api, operation, Method::Get);
        let mut builder = self.builder(plan, uses);
        // A refused write may have written all the same: look before and after.
        if let (Method::Put | Method::Patch, true, Spot::Body(_), Some(reader)) =
            (operation.method, own, &case.spot, reader)
        {
            handlings::changed(&mut builder, reader)?;
        }
        Some(finished(builder, index, Way::Broken))
    }

    fn next_break(
        &mut self,
        index: OperationIndex,
        wanted: impl Fn(&BreakCase) -> bool,
    ) -> Option<BreakCase> {
        let at = index.0 as usize;
        if self.known[at].breaks.is_none() {
            let (base, _) = self.known[at].base.clone()?;
            let cases = break_cases(&mut self.builder(Plan::default(), Vec::new()), index, &base);
            self.known[at].breaks = Some(cases);
        }
        let breaks = self.known[at].breaks.as_mut()?;
        let found = breaks.iter().position(wanted)?;
        breaks.remove(found)
    }

    /// A known good call changed a little, or sampled anew.
    fn varied(&mut self, index: OperationIndex) -> Option<Proposal> {
        if self.rng.random_bool(0.5) {
            return self.plain(index, Manner::Varied).map(|p| Proposal {
                way: Way::Varied,
                ..p
            });
        }
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        self.mutate(index, &mut plan.steps[main]);
        let mut builder = self.builder(plan, uses);
        look_after(&mut builder, index);
        Some(finished(builder, index, Way::Varied))
    }

    fn mutate(&mut self, index: OperationIndex, step: &mut Step) {
        let operation = self.api.operation(index);
        for (at, parameter) in operation.parameters.iter().enumerate() {
            if step.bind_at(&Spot::Parameter(at)).is_some() || !self.rng.random_bool(0.4) {
                continue;
            }
            let mut gene = step.arguments[at].take();
            let mut builder = self.builder(Plan::default(), Vec::new());
            let mut maker = builder.maker(Manner::Varied);
            match &mut gene {
                Some(gene) => maker.mutate(gene, &parameter.name, parameter.shape),
                None if parameter.location != Location::Path => {
                    gene = Some(maker.sample(&parameter.name, parameter.shape));
                }
                None => {}
            }
            let unsafe_text = |g: &Gene| matches!(g.value(), Value::String(t) if !is_path_safe(&t));
            if parameter.location == Location::Path && gene.as_ref().is_some_and(unsafe_text) {
                gene = Some(maker.sample(&parameter.name, parameter.shape));
            }
            step.arguments[at] = gene;
        }
        if let (Some(body), Some(declared)) = (&mut step.body, &operation.body)
            && let Some(shape) = declared.contents.get(body.content).and_then(|c| c.shape)
        {
            let mut builder = self.builder(Plan::default(), Vec::new());
            builder
                .maker(Manner::Varied)
                .mutate(&mut body.gene, "body", shape);
        }
    }

    /// Hears what became of a proposal. Must be called in the order of proposing.
    pub fn learn(&mut self, proposal: &Proposal, episode: &Episode, findings: &[Finding]) {
        let mut new = 0;
        let mut targets = Vec::new();
        for (at, step) in proposal
            .plan
            .steps
            .iter()
            .enumerate()
            .take(episode.exchanges.len())
        {
            targets_of(step.operation, episode, at, &mut targets);
            self.learn_step(step, episode, at);
        }
        let length = proposal.plan.steps.len();
        targets.extend(findings.iter().map(|f| Target::Fault(fault_hash(f))));
        for target in targets {
            new += usize::from(self.coverage.cover(target, length));
        }
        self.learn_edges(proposal, episode);
        self.learn_main(proposal, episode);
        let known = &mut self.known[proposal.subject.0 as usize];
        known.gain = known.gain * 0.9 + (new as f64).min(3.0) * 0.1;
    }

    fn learn_step(&mut self, step: &Step, episode: &Episode, at: usize) {
        let index = step.operation;
        let outcome = &episode.exchanges[at].outcome;
        let known = &mut self.known[index.0 as usize];
        *known
            .statuses
            .entry(outcome.status().unwrap_or(0))
            .or_insert(0) += 1;
        let Some(answer) = outcome.answer() else {
            return;
        };
        if answer.is_success() && step.method.is_none() {
            known.succeeded += 1;
            if known.succeeded <= ANSWERS_SEEN || known.succeeded % 16 == 0 {
                self.see(index, answer);
            }
        } else if (400..500).contains(&answer.status) && step.intent.is_valid() {
            self.hear(index, answer);
        }
    }

    fn see(&mut self, index: OperationIndex, answer: &Answer) {
        let Some(body) = answer.json() else { return };
        self.graph.see(self.api, index, body);
        let mut left = 60;
        see_scalars(&mut self.values, "", body, 0, &mut left);
    }

    /// Reads a refusal for what the service would rather have.
    fn hear(&mut self, index: OperationIndex, answer: &Answer) {
        let known = &mut self.known[index.0 as usize];
        let listening = known.succeeded == 0 || known.tried < 20;
        if known.refusal.is_none() || listening {
            known.refusal = Some(refusal(answer));
        }
        if !listening || matches!(answer.status, 401 | 403 | 404 | 405 | 429) {
            return;
        }
        let Some(body) = answer.json() else { return };
        let told = told::read(body);
        for one in &told {
            if let Told::Required(name) = one {
                known.insisted.insert(name.clone());
            }
        }
        told::remember(&mut self.values, &self.labels[index.0 as usize], &told);
    }

    fn learn_edges(&mut self, proposal: &Proposal, episode: &Episode) {
        for used in &proposal.uses {
            let (Some(step), Some(exchange)) = (
                proposal.plan.steps.get(used.step),
                episode.exchanges.get(used.step),
            ) else {
                continue;
            };
            let worked = match exchange.outcome.status() {
                Some(200..=299) => true,
                Some(404 | 410) => false,
                Some(400 | 422) if step.intent.is_valid() => false,
                None => false,
                _ => continue,
            };
            if step.intent.is_valid() {
                self.graph
                    .record(step.operation, used.need, used.maker, &used.yields, worked);
            }
        }
    }

    fn learn_main(&mut self, proposal: &Proposal, episode: &Episode) {
        let main = proposal.plan.main();
        let Some(exchange) = episode.exchanges.get(main) else {
            return;
        };
        let succeeded = exchange.outcome.is_success();
        let step = &proposal.plan.steps[main];
        if step.intent.is_valid() && step.method.is_none() {
            let values = &mut self.values;
            let genes = step
                .arguments
                .iter()
                .flatten()
                .chain(step.body.iter().map(|b| &b.gene));
            genes.for_each(|gene| gene.sources(&mut |source| values.credit(source, succeeded)));
        }
        let known = &mut self.known[proposal.subject.0 as usize];
        if succeeded && matches!(proposal.way, Way::Plain) && main + 1 == proposal.plan.steps.len()
        {
            let own = step.is_on_own_ground(self.api.operation(step.operation));
            known.keep(proposal, own);
        }
        if let Way::Edge {
            spot,
            declared: true,
        } = &proposal.way
            && matches!(exchange.outcome.status(), Some(400 | 422))
        {
            self.look_closer(proposal.subject, step, spot);
        }
    }

    /// A declared value was refused: once for each place, contrast it with one that works.
    fn look_closer(&mut self, index: OperationIndex, step: &Step, spot: &Spot) {
        let operation = self.api.operation(index);
        let Some(value) = step.value_at(spot) else {
            return;
        };
        let known = &mut self.known[index.0 as usize];
        if known.contrasted.insert(spot.describe(operation)) {
            known.tasks.push_back(Task::Contrast(EdgeCase {
                spot: spot.clone(),
                value,
                declared: true,
                member: false,
            }));
        }
    }
}

fn finished(builder: Builder<'_, '_>, subject: OperationIndex, way: Way) -> Proposal {
    Proposal {
        plan: builder.plan,
        uses: kept_uses(builder.uses, usize::MAX),
        subject,
        way,
    }
}

/// Uses of steps that were never added, or that moved, say nothing.
fn kept_uses(mut uses: Vec<Use>, below: usize) -> Vec<Use> {
    uses.retain(|used| used.step < below);
    uses
}

/// After a write, a look at what was written, where somebody can look.
fn look_after(builder: &mut Builder<'_, '_>, index: OperationIndex) {
    let operation = builder.api.operation(index);
    match operation.method {
        Method::Post => {
            let readers = builder.graph.readers(builder.api, index);
            if let Some((reader, _)) = readers.first() {
                handlings::read_back(builder, *reader);
            }
        }
        Method::Put | Method::Patch => {
            if let Some(reader) = handlings::neighbour(builder.api, operation, Method::Get) {
                handlings::removed(builder, reader);
            }
        }
        _ => {}
    }
}

/// Fills the main step's body with other values and every optional field.
fn fill_body(builder: &mut Builder<'_, '_>) {
    let main = builder.plan.main();
    let Some(step) = builder.plan.steps.get(main).cloned() else {
        return;
    };
    let operation = builder.api.operation(step.operation);
    let Some(body) = &step.body else { return };
    let shape = operation
        .body
        .as_ref()
        .and_then(|b| b.contents.get(body.content)?.shape);
    let Some(shape) = shape else { return };
    let mut gene = builder.maker(Manner::Full).sample("body", shape);
    for bind in &step.binds {
        if let Spot::Body(pointer) = &bind.spot
            && gene.at(pointer).is_none()
        {
            gene.set(pointer, Value::Null, Source::Fixed);
        }
    }
    if let Some(body) = &mut builder.plan.steps[main].body {
        body.gene = gene;
    }
}

fn break_step(step: &mut Step, case: &BreakCase) {
    match (&case.spot, &case.value) {
        (Spot::Parameter(at), value) => {
            step.put(*at, value.clone().map(|v| Gene::literal(v, Source::Fixed)));
        }
        (Spot::Body(_), Some(value)) => {
            // Links into the body stay where the broken value still has their places.
            step.binds.retain(|bind| match &bind.spot {
                Spot::Body(pointer) => {
                    value.pointer(pointer).is_some() && !case.place.ends_with(pointer.as_str())
                }
                Spot::Parameter(_) => true,
            });
            if let Some(body) = &mut step.body {
                body.gene = Gene::literal(value.clone(), Source::Fixed);
            }
        }
        (Spot::Body(_), None) => {
            step.body = None;
            step.binds
                .retain(|bind| matches!(bind.spot, Spot::Parameter(_)));
        }
    }
    step.intent = Intent::Broken {
        place: case.place.clone(),
        constraint: case.constraint.clone(),
        detail: case.detail.clone(),
    };
}

/// Removes set-up steps that nobody needs any more, from the back; the last `keep` stay.
fn drop_unneeded(plan: &mut Plan, keep: usize) {
    let mut at = plan.steps.len().saturating_sub(keep);
    while at > 0 {
        at -= 1;
        if let Some(shorter) = plan.without(at) {
            *plan = shorter;
        }
    }
}

/// Texts that both steps thought up for the same place: the old one maps to the new.
fn collect_names(old: &Step, fresh: &Step, renamed: &mut BTreeMap<String, String>) {
    for (at, gene) in old.arguments.iter().enumerate() {
        let (Some(gene), Some(Some(new))) = (gene, fresh.arguments.get(at)) else {
            continue;
        };
        note_name(gene.source(), &gene.value(), &new.value(), renamed);
    }
    let (Some(old), Some(fresh)) = (&old.body, &fresh.body) else {
        return;
    };
    let new = fresh.gene.value();
    let whole = old.gene.value();
    for leaf in old.gene.leaves() {
        if let (Some(was), Some(is)) = (whole.pointer(&leaf.pointer), new.pointer(&leaf.pointer)) {
            note_name(Some(leaf.source), was, is, renamed);
        }
    }
}

fn note_name(
    source: Option<Source>,
    was: &Value,
    is: &Value,
    renamed: &mut BTreeMap<String, String>,
) {
    if let (Some(Source::Named | Source::Random), Value::String(was), Value::String(is)) =
        (source, was, is)
        && was.len() > 2
    {
        renamed.entry(was.clone()).or_insert_with(|| is.clone());
    }
}

fn rename(step: &mut Step, renamed: &BTreeMap<String, String>) {
    for gene in step.arguments.iter_mut().flatten() {
        if let Value::String(text) = gene.value()
            && let Some(new) = renamed.get(&text)
        {
            let source = gene.source().unwrap_or(Source::Random);
            *gene = Gene::literal(Value::String(new.clone()), source);
        }
    }
    let Some(body) = &mut step.body else { return };
    let whole = body.gene.value();
    for leaf in body.gene.leaves() {
        if let Some(Value::String(text)) = whole.pointer(&leaf.pointer)
            && let Some(new) = renamed.get(text)
        {
            body.gene
                .set(&leaf.pointer, Value::String(new.clone()), leaf.source);
        }
    }
}

fn see_scalars(values: &mut Values, name: &str, value: &Value, depth: usize, left: &mut usize) {
    if depth > 5 || *left == 0 {
        return;
    }
    match value {
        Value::Object(map) => map
            .iter()
            .for_each(|(key, inner)| see_scalars(values, key, inner, depth + 1, left)),
        Value::Array(items) => items
            .iter()
            .take(3)
            .for_each(|item| see_scalars(values, name, item, depth + 1, left)),
        Value::String(_) | Value::Number(_) if !name.is_empty() => {
            values.see(name, value);
            *left -= 1;
        }
        _ => {}
    }
}

/// A refusal in a few words.
fn refusal(answer: &Answer) -> String {
    let text = answer
        .excerpt(200)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    format!("{}: {text}", answer.status)
}

fn fault_hash(finding: &Finding) -> u64 {
    u64::from_str_radix(&finding.fingerprint(), 16).unwrap_or(0)
}

/// A value as people write it, cut where it gets long.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        None => text,
    }
}

/// What the settings leave untouched is told, so that nobody takes silence for health.
impl Risk {
    pub fn describe(self) -> &'static str {
        match self {
            Self::None => "ordinary",
            Self::OwnOnly => "only on what the run made itself",
            Self::Last => "kept for the end of the run",
        }
    }
}

impl Search<'_> {
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

impl Search<'_> {
    /// A plausible call of an operation with all it needs, to see whether one can be written.
    pub fn sketch(&mut self, index: OperationIndex) -> Option<Script> {
        let proposal = self.plain(index, Manner::Plausible)?;
        Some(self.render(&proposal.plan))
    }
}
