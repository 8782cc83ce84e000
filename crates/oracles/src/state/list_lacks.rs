//! A list does not hold what was just created in it.
//!
//! Lists have pages, filters and orders. The oracle speaks only where the list is short, did not
//! grow, and nothing in it points to more.

use fossick_contract::Deed;
use fossick_trace::{Answer, Finding, Location};
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
        .filter(|s| s.deed() == Deed::Create && s.is_done())
    {
        let before = scene.before(created.at).find(|s| lists(scene, s, created));
        let after = scene.after(created.at).find(|s| lists(scene, s, created));
        let (Some(before), Some(after)) = (before, after) else {
            continue;
        };
        let Some((name, identifier)) = identifier(created) else {
            continue;
        };
        let (Some(old), Some(new)) = (listed(before), listed(after)) else {
            continue;
        };
        let more = |answer: &Answer| has_more(answer, after.body(), new.len());
        let whole = new.len() < PAGE && new.len() == old.len() && !after.answer().is_some_and(more);
        // A GraphQL list may not have been asked for the identifier.
        let told = after.root().is_none() || new.iter().all(|item| item.get(name).is_some());
        if whole && told && !new.iter().any(|item| holds(item, identifier)) {
            let title = format!(
                "lacks {identifier}, which {} had just answered",
                created.operation.label
            );
            let why = format!(
                "The list held {} before and {} after; nothing points to further pages.",
                count(old.len()),
                count(new.len())
            );
            findings.push(
                after
                    .finding(oracle, title, why)
                    .marked("list lacks")
                    .located(Location::List)
                    .got(Some(identifier.clone()))
                    .after(before)
                    .after(created),
            );
        }
    }
}

/// A look at the whole collection: a query may be a filter.
fn lists(scene: &Scene<'_>, look: &Shown<'_>, created: &Shown<'_>) -> bool {
    if look.root().is_some() {
        return look.is_read() && look.succeeded() && lists_all(scene, look, created);
    }
    let made_here = created.thing().is_some_and(|thing| look.shows(&thing));
    made_here && look.query().is_empty()
}

/// A GraphQL field of the same type without arguments, and with a name that promises them all:
/// `books` and `allBooks`, but not `recentBooks`.
fn lists_all(scene: &Scene<'_>, look: &Shown<'_>, created: &Shown<'_>) -> bool {
    const PLAIN: [&str; 10] = [
        "all",
        "get",
        "list",
        "find",
        "fetch",
        "connection",
        "collection",
        "query",
        "many",
        "items",
    ];
    let (Some(root), Some(made)) = (look.root(), created.root()) else {
        return false;
    };
    let Some(kind) = root.thing.filter(|kind| made.thing == Some(*kind)) else {
        return false;
    };
    let type_name = &scene.api.types.get(kind).name;
    let mut left = words(&scene.api.root_field(root).name);
    left.retain(|word| !PLAIN.contains(&word.as_str()));
    let field = left.concat();
    let thing = words(type_name).concat();
    let stem = thing.strip_suffix('y').unwrap_or(&thing);
    let plural = field
        .strip_prefix(stem)
        .is_some_and(|end| matches!(end, "" | "s" | "es" | "y" | "ys" | "ies"));
    root.listed && plural && look.arguments().values().all(Value::is_null)
}

fn listed<'a>(look: &Shown<'a>) -> Option<Vec<&'a Value>> {
    match look.root() {
        Some(_) => Some(look.listed()),
        None => Some(items(look.json()?)?.iter().collect()),
    }
}

fn identifier<'a>(created: &Shown<'a>) -> Option<(&'static str, &'a Value)> {
    let inner = unwrapped(created.body()?);
    ["id", "uuid", "_id", "key", "slug", "name"]
        .into_iter()
        .find_map(|name| Some((name, inner.get(name)?)))
        .filter(|(_, value)| value.is_string() || value.is_number())
}

/// Whether anything in an answer points to more than it shows.
fn has_more(answer: &Answer, body: Option<&Value>, shown: usize) -> bool {
    let linked = answer
        .header("link")
        .is_some_and(|link| link.contains("next"));
    let counted = ["x-total-count", "x-total", "total-count"]
        .iter()
        .filter_map(|name| answer.header(name)?.parse().ok())
        .any(|total: usize| total > shown);
    let marked = body.is_some_and(|body| says_more(body, shown, 0));
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
