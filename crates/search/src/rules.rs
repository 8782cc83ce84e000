//! What is asked of the values of an operation beyond its schema: rules of one field and rules
//! between fields, from the document's prose, from names, and from refusals.
//!
//! Hints, all of them. A call that succeeds although it breaks one proves it wrong, and it goes.

mod obey;
mod read;

use fossick_contract::{Api, Kind, Relation, Rule, ShapeId, mentioned, narrow, plain};
use fossick_genes::{Gene, Source, keeps, order};
use fossick_plan::{Spot, Step, best_content};
use serde_json::Value;

/// More than that no service tells, and no user reads.
const MOST: usize = 40;
/// Rules of one field, the newest of which count.
const MOST_OF_ONE: usize = 6;
/// Refusals of one operation that are read: what was not said by then is not said.
const MOST_REFUSALS: u32 = 80;

/// The rules of one operation.
#[derive(Debug, Default)]
pub(crate) struct Rulebook {
    fields: Vec<Field>,
    rules: Vec<Told<(usize, Rule)>>,
    relations: Vec<Told<Relation>>,
    refusals: u32,
}

/// Something that was told, and whether by the service itself.
#[derive(Debug, Clone, PartialEq)]
struct Told<T> {
    what: T,
    heard: bool,
}

/// A place that values are sent at.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) spot: Spot,
    pub(crate) shape: ShapeId,
    pub(crate) required: bool,
}

impl Rulebook {
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.relations.is_empty()
    }

    /// Every place that values are sent at.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter()
    }

    /// What is asked of the value at a spot.
    pub(crate) fn at(&self, spot: &Spot) -> Vec<Rule> {
        let told = self.rules.iter().map(|told| &told.what);
        let here = told.filter(|(at, _)| self.fields[*at].spot == *spot);
        here.map(|(_, rule)| rule.clone()).collect()
    }

    /// The other days whose order with the one at a spot matters.
    pub(crate) fn days_beside(&self, api: &Api, spot: &Spot) -> Vec<Spot> {
        let is_day = |at: &usize| match &api.shape(self.fields[*at].shape).kind {
            Kind::String(text) => matches!(text.format.as_deref(), Some("date" | "date-time")),
            _ => false,
        };
        let ordered = self.relations.iter().map(|told| &told.what);
        let ordered = ordered.filter(|relation| is_of_values(relation));
        let fields = ordered.map(Relation::fields);
        let own = fields.filter(|fields| fields.iter().any(|at| self.fields[*at].spot == *spot));
        let beside = own.flatten().filter(is_day);
        beside.map(|at| self.fields[at].spot.clone()).collect()
    }

    /// A refusal told a rule of a field, or of several of the same name.
    fn hear(&mut self, api: &Api, name: &str, rule: &Rule) {
        const NAMESAKES: usize = 3;
        let wanted = plain(last_part(name));
        let called = |(_, field): &(usize, &Field)| plain(&field.name) == wanted;
        let all = self.fields.iter().enumerate().filter(called);
        let places: Vec<usize> = all.take(NAMESAKES).map(|(at, _)| at).collect();
        for at in places {
            self.add(api, at, rule.clone(), true);
        }
    }

    /// Keeps a rule, where it says something of such values that their schema does not.
    fn add(&mut self, api: &Api, field: usize, rule: Rule, heard: bool) {
        let kind = &api.shape(self.fields[field].shape).kind;
        let timely = matches!((&rule, kind), (Rule::Moment(_), Kind::String(_)));
        if !timely && narrow(kind, &rule).is_none_or(|left| left == *kind) {
            return;
        }
        let what = (field, rule);
        self.rules.retain(|told| told.what != what);
        let own = |told: &Told<(usize, Rule)>| told.what.0 == field;
        if self.rules.iter().filter(|told| own(told)).count() >= MOST_OF_ONE
            && let Some(oldest) = self.rules.iter().position(own)
        {
            self.rules.remove(oldest);
        }
        if self.rules.len() < MOST {
            self.rules.push(Told { what, heard });
        }
    }

    fn relate(&mut self, what: Relation, heard: bool) {
        // Whether both ends may be the same the stricter one says.
        let (weaker, stricter) = match what {
            Relation::Before(a, b) => (Some(Relation::NotAfter(a, b)), None),
            Relation::NotAfter(a, b) => (None, Some(Relation::Before(a, b))),
            _ => (None, None),
        };
        let is =
            |told: &Told<Relation>, other: &Option<Relation>| Some(&told.what) == other.as_ref();
        let same = Some(what.clone());
        self.relations
            .retain(|told| !(is(told, &weaker) || heard && is(told, &same)));
        let known = |told: &Told<Relation>| is(told, &same) || is(told, &stricter);
        if self.relations.len() < MOST && !self.relations.iter().any(known) {
            self.relations.push(Told { what, heard });
        }
    }

    /// A call succeeded: whatever rule it broke is none.
    pub(crate) fn doubt(&mut self, api: &Api, step: &Step) {
        if self.is_empty() || !speaks_of(step, api) {
            return;
        }
        let fields = &self.fields;
        let value = |at: usize| sent(step, &fields[at].spot);
        self.rules.retain(|told| {
            let (at, rule) = &told.what;
            value(*at).and_then(|value| keeps(rule, &value)) != Some(false)
        });
        let given = |at: usize| is_given(step, &fields[at].spot);
        self.relations
            .retain(|told| holds(&told.what, value, given) != Some(false));
    }

    /// Everything in words, for people.
    pub(crate) fn shown(&self) -> Vec<String> {
        let names = self.names();
        let rules = self.rules.iter().map(|told| &told.what);
        let rules = rules.map(|(at, rule)| format!("{}: {rule}", names[*at]));
        let relations = self.relations.iter().map(|told| told.what.shown(&names));
        rules.chain(relations).collect()
    }

    fn names(&self) -> Vec<&str> {
        self.fields
            .iter()
            .map(|field| field.name.as_str())
            .collect()
    }

    /// The field that a sentence is about: the one it is said of, or the first that it names.
    fn subject(&self, said_of: Option<&str>, text: &str) -> Option<usize> {
        let names = self.names();
        let of = said_of.map(|name| plain(last_part(name)));
        let known = of.and_then(|of| names.iter().position(|name| plain(name) == of));
        known.or_else(|| mentioned(text, &names).first().copied())
    }
}

