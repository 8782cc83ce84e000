//! A value that the document allows is refused, while the same call with another is accepted.
//!
//! A refusal alone proves little: services have rules that no schema tells. The contrast within
//! one episode does: same operation, one value changed, and the document names that value.

use fossick_trace::{Finding, Intent, Severity, Sureness};

use crate::message::normalised;
use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let Intent::Edge {
            place,
            value,
            declared,
        } = &step.call.intent
        else {
            continue;
        };
        if !matches!(step.status(), 400 | 422) {
            continue;
        }
        let contrast = |s: &&_| {
            let s: &crate::scene::Shown<'_> = s;
            s.call.operation == step.call.operation && s.succeeded() && s.call.intent.is_valid()
        };
        if !scene.before(step.at).any(|s| contrast(&s)) {
            continue;
        }
        let said = step.answer().map(normalised).unwrap_or_default();
        let title = format!("{} when {place} = {value}", step.status());
        let why = format!(
            "The document allows it, and the call succeeds with another value. The service says: {said}"
        );
        let finding = step
            .finding(oracle, title, why)
            .marked(place.clone())
            .caused_by(place.clone());
        findings.push(if *declared {
            finding
        } else {
            finding.of(Severity::Low, Sureness::Perhaps)
        });
    }
}
