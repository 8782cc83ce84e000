//! Where things come from: what was there before the run, and which plan made the rest.
//!
//! A finding must show on a fresh service. So whatever its plan leans on is made by the plan
//! itself, or was there before the run's first write. What an earlier plan of the run made is a
//! leftover: the steps that made it are put before the plan, and what was a literal becomes a link.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use fossick_contract::{Api, Deed, OperationIndex};
use fossick_genes::Manner;
use fossick_graph::Words;
use fossick_plan::{Bind, Plan, Spot, Step, keys, place_of, spots_of};
use fossick_trace::{Answer, Episode, Finding, Location, Role, Take};
use serde_json::Value;

use crate::archive::{borrowed_leaves, is_an_item};
use crate::proposal::Proposal;
use crate::search::{Search, Strategy};

/// Things whose making is remembered, the latest ones.
const MOST_MADE: usize = 20_000;
/// Scalars of one answer that are looked at.
const MOST_SCALARS: usize = 400;
const DEPTH: usize = 6;
/// Leftovers of leftovers are followed so far.
const ROUNDS: usize = 4;
/// A plan that was made whole may be so long.
const MOST_STEPS: usize = 14;
const CREATED: u16 = 201;

/// How a thing was made.
#[derive(Debug, Clone)]
struct Made {
    maker: OperationIndex,
    plan: Arc<Plan>,
    step: usize,
    /// Where in the maker's answer the identifier stands.
    take: Take,
}

/// What is known of where things come from.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    /// Texts of scalars that were read before the first write.
    seeds: HashSet<String>,
    surveyed: bool,
    /// Things as lists showed them before the first write, by what they are known by.
    snapshots: HashMap<String, Value>,
    /// Seeds that the run wrote to: they may not be what they were.
    touched: HashSet<String>,
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
}

/// What a plan leans on that it does not make itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standing {
    /// What was there before the run: `book 7`.
    pub seeds: Vec<String>,
    pub leftovers: Vec<Leftover>,
    /// What everybody's list showed wrongly, where nothing tells whose that is: `what GET /orders
    /// shows`.
    pub unknown: Option<String>,
    /// What was sent makes the call fail: what the thing is like does not matter.
    blames_input: bool,
}

impl Standing {
    fn rests_on(&mut self, seed: String) {
        if !self.seeds.contains(&seed) {
            self.seeds.push(seed);
        }
    }

    fn has(&self, at: usize, spot: &Spot) -> bool {
        let is_there = |(step, known): &(usize, Spot)| *step == at && known == spot;
        let mut leftovers = self.leftovers.iter();
        leftovers.any(|leftover| leftover.spots.iter().any(is_there))
    }

    pub fn is_alone(&self) -> bool {
        self.leftovers.is_empty() && self.unknown.is_none()
    }
}

