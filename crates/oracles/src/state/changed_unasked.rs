//! An update that was sent one field has changed another.
//!
//! Services work fields out of others, and rightly: a slug from a title, progress from a status.
//! Only what could have been sent and was not counts, and only where what was sent does not
//! explain it.

use fossick_contract::{Deed, Kind, Method, Shape};
use fossick_trace::{Finding, Location};
use serde_json::{Map, Value};

use super::answer_disagrees::{is_near, same_key, shows_what};
use crate::amount::Amount;
use crate::compare::{brief, holds, same, unwrapped};
use crate::names::{is_identity, is_volatile, words};
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;
use crate::takes::groups;
use crate::thing::Thing;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    let partial = |s: &&Shown<'_>| is_partial(s) && !replaces(scene, s);
    for write in scene.steps.iter().filter(partial) {
        findings.extend(judged(oracle, scene, write));
    }
}

/// Part of a thing is replaced. What a GraphQL mutation must be sent was sent.
fn is_partial(step: &Shown<'_>) -> bool {
    let updates = match step.root() {
        Some(_) => step.deed() == Deed::Update,
        None => step.method() == Method::Patch,
    };
    updates && step.is_done() && step.call.intent.is_valid()
}

/// A GraphQL input with something that must be given is the whole thing, as for its creation: what
/// is left out of it is taken away.
fn replaces(scene: &Scene<'_>, step: &Shown<'_>) -> bool {
    let groups = groups(scene.api, step.operation);
    let inner = groups.iter().skip(1).filter(|_| step.root().is_some());
    inner.flatten().any(|property| property.required)
}

fn judged(oracle: &Oracle, scene: &Scene<'_>, write: &Shown<'_>) -> Option<Finding> {
    let thing = write.thing()?;
    let looks = Looks::around(scene, write, &thing)?;
    let (name, old, new) = looks.changed(scene)?;
    let title = format!(
        "{name} was {} and is {} after {} without it",
        brief(&old),
        brief(&new),
        write.verb()
    );
    let why = format!(
        "{} takes {name}, and it was not sent; what a partial update is not sent stays as it was.",
        write.operation.label
    );
    let finding = write
        .finding(oracle, title, why)
        .marked(format!("changed unasked {name}"))
        .located(Location::State {
            path: format!("/{name}"),
        })
        .got(Some(new))
        .after(looks.before)
        .after(write);
    Some(finding.shown_by(looks.after))
}

/// A write with the looks around it.
struct Looks<'s, 'a> {
    before: &'s Shown<'a>,
    write: &'s Shown<'a>,
    after: &'s Shown<'a>,
}

impl<'s, 'a> Looks<'s, 'a> {
    fn around(scene: &'s Scene<'a>, write: &'s Shown<'a>, thing: &Thing<'a>) -> Option<Self> {
        let read = scene.after(write.at).find(|s| s.shows(thing));
        let next = scene.after(write.at).find(|s| !s.is_safe());
        let after = read.filter(|read| next.is_none_or(|next| read.at < next.at));
        let after = after.or_else(|| Some(write).filter(|write| write.body().is_some()))?;
        let earlier = scene.before(write.at).find(|s| s.shows(thing));
        let before = earlier
            .filter(|s| !is_written(scene, s, write, None))
            .or_else(|| created(scene, write, after, thing))?;
        let found = Self {
            before,
            write,
            after,
        };
        found.is_comparable().then_some(found)
    }

    /// Two reads must ask for the same; other answers tell less, but the same user got them.
    fn is_comparable(&self) -> bool {
        let (a, b) = (&self.before.exchange.request, &self.after.exchange.request);
        let alike = match (self.before.is_read(), self.after.is_read()) {
            (true, true) => (&a.target, &a.body) == (&b.target, &b.body),
            _ => [self.before, self.after]
                .iter()
                .all(|s| s.query().is_empty()),
        };
        let of_it = self.after.is_read() || same_key(self.after, self.before);
        alike && of_it && self.before.call.user == self.after.call.user
    }

    /// The first field that is not what it was and might have been sent.
    fn changed(&self, scene: &Scene<'a>) -> Option<(String, Value, Value)> {
        let sent = self.write.sent()?;
        let sent = sent.as_object()?;
        let (old, new) = (
            unwrapped(self.before.body()?),
            unwrapped(self.after.body()?),
        );
        let groups = groups(scene.api, self.write.operation);
        let fields: Vec<(&str, &Shape)> = groups
            .iter()
            .flatten()
            .map(|property| (&*property.name, scene.api.shape(property.shape)))
            .collect();
        let sent = Sent::of(sent, &fields, old);
        fields.iter().find_map(|(name, shape)| {
            let was = old.get(name).filter(|was| !was.is_null())?;
            let is = new.get(name)?;
            let told = is_judged(name, shape)
                && self.is_shown_as_stored(is)
                && differs(was, is)
                && !sent.explains(name, shape, was, is);
            told.then(|| ((*name).to_owned(), was.clone(), is.clone()))
        })
    }

    /// An answer to the write itself may be made of what was sent, with nothing for the rest.
    fn is_shown_as_stored(&self, value: &Value) -> bool {
        self.after.is_read() || !is_empty(value)
    }
}

/// Whether somebody else wrote between two steps. Of what was made in between only that counts
/// which names the thing by its key.
fn is_written(scene: &Scene<'_>, from: &Shown<'_>, to: &Shown<'_>, key: Option<&Value>) -> bool {
    let names = |s: &Shown<'_>| {
        let under = s.path().starts_with(to.path()) && s.root().is_none();
        let sent = |key: &Value| s.sent().is_some_and(|sent| holds(&sent, key));
        s.deed() != Deed::Create || under || key.is_none_or(sent)
    };
    let between = |s: &&Shown<'_>| s.at > from.at && s.at < to.at && !s.is_safe();
    scene.steps.iter().filter(between).any(names)
}

