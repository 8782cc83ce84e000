//! A request that breaks the document is answered as if it were right.

use fossick_contract::Method;
use fossick_trace::{Finding, Intent, Said, Severity, Sureness};

use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in scene.steps.iter().filter(|s| accepts(s)) {
        let Intent::Broken {
            place,
            constraint,
            detail,
        } = &step.call.intent
        else {
            continue;
        };
        let (answered, document) = match step.root() {
            Some(_) => ("accepted".to_owned(), "schema"),
            None => (step.status().to_string(), "document"),
        };
        let title = format!("{answered} although {place} breaks {constraint}: {detail}");
        let why =
            format!("The {document} forbids it; what was accepted may fail later, elsewhere.");
        let finding = step
            .finding(oracle, title, why)
            .marked(format!("{place} {constraint}"))
            .caused_by(format!("accepts {constraint}"));
        findings.push(if is_lenient(step, place, constraint) {
            finding.of(Severity::Low, Sureness::Likely)
        } else {
            finding
        });
    }
}

/// GraphQL says null where there is nothing, and an error where it refuses.
fn accepts(step: &Shown<'_>) -> bool {
    let carried_out = || {
        let answer = step.answer()?;
        let data = answer.json()?.get("data")?;
        Some(data.is_object() && answer.said == Some(Said::Nothing) && answer.status < 300)
    };
    step.succeeded() || (step.root().is_some() && carried_out().unwrap_or(false))
}

/// Leniency that many services mean: values read generously, extras passed over. GraphQL leaves
/// less room: only scalars are read by rules of the service's own.
fn is_lenient(step: &Shown<'_>, place: &str, constraint: &str) -> bool {
    if step.root().is_some() {
        let of_a_value = place != "the operation";
        return of_a_value && matches!(constraint, "type" | "anyOf" | "format");
    }
    let lenient = matches!(
        constraint,
        "format" | "additionalProperties" | "uniqueItems" | "type" | "multipleOf"
    );
    // What a patch leaves out stays as it is, within its parts as well.
    let patches = step.method() == Method::Patch && constraint == "required";
    lenient || patches || place.starts_with("header") || place.starts_with("cookie")
}
