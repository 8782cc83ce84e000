//! A count that is not the number of what it counts.

use fossick_contract::{Knob, plain_name};
use fossick_query::Pick;
use fossick_trace::{Finding, Location};
use serde_json::{Map, Value};

use super::look::{Look, looks};
use super::page_count::of_pages;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    let looks = looks(scene);
    for look in &looks {
        push(findings, of_list(oracle, &looks, look));
        push(findings, of_pages(oracle, look));
    }
    for step in scene.steps.iter().filter(|s| s.succeeded()) {
        let body = match step.root() {
            Some(_) => step.payload(),
            None => step.json(),
        };
        if let Some(body) = body {
            let narrowed = narrowed(step);
            let found = beside(body, &narrowed, 0).map(|found| within(oracle, step, &found));
            push(findings, found);
        }
    }
    for look in &looks {
        push(findings, of_parent(oracle, scene, look));
    }
}

fn push(findings: &mut Vec<Finding>, found: Option<Finding>) {
    let is_new = |found: &Finding| {
        let same = |f: &&Finding| {
            f.mark == found.mark && f.code == found.code && f.operation == found.operation
        };
        findings.iter().find(same).is_none()
    };
    findings.extend(found.filter(is_new));
}

/// What an answer says of the length of its list.
struct Total {
    name: String,
    count: u64,
    /// A sum of money is called so too.
    vague: bool,
}

fn totals(look: &Look<'_, '_>) -> Vec<Total> {
    let mut totals = Vec::new();
    for name in ["x-total-count", "x-total", "total-count"] {
        let told = look.step.answer().and_then(|answer| answer.header(name));
        if let Some(count) = told.and_then(|text| text.parse().ok()) {
            totals.push(Total {
                name: name.to_owned(),
                count,
                vague: false,
            });
        }
    }
    if let Some(map) = look.beside() {
        totals_in(map, 0, &mut totals);
    }
    totals
}

fn totals_in(map: &Map<String, Value>, depth: usize, totals: &mut Vec<Total>) {
    const SURE: [&str; 8] = [
        "totalcount",
        "totalitems",
        "totalresults",
        "totalelements",
        "totalrecords",
        "totalhits",
        "itemcount",
        "resultcount",
    ];
    for (name, value) in map {
        match value {
            Value::Number(number) => {
                let plain = plain_name(name);
                let vague = matches!(plain.as_str(), "total" | "count");
                if let Some(count) = number.as_u64()
                    && (vague || SURE.contains(&plain.as_str()))
                {
                    totals.push(Total {
                        name: name.clone(),
                        count,
                        vague,
                    });
                }
            }
            Value::Object(inner) if depth == 0 => totals_in(inner, 1, totals),
            _ => {}
        }
    }
}

fn of_list(oracle: &Oracle, looks: &[Look<'_, '_>], look: &Look<'_, '_>) -> Option<Finding> {
    let shown = look.items.len() as u64;
    let totals = totals(look);
    let sorted = look.knob(Knob::Sort).is_some();
    // One of several may count something else; and what sorting drops is told as that.
    if totals.iter().any(|total| total.count == shown) || sorted || !look.is_whole() {
        return None;
    }
    let (total, elsewhere) = totals.iter().find_map(|total| {
        let right = counted_rightly(looks, look, &total.name);
        (!total.vague || right.is_some()).then_some((total, right.filter(|_| total.vague)))
    })?;
    let title = format!(
        "{} is {}, yet there are {shown} items",
        total.name, total.count
    );
    let why = "The list had room for more and points to no further page.".to_owned();
    let finding = look
        .step
        .finding(oracle, title, why)
        .marked(format!("count {}", total.name))
        .located(Location::List)
        .got(Some(total.count.into()));
    Some(match elsewhere {
        Some(right) => finding.after(right.step),
        None => finding,
    })
}

/// A look elsewhere in the episode that counted rightly: then it is a count.
fn counted_rightly<'l, 's, 'a>(
    looks: &'l [Look<'s, 'a>],
    look: &Look<'_, '_>,
    name: &str,
) -> Option<&'l Look<'s, 'a>> {
    let right = |other: &&Look<'_, '_>| {
        let shown = other.items.len() as u64;
        let mut totals = totals(other).into_iter();
        other.step.operation.label == look.step.operation.label
            && shown > 0
            && other.is_whole()
            && totals.any(|total| total.name == name && total.count == shown)
    };
    looks.iter().find(|other| right(other))
}

/// A count beside the list that it counts.
struct Beside {
    count: String,
    list: String,
    told: u64,
    shown: usize,
}

/// Keys of a GraphQL answer whose fields were given arguments: a list may be filtered by them.
fn narrowed<'a>(step: &Shown<'a>) -> Vec<&'a str> {
    let mut keys = Vec::new();
    let document = step.inquiry.and_then(|inquiry| inquiry.document.as_deref());
    if let Some(document) = document {
        gather(&document.picks, 0, &mut keys);
    }
    keys
}

