//! Plans that lean on nothing: what they borrowed from earlier answers is made by themselves.
//!
//! A plan that names the seventh article works as long as there is one. Before it is kept, every
//! identifier that an answer gave is replaced by a link to a step that makes such a thing.

use fossick_contract::{Deed, OperationIndex};
use fossick_genes::Source;
use fossick_graph::{Edge, Graph, Yield};
use fossick_plan::{Plan, Spot, Step, keys, place_of};
use fossick_trace::{Role, Take};
use serde_json::Value;

use crate::archive::{borrowed, is_an_item};
use crate::builder::Builder;
use crate::fresh::is_about;
use crate::search::Search;

/// A plan that makes what it needs, as far as somebody can make it.
#[derive(Debug, Clone, PartialEq)]
pub struct Whole {
    pub plan: Plan,
    /// References that nobody can make: the step, the spot, and the value, which is null for one
    /// that is taken from a list.
    pub borrowed: Vec<(usize, Spot, Value)>,
}

impl Whole {
    /// Whether nothing is borrowed any more.
    pub fn stands_alone(&self) -> bool {
        self.borrowed.is_empty()
    }
}

/// Borrowed values of one plan that are looked after.
const MOST: usize = 16;
/// Makers that are tried for one of them.
const WAYS: usize = 4;

impl Search<'_> {
    /// A plan with links in the place of identifiers that earlier answers gave, and with steps
    /// before it that make what the links lead to. It shows what it showed only if that did not
    /// depend on what was borrowed: whoever asks must run it.
    pub fn stand_alone(&mut self, plan: &Plan) -> Whole {
        let mut builder = self.builder(plan.clone(), Vec::new());
        builder.proven = true;
        let mut given_up: Vec<(OperationIndex, Spot)> = Vec::new();
        for _ in 0..MOST {
            let tried = |at: usize, spot: &Spot| {
                let operation = builder.plan.steps[at].operation;
                given_up.contains(&(operation, spot.clone()))
            };
            let mut all = builder.references().into_iter();
            let Some((at, spot, value)) = all.find(|(at, spot, _)| !tried(*at, spot)) else {
                break;
            };
            let operation = builder.plan.steps[at].operation;
            if !builder.pay_back(at, &spot, &value) {
                given_up.push((operation, spot));
            }
        }
        Whole {
            borrowed: builder.references(),
            plan: builder.plan,
        }
    }
}