/// A value that means something only because an earlier plan made it.
#[derive(Debug, Clone, PartialEq)]
pub struct Leftover {
    /// `order 12`
    pub what: String,
    value: String,
    /// Where it stands in the plan; nowhere where only an answer shows it.
    spots: Vec<(usize, Spot)>,
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
                let taken = known.map(|name| (name, thing(item).clone()));
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
            take,
        };
        let is_old = |scalar: &Scalar| {
            let told = !scalar.is_number || sent.contains(&scalar.text);
            told && self.seeds.contains(&scalar.text)
        };
        let scalars = scalars(answer).into_iter();
        // Of what it replaces a call makes only what it is called by.
        let names = |s: &Scalar| sent.contains(&s.text) || (sent.is_empty() && s.is_identifier);
        let new: Vec<Scalar> = scalars.filter(|s| names(s) && !is_old(s)).collect();
        for scalar in new {
            if !scalar.is_number && scalar.pointer.matches('/').count() == 1 {
                self.note_key(maker, &scalar.text, sent.is_empty());
            }
            self.enter(scalar.text, made(Take::Pointer(scalar.pointer)));
        }
        if let Some(Value::String(tail)) = Take::Location.from(answer) {
            self.enter(tail, made(Take::Location));
        }
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

    /// Whether a seed is still what it was: nobody wrote to it, or it looks as it did.
    fn is_as_it_was(&self, value: &str, now: Option<&Value>) -> bool {
        if !self.touched.contains(value) {
            return true;
        }
        let (Some(before), Some(now)) = (self.snapshots.get(value), now.map(thing)) else {
            return false;
        };
        // Counts and sums of what hangs on it may well be others.
        let same =
            |(name, value): (&String, &Value)| value.is_number() || before.get(name) == Some(value);
        now.as_object()
            .is_some_and(|fields| fields.iter().all(same))
    }

    fn knows(&self, value: &str) -> bool {
        self.made.contains_key(value) || self.seeds.contains(value)
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

    /// Texts that were there before the first write; nothing where nobody looked.
    pub fn seeds(&self) -> Option<HashSet<String>> {
        let looked = matches!(self.settings.strategy, Strategy::Auto);
        looked.then(|| self.origins.seeds.clone())
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
            }
            if self.makes(step, answer) {
                let plan = shared.get_or_insert_with(|| Arc::new(plan.clone()));
                let operation = self.api.operation(step.operation);
                let replaces = operation.deed() == Deed::Replace;
                let keys = keys(operation).into_iter().filter(|_| replaces);
                let sent = keys.filter_map(|spot| text(&step.value_at(&spot)?));
                let sent: Vec<String> = sent.collect();
                self.origins.remember(plan, at, &sent, answer);
            } else if !self.writes(step.operation) {
                self.origins.see(step.operation, answer);
            }
        }
    }

    /// Hears of a plan that was run somewhere else, a replay for one: what it made is there now.
    pub fn note_made(&mut self, plan: &Plan, episode: &Episode) {
        self.learn_origins(plan, episode, &[]);
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
            self.origins.touched.extend(seed);
        }
    }

    /// Whether a call that succeeded may have made something, and not only changed it.
    fn makes(&self, step: &Step, answer: &Answer) -> bool {
        let deed = self.api.operation(step.operation).deed();
        let changes = matches!(deed, Deed::Update | Deed::Delete);
        self.writes(step.operation) && (!changes || answer.status == CREATED)
    }

    /// What a plan leaned on when it showed a finding.
    pub fn standing(&self, plan: &Plan, episode: &Episode, finding: &Finding) -> Standing {
        let intent = &episode.script.calls[finding.call].intent;
        let fails = matches!(finding.location, Location::Outcome | Location::Message);
        let mut standing = Standing {
            blames_input: fails && intent.is_telling(),
            ..Standing::default()
        };
        // What the plan's writes were answered with is its own, but for what it borrowed and they
        // only repeat.
        let (mut own, mut foreign) = (HashSet::new(), HashSet::new());
        for (at, step) in plan.steps.iter().enumerate().take(finding.call + 1) {
            let named = self.named_by(step, episode, at).into_iter();
            for (value, spot) in leans_on(step, episode).into_iter().chain(named) {
                if !own.contains(&value) && !standing.has(at, &spot) {
                    foreign.insert(value.clone());
                    self.place(&mut standing, plan, value, (at, spot));
                }
            }
            if self.writes(step.operation) {
                let given = answered(episode, at).into_iter();
                own.extend(given.filter(|value| !foreign.contains(value)));
            }
        }
        let shown = faulty_items(episode, finding);
        if shown.iter().any(|value| own.contains(value)) {
            return standing;
        }
        // They all name one thing, or things of one kind: to make one of them shows enough.
        let body = episode.answer(finding.call).and_then(Answer::json);
        let item = |value: &str| body.and_then(|body| known_by(body, value));
        let placed = shown
            .iter()
            .any(|value| self.place_shown(&mut standing, value, item(value)));
        let strange =
            |value: &String| !own.contains(value) && self.origins.made.contains_key(value);
        let lists_others = |body| named_in_lists(body, 0).iter().any(strange);
        let is_of_others = finding.location == Location::List
            && shown.is_empty()
            && body.is_some_and(lists_others);
        if !placed && (is_of_others || self.is_everybodys(plan, episode, finding)) {
            self.place_unknown(&mut standing, finding);
        }
        standing
    }

    /// Whether a plan works only because of what earlier ones made, whatever its values come from:
    /// where keys are short, chance meets them too.
    pub(crate) fn leans(&self, plan: &Plan, episode: &Episode) -> bool {
        let mut own = HashSet::new();
        plan.steps.iter().enumerate().any(|(at, step)| {
            let named = self.named_by(step, episode, at).into_iter();
            let strange = |(value, _): &(String, Spot)| {
                !own.contains(value) && self.origins.made.contains_key(value)
            };
            let leans = named.filter(strange).count() > 0;
            if self.writes(step.operation) {
                own.extend(answered(episode, at));
            }
            leans
        })
    }

    /// Literals of a step that name things which are there: keys, references, and what is taken.
    fn named_by(&self, step: &Step, episode: &Episode, at: usize) -> Vec<(String, Spot)> {
        let (index, answer) = (step.operation, episode.answer(at));
        let replaces = self.api.operation(index).deed() == Deed::Replace;
        let made = answer
            .is_some_and(|answer| answer.status == CREATED || (replaces && answer.is_success()));
        let taken = answer.is_some_and(|answer| !answer.is_success());
        let mut spots = Vec::new();
        if !made {
            spots.extend(keys(self.api.operation(index)));
        }
        for need in self.graph.needs(index) {
            spots.extend(spots_of(step, &need.place));
        }
        if taken && self.writes(index) {
            spots.extend(self.known[index.0 as usize].unique.iter().cloned());
        }
        let mut named: Vec<(String, Spot)> = Vec::new();
        spots.extend(self.keys_in(step, taken));
        for spot in spots {
            let literal = step
                .value_at(&spot)
                .filter(|_| step.bind_at(&spot).is_none());
            if let Some(value) = literal.and_then(|value| text(&value))
                && self.origins.knows(&value)
                && !named.iter().any(|(_, known)| *known == spot)
            {
                named.push((value, spot));
            }
        }
        if named.is_empty() {
            return named;
        }
        // Names that are made anew in each run are not what the plan has.
        let sent = episode.exchanges.get(at).map(|e| e.request.texts());
        let sent = sent.unwrap_or_default();
        named.retain(|(value, _)| value.parse::<f64>().is_ok() || sent.contains(value));
        named
    }

    /// Where a step has texts that things are known by, whatever they stand for there. What it makes
    /// itself bears such a text as well.
    fn keys_in(&self, step: &Step, taken: bool) -> Vec<Spot> {
        let body = step.body.iter().flat_map(|body| body.gene.leaves());
        let leaves = body.map(|leaf| Spot::Body(leaf.pointer));
        let arguments = (0..step.arguments.len()).map(Spot::Parameter);
        let names_another = |spot: &Spot| {
            let value = step.value_at(spot).and_then(|value| text(&value));
            let Some(value) = value.filter(|value| self.origins.keys.contains(value)) else {
                return false;
            };
            let mut made = self.origins.made.get(&value).into_iter().flatten();
            taken || made.any(|made| made.maker != step.operation)
        };
        leaves.chain(arguments).filter(names_another).collect()
    }

    /// Whether a finding is about what a list shows that the plan's own things do not narrow.
    fn is_everybodys(&self, plan: &Plan, episode: &Episode, finding: &Finding) -> bool {
        let step = &plan.steps[finding.call];
        let answer = episode.answer(finding.call);
        let is_bound = step.binds.iter().any(|bind| bind.step < finding.call);
        let is_narrowed = is_bound && !lies_beside(step, answer, &finding.location);
        if self.writes(step.operation) || is_narrowed {
            return false;
        }
        match &finding.location {
            Location::List => true,
            Location::Body { path, .. } => path.contains("/*"),
            Location::Message | Location::Outcome => {
                let intent = &episode.script.calls[finding.call].intent;
                let plain = intent.is_valid() && !intent.is_telling();
                answer.is_some_and(Answer::fails_over_an_item)
                    || (plain && self.origins.fine.contains(&step.operation))
            }
            _ => false,
        }
    }

    /// Something in a list is a seed where the list was wrong before the run, and may be anybody's
    /// otherwise.
    fn place_unknown(&self, into: &mut Standing, finding: &Finding) {
        let what = format!("what {} shows", finding.operation);
        if self.origins.faults.contains(&finding.fingerprint()) {
            into.rests_on(what);
        } else {
            into.unknown = Some(what);
        }
    }

    /// A value at a spot is a seed or a leftover.
    fn place(&self, into: &mut Standing, plan: &Plan, value: String, (at, spot): (usize, Spot)) {
        let index = plan.steps[at].operation;
        let name = spot_name(self.api, index, &spot);
        let what = format!("{name} {value}");
        let makers = self.makers(index, &spot);
        let is_key = keys(self.api.operation(index)).contains(&spot)
            || self.origins.keys.contains(&value)
            || Words::of(&name).is_identifier();
        // Plain data means the same everywhere.
        if makers.is_empty() && !is_key && !self.origins.seeds.contains(&value) {
            return;
        }
        let spoilt =
            !into.blames_input && !makers.is_empty() && self.origins.touched.contains(&value);
        let is_made = self.origins.maker_of(&value, &makers).is_some();
        if !is_made && !spoilt && self.is_seed(&value, &makers) {
            into.rests_on(what);
            return;
        }
        let known = into.leftovers.iter_mut().find(|l| l.value == value);
        match known {
            Some(leftover) => leftover.spots.push((at, spot)),
            None => into.leftovers.push(Leftover {
                what,
                value,
                spots: vec![(at, spot)],
            }),
        }
    }

    /// Where nobody can make such a thing, what was seen must have been there.
    fn is_seed(&self, value: &str, makers: &[OperationIndex]) -> bool {
        self.origins.seeds.contains(value) || makers.is_empty()
    }

    /// Notes a seed or a leftover that only an answer shows. Tells whether it is one.
    fn place_shown(&self, into: &mut Standing, value: &str, item: Option<&Value>) -> bool {
        let is_seed = self.origins.seeds.contains(value);
        if is_seed && self.origins.is_as_it_was(value, item) {
            into.rests_on(value.to_owned());
            return true;
        }
        let is_known = into.leftovers.iter().any(|l| l.value == value);
        if is_known || is_seed || !self.origins.made.contains_key(value) {
            return is_known;
        }
        into.leftovers.push(Leftover {
            what: value.to_owned(),
            value: value.to_owned(),
            spots: Vec::new(),
        });
        true
    }

    /// Operations that make what a spot needs.
    fn makers(&self, index: OperationIndex, spot: &Spot) -> Vec<OperationIndex> {
        let need = self.graph.need_at(index, &place_of(spot));
        let edges = need.map(|need| self.graph.edges(index, need));
        let edges = edges.into_iter().flatten();
        edges
            .map(|edge| edge.maker)
            .filter(|maker| self.writes(*maker))
            .collect()
    }

    /// The plan with everything before it that made what it leans on; nothing where the making of
    /// something is not known.
    pub fn completed(&self, plan: &Plan, standing: &Standing) -> Option<Plan> {
        let mut plan = plan.clone();
        // A plan that was put before may lean on others in turn.
        let mut leftovers: Vec<Leftover> = standing.leftovers.clone();
        for _ in 0..ROUNDS {
            let Some(leftover) = leftovers.pop() else {
                return (plan.steps.len() <= MOST_STEPS).then_some(plan);
            };
            let makers = leftover.spots.first().map(|(at, spot)| {
                let step = plan.steps.get(*at)?;
                Some(self.makers(step.operation, spot))
            });
            let makers = makers.flatten().unwrap_or_default();
            let made = self.origins.maker_of(&leftover.value, &makers)?;
            let (prefix, maker) = needed(&made.plan, made.step);
            let moved = prefix.len();
            plan = put_before(prefix, plan);
            for (at, spot) in leftover.spots {
                link(&mut plan.steps[at + moved], spot, maker, &made.take);
            }
            for other in &mut leftovers {
                for (at, _) in &mut other.spots {
                    *at += moved;
                }
            }
            leftovers.extend(self.borrowed_by(&plan, moved));
        }
        (leftovers.is_empty() && plan.steps.len() <= MOST_STEPS).then_some(plan)
    }

    /// A plan up to a call, without its writes; nothing where it has none, or what is left needs them.
    pub fn without_writes(&self, plan: &Plan, call: usize) -> Option<Plan> {
        let until = plan.steps.iter().take(call + 1);
        let places: Vec<usize> = until
            .enumerate()
            .filter(|(_, step)| !self.writes(step.operation))
            .map(|(at, _)| at)
            .collect();
        if places.len() == call + 1 {
            return None;
        }
        let new = |old: usize| places.iter().position(|at| *at == old);
        let moved = |at: &usize| {
            let mut step = plan.steps[*at].clone();
            for bind in &mut step.binds {
                bind.step = new(bind.step)?;
            }
            Some(step)
        };
        let steps: Option<Vec<Step>> = places.iter().map(moved).collect();
        steps.map(|steps| Plan { steps })
    }

    /// What the first steps of a plan hold of earlier answers.
    fn borrowed_by(&self, plan: &Plan, first: usize) -> Vec<Leftover> {
        let mut standing = Standing::default();
        for (at, step) in plan.steps.iter().enumerate().take(first) {
            for (spot, value) in borrowed_leaves(step) {
                self.place(&mut standing, plan, value, (at, spot));
            }
        }
        standing.leftovers
    }
}

