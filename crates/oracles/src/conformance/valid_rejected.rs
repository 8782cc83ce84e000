//! A value that the document allows is refused, while the same call with another is accepted.
//!
//! A refusal alone proves little: services have rules that no schema tells. The contrast within
//! one episode does: same operation, one value changed, and the document names that value.
//!
//! GraphQL says itself whether it was a rule of the schema that refused: an operation that is
//! valid by the schema and refused by validation shows that the service has another schema than
//! it tells. What a custom scalar or an identifier looks like nobody tells, so a refusal of those
//! proves nothing.

use fossick_trace::{Finding, Intent, Severity, Sureness, Telling};

use crate::graphql::complaint::{Complaint, complaints};
use crate::graphql::rules::is_of_validation;
use crate::graphql::untold::is_untold;
use crate::message::{fold_told, normalised};
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        if step.root().is_some() {
            findings.extend(by_validation(oracle, scene, step));
            continue;
        }
        let tellings = step.call.intent.tellings();
        if tellings.is_empty() || !matches!(step.status(), 400 | 422) {
            continue;
        }
        let contrast = |s: &&_| {
            let s: &crate::scene::Shown<'_> = s;
            s.call.operation == step.call.operation && s.succeeded() && s.call.intent.is_valid()
        };
        if !scene.before(step.at).any(|s| contrast(&s)) {
            continue;
        }
        let request = &step.exchange.request;
        let said = step.answer().map(|answer| normalised(answer, request));
        let said = said.unwrap_or_default();
        let title = format!("{} when {}", step.status(), values(&tellings));
        let place = places(&tellings);
        let why = format!(
            "The document allows it, and the call succeeds with another value. The service says: {said}"
        );
        let finding = step
            .finding(oracle, title, why)
            .marked(place.clone())
            .caused_by(place);
        findings.push(weighed(finding, &step.call.intent));
    }
}

/// What the document does not name may be refused for good reasons. So may two values together:
/// hardly any schema says which fields exclude each other.
fn weighed(finding: Finding, intent: &Intent) -> Finding {
    match intent {
        Intent::Valid | Intent::Edge { declared: true, .. } => finding,
        _ => finding.of(Severity::Low, Sureness::Perhaps),
    }
}

fn values(tellings: &[Telling]) -> String {
    let told: Vec<String> = tellings.iter().map(Telling::to_string).collect();
    told.join(" and ")
}

fn places(tellings: &[Telling]) -> String {
    let told: Vec<&str> = tellings.iter().map(|one| one.place.as_str()).collect();
    told.join(" + ")
}

fn by_validation(oracle: &Oracle, scene: &Scene<'_>, step: &Shown<'_>) -> Option<Finding> {
    let answer = step.answer()?;
    let intent = &step.call.intent;
    let told = intent.is_valid() && intent.tellings().iter().all(|one| one.declared);
    let refuses = |complaint: Complaint<'_>| {
        is_of_validation(complaint, answer) && !is_untold(scene.api, step, complaint.message())
    };
    let complaint = complaints(answer.json()?).find(|c| told && refuses(*c))?;
    let title = format!("a valid operation is refused: {}", complaint.brief());
    let why = "By the schema that the service itself tells the operation is valid; it seems to go by another one.".to_owned();
    let message = fold_told(complaint.message(), &step.exchange.request);
    let finding = step
        .finding(oracle, title, why)
        .marked(format!("refused {message} {}", names(complaint.message())))
        .caused_by(format!("refused {message}"));
    Some(weighed(finding, intent))
}

/// The names in quotes, which the folded message has lost: they are the schema's and do not vary.
fn names(message: &str) -> String {
    let is_name = |text: &&str| {
        let plain = |c: char| c.is_alphanumeric() || "_$.!".contains(c);
        !text.is_empty() && text.chars().all(plain)
    };
    // A value in quotes may look like a name.
    let end = message.find("value").unwrap_or(message.len());
    let quoted = message.get(..end).unwrap_or("").split(['"', '\'', '`']);
    let quoted: Vec<&str> = quoted.skip(1).step_by(2).filter(is_name).take(3).collect();
    quoted.join(" ")
}
