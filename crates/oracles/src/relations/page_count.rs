//! A number of pages that is not what the total and the size of a page come to.

use fossick_contract::{Knob, plain_name};
use fossick_trace::{Finding, Location, Wrong};
use serde_json::{Map, Value};

use super::look::Look;
use crate::scene::Shaded;
use crate::table::Oracle;

const PAGES: [&str; 8] = [
    "pagecount",
    "totalpages",
    "pages",
    "pagestotal",
    "numpages",
    "numberofpages",
    "totalpagecount",
    "pagetotal",
];
const TOTALS: [&str; 7] = [
    "total",
    "totalcount",
    "totalitems",
    "totalresults",
    "totalelements",
    "totalrecords",
    "totalhits",
];

pub(super) fn of_pages(oracle: &Oracle, look: &Look<'_, '_>) -> Option<Finding> {
    let (under, map) = paged(look.beside()?)?;
    let (name, pages) = number(map, |name| PAGES.contains(&name))?;
    let (_, total) = number(map, |name| TOTALS.contains(&name))?;
    let size = size(look, map, total)?;
    let expected = total.div_ceil(size);
    // Nothing at all is no page to some, and an empty one to others.
    if pages == expected || (total == 0 && pages == 1) {
        return None;
    }
    let title = format!("{name} is {pages}, yet {total} items make {expected} pages of {size}");
    let why = "The total, the size of a page and the number of pages contradict each other.";
    let finding = look
        .step
        .finding(oracle, title, why.to_owned())
        .marked(format!("pages {name}"))
        .located(Location::Body {
            path: format!("{under}/{name}"),
            wrong: Wrong::Value,
        })
        .got(Some(pages.into()));
    Some(finding)
}

/// The object that tells of pages: the one around the list, or one inside it.
fn paged(map: &Map<String, Value>) -> Option<(String, &Map<String, Value>)> {
    let tells = |map: &Map<String, Value>| number(map, |name| PAGES.contains(&name)).is_some();
    if tells(map) {
        return Some((String::new(), map));
    }
    let inner = map
        .iter()
        .filter_map(|(name, value)| Some((name, value.as_object()?)));
    let mut inner = inner.filter(|(_, map)| tells(map));
    inner.next().map(|(name, map)| (format!("/{name}"), map))
}

fn number(map: &Map<String, Value>, is_it: impl Fn(&str) -> bool) -> Option<(&String, u64)> {
    let mut numbers = map
        .iter()
        .filter_map(|(name, value)| Some((name, value.as_u64()?)));
    numbers.find(|(name, _)| is_it(&plain_name(name)))
}

/// How many items a page has: what the answer says, or else what was asked for, as long as nothing
/// shows that the service gives fewer.
fn size(look: &Look<'_, '_>, map: &Map<String, Value>, total: u64) -> Option<u64> {
    let told = number(map, |name| Knob::of(name) == Some(Knob::Size));
    let size = told.map(|(_, size)| size).or_else(|| {
        let asked = look.number(Knob::Size)? as u64;
        let shown = look.items.len() as u64;
        (shown == asked || shown == total).then_some(asked)
    });
    size.filter(|size| *size > 0)
}
