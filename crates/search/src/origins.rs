//! Where things come from: what was there before the run, and which plan made the rest.
//!
//! A finding must show on a fresh service. So whatever its plan leans on is made by the plan
//! itself, or was there before the run's first write. What an earlier plan of the run made is a
//! leftover: the steps that made it are put before the plan, and what was a literal becomes a link.

mod complete;
mod items;
mod standing;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use fossick_contract::{Deed, OperationIndex};
use fossick_genes::{Manner, Source};
use fossick_graph::Words;
use fossick_plan::{Plan, Spot, Step, keys};
use fossick_trace::{Answer, Episode, Finding, Take, leading_day, stands_in};
use serde_json::Value;

use self::items::{
    Scalar, first_list, identifiers, identities, scalars, scalars_where, text, thing,
};
pub use self::standing::{Leftover, Standing};
use crate::proposal::Proposal;
use crate::search::{Search, Strategy};

/// Things whose making is remembered, the latest ones.
const MOST_MADE: usize = 20_000;
/// Things that are remembered by their identifiers alone.
const MOST_BORN: usize = 300_000;
const CREATED: u16 = 201;

/// How a thing was made.
#[derive(Debug, Clone)]
struct Made {
    maker: OperationIndex,
    plan: Arc<Plan>,
    step: usize,
    /// Where in the maker's answer the identifier stands; nowhere where the maker sent it and was
    /// not told of it again.
    take: Option<Take>,
}

impl Made {
    /// Whether it is known by a code or an identifier, and not by a name that others may bear.
    fn is_by_code(&self) -> bool {
        match &self.take {
            Some(Take::Pointer(pointer)) => {
                let field = pointer.rsplit('/').next().unwrap_or_default();
                Words::of(field).last() != Some("name")
            }
            _ => true,
        }
    }
}

/// What is known of where things come from.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    /// Texts of scalars that were read before the first write.
    seeds: HashSet<String>,
    surveyed: bool,
    /// Things as lists showed them before the first write, by what they are known by and by the names
    /// of their fields: things of several kinds have the same numbers.
    snapshots: HashMap<(String, Vec<String>), Value>,
    /// Seeds that the run wrote to: they may not be what they were.
    touched: HashSet<String>,
    /// The same, with those that make such things: numbers are those of several kinds.
    touched_things: HashSet<(String, OperationIndex)>,
    /// Findings that were seen before the first write.
    faults: HashSet<String>,
    /// Operations that succeeded before the first write.
    fine: HashSet<OperationIndex>,
    made: HashMap<String, Vec<Made>>,
    /// Texts that things of the run are known by.
    keys: HashSet<String>,
    /// Texts that several things have: they name none.
    common: HashSet<String>,
    /// Identifiers in the order of their making.
    order: VecDeque<String>,
    /// Codes and identifiers of everything that was ever made, and by whom: small enough to be kept
    /// where how it was made is forgotten.
    born: HashMap<String, Vec<OperationIndex>>,
}

/// Where things come from, for those who look at what is left when the run is over.
#[derive(Debug, Clone, Default)]
pub struct Provenance {
    /// Texts that were there before the first write.
    pub seeds: HashSet<String>,
    /// Texts that things of the run are known by, with the operations that made them.
    pub made: HashMap<String, Vec<Arc<str>>>,
    /// Numbers that things of the run are known by.
    pub numbers: HashSet<String>,
}

impl Origins {
    /// Everything that is seen from now on may be the run's own.
    pub(crate) fn close_survey(&mut self) {
        self.surveyed = true;
    }

    fn see(&mut self, index: OperationIndex, answer: &Answer) {
        if self.surveyed {
            return;
        }
        self.fine.insert(index);
        if let Some(list) = answer.json().and_then(|body| first_list(body, 0)) {
            let names = identities(list);
            for item in list {
                let known = identifiers(item, &names).into_iter();
                let fields = field_names(thing(item));
                let taken = known.map(|name| ((name, fields.clone()), thing(item).clone()));
                self.snapshots.extend(taken);
            }
        }
        let telling = scalars(answer).into_iter().filter(Scalar::tells);
        self.seeds.extend(telling.map(|scalar| scalar.text));
    }

