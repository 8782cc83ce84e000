//! Hearing refusals: what an operation is told becomes what its next attempts are made of.

use std::collections::BTreeSet;

use fossick_contract::{Kind, OperationIndex};
use fossick_genes::{Manner, Slot};
use fossick_graph::Words;
use fossick_plan::{Plan, Spot, Step, best_content, spots_of};
use fossick_trace::Answer;
use serde_json::Value;

use crate::learn::refusal;
use crate::preludes::speaks_of_conflict;
use crate::search::Search;
use crate::told::{self, Told};

/// Fields that others are heard to miss in what one operation makes.
const MOST_LACKING: usize = 4;
/// Members of lists that one operation is heard to miss.
const MOST_MEMBERS: usize = 6;

impl Search<'_> {
    /// Reads a refusal for what the service would rather have.
    pub(crate) fn hear(&mut self, index: OperationIndex, answer: &Answer) {
        let known = &mut self.known[index.0 as usize];
        let listening = known.succeeded == 0 || known.tried < 20 || known.works_on_others();
        if !listening && known.refusal.is_some() {
            return;
        }
        let words = refusal(answer);
        if speaks_of_conflict(&words) {
            known.conflict = Some(words.clone());
        }
        known.refusal = Some(words.clone());
        if !listening || matches!(answer.status, 401 | 403 | 404 | 405 | 429) {
            return;
        }
        let Some(body) = answer.json() else { return };
        let mut told = match answer.said {
            Some(_) => told::read_graphql(body),
            None => told::read(body),
        };
        let known = &mut self.known[index.0 as usize];
        known.wants_more |= told::wants_anything(&words);
        known.denied += u32::from(told::denies(&words));
        let fields = self.fields(index);
        told.extend(told::wanted(&words, &fields.optional));
        for said in told::sentences(body, answer.said.is_some()) {
            told.extend(told::members(&said, &fields.lists));
            if let Some(code) = told::code_shown(&said) {
                let holders = fields.code.iter().cloned();
                told.extend(holders.map(|name| Told::Value(name, Value::from(code.clone()))));
            }
        }
        self.heed(index, &told);
        self.hear_of_makers(index, &words);
    }

    /// Where an operation never worked, the things that it was given may lack something: "a recipe
    /// without steps can't be published". Whoever makes them adds it from then on.
    fn hear_of_makers(&mut self, index: OperationIndex, refusal: &str) {
        let known = &self.known[index.0 as usize];
        if !(known.succeeded == 0 || known.works_on_others()) || !told::lacks(refusal) {
            return;
        }
        let graph = &self.graph;
        let edges = (0..graph.needs(index).len()).flat_map(|need| graph.edges(index, need));
        let makes = |edge: &&fossick_graph::Edge| edge.evidence.makes() && edge.maker != index;
        let makers: BTreeSet<OperationIndex> = edges.filter(makes).map(|edge| edge.maker).collect();
        for maker in makers {
            let optional = self.fields(maker).optional;
            let known = &mut self.known[maker.0 as usize];
            for name in told::named_in(refusal, &optional) {
                // What was made without it is not good enough.
                if known.lacking.len() < MOST_LACKING && known.lacking.insert(name) {
                    known.recipe = None;
                }
            }
        }
    }

    fn heed(&mut self, index: OperationIndex, told: &[Told]) {
        let known = &mut self.known[index.0 as usize];
        for one in told {
            match one {
                Told::Required(name) => {
                    known.insisted.insert(name.clone());
                }
                Told::Member(list, value) if known.members.len() < MOST_MEMBERS => {
                    known.members.insert((list.clone(), value.clone()));
                }
                _ => {}
            }
        }
        told::remember(&mut self.values, &self.labels[index.0 as usize], told);
    }

    /// Where a database complains that a reference leads nowhere, the graph learns where it should
    /// lead. Services let such complaints through as refusals and as faults alike.
    pub(crate) fn hear_references(&mut self, index: OperationIndex, answer: &Answer) {
        let told = answer.json().map(told::references).unwrap_or_default();
        for one in told {
            let Told::Foreign {
                fields,
                table,
                keys,
            } = one
            else {
                continue;
            };
            let table = Words::of(&table);
            for (at, field) in fields.iter().enumerate() {
                let key = keys.get(at).map(|key| Words::of(key)).unwrap_or_default();
                self.graph
                    .refer(self.api, index, &Words::of(field), &table, &key);
            }
        }
    }

    /// Hears that things of a list must not be the same, where those that were sent are.
    pub(crate) fn hear_apart(&mut self, step: &Step, answer: &Answer) {
        let known = &self.known[step.operation.0 as usize];
        if known.apart || !told::says_twice(&refusal(answer)) {
            return;
        }
        let needs = self.graph.needs(step.operation).iter();
        let mut lists = needs.map(|need| spots_of(step, &need.place));
        let equal = |pair: &[Spot]| {
            let meant = |spot: &Spot| {
                let bind = step
                    .bind_at(spot)
                    .map(|bind| (bind.step, bind.take.clone()));
                (bind, step.value_at(spot))
            };
            match (meant(&pair[0]), meant(&pair[1])) {
                ((Some(one), _), (Some(other), _)) => one == other,
                ((None, one), (None, other)) => one.is_some() && one == other,
                _ => false,
            }
        };
        if lists.any(|spots| spots.windows(2).any(equal)) {
            self.known[step.operation.0 as usize].apart = true;
        }
    }

    /// The fields of an operation's body that refusals may be about.
    fn fields(&mut self, index: OperationIndex) -> Fields {
        let body = self.api.operation(index).body.as_ref();
        let shape = body.and_then(|body| body.contents.get(best_content(body))?.shape);
        let Some(shape) = shape else {
            return Fields::default();
        };
        let api = self.api;
        let mut builder = self.builder(Plan::default(), Vec::new());
        let maker = builder.maker(Manner::Plausible);
        let (slots, parts) = (maker.slots(shape), maker.parts(shape));
        let is_list = |slot: &&Slot| matches!(api.shape(slot.shape).kind, Kind::Array(_));
        let is_code = |slot: &&Slot| told::is_code(&slot.name);
        let name = |slot: &Slot| slot.name.clone();
        Fields {
            lists: parts.iter().filter(is_list).map(name).collect(),
            code: slots.iter().filter(is_code).map(name).collect(),
            optional: slots
                .iter()
                .chain(&parts)
                .filter(|slot| !slot.required)
                .map(name)
                .collect(),
        }
    }
}

/// Names of fields, by what a refusal may say of them.
#[derive(Debug, Default)]
struct Fields {
    /// Those that need not be there by the document.
    optional: Vec<String>,
    lists: Vec<String>,
    /// Those that hold code.
    code: Vec<String>,
}
