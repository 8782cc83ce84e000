//! A status that the document does not list.

use fossick_trace::Finding;

use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let status = step.status();
        let told_elsewhere = status == 0 || status >= 500 || step.method() != step.operation.method;
        // Guards in front of a service answer these on their own.
        let of_guards = matches!(status, 401 | 403 | 429);
        if told_elsewhere || of_guards || step.operation.responses.is_empty() {
            continue;
        }
        if step.operation.response(status).is_none() {
            let known: Vec<String> = step
                .operation
                .responses
                .iter()
                .map(|r| r.status.to_string())
                .collect();
            let why = format!(
                "The document lists {} for this operation.",
                known.join(", ")
            );
            findings.push(
                step.finding(oracle, format!("answered {status}"), why)
                    .marked(status.to_string())
                    .caused_by(format!("status {status}")),
            );
        }
    }
}