/// The steps that one step needs, itself last, and where it stands among them.
fn needed(plan: &Plan, step: usize) -> (Vec<Step>, usize) {
    let mut wanted = vec![false; step + 1];
    wanted[step] = true;
    for at in (0..=step).rev().filter(|at| *at <= step) {
        if wanted[at] {
            for bind in plan.steps[at].binds.iter().filter(|b| b.step < at) {
                wanted[bind.step] = true;
            }
        }
    }
    let places: Vec<usize> = (0..=step).filter(|at| wanted[*at]).collect();
    let new = |old: usize| places.iter().position(|at| *at == old).unwrap_or(0);
    let steps: Vec<Step> = places
        .iter()
        .map(|at| {
            let mut step = plan.steps[*at].clone();
            step.role = Role::Setup;
            for bind in &mut step.binds {
                bind.step = new(bind.step);
            }
            step
        })
        .collect();
    let last = steps.len() - 1;
    (steps, last)
}

fn put_before(mut steps: Vec<Step>, plan: Plan) -> Plan {
    let moved = steps.len();
    steps.extend(plan.steps.into_iter().map(|mut step| {
        for bind in &mut step.binds {
            bind.step += moved;
        }
        step
    }));
    Plan { steps }
}

fn link(step: &mut Step, spot: Spot, maker: usize, take: &Take) {
    step.binds.retain(|bind| bind.spot != spot);
    step.binds.push(Bind {
        spot,
        step: maker,
        take: take.clone(),
    });
}

