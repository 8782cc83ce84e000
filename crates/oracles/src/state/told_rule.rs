//! A thing breaks an order of its fields that its description tells.

use std::cmp::Ordering;

use fossick_contract::{Api, ShapeId, is_json, unescape_token};
use fossick_trace::{Finding, Intent, Wrong};
use serde_json::Value;

use crate::amount::Amount;
use crate::compare::{brief, holds, items, same, unwrapped};
use crate::conformance::refused::step_into;
use crate::names::is_identity;
use crate::orders::Order;
use crate::scene::{Scene, Shaded, Shown};
use crate::sights::{Sight, sights};
use crate::table::Oracle;
use crate::thing::text;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    if scene.orders.is_empty() {
        return;
    }
    let may_break = |s: &&Shown<'_>| {
        s.is_done() && s.json().is_some_and(|body| scene.orders.may_speak_of(body))
    };
    for step in scene.steps.iter().filter(may_break) {
        for sight in sights(scene.api, step) {
            for order in orders(scene, step, &sight) {
                let found = judged(oracle, scene, step, &sight, order);
                let known = |found: &Finding| {
                    let same = |f: &Finding| {
                        (&f.code, &f.operation, &f.mark)
                            == (&found.code, &found.operation, &found.mark)
                    };
                    findings.iter().any(same)
                };
                findings.extend(found.filter(|found| !known(found)));
            }
        }
    }
}

/// What is told of an object in an answer: by the schema of the answer itself, and by what is
/// sent of such a thing.
fn orders<'s>(scene: &'s Scene<'_>, step: &Shown<'_>, sight: &Sight<'_>) -> Vec<&'s Order> {
    let all = scene.orders;
    let shape = promised(scene.api, step, &sight.path);
    let own = shape.map_or(&[][..], |shape| all.of_shape(shape));
    let sent = match sight.kind {
        Some(kind) => all.of_type(kind),
        None if step.root().is_none() && is_thing(step, sight) => all.of_thing(step.operation),
        None => &[],
    };
    let again = |order: &&Order| {
        own.iter()
            .any(|o| (&o.low, &o.high) == (&order.low, &order.high))
    };
    own.iter()
        .chain(sent.iter().filter(|order| !again(order)))
        .collect()
}

/// The shape that the document promises of a place in the answer.
fn promised(api: &Api, step: &Shown<'_>, path: &str) -> Option<ShapeId> {
    let (_, spec) = step.promise()?;
    let content = spec.contents.iter().find(|c| is_json(&c.media_type))?;
    let mut tokens = path.split('/').skip(1);
    tokens.try_fold(content.shape?, |shape, token| {
        step_into(api, shape, &unescape_token(token)).map(|(shape, _)| shape)
    })
}

/// Whether an object is what the operation is about, itself or in a list of them.
fn is_thing(step: &Shown<'_>, sight: &Sight<'_>) -> bool {
    let Some(body) = step.json() else {
        return false;
    };
    let listed = || items(body).is_some_and(|all| all.iter().any(|i| std::ptr::eq(i, sight.value)));
    std::ptr::eq(unwrapped(body), sight.value) || listed()
}

fn judged(
    oracle: &Oracle,
    scene: &Scene<'_>,
    step: &Shown<'_>,
    sight: &Sight<'_>,
    order: &Order,
) -> Option<Finding> {
    let [low, high] = [&order.low, &order.high].map(|name| sight.value.get(&**name));
    let (low, high) = (low?, high?);
    let stands = Amount::of(low)?.stands_to(Amount::of(high)?)?;
    let broken = stands == Ordering::Greater || (order.strict && stands == Ordering::Equal);
    if !broken {
        return None;
    }
    let write = writer(scene, step, sight, order);
    let is_known = |write: &Shown<'_>| match &write.call.intent {
        // Another oracle tells of what was broken on purpose and accepted.
        Intent::Broken { place, .. } => [&order.low, &order.high]
            .iter()
            .any(|name| place.ends_with(&***name)),
        _ => false,
    };
    if write.is_some_and(is_known) {
        return None;
    }
    Some(told(oracle, step, write, sight, order, (low, high)))
}

