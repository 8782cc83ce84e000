//! A filter that lets others through, or keeps back what it asks for.
//!
//! A parameter is a filter where the items have a field of its name, or of its name without `min`
//! or `max`. What a filter on free text does nobody knows, so only plain misses are told there.

use fossick_contract::{Comparison, Knob};
use fossick_trace::{Finding, Location};
use serde_json::Value;

use super::look::{Look, framed, lasting, looks, some};
use crate::compare::brief;
use crate::names::{is_identity, words};
use crate::scene::{Scene, Shaded};
use crate::table::Oracle;
use crate::thing::text;

/// One parameter, held against one field of the items.
struct Filter<'l> {
    name: &'l str,
    field: &'l str,
    bound: Comparison,
    wanted: &'l Value,
}

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    let looks = looks(scene);
    for look in &looks {
        let stranger = stranger(oracle, &looks, look);
        let found = stranger.or_else(|| kept_back(oracle, scene, &looks, look));
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

/// The filters of a look, by the fields of its own items or of another look's.
fn filters<'l>(look: &'l Look<'_, '_>, items: &'l [&Value]) -> Vec<Filter<'l>> {
    let mut filters = Vec::new();
    let Some(fields) = items.first().and_then(|item| item.as_object()) else {
        return filters;
    };
    for (name, wanted) in &look.asked {
        if Knob::of(name).is_some() || is_wish(name) {
            continue;
        }
        let bound = |field: &'l String| Some((field, Comparison::of(name, field)?));
        let exact = fields
            .keys()
            .find(|field| Comparison::of(name, field) == Some(Comparison::Exactly));
        let found = exact.map(|field| (field, Comparison::Exactly));
        if let Some((field, bound)) = found.or_else(|| fields.keys().find_map(bound)) {
            filters.push(Filter {
                name,
                field,
                bound,
                wanted,
            });
        }
    }
    filters
}

/// Parameters that say how things are told, not which.
fn is_wish(name: &str) -> bool {
    const WISHES: [&str; 12] = [
        "language", "lang", "locale", "currency", "unit", "units", "timezone", "tz", "format",
        "version", "fields", "include",
    ];
    words(name)
        .iter()
        .any(|word| WISHES.contains(&word.as_str()))
}

/// Filters on whether things have something at all: `withVehicle`, `hasNote`.
fn presences<'l>(look: &'l Look<'_, '_>) -> Vec<Filter<'l>> {
    let fields = look.items.first().and_then(|item| item.as_object());
    let fields: Vec<&String> = fields.into_iter().flat_map(|map| map.keys()).collect();
    let mut found = Vec::new();
    for (name, wanted) in &look.asked {
        let said = words(name);
        let Some((first, rest)) = said.split_first() else {
            continue;
        };
        let asks = matches!(first.as_str(), "with" | "has" | "have") && !rest.is_empty();
        let field = fields.iter().find(|field| words(field) == rest);
        if let Some(field) = field.filter(|_| asks) {
            found.push(Filter {
                name,
                field,
                bound: Comparison::Exactly,
                wanted,
            });
        }
    }
    found
}

/// Whether a thing has what it should be without, or the other way round.
fn contradicts(filter: &Filter<'_>, shown: &Value) -> bool {
    let wanted = text(filter.wanted).or_else(|| flag(filter.wanted));
    match (wanted.as_deref(), shown) {
        (Some("false"), Value::Object(_)) | (Some("true"), Value::Null) => true,
        (Some("false"), Value::Array(items)) => !items.is_empty(),
        (Some("false"), Value::String(text)) => !text.is_empty(),
        (Some("true"), Value::Array(items)) => items.is_empty(),
        _ => false,
    }
}