/// Values of a step that others gave: literals of earlier answers, and what was taken from lists.
fn leans_on(step: &Step, episode: &Episode) -> Vec<(String, Spot)> {
    let borrowed = borrowed_leaves(step).into_iter();
    let listed = step.binds.iter().filter(|bind| is_an_item(&bind.take));
    let listed = listed.filter_map(|bind| {
        let value = bind.take.from(episode.answer(bind.step)?)?;
        Some((text(&value)?, bind.spot.clone()))
    });
    borrowed
        .map(|(spot, value)| (value, spot))
        .chain(listed)
        .collect()
}

/// What a write was answered with, where it succeeded.
fn answered(episode: &Episode, at: usize) -> Vec<String> {
    let answer = episode.answer(at).filter(|answer| answer.is_success());
    let Some(answer) = answer else {
        return Vec::new();
    };
    let telling = scalars(answer).into_iter().filter(Scalar::tells);
    let mut given: Vec<String> = telling.map(|scalar| scalar.text).collect();
    if let Some(Value::String(tail)) = Take::Location.from(answer) {
        given.push(tail);
    }
    given
}

/// The identifiers of the items of a list in which a fault lies, or of those that a list shows
/// wrongly.
fn faulty_items(episode: &Episode, finding: &Finding) -> Vec<String> {
    let answer = episode.answer(finding.call);
    let Some((answer, body)) = answer.and_then(|answer| Some((answer, answer.json()?))) else {
        return Vec::new();
    };
    match &finding.location {
        Location::Body { path, .. } => items_at(body, path, finding),
        Location::List => misplaced(body, finding.evidence.got.as_ref()),
        Location::Message | Location::Outcome => failed_items(answer, body),
        _ => Vec::new(),
    }
}