fn told(
    oracle: &Oracle,
    step: &Shown<'_>,
    write: Option<&Shown<'_>>,
    sight: &Sight<'_>,
    order: &Order,
    (low, high): (&Value, &Value),
) -> Finding {
    let title = format!(
        "{}, though \"{}\"",
        comparison(order, low, high),
        order.sentence
    );
    let got = if order.teller == order.low { low } else { high };
    let why = match write {
        Some(write) => format!(
            "The description of {} tells it, and {} accepted what breaks it.",
            order.teller, write.operation.label
        ),
        None => format!("The description of {} tells it.", order.teller),
    };
    let finding = write
        .unwrap_or(step)
        .finding(oracle, title, why)
        .marked(format!("told order {} {}", order.low, order.high))
        .in_body(format!("{}/{}", sight.path, order.teller), Wrong::Value)
        .got(Some(got.clone()))
        .promised_by(order.sentence.clone());
    match write.filter(|write| write.at != step.at) {
        Some(write) => finding.after(write).shown_by(step),
        None => finding,
    }
}

/// `dueOn "2025-03-03" is not after startsOn "2025-03-03"`
fn comparison(order: &Order, low: &Value, high: &Value) -> String {
    let moments = Amount::of(low).is_some_and(Amount::is_moment);
    let tells_low = order.teller == order.low;
    let words = match (tells_low, order.strict, moments) {
        (false, true, true) => "is not after",
        (false, true, false) => "is not more than",
        (false, false, true) => "is before",
        (false, false, false) => "is less than",
        (true, true, true) => "is not before",
        (true, true, false) => "is not less than",
        (true, false, true) => "is after",
        (true, false, false) => "is more than",
    };
    let (low, high) = ((&order.low, low), (&order.high, high));
    let ((name, own), (other, value)) = if tells_low { (low, high) } else { (high, low) };
    format!("{name} {} {words} {other} {}", brief(own), brief(value))
}

/// The write that made it so: the call itself, or the last one before it on the same thing that
/// sent or answered one of the two values.
fn writer<'s, 'a>(
    scene: &'s Scene<'a>,
    step: &'s Shown<'a>,
    sight: &Sight<'_>,
    order: &Order,
) -> Option<&'s Shown<'a>> {
    if !step.is_safe() {
        return Some(step);
    }
    let carries = |value: &Value| {
        let mut names = [&order.low, &order.high].into_iter();
        names.any(|name| {
            let both = value.get(&**name).zip(sight.value.get(&**name));
            both.is_some_and(|(a, b)| same(a, b))
        })
    };
    let keys = keys(sight.value);
    scene.before(step.at).find(|s| {
        let sent = || s.sent().is_some_and(|sent| carries(&sent));
        let shown = || s.body().is_some_and(|body| carries(unwrapped(body)));
        !s.is_safe() && s.is_done() && is_on(s, &keys) && (sent() || shown())
    })
}

/// The identifiers of a thing's own: the shortest names that hold one.
fn keys(thing: &Value) -> Vec<&Value> {
    let fields = thing.as_object().into_iter().flatten();
    let own = fields.filter(|(name, _)| is_identity(name) && crate::names::words(name).len() == 1);
    own.map(|(_, value)| value).collect()
}

/// Whether a write is on a thing of these keys, by its address, its arguments or its answer.
fn is_on(write: &Shown<'_>, keys: &[&Value]) -> bool {
    let last = write.path().rsplit('/').next().unwrap_or("");
    let shown = write.body().map(unwrapped);
    keys.iter().any(|key| {
        let by_path = write.root().is_none() && text(key).as_deref() == Some(last);
        let by_argument = || {
            let arguments = Value::Object(write.arguments());
            write.root().is_some() && holds(&arguments, key)
        };
        let by_answer = || {
            let fields = shown.and_then(Value::as_object).into_iter().flatten();
            fields
                .into_iter()
                .any(|(name, value)| is_identity(name) && holds(value, key))
        };
        by_path || by_argument() || by_answer()
    })
}
