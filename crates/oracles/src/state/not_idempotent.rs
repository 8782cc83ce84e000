//! The same PUT or DELETE, sent twice, does not leave what one leaves.

use fossick_contract::Method;
use fossick_trace::{Finding, Location};

use crate::compare::difference;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for second in scene
        .steps
        .iter()
        .filter(|s| s.root().is_none() && matches!(s.method(), Method::Put | Method::Delete))
    {
        let Some(first) = scene.before(second.at).find(|s| repeats(s, second)) else {
            continue;
        };
        let looks = |from: usize, to: usize| {
            scene.steps.iter().find(move |s| {
                s.at > from && s.at < to && s.method() == Method::Get && s.path() == second.path()
            })
        };
        let (Some(once), Some(twice)) = (looks(first.at, second.at), looks(second.at, usize::MAX))
        else {
            continue;
        };
        let others_write =
            |s: &Shown<'_>| s.at > once.at && s.at < twice.at && s.at != second.at && !s.is_safe();
        if scene.steps.iter().any(others_write) {
            continue;
        }
        if let Some((how, location)) = differs(once, twice) {
            let title = format!("a second {} {how}", second.method());
            let why = format!(
                "{} is to be idempotent: twice is as good as once.",
                second.method()
            );
            findings.push(
                second
                    .finding(oracle, title, why)
                    .marked(format!("not idempotent {}", second.method()))
                    .located(location)
                    .after(once)
                    .after(second)
                    .shown_by(twice),
            );
        }
    }
}

fn repeats(first: &Shown<'_>, second: &Shown<'_>) -> bool {
    // Accepted for later: nobody knows when it is done.
    let later = first.status() == 202 || second.status() == 202;
    !later
        && first.method() == second.method()
        && first.exchange.request.target == second.exchange.request.target
        && first.exchange.request.body == second.exchange.request.body
        && first.succeeded()
        && (second.succeeded() || second.method() == Method::Delete)
}

fn differs(once: &Shown<'_>, twice: &Shown<'_>) -> Option<(String, Location)> {
    let outcome = |how: &str| Some((how.to_owned(), Location::Outcome));
    match (once.succeeded(), twice.succeeded()) {
        (true, true) => {
            let place = difference(once.json()?, twice.json()?)?;
            let what = if place.is_empty() { "it again" } else { &place };
            Some((format!("changed {what}"), Location::State { path: place }))
        }
        (false, true) if is_gone(once) => outcome("brought it back"),
        (true, false) if is_gone(twice) => outcome("removed it"),
        _ => None,
    }
}

fn is_gone(look: &Shown<'_>) -> bool {
    matches!(look.status(), 404 | 410)
}
