//! A list does not hold what was just created in it.
//!
//! Lists have pages, filters and orders. The oracle speaks only where the list is short, did not
//! grow, and nothing in it points to more.

use fossick_contract::Method;
use fossick_trace::{Answer, Finding};
use serde_json::Value;

use crate::compare::{holds, items, unwrapped};
use crate::names::words;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

/// A list at least this long may be a page.
const PAGE: usize = 10;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for created in scene
        .steps
        .iter()
        .filter(|s| s.method() == Method::Post && s.succeeded() && s.status() != 202)
    {
        let before = scene.before(created.at).find(|s| lists(s, created));
        let after = scene.after(created.at).find(|s| lists(s, created));
        let (Some(before), Some(after)) = (before, after) else {
            continue;
        };
        let Some(identifier) = identifier(created) else {
            continue;
        };
        let (Some(old), Some(new)) = (before.json().and_then(items), after.json().and_then(items))
        else {
            continue;
        };
        let more = |answer: &Answer| has_more(answer, new.len());
        let whole = new.len() < PAGE && new.len() == old.len() && !after.answer().is_some_and(more);
        if whole && !new.iter().any(|item| holds(item, identifier)) {
            let title = format!(
                "lacks {identifier}, which {} had just answered",
                created.operation.label
            );
            let why = format!(
                "The list held {} before and {} after; nothing points to further pages.",
                count(old.len()),
                count(new.len())
            );
            findings.push(after.finding(oracle, title, why).marked("list lacks"));
        }
    }
}

/// A look at the whole collection: a query may be a filter.
fn lists(look: &Shown<'_>, created: &Shown<'_>) -> bool {
    look.shows(created.path()) && look.query().is_empty()
}

fn identifier<'a>(created: &Shown<'a>) -> Option<&'a Value> {
    let inner = unwrapped(created.json()?);
    ["id", "uuid", "_id", "key", "slug", "name"]
        .iter()
        .find_map(|name| inner.get(name))
        .filter(|value| value.is_string() || value.is_number())
}

/// Whether anything in an answer points to more than it shows.
fn has_more(answer: &Answer, shown: usize) -> bool {
    let linked = answer
        .header("link")
        .is_some_and(|link| link.contains("next"));
    let counted = ["x-total-count", "x-total", "total-count"]
        .iter()
        .filter_map(|name| answer.header(name)?.parse().ok())
        .any(|total: usize| total > shown);
    let marked = answer.json().is_some_and(|body| says_more(body, shown, 0));
    linked || counted || marked
}

/// Looks beside the list, and one level into `meta`, `pagination` and the like.
fn says_more(body: &Value, shown: usize, depth: usize) -> bool {
    let Value::Object(map) = body else {
        return false;
    };
    map.iter().any(|(name, value)| {
        let words = words(name);
        let says = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
        match value {
            Value::Number(number) => {
                let total = number.as_f64().is_some_and(|n| n > shown as f64);
                total && says(&["total", "count"])
            }
            Value::Bool(flag) => *flag && says(&["more", "next"]),
            Value::String(text) => !text.is_empty() && says(&["next", "cursor"]),
            Value::Object(_) if says(&["next"]) => true,
            Value::Object(_) => depth == 0 && says_more(value, shown, depth + 1),
            _ => false,
        }
    })
}

fn count(items: usize) -> String {
    if items == 1 {
        "1 item".to_owned()
    } else {
        format!("{items} items")
    }
}