fn items_at(body: &Value, path: &str, finding: &Finding) -> Vec<String> {
    let Some((list, below)) = path.split_once("/*") else {
        return Vec::new();
    };
    let items = body.pointer(list).and_then(Value::as_array);
    let got = finding.evidence.got.as_ref();
    let is_faulty = |item: &&Value| below.contains('*') || item.pointer(below) == got;
    let Some(items) = items else {
        return Vec::new();
    };
    let names = identities(items);
    let faulty = items.iter().filter(is_faulty);
    let known = faulty.flat_map(|item| identifiers(item, &names));
    known.take(MOST_SHOWN).collect()
}

/// Identifiers that are looked at of one answer.
const MOST_SHOWN: usize = 1_000;

/// What a finding says of a list: the identifiers themselves, or a value that items have.
fn misplaced(body: &Value, got: Option<&Value>) -> Vec<String> {
    match got {
        Some(Value::Array(ids)) => ids.iter().filter_map(text).take(MOST_SHOWN).collect(),
        Some(value) => {
            let has = |item: &&Value| {
                let fields = item.as_object().into_iter().flatten();
                fields.into_iter().any(|(_, field)| field == value)
            };
            let Some(items) = first_list(body, 0) else {
                return Vec::new();
            };
            let names = identities(items);
            let faulty = items.iter().filter(has);
            let known = faulty.flat_map(|item| identifiers(item, &names));
            known.take(MOST_SHOWN).collect()
        }
        None => Vec::new(),
    }
}

