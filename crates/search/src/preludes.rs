//! What must be done to a thing before an operation works on it: a draft is opened only when it has
//! a document, and closed only when it is open.
//!
//! No document says so in a way that machines read. So where an operation keeps being refused
//! although the thing is there, others that work on the same thing are called before it: first those
//! that the refusal speaks of, be it by their names or by a value that they can be sent ("is not
//! open", where the status may become `open`). What helped once is done from then on, and what had
//! to be done before that in turn.

use std::collections::BTreeSet;

use fossick_contract::{Api, Deed, Kind, Location, Operation, OperationIndex};
use fossick_genes::{Gene, Manner, Source};
use fossick_graph::{Graph, stem_words};
use fossick_plan::{Plan, Spot, Step, best_content, spot_of};
use fossick_trace::Role;
use rand::RngExt as _;
use serde_json::Value;

use crate::builder::{Builder, MOST_STEPS};
use crate::handlings::copy_keys;
use crate::knowledge::Knowledge;

/// So many others are tried before an operation, each a few times.
const MOST_TRIED: usize = 8;
/// Plans about an operation between two that try it on things of its own.
const FOREIGN_TURNS: u32 = 4;
/// What comes first may need something first as well.
const DEPTH: usize = 3;

/// What comes first, by what a refusal said or by what helped.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct First {
    operation: OperationIndex,
    /// The value that it is called for.
    put: Option<(Spot, Value)>,
}

/// What may have to come first, by what a refusal said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guesses {
    refusal: String,
    first: Vec<First>,
}

impl Builder<'_, '_> {
    /// Does first what an operation is known to need, or what it may need where it keeps failing.
    pub(crate) fn prepare_state(
        &mut self,
        index: OperationIndex,
        step: &Step,
        above: &mut Vec<OperationIndex>,
    ) {
        let known = &self.known[index.0 as usize];
        let first: Vec<First> = if known.first.is_empty() {
            self.guess_first(index).into_iter().collect()
        } else {
            known.first.clone()
        };
        for first in first {
            self.precede(index, step, first, above);
        }
    }

    /// The next of those that may have to come first; none now and then.
    fn guess_first(&mut self, index: OperationIndex) -> Option<First> {
        let all = self.known;
        let known = &all[index.0 as usize];
        let words = known.conflict.as_ref().or(known.refusal.as_ref());
        let refusal = words.map_or("", String::as_str);
        // What works on others' things is tried on its own ones now and then.
        let own = known.works_on_others();
        let turn = if own {
            known.tried / FOREIGN_TURNS
        } else {
            known.tried.checked_sub(2)?
        };
        if (known.succeeded > 0 && !own) || !speaks_of_state(refusal) {
            return None;
        }
        let likely = known.likely_first(refusal, || self.likely(index, refusal));
        let open = |first: &First| {
            let known = &all[first.operation.0 as usize];
            !known.waits_for_the_end() && !known.resting
        };
        let likely: Vec<First> = likely.into_iter().filter(open).collect();
        // In turn at first; later by chance, or the same ones would always meet the same set-ups.
        // The likeliest come first.
        let choices = likely.len() + 1;
        let choice = match turn as usize {
            turn if turn < choices => turn,
            _ => (self.rng.random::<f64>().powi(2) * choices as f64) as usize,
        };
        likely.get(choice).cloned()
    }

    /// Operations that work on the same thing, those that a refusal speaks of first. Others come
    /// only where the refusal is a conflict.
    fn likely(&mut self, index: OperationIndex, refusal: &str) -> Vec<First> {
        let (api, graph) = (self.api, self.graph);
        let own = words(api, api.operation(index));
        let told = stem_words(refusal);
        let conflict = speaks_of_conflict(refusal);
        let mut ranked: Vec<(usize, First)> = Vec::new();
        for (other, operation) in api.indexed() {
            let fits = other != index
                && may_come_first(operation)
                && !shared_keys(api, graph, index, other).is_empty();
            if !fits {
                continue;
            }
            let spoken = words(api, operation).into_iter();
            let score = spoken
                .filter(|word| !own.contains(word) && told.contains(word))
                .count();
            for (worth, put) in self.values_told(other, &told) {
                let first = First {
                    operation: other,
                    put: Some(put),
                };
                ranked.push((score + worth, first));
            }
            if score > 0 || conflict {
                ranked.push((
                    score,
                    First {
                        operation: other,
                        put: None,
                    },
                ));
            }
        }
        ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        ranked.truncate(MOST_TRIED);
        ranked.into_iter().map(|(_, first)| first).collect()
    }