impl<'s> Builder<'s, '_> {
    /// Values of the plan that name things which it did not make.
    fn references(&self) -> Vec<(usize, Spot, Value)> {
        let mut found = borrowed(&self.plan);
        found.retain(|(at, spot, value)| self.names_a_thing(&self.plan.steps[*at], spot, value));
        for (at, step) in self.plan.steps.iter().enumerate() {
            let guessed = self.lucky_guesses(step).into_iter();
            found.extend(guessed.map(|(spot, value)| (at, spot, value)));
        }
        found.retain(|(at, spot, _)| !is_about(self.api, &self.plan.steps[*at], spot));
        found.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        found
    }

    /// Whether a borrowed value is more than a word that was heard somewhere.
    fn names_a_thing(&self, step: &Step, spot: &Spot, value: &Value) -> bool {
        let operation = self.api.operation(step.operation);
        let need = self.graph.need_at(step.operation, &place_of(spot));
        let known = need.is_some_and(|need| !self.graph.edges(step.operation, need).is_empty());
        known || keys(operation).contains(spot) || self.made_by(value).is_some()
    }

    /// Identifiers that were not taken from an answer and name something all the same: numbers
    /// above all, for somebody has the seventh of everything.
    fn lucky_guesses(&self, step: &Step) -> Vec<(Spot, Value)> {
        let mut found = Vec::new();
        if !step.intent.is_valid() {
            return found;
        }
        for need in self.graph.needs(step.operation) {
            for spot in self.spots_to_fill(step, need) {
                let value = step.value_at(&spot);
                let free = step.bind_at(&spot).is_none();
                let guess = |value: &Value| free && is_guess(step, &spot, value);
                let Some(value) = value.filter(guess) else {
                    continue;
                };
                let names = [need.name.as_str(), "id"];
                if names
                    .iter()
                    .any(|name| self.values.seen(name).contains(&value))
                {
                    found.push((spot, value));
                }
            }
        }
        found
    }

    /// Puts a link in the place of a borrowed value, wherever in the plan it names the same thing.
    fn pay_back(&mut self, at: usize, spot: &Spot, value: &Value) -> bool {
        let same = self.same_thing(at, spot, value);
        let look = self.plan.steps[at].bind_at(spot).map(|bind| bind.step);
        let (need, ways) = self.ways_to_make(at, spot, value);
        let place = ways.into_iter().take(WAYS).find_map(|edge| {
            let find = |builder: &mut Self, above: &mut Vec<OperationIndex>| {
                let maker = builder.provide(&edge, above)?;
                Some((edge.clone(), maker))
            };
            self.supply(at, need, std::slice::from_ref(spot), find)
        });
        let Some(place) = place else {
            return false;
        };
        let paid = self.plan.steps[place].clone();
        for (later, theirs) in same {
            self.plan.steps[later + place - at].copy(&paid, spot, &theirs);
        }
        if let Some(look) = look {
            self.drop_idle_look(look);
        }
        true
    }

    /// Other spots that name the same thing as one.
    fn same_thing(&self, at: usize, spot: &Spot, value: &Value) -> Vec<(usize, Spot)> {
        let taken = |at: usize, spot: &Spot| self.plan.steps[at].bind_at(spot).cloned();
        let ours = taken(at, spot).map(|bind| (bind.step, bind.take));
        let is_other =
            |(later, other): (usize, &Spot)| later > at || (later == at && other != spot);
        let all = self.references().into_iter();
        all.filter(|(later, theirs, other)| {
            let their = taken(*later, theirs).map(|bind| (bind.step, bind.take));
            is_other((*later, theirs)) && other == value && their == ours
        })
        .filter(|(later, theirs, _)| self.share_a_maker((at, spot), (*later, theirs)))
        .map(|(later, theirs, _)| (later, theirs))
        .collect()
    }

    /// Equal numbers may still name different things.
    fn share_a_maker(&self, one: (usize, &Spot), other: (usize, &Spot)) -> bool {
        let makers = |(at, spot): (usize, &Spot)| {
            let index = self.plan.steps[at].operation;
            let need = self.graph.need_at(index, &place_of(spot));
            let makers = need.map(|need| self.graph.makers(index, need).collect::<Vec<_>>());
            makers.unwrap_or_default()
        };
        let (ours, theirs) = (makers(one), makers(other));
        ours.is_empty() || theirs.is_empty() || ours.iter().any(|maker| theirs.contains(maker))
    }

    /// Ways to make what a spot names, the most promising first, with the need that they meet.
    fn ways_to_make(&self, at: usize, spot: &Spot, value: &Value) -> (usize, Vec<Edge>) {
        let index = self.plan.steps[at].operation;
        let graph: &'s Graph = self.graph;
        let need = graph.need_at(index, &place_of(spot));
        let edges = need
            .map(|need| graph.edges(index, need))
            .unwrap_or_default();
        let makes = |edge: &&Edge| {
            let deed = self.api.operation(edge.maker).deed();
            let creates = matches!(deed, Deed::Create | Deed::Replace) && !takes_an_item(edge);
            edge.maker != index && creates && !self.is_barred(edge)
        };
        let mut ways: Vec<Edge> = edges.into_iter().filter(makes).cloned().collect();
        ways.extend(self.made_by(value).filter(|edge| edge.maker != index));
        (need.unwrap_or(usize::MAX), ways)
    }

    /// The creation whose answer a value was first seen in.
    fn made_by(&self, value: &Value) -> Option<Edge> {
        let (maker, pointer) = self.graph.origin(value)?;
        let creates = self.api.operation(maker).deed() == Deed::Create;
        let yields = Yield::Answer(Take::Pointer(pointer.to_owned()));
        let edge = Edge::seen(maker, yields);
        (creates && !takes_an_item(&edge) && !self.is_barred(&edge)).then_some(edge)
    }

    /// A look that was there to find what is made now goes.
    fn drop_idle_look(&mut self, at: usize) {
        let step = &self.plan.steps[at];
        let looks = self.api.operation(step.operation).deed() == Deed::Read;
        if looks
            && step.role == Role::Setup
            && let Some(shorter) = self.plan.without(at)
        {
            self.plan = shorter;
        }
    }
}

fn takes_an_item(edge: &Edge) -> bool {
    matches!(&edge.yields, Yield::Answer(take) if is_an_item(take))
}

/// A value that came from nowhere in particular; a text of our own is nobody else's name.
fn is_guess(step: &Step, spot: &Spot, value: &Value) -> bool {
    match source_at(step, spot) {
        Some(Source::Example | Source::Told | Source::Default) => true,
        Some(Source::Random | Source::Named) => value.is_number(),
        _ => false,
    }
}

/// Where a value came from, also inside one that was taken whole.
fn source_at(step: &Step, spot: &Spot) -> Option<Source> {
    let Spot::Body(pointer) = spot else {
        return step.gene_at(spot)?.source();
    };
    let leaves = step.body.as_ref()?.gene.leaves();
    let leaf = leaves.into_iter().find(|leaf| leaf.pointer == *pointer)?;
    Some(leaf.source)
}