/// The items of lists that errors of GraphQL lead to, as far as their data is there.
fn failed_items(answer: &Answer, body: &Value) -> Vec<String> {
    let Some(data) = body.get("data") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for path in answer.error_paths() {
        let mut at = data;
        for key in path {
            let next = match key {
                Value::String(name) => at.get(name.as_str()),
                Value::Number(index) => at.get(index.as_u64().unwrap_or(u64::MAX) as usize),
                _ => None,
            };
            let Some(next) = next.filter(|next| !next.is_null()) else {
                break;
            };
            at = next;
            if key.is_number() {
                found.extend(identifiers(at, &[]));
            }
        }
    }
    found.truncate(MOST_SHOWN);
    found
}

/// Whether a fault lies in what a GraphQL step asks beside its own field: nothing that the plan
/// made is told there.
fn lies_beside(step: &Step, answer: Option<&Answer>, location: &Location) -> bool {
    let beside = |name: &str| {
        let mut others = step.ask.iter().flat_map(|ask| &ask.beside);
        others.any(|other| other.alias == name)
    };
    match location {
        Location::Body { path, .. } => {
            let below = path.strip_prefix("/data/").unwrap_or_default();
            below.split('/').next().is_some_and(beside)
        }
        _ => {
            let mut paths = answer.into_iter().flat_map(Answer::error_paths).peekable();
            let first = |path: &[Value]| path.first().and_then(Value::as_str).is_some_and(beside);
            paths.peek().is_some() && paths.all(first)
        }
    }
}

/// The first list of objects in an answer.
fn first_list(body: &Value, depth: usize) -> Option<&Vec<Value>> {
    match body {
        Value::Array(items) if items.first().is_some_and(Value::is_object) => Some(items),
        Value::Object(map) if depth < DEPTH => {
            map.values().find_map(|inner| first_list(inner, depth + 1))
        }
        _ => None,
    }
}

/// What the items of all lists of an answer are known by.
fn named_in_lists(body: &Value, depth: usize) -> Vec<String> {
    match body {
        _ if depth > DEPTH => Vec::new(),
        Value::Array(items) => {
            let own = items.iter().flat_map(|item| identifiers(item, &[]));
            let below = items
                .iter()
                .flat_map(|item| named_in_lists(item, depth + 1));
            own.chain(below).take(MOST_SHOWN).collect()
        }
        Value::Object(map) => {
            let below = map
                .values()
                .flat_map(|inner| named_in_lists(inner, depth + 1));
            below.take(MOST_SHOWN).collect()
        }
        _ => Vec::new(),
    }
}