    /// Values of closed sets that an operation takes and a refusal speaks of, each with what that is
    /// worth: "not open" and "must be open" ask for `open`, "but draft" tells only what it is.
    fn values_told(
        &mut self,
        index: OperationIndex,
        told: &[String],
    ) -> Vec<(usize, (Spot, Value))> {
        const ASKED: [&str; 6] = ["not", "be", "onli", "been", "until", "becom"];
        let body = self.api.operation(index).body.as_ref();
        let shape = body.and_then(|body| body.contents.get(best_content(body))?.shape);
        let Some(shape) = shape else {
            return Vec::new();
        };
        let maker = self.maker(Manner::Plausible);
        let mut found = Vec::new();
        for slot in maker.slots(shape) {
            let Kind::Enum(members) = &maker.api.shape(slot.shape).kind else {
                continue;
            };
            for member in members {
                let stems = member.as_str().map(stem_words).unwrap_or_default();
                let places = told.windows(stems.len().max(1)).enumerate();
                let mut places = places.filter(|(_, said)| !stems.is_empty() && *said == stems);
                let Some((at, _)) = places.next() else {
                    continue;
                };
                let asked = at
                    .checked_sub(1)
                    .is_some_and(|b| ASKED.contains(&told[b].as_str()));
                let put = (Spot::Body(slot.pointer.clone()), member.clone());
                found.push((2 + usize::from(asked), put));
            }
        }
        found
    }

    /// Puts a call on the same thing before a step.
    fn precede(
        &mut self,
        index: OperationIndex,
        step: &Step,
        First {
            operation: other,
            put,
        }: First,
        above: &mut Vec<OperationIndex>,
    ) {
        let deep = above.len() >= DEPTH || above.contains(&other) || other == index;
        if deep || self.plan.steps.len() + 1 >= MOST_STEPS {
            return;
        }
        let shared = shared_keys(self.api, self.graph, index, other);
        let mut first = self.sample(other, Manner::Plausible);
        first.role = Role::Setup;
        above.push(index);
        copy_keys(step, &mut first, shared.iter().cloned());
        self.meet_needs(other, &mut first, above);
        copy_keys(step, &mut first, shared.into_iter());
        if let (Some((Spot::Body(pointer), value)), Some(body)) = (put, &mut first.body) {
            body.gene.set(&pointer, value, Source::Fixed);
            self.obey(&mut first);
        }
        self.prepare_state(other, &first, above);
        above.pop();
        self.plan.steps.push(first);
    }
}

impl Knowledge {
    /// Those that may have to come first, worked out once for each refusal.
    fn likely_first(&self, refusal: &str, work_out: impl FnOnce() -> Vec<First>) -> Vec<First> {
        let mut guesses = self.guesses.borrow_mut();
        if guesses.refusal != refusal {
            refusal.clone_into(&mut guesses.refusal);
            guesses.first = work_out();
        }
        guesses.first.clone()
    }

    /// Remembers what was done first in a plan that worked at last.
    pub(crate) fn note_first(
        &mut self,
        api: &Api,
        graph: &Graph,
        index: OperationIndex,
        plan: &Plan,
    ) {
        let main = plan.main();
        let makes = |at: usize| plan.steps[main].binds.iter().any(|bind| bind.step == at);
        let mut first = Vec::new();
        for (at, step) in plan.steps.iter().enumerate().take(main) {
            let shares = || !shared_keys(api, graph, index, step.operation).is_empty();
            let changes = may_come_first(api.operation(step.operation));
            if step.role == Role::Setup && changes && !makes(at) && shares() {
                first.push(First {
                    operation: step.operation,
                    put: chosen(step),
                });
            }
        }
        // What those before the last needed they know themselves.
        self.first = first.pop().into_iter().collect();
    }
}