    /// Remembers who made what an answer to a write names. What was there before was not made:
    /// answers repeat what they were told. Numbers are often those of several kinds of things.
    fn remember(&mut self, plan: &Arc<Plan>, step: usize, sent: &[String], answer: &Answer) {
        let maker = plan.steps[step].operation;
        let made = |take: Take| Made {
            maker,
            plan: Arc::clone(plan),
            step,
            take: Some(take),
        };
        let is_old = |scalar: &Scalar| {
            let told = !scalar.is_number || sent.contains(&scalar.text);
            told && self.seeds.contains(&scalar.text)
        };
        // Of what it replaces a call makes only what it is called by.
        let names = |named: bool, value: &Value| match sent {
            [] => named,
            sent => text(value).is_some_and(|text| sent.contains(&text)),
        };
        let mut new = scalars_where(answer, names);
        new.retain(|scalar| !is_old(scalar));
        for scalar in new {
            if !scalar.is_number && scalar.pointer.matches('/').count() == 1 {
                self.note_key(maker, &scalar.text, sent.is_empty());
            }
            self.enter(scalar.text, made(Take::Pointer(scalar.pointer)));
        }
        if let Some(tail) = answer.location_tail() {
            self.enter(tail, made(Take::Location));
        }
    }

    /// Remembers the step that gave a thing its name.
    fn give(&mut self, plan: &Arc<Plan>, step: usize, name: String, take: Take) {
        if !self.seeds.contains(&name) {
            self.keys.insert(name.clone());
            self.send(plan, step, name, Some(take));
        }
    }

    /// Remembers the step that sent a thing's name, and where it was told of it again, if it was.
    fn send(&mut self, plan: &Arc<Plan>, step: usize, name: String, take: Option<Take>) {
        if self.seeds.contains(&name) {
            return;
        }
        let made = Made {
            maker: plan.steps[step].operation,
            plan: Arc::clone(plan),
            step,
            take,
        };
        self.enter(name, made);
    }

    /// Things are known by a text, unless two that were made have the same.
    fn note_key(&mut self, maker: OperationIndex, value: &str, creates: bool) {
        let known = self.made.get(value).into_iter().flatten();
        let twice = creates && known.into_iter().any(|made| made.maker == maker);
        if twice {
            self.common.insert(value.to_owned());
            self.keys.remove(value);
        } else if !self.common.contains(value) {
            self.keys.insert(value.to_owned());
        }
    }

    fn enter(&mut self, value: String, made: Made) {
        self.bear(&value, &made);
        let all = self.made.entry(value.clone()).or_default();
        if all.iter().any(|known| known.maker == made.maker) {
            return;
        }
        all.push(made);
        self.order.push_back(value);
        if self.order.len() > MOST_MADE
            && let Some(oldest) = self.order.pop_front()
            && let Some(known) = self.made.get_mut(&oldest)
        {
            known.remove(0);
            if known.is_empty() {
                self.made.remove(&oldest);
                self.keys.remove(&oldest);
            }
        }
    }

    fn bear(&mut self, value: &str, made: &Made) {
        let is_number = value.parse::<f64>().is_ok();
        if is_number || value.len() < 2 || !made.is_by_code() {
            return;
        }
        if let Some(makers) = self.born.get_mut(value) {
            if !makers.contains(&made.maker) {
                makers.push(made.maker);
            }
        } else if self.born.len() < MOST_BORN {
            self.born.insert(value.to_owned(), vec![made.maker]);
        }
    }

    fn numbers(&self) -> impl Iterator<Item = &str> {
        let known = self.made.keys().map(String::as_str);
        known.filter(|value| value.parse::<f64>().is_ok())
    }

    /// Whether the run made something of this name.
    fn is_made(&self, value: &str) -> bool {
        self.made.contains_key(value) || self.born.contains_key(value)
    }

    /// Whether a seed is still what it was: nobody wrote to it, or it looks as it did.
    fn is_as_it_was(&self, value: &str, now: Option<&Value>) -> bool {
        if !self.touched.contains(value) {
            return true;
        }
        now.is_some_and(|now| self.was_changed(value, now) == Some(false))
    }

