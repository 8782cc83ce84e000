//! A sorted list that lost something, or that is not in order.

use std::cmp::Ordering;

use fossick_contract::{Knob, plain_name};
use fossick_trace::{Finding, Location};
use serde_json::Value;

use super::look::{Look, field, framed, lasting, looks, some};
use crate::compare::brief;
use crate::scene::{Scene, Shaded};
use crate::table::Oracle;
use crate::thing::text;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    let looks = looks(scene);
    for look in &looks {
        let Some(sort) = look.knob(Knob::Sort).and_then(text) else {
            continue;
        };
        let found =
            dropped(oracle, scene, &looks, look, &sort).or_else(|| disordered(oracle, look, &sort));
        let is_new = |found: &Finding| {
            findings
                .iter()
                .all(|f| f.mark != found.mark || f.code != found.code)
        };
        if let Some(found) = found.filter(is_new) {
            findings.push(found);
        }
    }
}

fn dropped<'s, 'a>(
    oracle: &Oracle,
    scene: &Scene<'a>,
    looks: &[Look<'s, 'a>],
    look: &Look<'s, 'a>,
    sort: &str,
) -> Option<Finding> {
    let orders = |knob| matches!(knob, Knob::Sort | Knob::Direction);
    let unsorted = |other: &Look<'s, 'a>| {
        other.knob(Knob::Sort).is_none() && other.is_from_start() && other.matches(look, orders)
    };
    let (before, after) = framed(scene, looks, &[look], unsorted)?;
    let lost: Vec<&str> = lasting(before, after)
        .into_iter()
        .filter(|id| !look.ids.iter().any(|shown| shown == id))
        .collect();
    // What shows more without an order is not cut at a round number.
    let cut = look.is_round() && before.items.len() <= look.items.len();
    if lost.is_empty() || cut || !look.has_room() {
        return None;
    }
    let title = format!("sorting by {sort} drops {}", some(&lost));
    let why = format!(
        "Without an order the list shows {} items before and after, with it {}.",
        before.items.len(),
        look.items.len()
    );
    let finding = look
        .step
        .finding(oracle, title, why)
        .marked(format!("sort drops {sort}"))
        .located(Location::List)
        .got(Some(Value::from(lost)))
        .after(before.step);
    Some(finding)
}

/// Only by a field that the items have: what else a service sorts by is its own affair.
fn disordered(oracle: &Oracle, look: &Look<'_, '_>, sort: &str) -> Option<Finding> {
    let (name, falls) = read(sort, look)?;
    let values: Vec<&Value> = look
        .items
        .iter()
        .filter_map(|item| field(item, &name).map(|(_, value)| value))
        .filter(|value| !value.is_null())
        .collect();
    let steps: Option<Vec<Option<Ordering>>> = values
        .windows(2)
        .map(|pair| order(pair[0], pair[1]))
        .collect();
    let steps = steps?;
    let wrong = |against: Ordering| steps.iter().position(|step| *step == Some(against));
    let at = match falls {
        Some(true) => wrong(Ordering::Less),
        Some(false) => wrong(Ordering::Greater),
        // Which way is not said: it must be one.
        None => wrong(Ordering::Less).and(wrong(Ordering::Greater)),
    }?;
    let title = format!(
        "sorted by {sort}, yet {} comes before {}",
        brief(values[at]),
        brief(values[at + 1])
    );
    let why = "The items are not in the order that was asked for.".to_owned();
    let finding = look
        .step
        .finding(oracle, title, why)
        .marked(format!("sort order {sort}"))
        .located(Location::List)
        .got(Some(values[at + 1].clone()));
    Some(finding)
}

/// What an item is sorted by, where the list was asked for in the order of a field that it has.
pub(super) fn mark(look: &Look<'_, '_>, at: usize) -> Option<String> {
    let sort = look.knob(Knob::Sort).and_then(text)?;
    let (name, _) = read(&sort, look)?;
    let (_, value) = field(look.items.get(at)?, &name)?;
    // Many orders take no notice of case.
    Some(value.to_string().to_lowercase())
}

/// The field that a sort names and whether it falls: `-price`, `price:desc`, `PRICE_DESC`.
fn read(sort: &str, look: &Look<'_, '_>) -> Option<(String, Option<bool>)> {
    let bare = sort.trim_start_matches(['-', '+']);
    let plain = plain_name(bare);
    let stem = |end: &str| plain.strip_suffix(end).map(str::to_owned);
    let minus = sort.starts_with('-').then_some(true);
    let (name, told) = if let Some(name) = stem("descending").or_else(|| stem("desc")) {
        (name, Some(true))
    } else if let Some(name) = stem("ascending").or_else(|| stem("asc")) {
        (name, Some(false))
    } else {
        (plain, minus.or_else(|| direction(look)))
    };
    let item = look.items.first()?;
    field(item, &name).map(|_| (name, told))
}

fn direction(look: &Look<'_, '_>) -> Option<bool> {
    let told = text(look.knob(Knob::Direction)?)?.to_lowercase();
    Some(told.starts_with("desc") || told == "true" || told == "-1")
}

/// How two values stand to each other; nothing within where it can't be said: texts are put in
/// order by many rules, and only what all of them agree on counts.
#[expect(
    clippy::option_option,
    reason = "no order at all ends the matter, an unclear one does not"
)]
fn order(a: &Value, b: &Value) -> Option<Option<Ordering>> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Some(a.as_f64()?.partial_cmp(&b.as_f64()?)),
        (Value::String(a), Value::String(b)) => {
            let known = |text: &str| {
                text.bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-:.TZ ".contains(&b))
            };
            let plain = a.cmp(b);
            let same = plain == a.to_lowercase().cmp(&b.to_lowercase());
            // A rank behind the letters (`low`, `high`) or numbers within texts are orders too.
            let begin = a.bytes().next().zip(b.bytes().next());
            let apart = begin.is_some_and(|(a, b)| !a.eq_ignore_ascii_case(&b));
            Some(Some(plain).filter(|_| known(a) && known(b) && same && apart))
        }
        _ => None,
    }
}
