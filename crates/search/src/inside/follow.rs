//! From what was compared to the plans that turn it round.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use fossick_contract::{Location, Operation, Parameter};
use fossick_genes::{Gene, Manner, Source};
use fossick_plan::{Extra, Plan, Spot, Step};
use fossick_taint::{Advice, Inputs, advise};
use fossick_trace::{Episode, Insight, Intent, Observation, Observed, ReadFrom, Role, Scalar};
use serde_json::Value;

use super::Inside;
use super::climb::Climb;
use super::inputs::{Slot, values_of};
use crate::edges::body_shape;
use crate::proposal::{Proposal, Way};
use crate::search::Search;
use crate::ways::shown;

/// A plan with one change that is worth trying.
#[derive(Debug, Clone)]
pub(crate) struct Hint {
    pub(super) plan: Arc<Plan>,
    /// The step in which something was compared.
    pub(super) step: usize,
    pub(super) target: Option<u32>,
    /// It is for the target, which was not covered when it was compared: once it is, there is no
    /// more to be had. What is compared again after that is wanted beside something else.
    pub(super) was_open: bool,
    change: Change,
}

#[derive(Debug, Clone)]
enum Change {
    Set(Vec<(usize, Slot, Value)>),
    Add {
        from: ReadFrom,
        name: String,
        beside: Vec<String>,
        value: Value,
    },
    /// Another plan first, as it was or with a changed value.
    After {
        plan: Arc<Plan>,
        change: Option<(usize, Slot, Value)>,
    },
}

/// Of one call.
const MOST_OBSERVATIONS: usize = 96;
const MOST_HINTS: usize = 160;
/// An operation is called so often with values that are easy to find again.
const MARKINGS: u8 = 3;

/// Headers that everybody's framework reads.
const COMMON_HEADERS: [&str; 30] = [
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "authorization",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "forwarded",
    "host",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "origin",
    "range",
    "referer",
    "te",
    "traceparent",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
    "x-fossick-call",
    "x-requested-with",
];

impl Hint {
    /// The same for the same change at the same comparison.
    pub(super) fn kind(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.plan.steps[self.step].operation, self.target).hash(&mut hasher);
        match &self.change {
            Change::Set(all) => all.hash(&mut hasher),
            Change::Add {
                from, name, value, ..
            } => (from, name, value).hash(&mut hasher),
            Change::After { change, .. } => change.hash(&mut hasher),
        }
        hasher.finish()
    }
}

impl Inside {
    /// Whether a comparison has shown everything once it has come out both ways. What is parsed, cut
    /// or looked up goes on: which way it does so matters as well.
    fn is_wanted_once(&self, observation: &Observation) -> bool {
        let decides = matches!(
            observation.what,
            Observed::Equal(..) | Observed::Order(..) | Observed::Prefix(..) | Observed::Suffix(..)
        );
        decides && observation.target.is_some() && self.is_open(observation.target)
    }
}

