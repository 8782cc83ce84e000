//! Names made anew, so that a plan that worked once works again.
//!
//! A second thing of the same name is often refused. Which values of a plan are names is found out
//! once, when the plan is kept; making them anew is then cheap enough to be done for every plan.
//! Some names are guessed by what their fields are called; which other values must be unique is
//! learned, see [`crate::unique`].

use std::collections::{BTreeMap, BTreeSet};

use fossick_contract::{Api, Deed, OperationIndex, Rule, ShapeId};
use fossick_genes::{Gene, Maker, Manner, Slot, Source, keeps};
use fossick_graph::Words;
use fossick_plan::{Bind, Plan, Spot, Step, place_of, spots_of};
use fossick_trace::{Role, Unique, leading_day};
use rand::RngExt as _;
use serde_json::Value;

use crate::anew::way_anew;
use crate::knowledge::Knowledge;
use crate::search::Search;

/// A value that we thought up or that must be unique, and every place where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    field: String,
    shape: ShapeId,
    /// The service wants it to be unique; otherwise its field is only called so.
    learned: bool,
    places: Vec<(usize, Spot)>,
}

/// Which values of an operation's calls must be unique, as far as that was learned.
pub(crate) type Keys<'k> = &'k dyn Fn(OperationIndex) -> Option<&'k BTreeSet<Spot>>;

impl Name {
    /// How it is made anew, as it stands in a plan.
    pub(crate) fn unique(&self, plan: &Plan, maker: &Maker<'_>) -> Option<Unique> {
        let (at, spot) = self.places.first()?;
        let step = plan.steps.get(*at)?;
        let value = step.value_at(spot)?;
        let source = step.gene_at(spot).and_then(Gene::source);
        // A short text stands in a script where it means something else.
        if value.as_str().is_some_and(|text| text.len() <= SHORT) {
            return None;
        }
        // Whoever sent such a value did so for its own sake, unless others only need what it made.
        let telling = matches!(source, Some(Source::Boundary | Source::Special));
        if self.learned && telling && step.role != Role::Setup {
            return None;
        }
        let way = way_anew(maker, &self.field, self.shape, &value);
        // A plain name was always made anew by exchanging letters, whatever its shape says.
        way.or(match value {
            Value::String(text) if !self.learned => Some(Unique::Text(text)),
            _ => None,
        })
    }

    /// What was told of its first place.
    fn rules(&self, plan: &Plan, known: &[Knowledge]) -> Vec<Rule> {
        let place = self.places.first();
        let rules = place.and_then(|(at, spot)| {
            let operation = plan.steps.get(*at)?.operation;
            Some(known[operation.0 as usize].rules.get()?.at(spot))
        });
        rules.unwrap_or_default()
    }

    /// Where it stands in the body of a step.
    pub(crate) fn body_places(&self, step: usize) -> impl Iterator<Item = &str> {
        self.places.iter().filter_map(move |(at, spot)| match spot {
            Spot::Body(pointer) if *at == step => Some(pointer.as_str()),
            _ => None,
        })
    }

    /// Another value in its place.
    fn anew(
        &self,
        plan: &Plan,
        known: &[Knowledge],
        maker: &mut Maker<'_>,
        salt: u64,
    ) -> Option<Value> {
        let (at, spot) = self.places.first()?;
        let old = plan.steps.get(*at)?.value_at(spot)?;
        let rules = self.rules(plan, known);
        if !self.learned {
            let within = maker.sample_within(&self.field, self.shape, &rules);
            let new = within.unwrap_or_else(|| maker.sample(&self.field, self.shape));
            return Some(new.value());
        }
        another(maker, (&self.field, self.shape), &rules, &old, salt)
    }
}

