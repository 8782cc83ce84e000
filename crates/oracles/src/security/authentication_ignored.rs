//! A call that needs credentials is carried out without them.

use fossick_trace::{Finding, Intent};

use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in scene.steps.iter().filter(|s| s.succeeded()) {
        let Intent::Unauthenticated { how } = &step.call.intent else {
            continue;
        };
        if !step.operation.needs_credentials() {
            continue;
        }
        let schemes: Vec<&str> = step
            .operation
            .security
            .iter()
            .flat_map(|r| &r.schemes)
            .map(String::as_str)
            .collect();
        let title = format!("{} {how}", step.status());
        let why = format!(
            "The document asks for {}; 401 was to be expected.",
            schemes.join(" or ")
        );
        findings.push(
            step.finding(oracle, title, why)
                .marked("authentication ignored"),
        );
    }
}
