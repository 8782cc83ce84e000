//! A larger limit that does not begin with what a smaller one shows, in an order or without; a
//! smaller one that shows less than it has room for.

use fossick_contract::Knob;
use fossick_trace::{Finding, Location};
use serde_json::Value;

use super::look::{Look, framed, looks, may_compare};
use super::sort;
use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    if !may_compare(scene) {
        return;
    }
    let looks = looks(scene);
    let sized = |look: &&Look<'_, '_>| look.is_from_start() && look.number(Knob::Size).is_some();
    findings.extend(
        looks
            .iter()
            .filter(sized)
            .find_map(|look| judge(oracle, scene, &looks, look)),
    );
}

fn judge<'s, 'a>(
    oracle: &Oracle,
    scene: &Scene<'a>,
    looks: &[Look<'s, 'a>],
    inner: &Look<'s, 'a>,
) -> Option<Finding> {
    let is_size = |knob| knob == Knob::Size;
    let other = |look: &Look<'s, 'a>| {
        look.is_from_start()
            && look.matches(inner, is_size)
            && look.number(Knob::Size).is_some()
            && look.number(Knob::Size) != inner.number(Knob::Size)
    };
    let (frame, again) = framed(scene, looks, &[inner], other)?;
    let is_larger = frame.number(Knob::Size) > inner.number(Knob::Size);
    let (small, large) = if is_larger {
        (inner, frame)
    } else {
        (frame, inner)
    };
    let [first, rest, later] = [small, large, frame].map(|look| marks(look));
    let again = marks(again)?;
    let (first, rest, later) = (first?, rest?, later?);
    // What changed further behind moves nothing here.
    let begins = later.len().min(first.len());
    let steady = again.starts_with(&later[..begins]);
    let [few, many] = [small, large].map(|look| look.number(Knob::Size).unwrap_or(0));
    // What stood at the start before and after was there in between.
    let lasted = later.len().min(few);
    if is_larger && first.len() < lasted && again.starts_with(&later[..lasted]) && fills(small) {
        return Some(short(oracle, small, large));
    }
    if !steady || rest.starts_with(&first) || first.is_empty() {
        return None;
    }
    let title = format!("the first {few} of {many} are not those of a limit of {few}");
    let why = format!(
        "A limit of {few} shows {}, one of {many} begins with {}.",
        small.ids.join(", "),
        large
            .ids
            .iter()
            .take(small.ids.len())
            .cloned()
            .collect::<Vec<_>>()
            .join(", "),
    );
    let finding = inner
        .step
        .finding(oracle, title, why)
        .marked("larger limit")
        .located(Location::List)
        .after(frame.step);
    Some(finding)
}

/// Whether pages are full as long as there is more: who leads on by a cursor may show fewer.
fn fills(look: &Look<'_, '_>) -> bool {
    let operation = look.step.operation;
    let is_cursor = |name: &str| Knob::of(name) == Some(Knob::Cursor);
    operation.graphql.is_none() && !operation.parameters.iter().any(|p| is_cursor(&p.name))
}

fn short(oracle: &Oracle, small: &Look<'_, '_>, large: &Look<'_, '_>) -> Finding {
    let (few, many) = (small.number(Knob::Size), large.number(Knob::Size));
    let (few, many) = (few.unwrap_or(0), many.unwrap_or(0));
    let (shown, there) = (small.items.len(), large.items.len());
    let title = format!("a limit of {few} shows {shown} although there are {there}");
    let why = format!(
        "Asked for {many} at once, the list shows {there}; a page of {few} has room for more than \
         {shown}. Lists are to be filtered before they are cut."
    );
    // Whose they are tells what the finding stands on.
    let lacks = large.ids.iter().take(few);
    let lacks: Vec<&str> = lacks
        .filter(|id| !small.ids.contains(id))
        .map(String::as_str)
        .collect();
    small
        .step
        .finding(oracle, title, why)
        .marked("short page")
        .located(Location::List)
        .got(Some(Value::from(lacks)))
        .after(large.step)
}

/// What tells the items apart: each by itself, or by what it is sorted by where an order is asked
/// for, since equals may stand in any. Nothing where nobody knows what that is.
fn marks(look: &Look<'_, '_>) -> Option<Vec<String>> {
    if look.knob(Knob::Sort).is_none() {
        return Some(look.ids.clone());
    }
    (0..look.items.len())
        .map(|at| sort::mark(look, at))
        .collect()
}
