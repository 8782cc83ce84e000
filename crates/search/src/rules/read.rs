//! Reading rules: from the document when an operation is first thought about, from refusals when
//! they come.

use fossick_contract::{
    Api, Kind, Operation, OperationIndex, Relation, Voice, paired, relations_in, rules_in,
};
use fossick_genes::{Maker, Slot};
use fossick_plan::{Spot, best_content};
use fossick_trace::{Answer, remarks};
use serde_json::Value;

use super::{Field, MOST_REFUSALS, Rulebook, is_of_values};
use crate::knowledge::Knowledge;
use crate::search::Search;

/// Longer complaints are dumps of something.
const LONGEST: usize = 600;

impl Knowledge {
    /// The rules of the operation, read from the document the first time.
    pub(crate) fn rulebook(&self, maker: &Maker<'_>, index: OperationIndex) -> &Rulebook {
        self.rules.get_or_init(|| Rulebook::of(maker, index))
    }
}

impl Rulebook {
    /// What a document's prose and names tell of an operation.
    pub(crate) fn of(maker: &Maker<'_>, index: OperationIndex) -> Self {
        let operation = maker.api.operation(index);
        let told = places(maker, operation);
        let mut book = Self::default();
        let mut descriptions = Vec::new();
        for (field, description) in told {
            book.fields.push(field);
            descriptions.push(description);
        }
        for relation in paired(&book.names()) {
            if book.are_alike(maker.api, &relation) {
                book.relate(relation, false);
            }
        }
        for (at, description) in descriptions.iter().enumerate() {
            book.read(maker.api, at, description);
        }
        let prose = [&operation.summary, &operation.description];
        for text in prose.into_iter().filter(|text| !text.is_empty()) {
            book.read_relations(maker.api, text, Voice::Description, None);
        }
        book
    }

    fn read(&mut self, api: &Api, at: usize, description: &str) {
        if description.is_empty() {
            return;
        }
        for rule in rules_in(description, Voice::Description, &self.fields[at].name) {
            self.add(api, at, rule, false);
        }
        self.read_relations(api, description, Voice::Description, Some(at));
    }

    /// Reads what a text says of several fields. Tells whether it said something.
    fn read_relations(
        &mut self,
        api: &Api,
        text: &str,
        voice: Voice,
        subject: Option<usize>,
    ) -> bool {
        let found = relations_in(text, voice, &self.names(), subject);
        let some = !found.is_empty();
        for relation in found {
            let relation = self.of_list(api, relation);
            if !is_of_values(&relation) || self.are_comparable(api, &relation) {
                self.relate(relation, voice == Voice::Refusal);
            }
        }
        some
    }

    /// A list and its items have one name: what is said of being among them is said of the list.
    fn of_list(&self, api: &Api, relation: Relation) -> Relation {
        let list = |at: usize| {
            let is_list = |field: &Field| {
                let kind = &api.shape(field.shape).kind;
                field.name == self.fields[at].name && matches!(kind, Kind::Array(_))
            };
            self.fields.iter().position(is_list).unwrap_or(at)
        };
        match relation {
            Relation::Among(item, of) => Relation::Among(item, list(of)),
            Relation::NotAmong(item, of) => Relation::NotAmong(item, list(of)),
            other => other,
        }
    }

    /// What one sentence of a refusal tells.
    fn read_refusal(&mut self, api: &Api, said_of: Option<&str>, text: &str) {
        let subject = self.subject(said_of, text);
        let several = self.read_relations(api, text, Voice::Refusal, subject);
        // A sentence about two fields says nothing of the value of one.
        let Some(at) = subject.filter(|_| !several) else {
            return;
        };
        let name = self.fields[at].name.clone();
        for rule in rules_in(text, Voice::Refusal, &name) {
            self.hear(api, &name, &rule);
        }
    }

    /// Whether two fields hold values of one kind.
    fn are_comparable(&self, api: &Api, relation: &Relation) -> bool {
        let [one, other] = relation.fields()[..] else {
            return false;
        };
        let kind = |at: usize| &api.shape(self.fields[at].shape).kind;
        let is_number = |kind: &Kind| matches!(kind, Kind::Integer(_) | Kind::Number(_));
        if let Relation::Among(..) | Relation::NotAmong(..) = relation {
            let items = match kind(other) {
                Kind::Array(list) => list.items.map(|items| &api.shape(items).kind),
                _ => None,
            };
            let same =
                |items: &Kind| std::mem::discriminant(items) == std::mem::discriminant(kind(one));
            return items.is_some_and(same);
        }
        match (kind(one), kind(other)) {
            (Kind::String(a), Kind::String(b)) => a.format == b.format,
            (a, b) => is_number(a) && is_number(b),
        }
    }

