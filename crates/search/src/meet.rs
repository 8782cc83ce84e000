//! Meeting needs: every value that only the service can know is taken from a step that makes it.
//!
//! A need that stands in a list stands in each of its items. They may all name the same thing, and
//! where the list must not hold anything twice they name different ones.

use fossick_contract::{Api, Kind, OperationIndex, ShapeId, is_json, unescape_token};
use fossick_genes::{Gene, Maker, Manner, Source};
use fossick_graph::{Edge, Graph, Need, Place};
use fossick_plan::{Bind, Spot, Step, connect, place_of, spot_of, spots_of};
use fossick_trace::{Role, Take};
use rand::RngExt as _;

use crate::Use;
use crate::builder::{Builder, MOST_STEPS, Setups};

/// Makers that are asked for one need of a sequence.
const WAYS: usize = 4;
/// How often items that may name the same thing name another one each.
const APART: f64 = 0.5;
/// How often two needs of one call that one thing would meet get two things.
const TWO_THINGS: f64 = 0.85;
/// Items of one list that get things of their own.
const MOST_APART: usize = 4;

impl<'s> Builder<'s, '_> {
    /// Binds what a step needs to what earlier steps give, adding those where they are missing.
    pub(crate) fn meet_needs(
        &mut self,
        index: OperationIndex,
        step: &mut Step,
        above: &mut Vec<OperationIndex>,
    ) {
        let graph = self.graph;
        for (at, need) in graph.needs(index).iter().enumerate() {
            if self.meet_as_forced(index, (at, need), step, above) {
                continue;
            }
            let mut spots = self.spots_to_fill(step, need);
            if self.setups == Setups::Found {
                spots.retain(|spot| !is_shown(step, spot));
            }
            if spots.is_empty() {
                continue;
            }
            let found = self.find_maker(index, at, need, above);
            let apart = found.is_some_and(|way| self.wants_apart(step, need, way));
            let found = match found {
                Some((edge, maker)) if apart && edge.evidence.makes() => {
                    Some((edge, self.another(edge, above).unwrap_or(maker)))
                }
                other => other,
            };
            let met = found.is_some_and(|way| self.connect_all(step, at, &spots, way, above));
            if met && apart && found.is_some_and(|(edge, _)| !edge.evidence.makes()) {
                for spot in &spots {
                    take_another_item(step, spot, 1);
                }
            }
            if !met {
                self.guess_key(step, need);
            }
        }
    }

    /// Whether a need should get another thing than the one that the step names already: an employee
    /// and their manager are two, unless both are called the same.
    fn wants_apart(&mut self, step: &Step, need: &Need, (_, maker): (&Edge, usize)) -> bool {
        let names_another = |bind: &Bind| {
            let other = self.graph.need_at(step.operation, &place_of(&bind.spot));
            let other = other.map(|at| &self.graph.needs(step.operation)[at].name);
            bind.step == maker && other.is_some_and(|name| *name != need.name)
        };
        if step.binds.iter().any(names_another) {
            return self.rng.random_bool(TWO_THINGS);
        }
        // Who wrote a recipe may not review it: what the thing at hand was made with is not always
        // good enough for the thing itself.
        let made_with = |bind: &Bind| {
            let giver = self.plan.steps.get(bind.step);
            giver.is_some_and(|giver| giver.binds.iter().any(|other| other.step == maker))
        };
        let known = &self.known[step.operation.0 as usize];
        let stuck = known.succeeded == 0 && known.tried > 2;
        stuck && step.binds.iter().any(made_with) && self.rng.random_bool(APART)
    }

    /// The way to meet a need, and the step that makes what it promises.
    fn find_maker(
        &mut self,
        index: OperationIndex,
        at: usize,
        need: &Need,
        above: &mut Vec<OperationIndex>,
    ) -> Option<(&'s Edge, usize)> {
        let depth = above.len();
        let mut found = None;
        let insists = self.along || self.proven;
        for _ in 0..if insists { WAYS } else { 1 } {
            let Some(edge) = self.choose(index, at, need, above) else {
                break;
            };
            if let Some(maker) = self.provide(edge, above) {
                found = Some((edge, maker));
                break;
            }
            // Whoever can't be called itself is not asked again.
            above.push(edge.maker);
        }
        above.truncate(depth);
        found
    }

    /// Where in a step a need is worth a call: it must be there, or it was chosen to be.
    pub(crate) fn spots_to_fill(&self, step: &Step, need: &Need) -> Vec<Spot> {
        // What must be new in each call is nothing that others have.
        let known = &self.known[step.operation.0 as usize];
        if known.coined.contains(&spot_of(&need.place)) {
            return Vec::new();
        }
        match &need.place {
            Place::Parameter(at) => {
                let there = need.required || step.arguments[*at].is_some();
                there.then(|| spot_of(&need.place)).into_iter().collect()
            }
            Place::Body(_) if self.sends_json(step) => spots_of(step, &need.place),
            Place::Body(_) => Vec::new(),
        }
    }

    /// Only JSON has holes that can be filled later.
    fn sends_json(&self, step: &Step) -> bool {
        let declared = self.api.operation(step.operation).body.as_ref();
        let sent = declared.zip(step.body.as_ref());
        let content = sent.and_then(|(body, value)| body.contents.get(value.content));
        content.is_some_and(|content| is_json(&content.media_type))
    }

    /// Carries what a maker gives to all spots of a need. Tells whether it could.
    pub(crate) fn connect_all(
        &mut self,
        step: &mut Step,
        at: usize,
        spots: &[Spot],
        (edge, mut maker): (&Edge, usize),
        above: &mut Vec<OperationIndex>,
    ) -> bool {
        let Some((first, others)) = spots.split_first() else {
            return false;
        };
        let met = self.connect(step, at, first, edge, maker);
        let apart = self.known[step.operation.0 as usize].apart;
        for (nth, spot) in others.iter().enumerate().filter(|_| met) {
            if nth < MOST_APART && self.wants_another(step, spot, edge) {
                maker = self.another(edge, above).unwrap_or(maker);
            }
            self.connect(step, at, spot, edge, maker);
            if apart && !edge.evidence.makes() {
                take_another_item(step, spot, nth + 1);
            }
        }
        met
    }

    /// Whether an item of a list names another thing than the one before it.
    fn wants_another(&mut self, step: &Step, spot: &Spot, edge: &Edge) -> bool {
        let room = self.plan.steps.len() < MOST_STEPS / 2;
        let told = self.known[step.operation.0 as usize].apart;
        let must = told || is_in_set(self.api, step, spot);
        edge.evidence.makes() && (must || (room && self.rng.random_bool(APART)))
    }

    fn another(&mut self, edge: &Edge, above: &mut Vec<OperationIndex>) -> Option<usize> {
        self.call_below(edge.maker, Role::Setup, Manner::Plausible, above)
    }

    /// Carries a value from the maker's step to the place that needs it. Tells whether it could.
    pub(crate) fn connect(
        &mut self,
        step: &mut Step,
        at: usize,
        spot: &Spot,
        edge: &Edge,
        maker: usize,
    ) -> bool {
        let mut making = Maker {
            api: self.api,
            validators: self.validators,
            values: self.values,
            rng: self.rng,
            manner: Manner::Plausible,
        };
        let connected = connect(&mut self.plan, maker, step, spot, &edge.yields, &mut making);
        if connected {
            self.remember(step.operation, at, edge);
        }
        connected
    }

    fn remember(&mut self, consumer: OperationIndex, need: usize, edge: &Edge) {
        let used = Use {
            step: usize::MAX,
            consumer,
            need,
            maker: edge.maker,
            yields: edge.yields.clone(),
        };
        // Items of one list say the same.
        if !self.uses.contains(&used) {
            self.uses.push(used);
        }
    }

    /// Says of which step the uses are that were remembered for an operation.
    pub(crate) fn settle_uses(&mut self, consumer: OperationIndex, step: usize) {
        let open = |used: &&mut Use| used.step == usize::MAX && used.consumer == consumer;
        for used in self.uses.iter_mut().filter(open) {
            used.step = step;
        }
    }

    /// Whether a spot holds what an earlier step gives and nothing else would do.
    pub(crate) fn is_given(&self, step: &Step, spot: &Spot) -> bool {
        let need = self.graph.need_at(step.operation, &place_of(spot));
        let doubtful = need.is_some_and(|at| self.graph.needs(step.operation)[at].doubtful);
        step.bind_at(spot).is_some() && !doubtful
    }

    /// All spots of a step that hold what only the service can know.
    pub(crate) fn needed(&self, step: &Step) -> Vec<Spot> {
        let needs = self.graph.needs(step.operation).iter();
        needs
            .flat_map(|need| self.spots_to_fill(step, need))
            .collect()
    }

    /// Meets needs of a step that stands already, where its body was changed since. What `keeps`
    /// holds for stays as it is.
    pub(crate) fn meet_new(&mut self, at: usize, keeps: impl Fn(&Spot) -> bool) {
        let graph: &'s Graph = self.graph;
        let step = &mut self.plan.steps[at];
        let index = step.operation;
        let bound: Vec<Spot> = step.binds.iter().map(|bind| bind.spot.clone()).collect();
        step.settle_binds();
        step.binds
            .retain(|bind| bound.contains(&bind.spot) || !keeps(&bind.spot));
        let mut at = at;
        for (nth, need) in graph.needs(index).iter().enumerate() {
            let step = &self.plan.steps[at];
            let mut spots = self.spots_to_fill(step, need);
            spots.retain(|spot| !keeps(spot) && step.bind_at(spot).is_none());
            let find = |builder: &mut Self, above: &mut Vec<OperationIndex>| {
                let (edge, maker) = builder.find_maker(index, nth, need, above)?;
                Some((edge.clone(), maker))
            };
            at = self.supply(at, nth, &spots, find).unwrap_or(at);
        }
    }

    /// Fills spots of a step that stands already with what a maker gives, which is called before
    /// it if it was not yet. Tells where the step stands then; none if nothing came of it.
    pub(crate) fn supply(
        &mut self,
        at: usize,
        need: usize,
        spots: &[Spot],
        find: impl FnOnce(&mut Self, &mut Vec<OperationIndex>) -> Option<(Edge, usize)>,
    ) -> Option<usize> {
        if spots.is_empty() || at >= self.plan.steps.len() {
            return None;
        }
        let before = (self.plan.clone(), self.uses.clone());
        let mut tail = self.plan.steps.split_off(at).into_iter();
        let mut step = tail.next()?;
        let mut above = vec![step.operation];
        let found = find(self, &mut above);
        let met = found.is_some_and(|(edge, maker)| {
            self.connect_all(&mut step, need, spots, (&edge, maker), &mut above)
        });
        if !met {
            (self.plan, self.uses) = before;
            return None;
        }
        let (place, known) = (self.plan.steps.len(), before.1.len());
        let moved = |old: usize| match old {
            usize::MAX => old,
            _ if old < at => old,
            _ => old + place - at,
        };
        for used in self.uses.iter_mut().take(known) {
            used.step = moved(used.step);
        }
        self.settle_uses(step.operation, place);
        self.plan.steps.push(step);
        self.plan.steps.extend(tail.map(|mut later| {
            later.binds.iter_mut().for_each(|b| b.step = moved(b.step));
            later
        }));
        Some(place)
    }
}

