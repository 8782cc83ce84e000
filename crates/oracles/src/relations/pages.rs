//! Pages that show an item twice, or leave one out.

use fossick_contract::Knob;
use fossick_trace::{Finding, Location};
use serde_json::Value;

use super::look::{Look, framed, looks, may_compare, some};
use super::sort;
use crate::compare::holds;
use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    if !may_compare(scene) {
        return;
    }
    let looks = looks(scene);
    for first in looks.iter().filter(|look| look.is_from_start()) {
        let chain = chain(first, &looks);
        let told = judge(oracle, scene, &looks, &chain);
        if let Some(finding) = told {
            findings.push(finding);
            return;
        }
    }
}

/// Pages that follow each other, each full but for the last.
fn chain<'l, 's, 'a>(first: &'l Look<'s, 'a>, looks: &'l [Look<'s, 'a>]) -> Vec<&'l Look<'s, 'a>> {
    let mut chain = vec![first];
    while let Some(last) = chain.last().copied()
        && let Some(next) = looks.iter().find(|look| follows(last, look))
    {
        chain.push(next);
    }
    chain
}

fn follows(last: &Look<'_, '_>, next: &Look<'_, '_>) -> bool {
    let size = last.number(Knob::Size);
    let after = next.step.at > last.step.at
        && size.is_some()
        && size == next.number(Knob::Size)
        && last.matches(next, Knob::cuts);
    after && (continues(last, next) || comes_behind(last, next, size.unwrap_or(0)))
}

/// By a cursor that the last page told beside its items.
fn continues(last: &Look<'_, '_>, next: &Look<'_, '_>) -> bool {
    let (Some(cursor), Some(beside)) = (next.knob(Knob::Cursor), last.beside()) else {
        return false;
    };
    next.number(Knob::Offset).is_none() && beside.values().any(|value| holds(value, cursor))
}

/// By counting: the next offset, or the next number.
fn comes_behind(last: &Look<'_, '_>, next: &Look<'_, '_>, size: usize) -> bool {
    let uncut = |look: &Look<'_, '_>, knob| look.knob(knob).is_none();
    let offsets = next.number(Knob::Offset) == Some(last.number(Knob::Offset).unwrap_or(0) + size);
    let numbers = match (last.number(Knob::Page), next.number(Knob::Page)) {
        (Some(last), Some(next)) => next == last + 1,
        _ => false,
    };
    let full = last.items.len() == size && size > 0;
    full && uncut(next, Knob::Cursor)
        && ((offsets && uncut(next, Knob::Page)) || (numbers && uncut(next, Knob::Offset)))
}

fn judge<'s, 'a>(
    oracle: &Oracle,
    scene: &Scene<'a>,
    looks: &[Look<'s, 'a>],
    chain: &[&Look<'s, 'a>],
) -> Option<Finding> {
    let (first, rest) = chain.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let larger = |look: &Look<'s, 'a>| {
        look.is_from_start()
            && look.matches(first, Knob::cuts)
            && look.number(Knob::Size) > first.number(Knob::Size)
    };
    let (whole, again) = framed(scene, looks, chain, larger)?;
    // What changed behind the pages meanwhile moves nothing on them.
    let paged = chain.iter().map(|page| page.items.len()).sum::<usize>() + 1;
    let seen = whole.ids.len().min(paged);
    if !again.ids.starts_with(&whole.ids[..seen]) {
        return None;
    }
    let last = rest.last()?;
    let told = |page: &Look<'s, 'a>, title: String, why: &str, ids: Vec<&str>| {
        page.step
            .finding(oracle, title, why.to_owned())
            .marked("pages")
            .located(Location::List)
            .got(Some(Value::from(ids)))
            .after(whole.step)
            .after(first.step)
    };
    if let Some((id, page)) = double(chain) {
        let why = "Pages one after the other must not show the same item.";
        return Some(told(page, format!("{id} is on two pages"), why, vec![id]));
    }
    let mut lost = lost(&whole.ids, chain);
    if first.knob(Knob::Sort).is_some() {
        lost.retain(|id| comes_before(whole, id, last));
    }
    let why = "The list shows it when asked for more at once; its pages pass it over.";
    let title = format!("{} on no page", some(&lost));
    (!lost.is_empty()).then(|| told(last, title, why, lost))
}

/// An item that a page shows though one before it did.
fn double<'l, 's, 'a>(chain: &[&'l Look<'s, 'a>]) -> Option<(&'l str, &'l Look<'s, 'a>)> {
    chain.iter().enumerate().find_map(|(at, page)| {
        let shown = |id: &&String| chain[..at].iter().any(|before| before.ids.contains(id));
        let id = page.ids.iter().find(shown)?;
        Some((id.as_str(), *page))
    })
}

/// Whether something sorted has its place before the last of a page: an equal may come later.
fn comes_before(whole: &Look<'_, '_>, id: &str, page: &Look<'_, '_>) -> bool {
    let own = whole.ids.iter().position(|other| other == id);
    let own = own.and_then(|at| sort::mark(whole, at));
    let last = page.items.len().checked_sub(1);
    let last = last.and_then(|at| sort::mark(page, at));
    own.is_some() && last.is_some() && own != last
}

/// What stands between two items of the whole that follow each other on the pages. Pages in
/// another order than the whole tell nothing.
fn lost<'l>(whole: &'l [String], chain: &[&Look<'_, '_>]) -> Vec<&'l str> {
    let paged = chain.iter().flat_map(|page| &page.ids);
    let places: Option<Vec<usize>> = paged
        .map(|id| whole.iter().position(|other| other == id))
        .collect();
    let Some(places) = places.filter(|places| places.is_sorted()) else {
        return Vec::new();
    };
    let (Some(start), Some(end)) = (places.first(), places.last()) else {
        return Vec::new();
    };
    let between = (*start..*end).filter(|at| !places.contains(at));
    between.map(|at| whole[at].as_str()).collect()
}