/// Whether a value is one that a filter should have kept back.
type Test = fn(&Filter<'_>, &Value) -> bool;

fn stranger(oracle: &Oracle, looks: &[Look<'_, '_>], look: &Look<'_, '_>) -> Option<Finding> {
    let filters = filters(look, &look.items);
    let presences = presences(look);
    let by_value = filters.iter().map(|filter| (filter, is_outside as Test));
    let by_presence = presences.iter().map(|filter| (filter, contradicts as Test));
    let (filter, item) = by_value.chain(by_presence).find_map(|(filter, is_wrong)| {
        let wrong = |item: &&&Value| {
            let shown = item.get(filter.field);
            shown.is_some_and(|shown| is_wrong(filter, shown))
        };
        Some((filter, *look.items.iter().find(wrong)?))
    })?;
    let shown = item.get(filter.field)?;
    let title = format!(
        "{} = {} shows an item with {} {}",
        filter.name,
        brief(filter.wanted),
        filter.field,
        brief(shown)
    );
    let why = "Whoever filters must not be shown what does not fit.".to_owned();
    let mut finding = look
        .step
        .finding(oracle, title, why)
        .marked(format!("filter {}", filter.name))
        .located(Location::List)
        .got(Some(shown.clone()));
    let plain = looks
        .iter()
        .find(|other| other.step.at < look.step.at && other.is_of(look));
    if let Some(plain) = plain {
        finding = finding.after(plain.step);
    }
    Some(finding)
}

/// Certainly not what was asked for; what is unclear is let through.
fn is_outside(filter: &Filter<'_>, shown: &Value) -> bool {
    let Some(wanted) = text(filter.wanted).or_else(|| flag(filter.wanted)) else {
        return false;
    };
    match (filter.bound, shown) {
        (Comparison::Exactly, Value::Bool(flag)) => {
            matches!((wanted.as_str(), flag), ("true", false) | ("false", true))
        }
        (Comparison::Exactly, Value::Number(number)) => {
            let wanted = wanted.parse::<f64>().ok();
            wanted
                .zip(number.as_f64())
                .is_some_and(|(a, b)| (a - b).abs() > 1e-9)
        }
        (Comparison::Exactly, Value::String(shown)) => is_other_text(filter.field, &wanted, shown),
        (bound, shown) => compare(&wanted, shown).is_some_and(|order| match bound {
            Comparison::AtLeast => order.is_lt(),
            Comparison::AtMost => order.is_gt(),
            Comparison::Exactly => false,
        }),
    }
}

fn flag(value: &Value) -> Option<String> {
    value.as_bool().map(|flag| flag.to_string())
}

/// Names and titles are often searched loosely; words such as a status are not.
fn is_other_text(field: &str, wanted: &str, shown: &str) -> bool {
    const LOOSE: [&str; 11] = [
        "name",
        "title",
        "description",
        "text",
        "body",
        "content",
        "comment",
        "note",
        "notes",
        "summary",
        "subject",
    ];
    let loose = words(field)
        .iter()
        .any(|word| LOOSE.contains(&word.as_str()));
    let plain = |text: &str| text.trim().to_lowercase();
    let (wanted, shown) = (plain(wanted), plain(shown));
    let patterned = wanted.contains([',', '*', '%', '|', ':', ';', '^', '~', '!', '<', '>']);
    let is_key = is_identity(field);
    let apart = if is_key {
        wanted != shown
    } else {
        !shown.contains(&wanted) && !wanted.contains(&shown)
    };
    apart && !patterned && !wanted.is_empty() && (!loose || is_key)
}

/// How a shown value stands to a wanted one: numbers by size, dates by their months, since days
/// depend on where one is.
fn compare(wanted: &str, shown: &Value) -> Option<std::cmp::Ordering> {
    match shown {
        Value::Number(number) => number.as_f64()?.partial_cmp(&wanted.parse().ok()?),
        Value::String(shown) => Some(month(shown)?.cmp(month(wanted)?)),
        _ => None,
    }
}

fn month(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let digits = |at: std::ops::Range<usize>| {
        bytes
            .get(at)
            .is_some_and(|b| b.iter().all(u8::is_ascii_digit))
    };
    (digits(0..4) && digits(5..7) && bytes.get(4) == Some(&b'-')).then(|| &text[..7])
}

/// An item that fits, and that the list shows before and after without the filter.
fn kept_back<'s, 'a>(
    oracle: &Oracle,
    scene: &Scene<'a>,
    looks: &[Look<'s, 'a>],
    look: &Look<'s, 'a>,
) -> Option<Finding> {
    if !look.is_whole() {
        return None;
    }
    let wider = |other: &Look<'s, 'a>| other.is_of(look) && is_wider(other, look);
    let (before, after) = framed(scene, looks, &[look], wider)?;
    let filters = filters(look, &before.items);
    let added = look
        .asked
        .keys()
        .filter(|name| !before.asked.contains_key(*name));
    if added.clone().count() == 0
        || added
            .clone()
            .any(|name| filters.iter().all(|f| f.name != name))
    {
        return None;
    }
    let fits = |of: &Look<'_, '_>, id: &str| {
        let at = of.ids.iter().position(|other| other == id);
        let item = at.and_then(|at| of.items.get(at));
        item.is_some_and(|item| filters.iter().all(|f| is_inside(f, item)))
    };
    let missed: Vec<&str> = lasting(before, after)
        .into_iter()
        .filter(|id| fits(before, id) && fits(after, id))
        .filter(|id| !look.ids.iter().any(|shown| shown == id))
        .collect();
    if missed.is_empty() {
        return None;
    }
    let asked: Vec<String> = filters
        .iter()
        .map(|f| format!("{} = {}", f.name, brief(f.wanted)))
        .collect();
    let names: Vec<&str> = filters.iter().map(|f| f.name).collect();
    let title = format!("{} lacks {}, which fits", asked.join(", "), some(&missed));
    let why =
        "The list shows it before and after without the filter, with values that fit.".to_owned();
    let finding = look
        .step
        .finding(oracle, title, why)
        .marked(format!("filter {}", names.join(" ")))
        .located(Location::List)
        .got(Some(Value::from(missed)))
        .after(before.step);
    Some(finding)
}

/// The same list with some of the filters taken off, and nothing else changed.
fn is_wider(other: &Look<'_, '_>, look: &Look<'_, '_>) -> bool {
    let kept = |(name, value): (&String, &Value)| look.asked.get(name) == Some(value);
    other.is_from_start() && other.asked.len() < look.asked.len() && other.asked.iter().all(kept)
}

/// Certainly what was asked for.
fn is_inside(filter: &Filter<'_>, item: &Value) -> bool {
    let (Some(shown), Some(wanted)) = (
        item.get(filter.field),
        text(filter.wanted).or_else(|| flag(filter.wanted)),
    ) else {
        return false;
    };
    match filter.bound {
        Comparison::Exactly => text(shown).or_else(|| flag(shown)) == Some(wanted),
        Comparison::AtLeast => compare(&wanted, shown).is_some_and(std::cmp::Ordering::is_gt),
        Comparison::AtMost => compare(&wanted, shown).is_some_and(std::cmp::Ordering::is_lt),
    }
}