impl Search<'_> {
    pub(super) fn hints(&mut self, plan: &Arc<Plan>, at: usize, insight: &Insight) -> Vec<Hint> {
        let mut slots = Vec::new();
        let mut sent = Vec::new();
        // What the step itself sends first; then what the steps before it sent.
        for step in (0..=at).rev() {
            for (slot, value) in values_of(&plan.steps[step]) {
                slots.push((step, slot));
                sent.push(value);
            }
        }
        let inputs = Inputs::of(sent);
        let mut hints = Vec::new();
        for observation in insight.observations.iter().take(MOST_OBSERVATIONS) {
            let advice = advise(&inputs, &observation.what, &mut self.rng);
            let turns = advice
                .iter()
                .any(|advice| !matches!(advice, Advice::Add { .. }));
            for advice in advice {
                let change = change(advice, &slots);
                hints.push(Hint {
                    plan: Arc::clone(plan),
                    step: at,
                    target: observation.target,
                    was_open: self.inside.is_wanted_once(observation),
                    change,
                });
            }
            if !turns {
                hints.extend(self.where_it_came_from(plan, at, observation));
                self.may_climb(plan, at, observation, &insight.observations);
            }
        }
        hints.truncate(MOST_HINTS);
        hints
    }

    fn may_climb(
        &mut self,
        plan: &Arc<Plan>,
        at: usize,
        observation: &Observation,
        beside: &[Observation],
    ) {
        if let Some(climb) = Climb::of(plan, at, observation, beside) {
            let climbs = &mut self.inside.climbs;
            let known = climbs.iter().any(|known| known.is_like(&climb));
            if !known && self.inside.is_open(observation.target) {
                self.inside.climbs.push_back(climb);
            }
        }
    }

    /// What was compared came from another plan: that one again, with the other value, and then
    /// this one.
    fn where_it_came_from(
        &self,
        plan: &Arc<Plan>,
        at: usize,
        observation: &Observation,
    ) -> Vec<Hint> {
        let pairs = match &observation.what {
            Observed::Equal(left, right) => vec![(left, vec![right]), (right, vec![left])],
            Observed::Member(value, candidates) => vec![(value, candidates.iter().collect())],
            Observed::Order(..) => Vec::new(),
            _ => return Vec::new(),
        };
        let mut hints = self.once_more(plan, at, observation);
        for (ours, theirs) in pairs {
            let Some((before, step, slot)) = self.inside.recent.find(&json(ours)) else {
                continue;
            };
            for value in theirs {
                hints.push(Hint {
                    plan: Arc::clone(plan),
                    step: at,
                    target: observation.target,
                    was_open: self.inside.is_wanted_once(observation),
                    change: Change::After {
                        plan: Arc::clone(before),
                        change: Some((*step, slot.clone(), json(value))),
                    },
                });
            }
        }
        hints
    }

    /// What was counted may grow when what another plan did to the same thing is done once more.
    fn once_more(&self, plan: &Arc<Plan>, at: usize, observation: &Observation) -> Vec<Hint> {
        let values = values_of(&plan.steps[at]).into_iter();
        let others = values.filter_map(|(_, value)| self.inside.recent.find(&value));
        let again = others.map(|(before, ..)| Hint {
            plan: Arc::clone(plan),
            step: at,
            target: observation.target,
            was_open: self.inside.is_wanted_once(observation),
            change: Change::After {
                plan: Arc::clone(before),
                change: None,
            },
        });
        again.take(2).collect()
    }

    /// What calls that changed something sent is remembered.
    pub(super) fn remember_sent(&mut self, plan: &Arc<Plan>, episode: &Episode) {
        for (at, (step, exchange)) in plan.steps.iter().zip(&episode.exchanges).enumerate() {
            if exchange.outcome.is_success() && self.writes(step.operation) {
                self.inside.recent.note(plan, at);
            }
        }
    }

    /// The plan of a hint with its change.
    pub(super) fn follow(&mut self, hint: &Hint) -> Option<Plan> {
        let mut plan = Plan::clone(&hint.plan);
        match &hint.change {
            Change::Set(all) => {
                for (step, slot, value) in all {
                    self.set(plan.steps.get_mut(*step)?, slot, value)?;
                }
            }
            Change::Add {
                from,
                name,
                beside,
                value,
            } => {
                let step = &mut plan.steps[hint.step];
                self.add_input(step, *from, name, beside, value)?;
            }
            Change::After {
                plan: first,
                change,
            } => {
                let mut both = Plan::clone(first);
                if let Some((step, slot, value)) = change {
                    self.set(both.steps.get_mut(*step)?, slot, value)?;
                }
                append(&mut both, plan)?;
                plan = both;
            }
        }
        Some(plan)
    }

    /// Puts a value where another stands, as long as the document allows it, and says so.
    pub(super) fn set(&mut self, step: &mut Step, slot: &Slot, value: &Value) -> Option<()> {
        let place = match slot {
            Slot::Spot(spot) => spot.describe(self.api.operation(step.operation)),
            Slot::Extra(at) => describe(step.extras.get(*at)?),
        };
        self.put(step, slot, value)?;
        step.intent = telling(place, value);
        Some(())
    }

    fn put(&mut self, step: &mut Step, slot: &Slot, value: &Value) -> Option<()> {
        let spot = match slot {
            Slot::Extra(at) => {
                let text = match value {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                step.extras.get_mut(*at)?.value = text;
                return Some(());
            }
            Slot::Spot(spot) => spot,
        };
        let operation = self.api.operation(step.operation);
        let mut builder = self.builder(Plan::default(), Vec::new());
        let mut maker = builder.maker(Manner::Plausible);
        match spot {
            Spot::Parameter(at) => {
                let shape = operation.parameters.get(*at)?.shape;
                let gene = maker.adopt(value, shape, Source::Compared);
                if !maker.is_valid(&gene, shape) {
                    return None;
                }
                step.put(*at, Some(gene));
            }
            Spot::Body(pointer) => {
                let shape = body_shape(operation, step)?;
                let body = step.body.as_mut()?;
                let was_valid = maker.is_valid(&body.gene, shape);
                let new = Gene::literal(value.clone(), Source::Compared);
                let placed = maker.with_gene("body", shape, &body.gene, pointer, new);
                let is_there = |gene: &Gene| gene.value().pointer(pointer) == Some(value);
                let gene = placed.filter(is_there).or_else(|| {
                    // A field that the schema does not know.
                    let mut gene = body.gene.clone();
                    gene.set(pointer, value.clone(), Source::Compared)
                        .then_some(gene)
                })?;
                if was_valid && !maker.is_valid(&gene, shape) {
                    return None;
                }
                body.gene = gene;
                step.binds.retain(|bind| bind.spot != *spot);
            }
        }
        Some(())
    }

    /// Sends something that the service looked for and did not find.
    fn add_input(
        &mut self,
        step: &mut Step,
        from: ReadFrom,
        name: &str,
        beside: &[String],
        value: &Value,
    ) -> Option<()> {
        let operation = self.api.operation(step.operation);
        let location = match from {
            ReadFrom::Header => Location::Header,
            ReadFrom::Query => Location::Query,
            ReadFrom::Cookie => Location::Cookie,
            ReadFrom::Form => return add_field(step, name, value, None),
            ReadFrom::Key => {
                if let Some(done) = add_field(step, name, value, Some(beside)) {
                    return Some(done);
                }
                if beside.is_empty() || !are_queries(operation, step, beside) {
                    return None;
                }
                Location::Query
            }
        };
        if let Some(at) = declared(operation, location, name) {
            if step.arguments.get(at)?.is_some() {
                return None;
            }
            let parameter: &Parameter = &operation.parameters[at];
            let mut builder = self.builder(Plan::default(), Vec::new());
            let gene = builder
                .maker(Manner::Varied)
                .sample(&parameter.name, parameter.shape);
            step.put(at, Some(gene));
            return Some(());
        }
        let known =
            |extra: &Extra| extra.location == location && extra.name.eq_ignore_ascii_case(name);
        let token = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let lower = name.to_ascii_lowercase();
        let is_odd = name.is_empty() || (location != Location::Query && !name.chars().all(token));
        if is_odd
            || step.extras.iter().any(known)
            || (location == Location::Header && COMMON_HEADERS.contains(&lower.as_str()))
        {
            return None;
        }
        let extra = Extra {
            location,
            name: name.to_owned(),
            value: value.as_str()?.to_owned(),
        };
        step.intent = telling(describe(&extra), value);
        step.extras.push(extra);
        Some(())
    }

    /// A call of an operation with values that are easy to find again: wherever one of them is
    /// compared, one knows which it was.
    pub(super) fn marked(&mut self) -> Option<Proposal> {
        let all = self.api.operations.len();
        self.inside.marked.resize(all, 0);
        for index in self
            .api
            .indexed()
            .map(|(index, _)| index)
            .collect::<Vec<_>>()
        {
            let at = index.0 as usize;
            let known = &self.known[at];
            let is_free = self.active[at] && !known.waits_for_the_end() && !known.resting;
            if !is_free || self.inside.marked[at] >= MARKINGS || known.tried == 0 {
                continue;
            }
            self.inside.marked[at] += 1;
            let manner = if self.inside.marked[at] == 1 {
                Manner::Full
            } else {
                Manner::Plausible
            };
            let plan = match self.base(index) {
                Some((plan, _)) if self.inside.marked[at] != 1 => plan,
                _ => self.plain(index, manner)?.plan,
            };
            let plan = self.with_markers(plan);
            if self.inside.tried.insert(super::inputs::hash(&plan)) && self.may_follow(&plan) {
                return Some(Proposal::new(plan, index, Way::Inside, Vec::new()));
            }
        }
        None
    }

    fn with_markers(&mut self, mut plan: Plan) -> Plan {
        let main = plan.main();
        let step = &mut plan.steps[main];
        for (n, (slot, value)) in values_of(step).into_iter().enumerate() {
            let bound = matches!(&slot, Slot::Spot(spot) if step.bind_at(spot).is_some());
            let new = match value {
                Value::String(_) => Value::from(format!("fz{}marker{n}", letters(n))),
                Value::Number(number) if number.is_f64() => Value::from(7013.25 + n as f64 * 17.5),
                Value::Number(_) => Value::from(7013 + n as i64 * 17),
                _ => continue,
            };
            if !bound {
                // What the document does not allow stays as it is.
                let _ = self.set(step, &slot, &new);
            }
        }
        plan
    }
}