    /// Whether a thing is another than a list showed before the first write; nothing where no list did.
    fn was_changed(&self, value: &str, now: &Value) -> Option<bool> {
        let now = thing(now);
        let known = (value.to_owned(), field_names(now));
        let before = self.snapshots.get(&known)?;
        // Counts and sums of what hangs on it may well be others.
        let same =
            |(name, value): (&String, &Value)| value.is_number() || before.get(name) == Some(value);
        Some(!now.as_object()?.iter().all(same))
    }

    /// Whether a value was there before the run and nothing of the run has it.
    pub(crate) fn is_seed(&self, value: &Value) -> bool {
        text(value).is_some_and(|value| self.seeds.contains(&value) && !self.is_made(&value))
    }

    fn knows(&self, value: &str) -> bool {
        self.is_made(value) || self.seeds.contains(value)
    }

    /// How a thing was made, by one of some makers where they are known.
    fn maker_of(&self, value: &str, makers: &[OperationIndex]) -> Option<&Made> {
        let all = self.made.get(value)?;
        match makers {
            [] => all.last(),
            makers => all.iter().rev().find(|made| makers.contains(&made.maker)),
        }
    }
}

fn field_names(thing: &Value) -> Vec<String> {
    let fields = thing.as_object().into_iter().flatten();
    let mut names: Vec<String> = fields.map(|(name, _)| name.clone()).collect();
    names.sort();
    names
}

/// Names of our own making that a step sent as they stand in its plan.
fn names_sent(step: &Step, episode: &Episode, at: usize) -> Vec<String> {
    let leaves = step.body.iter().flat_map(|body| body.gene.leaves());
    let named = leaves.filter(|leaf| leaf.source == Source::Named);
    let mut names: Vec<String> = named
        .filter_map(|leaf| text(&step.value_at(&Spot::Body(leaf.pointer))?))
        .collect();
    if !names.is_empty() {
        let exchange = episode.exchanges.get(at);
        let sent = exchange.map(|exchange| exchange.request.data_texts());
        names.retain(|name| sent.as_ref().is_some_and(|sent| sent.contains(name)));
    }
    names
}

