//! An answer that takes far longer than others of the same operation, again and again, for the
//! same input.
//!
//! A busy machine is slow for everybody: only where the usual call before and after was quick is
//! the input to blame.

use std::time::Duration;

use fossick_trace::{Finding, Intent};

use super::server_error::circumstances;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

/// Shorter than this nobody calls slow.
const LONG: Duration = Duration::from_millis(800);
/// So many times as long as the usual call.
const TIMES: u32 = 10;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for (at, suspect) in scene.steps.iter().enumerate() {
        let [usual, again, once_more] = [at.checked_sub(1), Some(at + 1), Some(at + 2)]
            .map(|place| place.and_then(|place| scene.steps.get(place)));
        let (Some(usual), Some(again), Some(once_more)) = (usual, again, once_more) else {
            continue;
        };
        let in_contrast = is_same_call(usual, again)
            && is_same_call(suspect, once_more)
            && usual.call.operation == suspect.call.operation
            && !is_same_call(usual, suspect);
        if in_contrast && all_apart(&[usual, again], &[suspect, once_more]) {
            findings.push(report(oracle, scene, suspect, usual));
        }
    }
}

/// The same request, but for names that are made anew.
fn is_same_call(one: &Shown<'_>, other: &Shown<'_>) -> bool {
    one.call.operation == other.call.operation
        && one.call.intent == other.call.intent
        && one.exchange.request.target == other.exchange.request.target
        && (one.exchange.request.body == other.exchange.request.body || !one.is_safe())
}

fn all_apart(usual: &[&Shown<'_>], suspects: &[&Shown<'_>]) -> bool {
    let time = |step: &&Shown<'_>| step.answer().map(|answer| answer.elapsed);
    let usual: Option<Vec<Duration>> = usual.iter().map(time).collect();
    let suspects: Option<Vec<Duration>> = suspects.iter().map(time).collect();
    let longest = usual.and_then(|times| times.into_iter().max());
    let shortest = suspects.and_then(|times| times.into_iter().min());
    longest
        .zip(shortest)
        .is_some_and(|(usual, slow)| slow > LONG && slow > usual * TIMES)
}

fn report(oracle: &Oracle, scene: &Scene<'_>, slow: &Shown<'_>, usual: &Shown<'_>) -> Finding {
    let seconds = |step: &Shown<'_>| {
        step.answer()
            .map_or(0.0, |answer| answer.elapsed.as_secs_f64())
    };
    let input = match &slow.call.intent {
        Intent::Valid => String::new(),
        _ => circumstances(scene, slow),
    };
    let title = format!("{:.1} s{input}", seconds(slow));
    let why = format!(
        "The usual call takes {:.3} s before and after; this one took long both times.",
        seconds(usual)
    );
    let place = slow.call.intent.place().unwrap_or("").to_owned();
    slow.finding(oracle, title, why)
        .marked(format!("slow {place}"))
        .caused_by(format!("{} slow", slow.operation.label))
        .after(usual)
}