fn letters(n: usize) -> char {
    char::from(b'a' + (n % 26) as u8)
}

/// `header x-debug`
fn describe(extra: &Extra) -> String {
    format!("{} {}", extra.location, extra.name)
}

fn telling(place: String, value: &Value) -> Intent {
    Intent::Edge {
        place,
        value: shown(value),
        declared: false,
    }
}

fn placed(slots: &[(usize, Slot)], input: usize, value: Value) -> (usize, Slot, Value) {
    let (step, slot) = slots[input].clone();
    (step, slot, value)
}

fn change(advice: Advice, slots: &[(usize, Slot)]) -> Change {
    match advice {
        Advice::Send { input, value } => Change::Set(vec![placed(slots, input, value)]),
        Advice::SendAll(all) => {
            let all = all.into_iter();
            Change::Set(
                all.map(|(input, value)| placed(slots, input, value))
                    .collect(),
            )
        }
        Advice::Add {
            from,
            name,
            beside,
            value,
        } => Change::Add {
            from,
            name,
            beside,
            value,
        },
    }
}

pub(super) fn json(scalar: &Scalar) -> Value {
    match scalar {
        Scalar::Text(text) | Scalar::Moment(text) => Value::from(text.as_str()),
        Scalar::Whole(whole) => Value::from(*whole),
        Scalar::Real(real) => Value::from(*real),
        Scalar::Boolean(boolean) => Value::from(*boolean),
        Scalar::Null => Value::Null,
    }
}