impl Search<'_> {
    /// Reads that need nothing, one of each: what they show was there before the run. Only where
    /// ways of planning share the budget: a strategy that is measured alone gets nothing for free.
    pub fn survey(&mut self) -> Vec<Proposal> {
        if !matches!(self.settings.strategy, Strategy::Auto) {
            return Vec::new();
        }
        let all: Vec<OperationIndex> = self.api.indexed().map(|(index, _)| index).collect();
        all.into_iter()
            .filter_map(|index| self.look_around(index))
            .collect()
    }

    fn look_around(&mut self, index: OperationIndex) -> Option<Proposal> {
        let at = index.0 as usize;
        let operation = self.api.operation(index);
        let is_plain = operation.deed() == Deed::Read && keys(operation).is_empty();
        let is_open = self.active[at] && !self.known[at].waits_for_the_end();
        if !is_plain || !is_open || self.writes(index) {
            return None;
        }
        let proposal = self.plain(index, Manner::Plausible)?;
        let alone = proposal.plan.steps.len() == 1;
        if alone {
            self.charge(index, 1);
        }
        alone.then_some(proposal)
    }

    /// What is known of where things come from; nothing where nobody looked at the start.
    pub fn provenance(&self) -> Option<Provenance> {
        let looked = matches!(self.settings.strategy, Strategy::Auto);
        let labels = |makers: &[OperationIndex]| -> Vec<Arc<str>> {
            let labels = makers.iter().map(|maker| &self.labels[maker.0 as usize]);
            labels.cloned().collect()
        };
        let all = self.origins.born.iter();
        looked.then(|| Provenance {
            seeds: self.origins.seeds.clone(),
            made: all.map(|(text, by)| (text.clone(), labels(by))).collect(),
            numbers: self.origins.numbers().map(str::to_owned).collect(),
        })
    }

    /// What the run has read so far is what was there before it.
    pub fn close_survey(&mut self) {
        self.origins.close_survey();
    }

    pub(crate) fn learn_origins(&mut self, plan: &Plan, episode: &Episode, findings: &[Finding]) {
        if !self.origins.surveyed {
            let faults = findings.iter().map(Finding::fingerprint);
            self.origins.faults.extend(faults);
        }
        let mut shared: Option<Arc<Plan>> = None;
        for (at, step) in plan.steps.iter().enumerate() {
            let answer = episode.answer(at).filter(|answer| answer.is_success());
            let Some(answer) = answer else { continue };
            if self.writes(step.operation) {
                self.touch(step, episode);
                let given = self.names_given(step, answer);
                for (value, take) in given {
                    let plan = shared.get_or_insert_with(|| Arc::new(plan.clone()));
                    self.origins.give(plan, at, value, take);
                }
            }
            if self.makes(step, answer) {
                let plan = shared.get_or_insert_with(|| Arc::new(plan.clone()));
                let operation = self.api.operation(step.operation);
                let replaces = operation.deed() == Deed::Replace;
                let keys = keys(operation).into_iter().filter(|_| replaces);
                let sent = keys.filter_map(|spot| text(&step.value_at(&spot)?));
                let sent: Vec<String> = sent.collect();
                self.origins.remember(plan, at, &sent, answer);
                if operation.deed() == Deed::Create {
                    let answered = String::from_utf8_lossy(&answer.body);
                    let names = names_sent(step, episode, at).into_iter();
                    for name in names.filter(|name| !stands_in(&answered, name)) {
                        self.origins.send(plan, at, name, None);
                    }
                }
            } else if !self.writes(step.operation) {
                self.origins.see(step.operation, answer);
            }
        }
    }

    /// Names that an update gave to a thing: nothing else can have them now.
    fn names_given(&self, step: &Step, answer: &Answer) -> Vec<(String, Take)> {
        let updates = self.api.operation(step.operation).deed() == Deed::Update;
        let (Some(body), true) = (&step.body, updates) else {
            return Vec::new();
        };
        let is_name = |spot: &Spot| self.known.iter().any(|known| known.unique.contains(spot));
        let leaves = body.gene.leaves().into_iter();
        let named = leaves.filter(|leaf| is_name(&Spot::Body(leaf.pointer.clone())));
        let given = named.filter_map(|leaf| {
            let sent = step.value_at(&Spot::Body(leaf.pointer.clone()))?;
            let take = Take::Pointer(leaf.pointer);
            let echoed = take.from(answer).is_some_and(|answered| answered == sent);
            // A day may be taken, but nothing is known by it.
            sent.as_str()
                .filter(|text| echoed && leading_day(text).is_none())
                .map(|text| (text.to_owned(), take))
        });
        given.collect()
    }

    /// Hears of a plan that was run somewhere else, a replay for one: what it made is there now.
    pub fn note_made(&mut self, plan: &Plan, episode: &Episode) {
        self.learn_origins(plan, episode, &[]);
        self.count_living(plan, episode);
    }

    /// Remembers what a write that succeeded worked on.
    fn touch(&mut self, step: &Step, episode: &Episode) {
        for spot in keys(self.api.operation(step.operation)) {
            let bound = step.bind_at(&spot);
            let value = match bound {
                Some(bind) => episode.answer(bind.step).and_then(|a| bind.take.from(a)),
                None => step.value_at(&spot),
            };
            let value = value.and_then(|value| text(&value));
            let seed = value.filter(|value| self.origins.seeds.contains(value));
            let Some(seed) = seed else { continue };
            let makers = self.makers(step.operation, &spot).into_iter();
            let things = makers.map(|maker| (seed.clone(), maker));
            self.origins.touched_things.extend(things);
            self.origins.touched.insert(seed);
        }
    }

    /// Whether a call that succeeded may have made something, and not only changed it.
    pub(crate) fn makes(&self, step: &Step, answer: &Answer) -> bool {
        let deed = self.api.operation(step.operation).deed();
        let changes = matches!(deed, Deed::Update | Deed::Delete);
        self.writes(step.operation) && (!changes || answer.status == CREATED)
    }
}
