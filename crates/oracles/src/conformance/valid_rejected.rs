//! A value that the document allows is refused, while the same call with another is accepted.
//!
//! A refusal alone proves little: services have rules that no schema tells. The contrast within
//! one episode does: same operation, one value changed, and the document names that value. And
//! even then the refusal must speak of that field and of nothing else: with another field or a
//! state behind it, it is most likely right, and told as perhaps only.
//!
//! GraphQL says itself whether it was a rule of the schema that refused: an operation that is
//! valid by the schema and refused by validation shows that the service has another schema than
//! it tells. What a custom scalar or an identifier looks like nobody tells, so a refusal of those
//! proves nothing.

use fossick_trace::{Finding, Intent, Severity, Sureness};

use crate::conformance::refused::{Blame, Refused};
use crate::graphql::complaint::{Complaint, complaints};
use crate::graphql::rules::is_of_validation;
use crate::graphql::untold::is_untold;
use crate::message::{fold_told, normalised};
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        findings.extend(match step.root() {
            Some(_) => by_validation(oracle, scene, step),
            None => by_contrast(oracle, scene, step),
        });
    }
}

fn by_contrast(oracle: &Oracle, scene: &Scene<'_>, step: &Shown<'_>) -> Option<Finding> {
    let Intent::Edge {
        place,
        value,
        declared,
    } = &step.call.intent
    else {
        return None;
    };
    let contrasts = |s: &Shown<'_>| {
        s.call.operation == step.call.operation && s.succeeded() && s.call.intent.is_valid()
    };
    if !is_refused(step) || !scene.before(step.at).any(contrasts) {
        return None;
    }
    // The same value with others beside it: where it was accepted, it was not the value.
    let company: Vec<&Shown<'_>> = scene.steps.iter().filter(|s| is_same(s, step)).collect();
    let is_told_later = |s: &&Shown<'_>| s.at > step.at && is_refused(s);
    if company.iter().any(|s| s.succeeded() || is_told_later(s)) {
        return None;
    }
    let insists = company.iter().any(|s| is_refused(s));
    let refused = Refused::of(scene, step, place, value);
    let is_contradiction = match refused.blame() {
        Blame::Value => true,
        Blame::Unsaid => {
            let promised = refused.is_plainly_promised() && refused.documented().is_none();
            promised && (insists || refused.is_alone())
        }
        Blame::Circumstances => false,
    };
    let said = step.answer().map(|a| normalised(a, &step.exchange.request));
    let said = said.unwrap_or_default();
    let title = format!("{} when {place} = {value}", step.status());
    let finding = |why: &str| {
        let why = format!("{why} The service says: {said}");
        step.finding(oracle, title.clone(), why)
    };
    Some(if *declared && is_contradiction {
        finding("The document allows it, and the call succeeds with another value.")
            .marked(place.clone())
            .caused_by(place.clone())
    } else {
        // A mark of its own: a shorter form that proves less is not the same finding.
        finding("The document allows it, and the call succeeds with another value; it may be a rule with other fields, or with what is stored.")
            .marked(format!("perhaps {place}"))
            .caused_by(format!("refused values of {}", step.operation.label))
            .of(Severity::Low, Sureness::Perhaps)
    })
}

fn is_refused(step: &Shown<'_>) -> bool {
    matches!(step.status(), 400 | 422)
}

/// Whether another call sends the same telling value to the same place.
fn is_same(other: &Shown<'_>, step: &Shown<'_>) -> bool {
    let edge = |s: &Shown<'_>| match &s.call.intent {
        Intent::Edge { place, value, .. } => Some((place.clone(), value.clone())),
        _ => None,
    };
    other.at != step.at && other.call.operation == step.call.operation && edge(other) == edge(step)
}

/// What the document does not name may be refused for good reasons. So may two values together:
/// hardly any schema says which fields exclude each other.
fn weighed(finding: Finding, intent: &Intent) -> Finding {
    match intent {
        Intent::Valid | Intent::Edge { declared: true, .. } => finding,
        _ => finding.of(Severity::Low, Sureness::Perhaps),
    }
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
