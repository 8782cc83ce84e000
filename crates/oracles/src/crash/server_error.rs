//! A status of 500 or above: the service itself says that it failed.

use fossick_trace::{Finding, Intent, Severity, Sureness, Telling};

use crate::message::normalised;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in scene.steps.iter().filter(|s| s.status() >= 500) {
        findings.extend(report(oracle, scene, step));
    }
}

fn report(oracle: &Oracle, scene: &Scene<'_>, step: &Shown<'_>) -> Option<Finding> {
    let answer = step.answer()?;
    let status = answer.status;
    // What HTTP asks for where a method is not known.
    if status == 501 && step.call.intent == Intent::Undeclared {
        return None;
    }
    let message = normalised(answer, &step.exchange.request);
    let why = match promised(step) {
        Some(list) => format!("The document promises {list}."),
        None => "A service should never fail on what a caller sends.".to_owned(),
    };
    let place = step.call.intent.place().unwrap_or("");
    // The same words after the same provocation are most likely the same fault, wherever.
    let cause = match place {
        "" => format!("{} {status} {message}", step.operation.label),
        place => format!("{status} {place} {message}"),
    };
    let title = format!("{status}{}", circumstances(scene, step));
    let finding = step
        .finding(oracle, title, why)
        .marked(format!("{status} {place} {message}"))
        .caused_by(cause)
        .got(Some(format!("{status} {message}").into()))
        .failed_in(step, &message);
    // "Not implemented" and "unavailable" are statements, not accidents.
    Some(match status {
        501 | 503 => finding.of(Severity::Low, Sureness::Likely),
        _ => finding,
    })
}

/// What was special about the call: ` when query limit = 97`.
pub(super) fn circumstances(scene: &Scene<'_>, step: &Shown<'_>) -> String {
    match &step.call.intent {
        Intent::Edge { place, value, .. } => format!(" when {} = {value}", named(step, place)),
        Intent::Edges(all) => format!(" when {}", together(step, all)),
        Intent::Broken { place, detail, .. } => {
            format!(" when {} is invalid: {detail}", named(step, place))
        }
        Intent::Stranger { parameter } => format!(" when {parameter} is unknown"),
        Intent::Misplaced { parameter } => format!(" when {parameter} is another parent"),
        Intent::Unauthenticated { how } => format!(" {how}"),
        Intent::Undeclared if step.root().is_some() => " when sent with GET".to_owned(),
        Intent::Undeclared => " to a method that is not declared".to_owned(),
        Intent::Valid => format!(" to a valid request{}", aftermath(scene, step)),
    }
}

/// What was special about what went before: ` after POST /projects with body /name = "a%"`.
pub(super) fn aftermath(scene: &Scene<'_>, step: &Shown<'_>) -> String {
    let mut before = scene.before(step.at);
    let Some(telling) = before.find(|other| other.call.intent.is_telling()) else {
        return String::new();
    };
    let values = together(telling, &telling.call.intent.tellings());
    format!(" after {} with {values}", telling.operation.label)
}

fn together(step: &Shown<'_>, all: &[Telling]) -> String {
    let short = |telling: &Telling| Telling {
        place: named(step, &telling.place).to_owned(),
        ..telling.clone()
    };
    let told: Vec<String> = all.iter().map(|one| short(one).to_string()).collect();
    told.join(" and ")
}

/// GraphQL has nothing but arguments, so it need not be said.
fn named<'p>(step: &Shown<'_>, place: &'p str) -> &'p str {
    let of_graphql = step.root().and(place.strip_prefix("argument "));
    of_graphql.unwrap_or(place)
}

fn promised(step: &Shown<'_>) -> Option<String> {
    let statuses: Vec<String> = step
        .operation
        .responses
        .iter()
        .map(|r| r.status.to_string())
        .collect();
    let (last, rest) = statuses.split_last()?;
    Some(match rest {
        [] => last.clone(),
        rest => format!("{} or {last}", rest.join(", ")),
    })
}