/// A value of the same shape that nobody has thought of yet and that keeps what was told. With the
/// same salt all days move equally far, so that their order stays.
pub(crate) fn another(
    maker: &mut Maker<'_>,
    (field, shape): (&str, ShapeId),
    rules: &[Rule],
    old: &Value,
    salt: u64,
) -> Option<Value> {
    let way = way_anew(maker, field, shape, old)?;
    let keeps_all = |new: &Value| rules.iter().all(|rule| keeps(rule, new) != Some(false));
    if let Unique::Text(_) | Unique::Masked { .. } = way {
        let new = invented(maker, field, shape).filter(keeps_all);
        let within = |maker: &mut Maker<'_>| maker.sample_within(field, shape, rules);
        let new = new.or_else(|| within(maker).map(|gene| gene.value()));
        if let Some(new) = new.filter(|new| new != old) {
            return Some(new);
        }
    }
    Some(way.anew(salt).value())
}

/// A text of our own, if the shape has room for one that nobody else has.
fn invented(maker: &mut Maker<'_>, field: &str, shape: ShapeId) -> Option<Value> {
    const TRIES: usize = 4;
    let manner = maker.manner;
    let manners = std::iter::once(manner).chain([Manner::Varied; TRIES]);
    let made = manners.map(|manner| {
        maker.manner = manner;
        maker.sample(field, shape)
    });
    let made = made.into_iter().find(is_ours_alone);
    maker.manner = manner;
    made.map(|gene| gene.value())
}

/// A text of our own that is too long to be somebody else's by chance.
pub(crate) fn is_ours_alone(gene: &Gene) -> bool {
    const LONG_ENOUGH: usize = 7;
    let ours = matches!(gene.source(), Some(Source::Named | Source::Random));
    ours && matches!(gene.value(), Value::String(text) if text.chars().count() >= LONG_ENOUGH)
}

/// The names in a plan.
pub(crate) fn names_of(api: &Api, maker: &Maker<'_>, plan: &Plan, keys: Keys<'_>) -> Vec<Name> {
    let mut found: BTreeMap<Told, Name> = BTreeMap::new();
    for step in &plan.steps {
        let learned = keys(step.operation);
        let apart = belongs_to_own(api, plan, step);
        for (told, name) in learned_names(maker, step, learned) {
            if !(apart && told.is_a_day()) {
                found.entry(told).or_insert(name);
            }
        }
        if writes(api, step) {
            for (text, field, shape) in texts(api, maker, step) {
                let name = Name::new(field, shape, false);
                found.entry(Told::Text(text)).or_insert(name);
            }
        }
    }
    for (at, step) in plan.steps.iter().enumerate() {
        for (spot, told, source) in spots(api, step) {
            let same = found.iter_mut().find(|(name, _)| name.is(&told, source));
            if let Some((_, name)) = same.filter(|_| !is_about(api, step, &spot)) {
                name.places.push((at, spot));
            }
        }
    }
    let found = found.into_values();
    found.filter(|name| !name.places.is_empty()).collect()
}

/// Whether a step refers to something that the plan makes anew. Days are taken for one room or one
/// person each: with a room of its own a plan keeps its days, which may be what matters about it.
fn belongs_to_own(api: &Api, plan: &Plan, step: &Step) -> bool {
    let makes = |bind: &Bind| plan.steps.get(bind.step).is_some_and(|s| writes(api, s));
    step.binds.iter().any(makes)
}

/// Texts up to here may be equal by chance.
const SHORT: usize = 2;

/// How equal values are told to be the same thing: texts by themselves, numbers and short texts by
/// their field as well.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    Text(String),
    /// A number or a short text, as it is written.
    OfField(Words, String),
}

impl Told {
    fn of(field: &str, value: &Value) -> Option<Self> {
        match value {
            Value::String(text) if text.len() > SHORT => Some(Self::Text(text.clone())),
            Value::String(text) => Some(Self::OfField(Words::of(field), text.clone())),
            Value::Number(number) => {
                let number = number.as_i64()?;
                Some(Self::OfField(Words::of(field), number.to_string()))
            }
            _ => None,
        }
    }

