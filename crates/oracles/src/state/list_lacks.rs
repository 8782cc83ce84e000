//! A list does not hold what was just created in it.
//!
//! Lists have pages, filters and orders. The oracle speaks only where the list is short, did not
//! grow, and nothing in it points to more.

use fossick_contract::Method;
use fossick_trace::{Answer, Finding};
use serde_json::Value;

use crate::compare::holds;
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
        let before = scene.before(created.at).find(|s| s.shows(created.path()));
        let after = scene.after(created.at).find(|s| s.shows(created.path()));
        let (Some(before), Some(after)) = (before, after) else {
            continue;
        };
        let Some(identifier) = identifier(created) else {
            continue;
        };
        let (Some(old), Some(new)) = (list(before), list(after)) else {
            continue;
        };
        let whole =
            new.len() < PAGE && new.len() == old.len() && !after.answer().is_some_and(has_more);
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

fn identifier<'a>(created: &Shown<'a>) -> Option<&'a Value> {
    let body = created.json()?;
    let inner = body.get("data").filter(|d| d.is_object()).unwrap_or(body);
    ["id", "uuid", "_id", "key", "slug", "name"]
        .iter()
        .find_map(|name| inner.get(name))
        .filter(|value| value.is_string() || value.is_number())
}

/// The items of a list answer, bare or in the only list of its envelope.
fn list<'a>(step: &Shown<'a>) -> Option<&'a Vec<Value>> {
    match step.json()? {
        Value::Array(items) => Some(items),
        Value::Object(map) => {
            let mut lists = map.values().filter_map(Value::as_array);
            let first = lists.next()?;
            lists.next().is_none().then_some(first)
        }
        _ => None,
    }
}

fn has_more(answer: &Answer) -> bool {
    const MARKS: [&str; 5] = [
        "next",
        "next_page",
        "nextPage",
        "next_cursor",
        "nextPageToken",
    ];
    let linked = answer
        .header("link")
        .is_some_and(|link| link.contains("next"));
    let marked = answer.json().is_some_and(|body| {
        MARKS
            .iter()
            .any(|m| body.get(m).is_some_and(|v| !v.is_null()))
    });
    linked || marked
}

fn count(items: usize) -> String {
    if items == 1 {
        "1 item".to_owned()
    } else {
        format!("{items} items")
    }
}
