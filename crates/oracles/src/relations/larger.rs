//! A larger limit that does not begin with what a smaller one shows, in an order or without.

use fossick_contract::Knob;
use fossick_trace::{Finding, Location};

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
    if !steady || rest.starts_with(&first) || first.is_empty() {
        return None;
    }
    let [few, many] = [small, large].map(|look| look.number(Knob::Size).unwrap_or(0));
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