/// The creation whose answer shows the thing as it was made.
fn created<'s, 'a>(
    scene: &'s Scene<'a>,
    write: &'s Shown<'a>,
    after: &'s Shown<'a>,
    thing: &Thing<'a>,
) -> Option<&'s Shown<'a>> {
    let key = match thing {
        Thing::At(path) => path.rsplit('/').next()?,
        Thing::Keyed(..) => thing.key()?,
    };
    let key = Value::from(key);
    let made = |s: &&Shown<'a>| s.deed() == Deed::Create && s.is_done() && makes(s, after, write);
    let made = scene.before(write.at).find(made)?;
    let own = unwrapped(made.body()?).as_object()?;
    let is_its = own
        .iter()
        .any(|(name, value)| is_identity(name) && holds(value, &key));
    (is_its && !is_written(scene, made, write, Some(&key))).then_some(made)
}

/// Whether a creation made what a later answer shows, at the place that was written to.
fn makes(made: &Shown<'_>, after: &Shown<'_>, write: &Shown<'_>) -> bool {
    if after.is_read() {
        return shows_what(after, made);
    }
    match (write.root(), made.root()) {
        (Some(write), Some(made)) => write.thing.is_some() && write.thing == made.thing,
        (None, None) => {
            let collection = write.path().rsplit_once('/').map(|(above, _)| above);
            collection == Some(made.path().trim_end_matches('/'))
        }
        _ => false,
    }
}

/// Fields that nobody else changes. A date that is asked for is not one that is kept for others.
fn is_judged(name: &str, shape: &Shape) -> bool {
    const SETTABLE: [&str; 5] = ["date", "time", "expires", "expiry", "duration"];
    let mut left = words(name);
    left.retain(|word| !SETTABLE.contains(&word.as_str()));
    !shape.read_only && !shape.write_only && !is_volatile(&left.join("_")) && !is_identity(name)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(set) => !set,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

/// Not the same in any form. Of objects and of lists of them parts may be worked out: only whether
/// they are there at all, and how many, is compared.
fn differs(old: &Value, new: &Value) -> bool {
    let is_same_amount = || {
        let both = Amount::of(old).zip(Amount::of(new));
        both.is_some_and(|(old, new)| old.is(new))
    };
    let of_objects = |items: &[Value]| items.iter().any(Value::is_object);
    match (old, new) {
        (Value::Object(_), new) => new.is_null(),
        (Value::Array(a), Value::Array(b)) if of_objects(a) || of_objects(b) => a.len() != b.len(),
        (Value::Array(_), Value::Array(_) | Value::Null) => !same(old, new),
        (_, Value::Object(_) | Value::Array(_)) | (Value::Array(_), _) => false,
        _ => {
            let of_a_kind =
                new.is_null() || std::mem::discriminant(old) == std::mem::discriminant(new);
            of_a_kind && !same(old, new) && !is_near(old, new) && !is_same_amount()
        }
    }
}

/// What was sent, and which kinds of change it brings with it.
struct Sent<'v> {
    fields: &'v Map<String, Value>,
    /// A choice or a switch was set anew: states have others follow them.
    turns: bool,
    /// A number was set anew: others may be worked out of it.
    counts: bool,
}

impl<'v> Sent<'v> {
    fn of(fields: &'v Map<String, Value>, known: &[(&str, &Shape)], old: &Value) -> Self {
        let is_news =
            |name: &str, value: &Value| !old.get(name).is_some_and(|old| same(old, value));
        let mut found = Self {
            fields,
            turns: false,
            counts: false,
        };
        for (name, value) in fields.iter().filter(|(name, value)| is_news(name, value)) {
            let shape = known
                .iter()
                .find(|(own, _)| own == name)
                .map(|(_, shape)| shape);
            let is_enum = shape.is_some_and(|shape| is_choice(shape));
            found.turns |= value.is_boolean() || is_enum;
            found.counts |= value.is_number();
        }
        found
    }

    /// Whether a change may follow from what was sent, or was sent under a name like it.
    fn explains(&self, name: &str, shape: &Shape, old: &Value, new: &Value) -> bool {
        let kept = is_choice(shape) || matches!(new, Value::Bool(_));
        let amount = Amount::of(old);
        let reset = is_empty(new) || shape.default.as_ref() == Some(new);
        let follows_state = self.turns && (kept || amount.is_some());
        // A state that goes on by itself is no reset.
        let goes_on = kept && !reset;
        let is_worked_out = self.counts && matches!(amount, Some(Amount::Number(_))) && !reset;
        follows_state
            || goes_on
            || is_worked_out
            || self.fields.contains_key(name)
            || self.fields.iter().any(|sent| is_akin(sent, name, new))
    }
}

fn is_choice(shape: &Shape) -> bool {
    matches!(shape.kind, Kind::Enum(_) | Kind::Boolean)
}

/// `email` and `emailVerified`, `Emma Woodhouse` and `emma-woodhouse`; and the object that a field
/// is also a part of.
fn is_akin((sent, value): (&String, &Value), name: &str, new: &Value) -> bool {
    let (own, other) = (words(sent), words(name));
    let within = |a: &[String], b: &[String]| a.iter().all(|word| b.contains(word));
    let plain = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    let alike = match (value, new) {
        (Value::String(a), Value::String(b)) => {
            let (a, b) = (plain(a), plain(b));
            !a.is_empty() && !b.is_empty() && (a.contains(&b) || b.contains(&a))
        }
        _ => false,
    };
    let contained = value.is_object() && value.get(name).is_some();
    within(&own, &other) || within(&other, &own) || alike || contained
}