/// Whether a refusal may be about what state a thing is in.
fn speaks_of_state(refusal: &str) -> bool {
    const STATES: [&str; 6] = ["400", "409", "412", "422", "423", "428"];
    // Codes of GraphQL for what has nothing to do with the thing.
    const OTHERS: [&str; 5] = ["NOT_FOUND", "UNAUTH", "FORBIDDEN", "GRAPHQL_", "INTERNAL"];
    let status = refusal.split(':').next().unwrap_or_default();
    match status.parse::<u16>() {
        Ok(_) => STATES.contains(&status),
        Err(_) => !OTHERS.iter().any(|code| status.starts_with(code)),
    }
}

/// Whether a refusal surely is about a state: it says so, by its status or in words.
pub(crate) fn speaks_of_conflict(refusal: &str) -> bool {
    const SAID: [&str; 8] = [
        "conflict", "must be", "has no", "have no", "is not", "already", "can't", "cannot",
    ];
    let (status, said) = refusal.split_once(':').unwrap_or((refusal, ""));
    let said = said.to_lowercase();
    match status.parse::<u16>() {
        Ok(status) => matches!(status, 409 | 412),
        Err(_) => status.contains("CONFLICT") || SAID.iter().any(|words| said.contains(words)),
    }
}

fn may_come_first(operation: &Operation) -> bool {
    !matches!(operation.deed(), Deed::Read | Deed::Delete)
}

/// The value of a closed set that a step was made to send.
fn chosen(step: &Step) -> Option<(Spot, Value)> {
    let leaves = step.body.iter().flat_map(|body| body.gene.leaves());
    let mut spots = leaves.map(|leaf| Spot::Body(leaf.pointer));
    let fixed = |spot: &Spot| {
        let gene = step.gene_at(spot);
        gene.and_then(Gene::source) == Some(Source::Fixed) && step.bind_at(spot).is_none()
    };
    let spot = spots.find(fixed)?;
    let value = step.value_at(&spot)?;
    Some((spot, value))
}

/// What an operation is called: the words of its path, or of its field.
fn words(api: &Api, operation: &Operation) -> BTreeSet<String> {
    if let Some(root) = &operation.graphql {
        let field = api.root_field(root);
        // A journey is an entry too: a claim without entries wants one.
        let types = root.thing.into_iter().flat_map(|thing| {
            let interfaces = api.types.interfaces(thing);
            std::iter::once(thing).chain(interfaces.iter().copied())
        });
        let names = types.map(|on| &*api.types.get(on).name);
        let names = std::iter::once(&*field.name).chain(names);
        return names.flat_map(stem_words).collect();
    }
    let fixed = |segment: &&str| !segment.contains('{');
    let names = operation.path.segments().filter(fixed);
    names.flat_map(stem_words).collect()
}

/// Where two operations name the same thing: holes of their paths by name, or arguments of GraphQL
/// that take things of one type.
fn shared_keys(
    api: &Api,
    graph: &Graph,
    index: OperationIndex,
    other: OperationIndex,
) -> Vec<(Spot, Spot)> {
    let (own, their) = (api.operation(index), api.operation(other));
    if own.graphql.is_none() {
        return shared_holes(own, their);
    }
    let mut shared = Vec::new();
    for need in graph.needs(index).iter().filter(|need| need.of.is_some()) {
        let same = graph.needs(other).iter().find(|n| n.of == need.of);
        shared.extend(same.map(|same| (spot_of(&need.place), spot_of(&same.place))));
    }
    shared
}

/// Holes of one name; the first of them must stand behind the same words.
fn shared_holes(own: &Operation, their: &Operation) -> Vec<(Spot, Spot)> {
    let until_hole = |operation: &Operation| {
        let text = &operation.path.text;
        text.split_once('{').map(|(before, _)| before.to_owned())
    };
    if until_hole(own).is_none() || until_hole(own) != until_hole(their) {
        return Vec::new();
    }
    let hole = |operation: &Operation, name: &str| {
        let mut parameters = operation.parameters.iter();
        parameters.position(|p| p.location == Location::Path && p.name == name)
    };
    let pair = |name: &str| Some((hole(own, name)?, hole(their, name)?));
    own.path
        .holes()
        .filter_map(pair)
        .map(|(own, their)| (Spot::Parameter(own), Spot::Parameter(their)))
        .collect()
}
