//! What a finding's plan stands on: itself, what was there before the run, or what earlier calls
//! left.

use std::collections::HashSet;

use fossick_contract::{Api, Deed, OperationIndex};
use fossick_graph::Words;
use fossick_plan::{Plan, Spot, Step, keys, place_of, spots_of};
use fossick_trace::{Answer, Episode, Finding, Location};
use serde_json::Value;

use super::items::{Scalar, faulty_items, known_by, named_in_lists, scalars, text};
use super::{CREATED, names_sent};
use crate::archive::{borrowed_leaves, is_an_item};
use crate::search::Search;

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
    pub(super) blames_input: bool,
}

impl Standing {
    pub(super) fn rests_on(&mut self, seed: String) {
        if !self.seeds.contains(&seed) {
            self.seeds.push(seed);
        }
    }

    pub(super) fn has(&self, at: usize, spot: &Spot) -> bool {
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
    pub(super) value: String,
    /// Where it stands in the plan; nowhere where only an answer shows it.
    pub(super) spots: Vec<(usize, Spot)>,
}

impl Search<'_> {
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
        let last = finding.evidence.calls.iter().copied().max();
        let last = last.unwrap_or(0).max(finding.call);
        for (at, step) in plan.steps.iter().enumerate().take(last + 1) {
            let named = self.named_by(step, episode, at).into_iter();
            for (value, spot) in leans_on(step, episode).into_iter().chain(named) {
                if !own.contains(&value) && !standing.has(at, &spot) {
                    foreign.insert(value.clone());
                    self.place(&mut standing, plan, value, (at, spot));
                }
            }
            if self.writes(step.operation) {
                let given = answered(episode, at)
                    .into_iter()
                    .chain(names_sent(step, episode, at));
                own.extend(given.filter(|value| !foreign.contains(value)));
            }
        }
        let shown = faulty_items(episode, finding);
        let is_own = |value: &&String| own.contains(*value) && !self.names_others(plan, value);
        let of_own = shown.iter().filter(is_own).count();
        let of_seeds = shown.iter().any(|value| self.origins.seeds.contains(value));
        // Where a list loses many things, those of others may be why it loses the own ones.
        let enough = match &finding.evidence.got {
            Some(Value::Array(ids)) => of_own * 2 >= ids.len() || of_seeds,
            _ => true,
        };
        if (of_own > 0 && enough) || sent_it(episode, finding) {
            return standing;
        }
        // They all name one thing, or things of one kind: to make one of them shows enough.
        let body = episode.answer(finding.call).and_then(Answer::json);
        let item = |value: &str| body.and_then(|body| known_by(body, value));
        let placed = shown
            .iter()
            .any(|value| self.place_shown(&mut standing, value, item(value)));
        let strange = |value: &String| !own.contains(value) && self.origins.is_made(value);
        let lists_others = |body| named_in_lists(body, 0).iter().any(strange);
        let is_of_others = finding.location == Location::List
            && shown.is_empty()
            && body.is_some_and(lists_others);
        if !placed && (is_of_others || self.is_everybodys(plan, episode, finding)) {
            self.place_unknown(&mut standing, finding);
        }
        standing
    }

    /// Whether a text may as well name what operations made that the plan does not call: special
    /// texts are given to things of every kind. Numbers name one of each kind anyway.
    fn names_others(&self, plan: &Plan, value: &str) -> bool {
        let mut made = self.origins.made.get(value).into_iter().flatten();
        let is_called = |maker| plan.steps.iter().any(|step| step.operation == maker);
        value.parse::<f64>().is_err() && made.any(|made| !is_called(made.maker))
    }

    /// Whether a plan works only because of what earlier ones made, whatever its values come from:
    /// where keys are short, chance meets them too.
    pub(crate) fn leans(&self, plan: &Plan, episode: &Episode) -> bool {
        let mut own = HashSet::new();
        plan.steps.iter().enumerate().any(|(at, step)| {
            let named = self.named_by(step, episode, at).into_iter();
            let strange =
                |(value, _): &(String, Spot)| !own.contains(value) && self.origins.is_made(value);
            let leans = named.filter(strange).count() > 0;
            if self.writes(step.operation) {
                own.extend(answered(episode, at));
                own.extend(names_sent(step, episode, at));
            }
            leans
        })
    }

    /// Literals of a step that name things which are there: keys, references, and what is taken.
    pub(super) fn named_by(
        &self,
        step: &Step,
        episode: &Episode,
        at: usize,
    ) -> Vec<(String, Spot)> {
        let (index, answer) = (step.operation, episode.answer(at));
        let replaces = self.api.operation(index).deed() == Deed::Replace;
        let made = answer
            .is_some_and(|answer| answer.status == CREATED || (replaces && answer.is_success()));
        let taken = answer.is_some_and(|answer| !answer.is_success());
        let own = keys(self.api.operation(index));
        let mut spots = own.clone();
        for need in self.graph.needs(index) {
            spots.extend(spots_of(step, &need.place));
        }
        if taken && self.writes(index) {
            spots.extend(self.known[index.0 as usize].unique.iter().cloned());
        }
        let mut named: Vec<(String, Spot)> = Vec::new();
        spots.extend(self.keys_in(step, taken));
        // What a call makes is not there before it.
        spots.retain(|spot| !made || own.last() != Some(spot));
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
    pub(super) fn keys_in(&self, step: &Step, taken: bool) -> Vec<Spot> {
        let body = step.body.iter().flat_map(|body| body.gene.leaves());
        let leaves = body.map(|leaf| Spot::Body(leaf.pointer));
        let arguments = (0..step.arguments.len()).map(Spot::Parameter);
        let names_another = |spot: &Spot| {
            let value = step.value_at(spot).and_then(|value| text(&value));
            // How it was made may be forgotten; that it was is not.
            let is_key = |value: &String| {
                self.origins.keys.contains(value)
                    || (taken && self.origins.born.contains_key(value))
            };
            // A letter or two that is searched for names nothing.
            let searched = matches!(spot, Spot::Parameter(_));
            let telling = |value: &String| !searched || value.len() > 2;
            let Some(value) = value.filter(|value| telling(value) && is_key(value)) else {
                return false;
            };
            let mut made = self.origins.made.get(&value).into_iter().flatten();
            taken || made.any(|made| made.maker != step.operation)
        };
        leaves.chain(arguments).filter(names_another).collect()
    }

    /// Whether a finding is about what a list shows that the plan's own things do not narrow.
    pub(super) fn is_everybodys(&self, plan: &Plan, episode: &Episode, finding: &Finding) -> bool {
        let step = &plan.steps[finding.call];
        let answer = episode.answer(finding.call);
        let is_bound = step.binds.iter().any(|bind| bind.step < finding.call);
        let is_narrowed = is_bound && !lies_beside(step, answer, &finding.location);
        if self.writes(step.operation) || is_narrowed {
            return false;
        }
        // Where the plan itself asks otherwise and is answered well, what was sent makes the difference.
        let contrasts = plan.steps.iter().enumerate().any(|(at, other)| {
            let well = episode.answer(at).is_some_and(Answer::is_success);
            at != finding.call && other.operation == step.operation && well
        });
        match &finding.location {
            Location::List => true,
            Location::Body { path, .. } => path.contains("/*"),
            Location::Message | Location::Outcome => {
                let intent = &episode.script.calls[finding.call].intent;
                let plain = intent.is_valid() && !intent.is_telling();
                answer.is_some_and(Answer::fails_over_an_item)
                    || (plain && !contrasts && self.origins.fine.contains(&step.operation))
            }
            _ => false,
        }
    }

    /// Something in a list is a seed where the list was wrong before the run, and may be anybody's
    /// otherwise.
    pub(super) fn place_unknown(&self, into: &mut Standing, finding: &Finding) {
        let what = format!("what {} shows", finding.operation);
        if self.origins.faults.contains(&finding.fingerprint()) {
            into.rests_on(what);
        } else {
            into.unknown = Some(what);
        }
    }

    /// A value at a spot is a seed or a leftover.
    pub(super) fn place(
        &self,
        into: &mut Standing,
        plan: &Plan,
        value: String,
        (at, spot): (usize, Spot),
    ) {
        let index = plan.steps[at].operation;
        let name = spot_name(self.api, index, &spot);
        let what = format!("{name} {value}");
        let makers = self.makers(index, &spot);
        let is_key = keys(self.api.operation(index)).contains(&spot)
            || self.origins.keys.contains(&value)
            || Words::of(&name).is_identifier();
        // Plain data means the same everywhere; so do numbers that nothing is known by.
        let is_number = value.parse::<f64>().is_ok();
        let is_data = is_number || !self.origins.seeds.contains(&value);
        if makers.is_empty() && !is_key && is_data {
            return;
        }
        let touched = |maker: &OperationIndex| {
            let thing = (value.clone(), *maker);
            self.origins.touched_things.contains(&thing)
        };
        let spoilt = !into.blames_input && makers.iter().any(touched);
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
    pub(super) fn is_seed(&self, value: &str, makers: &[OperationIndex]) -> bool {
        self.origins.seeds.contains(value) || makers.is_empty()
    }

    /// Notes a seed or a leftover that only an answer shows. Tells whether it is one.
    pub(super) fn place_shown(
        &self,
        into: &mut Standing,
        value: &str,
        item: Option<&Value>,
    ) -> bool {
        let is_seed = self.origins.seeds.contains(value);
        if is_seed && self.origins.is_as_it_was(value, item) {
            into.rests_on(value.to_owned());
            return true;
        }
        let is_known = into.leftovers.iter().any(|l| l.value == value);
        // What was there before the run is another one now.
        let changed = item.and_then(|item| self.origins.was_changed(value, item)) == Some(true);
        if is_known || (is_seed && !changed) || !(changed || self.origins.is_made(value)) {
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
    pub(super) fn makers(&self, index: OperationIndex, spot: &Spot) -> Vec<OperationIndex> {
        let need = self.graph.need_at(index, &place_of(spot));
        let edges = need.map(|need| self.graph.edges(index, need));
        let edges = edges.into_iter().flatten();
        edges
            .map(|edge| edge.maker)
            .filter(|maker| self.writes(*maker))
            .collect()
    }
}

/// Values of a step that others gave: literals of earlier answers, and what was taken from lists.
pub(super) fn leans_on(step: &Step, episode: &Episode) -> Vec<(String, Spot)> {
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

/// Whether what is wrong is a text that the plan itself sent: then its thing is the plan's own,
/// whatever was answered when it was made.
fn sent_it(episode: &Episode, finding: &Finding) -> bool {
    const TELLING: usize = 6;
    let Some(Value::String(text)) = &finding.evidence.got else {
        return false;
    };
    let before = episode.exchanges.iter().take(finding.call);
    let mut sent = before.flat_map(|exchange| exchange.request.texts());
    text.len() >= TELLING && sent.any(|sent| sent == *text)
}

/// What a write was answered with, where it succeeded.
pub(super) fn answered(episode: &Episode, at: usize) -> Vec<String> {
    let answer = episode.answer(at).filter(|answer| answer.is_success());
    let Some(answer) = answer else {
        return Vec::new();
    };
    let telling = scalars(answer).into_iter().filter(Scalar::tells);
    let mut given: Vec<String> = telling.map(|scalar| scalar.text).collect();
    if let Some(tail) = answer.location_tail() {
        given.push(tail);
    }
    given
}

/// Whether a fault lies in what a GraphQL step asks beside its own field: nothing that the plan
/// made is told there.
pub(super) fn lies_beside(step: &Step, answer: Option<&Answer>, location: &Location) -> bool {
    let beside = |name: &str| {
        let mut others = step.ask.iter().flat_map(|ask| &ask.beside);
        others.any(|other| other.alias == name)
    };
    if let Location::Body { path, .. } = location {
        let below = path.strip_prefix("/data/").unwrap_or_default();
        return below.split('/').next().is_some_and(beside);
    }
    let mut paths = answer.into_iter().flat_map(Answer::error_paths).peekable();
    let first = |path: &[Value]| path.first().and_then(Value::as_str).is_some_and(beside);
    paths.peek().is_some() && paths.all(first)
}

/// What people call a spot: `projectId`.
pub(super) fn spot_name(api: &Api, index: OperationIndex, spot: &Spot) -> String {
    let described = spot.describe(api.operation(index));
    let last = described.rsplit([' ', '/', '.']).next();
    last.unwrap_or("value").to_owned()
}