/// Fields that tell the items of a list apart: those that are called so, or else texts of which
/// each item has another one. In a short list any text may look like that.
fn identities(items: &[Value]) -> Vec<String> {
    const ENOUGH: usize = 4;
    let Some(first) = items.first().map(thing).and_then(Value::as_object) else {
        return Vec::new();
    };
    let named: Vec<String> = first
        .keys()
        .filter(|n| is_called_a_key(n))
        .cloned()
        .collect();
    if !named.is_empty() || items.len() < ENOUGH {
        return named;
    }
    let differ = |name: &&String| {
        let values = items.iter().map(|item| thing(item).get(*name)?.as_str());
        let values: Option<HashSet<&str>> = values.collect();
        values.is_some_and(|values| values.len() == items.len())
    };
    first.keys().filter(differ).cloned().collect()
}

thread_local! {
    /// Names of fields are few, and each is asked for with every answer.
    static CALLED_KEYS: RefCell<HashMap<String, bool>> = RefCell::default();
}
/// A service that answers with ever new names fills no memory.
const MOST_NAMES: usize = 4_096;

/// Whether things are known by what has this name: `id`, `projectCode`, `sku`.
fn is_called_a_key(name: &str) -> bool {
    CALLED_KEYS.with_borrow_mut(|known| {
        if let Some(known) = known.get(name) {
            return *known;
        }
        let is_key = reads_as_a_key(name);
        if known.len() < MOST_NAMES {
            known.insert(name.to_owned(), is_key);
        }
        is_key
    })
}

fn reads_as_a_key(name: &str) -> bool {
    const MORE: [&str; 3] = ["code", "sku", "number"];
    let words = Words::of(name);
    words.is_identifier() || words.last().is_some_and(|word| MORE.contains(&word))
}

/// What an item of a list is about; GraphQL puts it on an edge.
fn thing(item: &Value) -> &Value {
    item.get("node").unwrap_or(item)
}

/// The item of a list that has a text or number of its own.
fn known_by<'v>(body: &'v Value, name: &str) -> Option<&'v Value> {
    let has = |item: &&Value| {
        let fields = thing(item).as_object().into_iter().flatten();
        fields
            .into_iter()
            .any(|(_, value)| text(value).as_deref() == Some(name))
    };
    first_list(body, 0)?.iter().find(has)
}

/// What an item is known by: its identifiers, and whatever else tells it apart.
fn identifiers(item: &Value, names: &[String]) -> Vec<String> {
    let fields = thing(item).as_object().into_iter().flatten();
    fields
        .filter(|(name, _)| is_called_a_key(name) || names.contains(name))
        .filter_map(|(_, value)| text(value))
        .collect()
}

/// A scalar of an answer.
struct Scalar {
    pointer: String,
    text: String,
    is_identifier: bool,
    is_number: bool,
}

impl Scalar {
    /// Whether it may single out a thing: small numbers are everywhere.
    fn tells(&self) -> bool {
        const TELLING: usize = 2;
        self.is_identifier || (!self.is_number && self.text.len() >= TELLING)
    }
}

/// Every scalar in an answer, as far as one looks.
fn scalars(answer: &Answer) -> Vec<Scalar> {
    let mut found = Vec::new();
    if let Some(body) = answer.json() {
        collect(body, "", false, 0, &mut found);
    }
    found
}

fn collect(value: &Value, pointer: &str, named: bool, depth: usize, found: &mut Vec<Scalar>) {
    if depth > DEPTH || found.len() >= MOST_SCALARS {
        return;
    }
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                let below = format!("{pointer}/{}", fossick_contract::escape_token(key));
                let named = is_called_a_key(key);
                collect(inner, &below, named, depth + 1, found);
            }
        }
        Value::Array(items) => {
            for (at, inner) in items.iter().enumerate() {
                collect(inner, &format!("{pointer}/{at}"), named, depth + 1, found);
            }
        }
        scalar => found.extend(text(scalar).map(|text| Scalar {
            pointer: pointer.to_owned(),
            text,
            is_identifier: named,
            is_number: scalar.is_number(),
        })),
    }
}

/// Identifiers come as texts and as numbers.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// What people call a spot: `projectId`.
fn spot_name(api: &Api, index: OperationIndex, spot: &Spot) -> String {
    let described = spot.describe(api.operation(index));
    let last = described.rsplit([' ', '/', '.']).next();
    last.unwrap_or("value").to_owned()
}
