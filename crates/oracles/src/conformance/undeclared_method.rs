//! A method that the document does not declare is carried out.

use fossick_contract::Method;
use fossick_trace::{Finding, Intent, Severity, Sureness};

use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in scene
        .steps
        .iter()
        .filter(|s| s.call.intent == Intent::Undeclared && s.root().is_none())
    {
        // OPTIONS belongs to HTTP itself, and HEAD comes with GET.
        if !step.succeeded() || matches!(step.method(), Method::Options | Method::Head) {
            continue;
        }
        let title = format!(
            "{} {} answered {}",
            step.method(),
            step.operation.path,
            step.status()
        );
        let why = "The document does not declare this method for the path; 405 was to be expected."
            .to_owned();
        let finding = step
            .finding(oracle, title, why)
            .marked(step.method().as_str())
            .caused_by(format!("undeclared {}", step.method()));
        findings.push(if step.method().is_safe() {
            finding.of(Severity::Low, Sureness::Likely)
        } else {
            finding
        });
    }
}