/// Whether a spot holds what the document shows as an example.
fn is_shown(step: &Step, spot: &Spot) -> bool {
    let source = step.gene_at(spot).and_then(Gene::source);
    source == Some(Source::Example)
}

/// Takes what a list shows further on, where a spot takes an item of it.
pub(crate) fn take_another_item(step: &mut Step, spot: &Spot, further: usize) {
    let bind = step.binds.iter_mut().find(|bind| bind.spot == *spot);
    let Some(Take::Pointer(pointer)) = bind.map(|bind| &mut bind.take) else {
        return;
    };
    let mut tokens: Vec<String> = pointer.split('/').map(str::to_owned).collect();
    let index = |token: &String| token.parse::<usize>().ok();
    let place = tokens.iter().position(|token| index(token).is_some());
    if let Some(place) = place {
        let item = index(&tokens[place]).unwrap_or(0) + further;
        tokens[place] = item.to_string();
        *pointer = tokens.join("/");
    }
}

/// Whether a spot lies in a list that must not hold anything twice.
fn is_in_set(api: &Api, step: &Step, spot: &Spot) -> bool {
    let Spot::Body(pointer) = spot else {
        return false;
    };
    let body = step
        .body
        .as_ref()
        .zip(api.operation(step.operation).body.as_ref());
    let shape = body.and_then(|(value, declared)| declared.contents.get(value.content)?.shape);
    shape.is_some_and(|shape| nearest_list_is_set(api, shape, pointer))
}

fn nearest_list_is_set(api: &Api, mut shape: ShapeId, pointer: &str) -> bool {
    let mut set = false;
    for token in pointer.split('/').skip(1) {
        let next = match &api.shape(shape).kind {
            Kind::Object(object) => object.property(&unescape_token(token)).map(|p| p.shape),
            Kind::Array(array) => {
                set = array.unique;
                array.prefix.first().copied().or(array.items)
            }
            _ => None,
        };
        match next {
            Some(next) => shape = next,
            None => return set,
        }
    }
    set
}