    /// Whether the fields of a pair lie side by side as well, as both ends of a range do.
    fn are_alike(&self, api: &Api, relation: &Relation) -> bool {
        let parent = |at: usize| match &self.fields[at].spot {
            Spot::Parameter(_) => None,
            Spot::Body(pointer) => pointer.rsplit_once('/').map(|(parent, _)| parent),
        };
        let fields = relation.fields();
        let mut parents = fields.iter().map(|at| parent(*at));
        let first = parents.next();
        self.are_comparable(api, relation) && parents.all(|parent| Some(parent) == first)
    }
}

/// The places of an operation with what is said of them: parameters, then fields of the body.
fn places(maker: &Maker<'_>, operation: &Operation) -> Vec<(Field, String)> {
    let mut found = Vec::new();
    for (at, parameter) in operation.parameters.iter().enumerate() {
        let shared = maker.api.shape(parameter.shape).description.as_deref();
        let own = Some(parameter.description.as_str()).filter(|text| !text.is_empty());
        let field = Field {
            name: parameter.name.clone(),
            spot: Spot::Parameter(at),
            shape: parameter.shape,
            required: parameter.required,
        };
        found.push((field, own.or(shared).unwrap_or("").to_owned()));
    }
    let body = operation.body.as_ref();
    let shape = body.and_then(|body| body.contents.get(best_content(body))?.shape);
    let Some(shape) = shape else {
        return found;
    };
    let is_named = |slot: &Slot| !slot.name.is_empty();
    let is_list = |slot: &Slot| matches!(maker.api.shape(slot.shape).kind, Kind::Array(_));
    let slots = maker.slots(shape).into_iter().filter(is_named);
    let lists = maker.parts(shape).into_iter().filter(is_list);
    found.extend(slots.chain(lists).map(|slot| {
        let field = Field {
            name: slot.name,
            spot: Spot::Body(slot.pointer),
            shape: slot.shape,
            required: slot.required,
        };
        let said = slot.description.as_deref().unwrap_or("").to_owned();
        (field, said)
    }));
    found
}

impl Search<'_> {
    /// Reads a refusal for rules.
    pub(crate) fn hear_rules(&mut self, index: OperationIndex, answer: &Answer) {
        let telling = answer.said.is_some() || matches!(answer.status, 400 | 409 | 422);
        let Some(body) = answer.json().filter(|_| telling) else {
            return;
        };
        self.read_rules(index);
        let api = self.api;
        let Some(book) = self.known[index.0 as usize].rules.get_mut() else {
            return;
        };
        book.refusals += 1;
        if book.refusals > MOST_REFUSALS {
            return;
        }
        for said in said(body, answer.said.is_some()) {
            for remark in remarks(said) {
                if remark.text.len() <= LONGEST && remark.text.contains(' ') {
                    book.read_refusal(api, remark.field.as_deref(), remark.text);
                }
            }
        }
        self.move_along(index);
    }

    /// Sees to it that the document was read for rules of an operation.
    pub(crate) fn read_rules(&mut self, index: OperationIndex) {
        if self.known[index.0 as usize].rules.get().is_none() {
            let mut builder = self.builder(fossick_plan::Plan::default(), Vec::new());
            let known = builder.known;
            let maker = builder.maker(fossick_genes::Manner::Plausible);
            known[index.0 as usize].rulebook(&maker, index);
        }
    }

    /// The rules of an operation in words, as the document tells them.
    pub fn document_rules(&mut self, index: OperationIndex) -> Vec<String> {
        self.read_rules(index);
        self.rules(index)
    }

    /// The rules of an operation in words, as they are believed now.
    pub fn rules(&self, index: OperationIndex) -> Vec<String> {
        let book = self.known[index.0 as usize].rules.get();
        book.map(Rulebook::shown).unwrap_or_default()
    }
}

/// The parts of an answer in which a service says something.
fn said(body: &Value, graphql: bool) -> Vec<&Value> {
    if !graphql {
        return vec![body];
    }
    let errors = body.get("errors").and_then(Value::as_array);
    let messages = errors.into_iter().flatten().take(20);
    messages
        .flat_map(|error| [error.get("message"), error.get("extensions")])
        .chain([body.get("data")])
        .flatten()
        .collect()
}