fn gather<'a>(picks: &'a [Pick], depth: usize, keys: &mut Vec<&'a str>) {
    const DEPTH: usize = 32;
    for pick in picks.iter().filter(|_| depth < DEPTH) {
        let inner = match pick {
            Pick::Field(asked) => {
                if !asked.arguments.is_empty() || asked.alias.is_some() {
                    keys.push(asked.key());
                }
                &asked.picks
            }
            Pick::Part(part) => &part.picks,
        };
        gather(inner, depth + 1, keys);
    }
}

/// Shorter lists are not cut, whatever a service does without being asked.
const UNCUT: usize = 5;

fn beside(value: &Value, narrowed: &[&str], depth: usize) -> Option<Beside> {
    const DEPTH: usize = 8;
    match value {
        _ if depth > DEPTH => None,
        Value::Array(items) => items
            .iter()
            .take(100)
            .find_map(|item| beside(item, narrowed, depth + 1)),
        Value::Object(map) => miscounted(map, narrowed).or_else(|| {
            map.values()
                .find_map(|inner| beside(inner, narrowed, depth + 1))
        }),
        _ => None,
    }
}

fn miscounted(map: &Map<String, Value>, narrowed: &[&str]) -> Option<Beside> {
    let lists = map
        .iter()
        .filter_map(|(name, value)| Some((name, value.as_array()?)));
    let whole = |name: &str| !narrowed.contains(&name);
    let mut lists = lists.filter(|(name, items)| items.len() < UNCUT && whole(name));
    lists.find_map(|(list, items)| {
        let counted = |(name, value): (&String, &Value)| {
            let told = value
                .as_u64()
                .filter(|_| counts(name, list) && whole(name))?;
            Some((name.clone(), told))
        };
        let (count, told) = map.iter().find_map(counted)?;
        let shown = items.len();
        (told != shown as u64).then(|| Beside {
            count,
            list: list.clone(),
            told,
            shown,
        })
    })
}

/// `binCount`, `bins_count` and `numberOfBins` count `bins`.
fn counts(name: &str, list: &str) -> bool {
    let (name, list) = (plain_name(name), plain_name(list));
    let rest = name
        .strip_suffix("count")
        .or_else(|| name.strip_prefix("numberof"))
        .or_else(|| name.strip_prefix("num"));
    rest.is_some_and(|rest| !rest.is_empty() && (rest == list || is_plural(&list, rest)))
}

fn is_plural(list: &str, one: &str) -> bool {
    let stem = one.strip_suffix('y').unwrap_or(one);
    list.strip_prefix(one)
        .is_some_and(|end| matches!(end, "s" | "es"))
        || list.strip_prefix(stem).is_some_and(|end| end == "ies")
}

fn within(oracle: &Oracle, step: &Shown<'_>, found: &Beside) -> Finding {
    let Beside {
        count,
        list,
        told,
        shown,
    } = found;
    let title = format!("{count} is {told}, yet {list} has {shown}");
    let why = "The count and the list stand side by side in the same answer.".to_owned();
    step.finding(oracle, title, why)
        .marked(format!("count {count}"))
        .located(Location::List)
        .got(Some((*told).into()))
}

/// The parent's own count, the same before and after, against the list below it.
fn of_parent(oracle: &Oracle, scene: &Scene<'_>, look: &Look<'_, '_>) -> Option<Finding> {
    let (path, segment) = look.step.path().rsplit_once('/')?;
    let plain = look
        .asked
        .keys()
        .all(|name| Knob::of(name) == Some(Knob::Size));
    if look.step.root().is_some() || !plain || !look.is_whole() {
        return None;
    }
    let parent = |s: &&Shown<'_>| s.is_read() && s.succeeded() && s.path() == path;
    let before = scene.before(look.step.at).find(parent)?;
    let after = scene.after(look.step.at).find(parent)?;
    let within = before.at..after.at;
    let wrote = |s: &Shown<'_>| within.contains(&s.at) && !s.is_safe();
    let counted = |step: &Shown<'_>| {
        let body = crate::compare::unwrapped(step.json()?).as_object()?;
        let told = |(name, value): (&String, &Value)| {
            let count = value.as_u64().filter(|_| counts(name, segment))?;
            Some((name.clone(), count))
        };
        body.iter().find_map(told)
    };
    let (name, told) = counted(before).filter(|told| counted(after).as_ref() == Some(told))?;
    let shown = look.items.len();
    if told == shown as u64 || scene.steps.iter().any(wrote) {
        return None;
    }
    let title = format!("{name} is {told}, yet the list below has {shown}");
    let why = "The count is the same before and after the list was asked for.".to_owned();
    let finding = after
        .finding(oracle, title, why)
        .marked(format!("count {name}"))
        .located(Location::List)
        .got(Some(told.into()))
        .after(before)
        .after(look.step);
    Some(finding)
}