    fn is_a_day(&self) -> bool {
        matches!(self, Self::Text(text) if leading_day(text).is_some())
    }

    /// Whether a value is the one that is named; one that was carried over has another field.
    fn is(&self, other: &Self, source: Source) -> bool {
        match (self, other) {
            (Self::OfField(_, one), Self::OfField(_, other)) if source == Source::Fixed => {
                one == other
            }
            _ => self == other,
        }
    }
}

impl Name {
    fn new(field: String, shape: ShapeId, learned: bool) -> Self {
        Self {
            field,
            shape,
            learned,
            places: Vec::new(),
        }
    }
}

/// Values of a step that were learned to be unique.
fn learned_names(
    maker: &Maker<'_>,
    step: &Step,
    learned: Option<&BTreeSet<Spot>>,
) -> Vec<(Told, Name)> {
    let mut names = Vec::new();
    for key in learned.into_iter().flatten() {
        let Some((field, shape)) = declared(maker, step, key) else {
            continue;
        };
        for spot in spots_of(step, &place_of(key)) {
            let free = step.bind_at(&spot).is_none() && !is_about(maker.api, step, &spot);
            let value = step.value_at(&spot).filter(|_| free);
            let told = value.and_then(|value| Told::of(&field, &value));
            names.extend(told.map(|told| (told, Name::new(field.clone(), shape, true))));
        }
    }
    names
}

/// Whether a step is there for the sake of the very value at a spot, or of one around or inside it.
pub(crate) fn is_about(api: &Api, step: &Step, spot: &Spot) -> bool {
    let Some(place) = step.intent.place() else {
        return false;
    };
    let own = spot.describe(api.operation(step.operation));
    let within = |inner: &str, outer: &str| {
        let rest = inner.strip_prefix(outer);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
    };
    within(place, &own) || (place.contains(['/', '.']) && within(&own, place))
}

/// What stands at a spot by the document: its name and its shape.
pub(crate) fn declared(maker: &Maker<'_>, step: &Step, spot: &Spot) -> Option<(String, ShapeId)> {
    let operation = maker.api.operation(step.operation);
    match spot {
        Spot::Parameter(at) => {
            let parameter = operation.parameters.get(*at)?;
            Some((parameter.name.clone(), parameter.shape))
        }
        Spot::Body(pointer) => {
            let slots = body_slots(maker, step)?.into_iter();
            let slot = slots.into_iter().find(|slot| slot.pointer == *pointer)?;
            Some((slot.name, slot.shape))
        }
    }
}

/// The scalar places of a step's body.
pub(crate) fn body_slots(maker: &Maker<'_>, step: &Step) -> Option<Vec<Slot>> {
    let declared = maker.api.operation(step.operation).body.as_ref()?;
    let content = declared.contents.get(step.body.as_ref()?.content)?;
    Some(maker.slots(content.shape?))
}

/// Writes new names into a plan, the same one wherever the old one stood.
pub(crate) fn freshen(plan: &mut Plan, names: &[Name], known: &[Knowledge], maker: &mut Maker<'_>) {
    let salt = maker.rng.random();
    for name in names {
        let Some(new) = name.anew(plan, known, maker, salt) else {
            continue;
        };
        for (at, spot) in &name.places {
            write(&mut plan.steps[*at], spot, &new);
        }
    }
}

impl Search<'_> {
    /// A plan with new names, to be run once more where it has run before.
    pub(crate) fn anew(&mut self, plan: &Plan) -> Plan {
        let names = self.names_in(plan);
        let mut plan = plan.clone();
        let mut builder = self.builder(Plan::default(), Vec::new());
        let known = builder.known;
        freshen(
            &mut plan,
            &names,
            known,
            &mut builder.maker(Manner::Plausible),
        );
        plan
    }
}

fn writes(api: &Api, step: &Step) -> bool {
    matches!(
        api.operation(step.operation).deed(),
        Deed::Create | Deed::Replace
    )
}

