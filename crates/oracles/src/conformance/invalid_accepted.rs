//! A request that breaks the document is answered as if it were right.

use fossick_trace::{Finding, Intent, Severity, Sureness};

use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in scene.steps.iter().filter(|s| s.succeeded()) {
        let Intent::Broken {
            place,
            constraint,
            detail,
        } = &step.call.intent
        else {
            continue;
        };
        let title = format!(
            "{} although {place} breaks {constraint}: {detail}",
            step.status()
        );
        let why =
            "The document forbids it; what was accepted may fail later, elsewhere.".to_owned();
        let finding = step
            .finding(oracle, title, why)
            .marked(format!("{place} {constraint}"))
            .caused_by(format!("accepts {constraint}"));
        findings.push(if is_lenient(place, constraint) {
            finding.of(Severity::Low, Sureness::Likely)
        } else {
            finding
        });
    }
}

/// Leniency that many services mean: values read generously, extras passed over.
fn is_lenient(place: &str, constraint: &str) -> bool {
    let lenient = matches!(
        constraint,
        "format" | "additionalProperties" | "uniqueItems" | "type" | "multipleOf"
    );
    lenient || place.starts_with("header") || place.starts_with("cookie")
}