fn declared(operation: &Operation, location: Location, name: &str) -> Option<usize> {
    let same = |p: &Parameter| p.location == location && p.name.eq_ignore_ascii_case(name);
    operation.parameters.iter().position(same)
}

/// Whether these are the names of the query parameters that a step sends.
fn are_queries(operation: &Operation, step: &Step, names: &[String]) -> bool {
    let sent = operation.parameters.iter().zip(&step.arguments);
    let sent = sent.filter(|(p, gene)| p.location == Location::Query && gene.is_some());
    let mut sent: Vec<&str> = sent.map(|(p, _)| p.name.as_str()).collect();
    let extras = step.extras.iter().filter(|e| e.location == Location::Query);
    sent.extend(extras.map(|extra| extra.name.as_str()));
    !sent.is_empty()
        && sent
            .iter()
            .all(|name| names.iter().any(|known| known == name))
}

/// Adds a field to the object of a body that has these names; to the body itself where nobody says.
fn add_field(step: &mut Step, name: &str, value: &Value, beside: Option<&[String]>) -> Option<()> {
    let body = step.body.as_mut()?;
    let whole = body.gene.value();
    let pointer = match beside {
        None => String::new(),
        Some(names) => object_with(&whole, names)?,
    };
    let object = whole.pointer(&pointer)?.as_object()?;
    if object.contains_key(name) {
        return None;
    }
    let escaped = name.replace('~', "~0").replace('/', "~1");
    let at = format!("{pointer}/{escaped}");
    body.gene
        .set(&at, value.clone(), Source::Compared)
        .then_some(())
}

/// The object in a body with these names: exactly these, or all that it has and some that the
/// service itself filled in.
fn object_with(body: &Value, names: &[String]) -> Option<String> {
    let mut objects = Vec::new();
    objects_of(body, &mut String::new(), &mut objects);
    let has = |map: &serde_json::Map<String, Value>, exactly: bool| {
        let all = map.keys().all(|key| names.contains(key));
        all && (map.len() == names.len() || (!exactly && !map.is_empty()))
    };
    let mut found = objects.iter().find(|(_, map)| has(map, true));
    if found.is_none() {
        found = objects.iter().find(|(_, map)| has(map, false));
    }
    found.map(|(pointer, _)| pointer.clone())
}

fn objects_of<'v>(
    value: &'v Value,
    at: &mut String,
    into: &mut Vec<(String, &'v serde_json::Map<String, Value>)>,
) {
    const MOST: usize = 64;
    if into.len() >= MOST {
        return;
    }
    let length = at.len();
    match value {
        Value::Object(map) => {
            into.push((at.clone(), map));
            for (name, inner) in map {
                at.push('/');
                at.push_str(&name.replace('~', "~0").replace('/', "~1"));
                objects_of(inner, at, into);
                at.truncate(length);
            }
        }
        Value::Array(items) => {
            for (n, inner) in items.iter().enumerate() {
                at.push_str(&format!("/{n}"));
                objects_of(inner, at, into);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

/// Puts a plan behind another. None where both together are too long.
fn append(first: &mut Plan, second: Plan) -> Option<()> {
    const LONGEST: usize = 14;
    let offset = first.steps.len();
    if offset + second.steps.len() > LONGEST {
        return None;
    }
    for step in &mut first.steps {
        if step.role == Role::Main {
            step.role = Role::Setup;
        }
    }
    first.steps.extend(second.steps.into_iter().map(|mut step| {
        step.binds.iter_mut().for_each(|bind| bind.step += offset);
        step
    }));
    Some(())
}