/// Texts of a step that name something: the text, its field and its shape.
fn texts(api: &Api, maker: &Maker<'_>, step: &Step) -> Vec<(String, String, ShapeId)> {
    let operation = api.operation(step.operation);
    let mut texts = Vec::new();
    for (parameter, gene) in operation.parameters.iter().zip(&step.arguments) {
        let text = gene
            .as_ref()
            .and_then(|gene| of_ours(gene, &parameter.name));
        if let Some(text) = text {
            texts.push((text, parameter.name.clone(), parameter.shape));
        }
    }
    let Some((body, slots)) = step.body.as_ref().zip(body_slots(maker, step)) else {
        return texts;
    };
    for slot in slots {
        let gene = body.gene.at(&slot.pointer);
        let text = gene.and_then(|gene| of_ours(gene, &slot.name));
        if let Some(text) = text.filter(|_| names_things(&slot.name)) {
            texts.push((text, slot.name, slot.shape));
        }
    }
    texts
}

/// The text of a gene that is our own invention, or the name that a recorded call gave to what it
/// made: that is taken now.
fn of_ours(gene: &Gene, field: &str) -> Option<String> {
    let invented = match gene.source()? {
        Source::Named | Source::Random => true,
        Source::Harvested => calls_it(field),
        _ => false,
    };
    match gene.value() {
        Value::String(text) if invented && text.len() > SHORT => Some(text),
        _ => None,
    }
}

/// Fields in which whoever makes something says what it is to be called. Fewer than those that
/// services want to be unique: a code may be one that only callers know.
pub(crate) fn calls_it(field: &str) -> bool {
    const NAMES: [&str; 7] = ["name", "titl", "email", "login", "usernam", "label", "slug"];
    Words::of(field)
        .last()
        .is_some_and(|last| NAMES.contains(&last))
}

/// Fields that services want to be unique.
pub(crate) fn names_things(field: &str) -> bool {
    const MORE: [&str; 11] = [
        "titl", "email", "login", "usernam", "code", "label", "path", "url", "domain", "host",
        "number",
    ];
    let words = Words::of(field);
    words.is_identifier() || words.last().is_some_and(|last| MORE.contains(&last))
}

/// Every value of a step that may be a name, with its place and where it came from.
fn spots(api: &Api, step: &Step) -> Vec<(Spot, Told, Source)> {
    let parameters = &api.operation(step.operation).parameters;
    let arguments = parameters.iter().zip(&step.arguments).enumerate();
    let given = arguments.filter_map(|(at, (parameter, gene))| {
        let gene = gene.as_ref()?;
        let told = Told::of(&parameter.name, &gene.value())?;
        Some((Spot::Parameter(at), told, gene.source()?))
    });
    let mut spots: Vec<_> = given.collect();
    let Some(body) = &step.body else {
        return spots;
    };
    let whole = body.gene.value();
    for leaf in body.gene.leaves() {
        let value = whole.pointer(&leaf.pointer);
        if let Some(told) = value.and_then(|value| Told::of(field_of(&leaf.pointer), value)) {
            spots.push((Spot::Body(leaf.pointer), told, leaf.source));
        }
    }
    spots
}

/// The name of the property that a pointer leads to; that of the list for an item of one.
fn field_of(pointer: &str) -> &str {
    let mut names = pointer.rsplit('/');
    let is_index = |name: &&str| name.bytes().all(|b| b.is_ascii_digit());
    names.find(|name| !is_index(name)).unwrap_or("")
}

fn write(step: &mut Step, spot: &Spot, new: &Value) {
    match spot {
        Spot::Parameter(at) => {
            if let Some(Some(gene)) = step.arguments.get_mut(*at) {
                *gene = Gene::literal(new.clone(), Source::Named);
            }
        }
        Spot::Body(pointer) => {
            if let Some(body) = &mut step.body {
                body.gene.set(pointer, new.clone(), Source::Named);
            }
        }
    }
}