/// `address.city` is about `city`.
fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether a step has the body that the fields are places of, or none.
fn speaks_of(step: &Step, api: &Api) -> bool {
    let operation = api.operation(step.operation);
    let content = operation.body.as_ref().map(best_content);
    let own = step.body.as_ref().map(|body| body.content);
    own.is_none() || own == content
}

/// The gene that stands at a spot and was made there, or a value inside one taken whole.
fn sent(step: &Step, spot: &Spot) -> Option<Value> {
    if step.bind_at(spot).is_some() {
        return None;
    }
    let whole = step.body.as_ref().map(|body| &body.gene);
    match (step.gene_at(spot), whole) {
        (Some(gene), _) => Some(gene.value()),
        (None, Some(Gene::Literal(..))) => step.value_at(spot),
        _ => None,
    }
}

fn is_given(step: &Step, spot: &Spot) -> bool {
    step.bind_at(spot).is_some() || sent(step, spot).is_some_and(|value| !value.is_null())
}

/// Where the value at a spot came from.
fn source(step: &Step, spot: &Spot) -> Option<Source> {
    let whole = step.body.as_ref().map(|body| &body.gene);
    let gene = step.gene_at(spot).or(whole)?;
    gene.source()
}

/// Whether values keep a relation; none where that can't be told.
fn holds(
    relation: &Relation,
    value: impl Fn(usize) -> Option<Value>,
    given: impl Fn(usize) -> bool,
) -> Option<bool> {
    let both = |a: &usize, b: &usize| Some((value(*a)?, value(*b)?));
    match relation {
        Relation::Before(a, b) => both(a, b).and_then(|(a, b)| Some(order(&a, &b)?.is_lt())),
        Relation::NotAfter(a, b) => both(a, b).and_then(|(a, b)| Some(order(&a, &b)?.is_le())),
        Relation::Equal(a, b) => both(a, b).map(|(a, b)| a == b),
        Relation::Different(a, b) => both(a, b).map(|(a, b)| a != b),
        Relation::Among(a, b) => both(a, b).map(|(a, b)| is_among(&a, &b)),
        Relation::NotAmong(a, b) => both(a, b).map(|(a, b)| !is_among(&a, &b)),
        Relation::Requires(a, b) => Some(!given(*a) || given(*b)),
        Relation::GivenWhen {
            field,
            of,
            value: wanted,
            only,
        } => {
            let is_so = value(*of).is_some_and(|value| is_called(&value, wanted));
            Some(if is_so {
                given(*field)
            } else {
                !only || !given(*field)
            })
        }
        Relation::AnyOf(all) => Some(all.iter().any(|at| given(*at))),
        Relation::AtMostOne(all) => Some(all.iter().filter(|at| given(**at)).count() <= 1),
    }
}

fn is_among(item: &Value, list: &Value) -> bool {
    list.as_array().is_some_and(|items| items.contains(item))
}

/// Whether a relation is about what fields hold, and not about whether they are there.
fn is_of_values(relation: &Relation) -> bool {
    !matches!(
        relation,
        Relation::Requires(..)
            | Relation::GivenWhen { .. }
            | Relation::AnyOf(_)
            | Relation::AtMostOne(_)
    )
}

/// Whether prose means a value: `cancelled`, `true`.
fn is_called(value: &Value, said: &str) -> bool {
    match value {
        Value::String(text) => text.eq_ignore_ascii_case(said),
        Value::Bool(flag) => flag.to_string().eq_ignore_ascii_case(said),
        _ => false,
    }
}
