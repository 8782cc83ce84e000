//! Something that was just created can't be read.

use fossick_contract::Method;
use fossick_trace::{Finding, Role};

use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for read in scene.steps.iter().filter(|s| looks_in_vain(s)) {
        let maker = read.call.captures().map(|c| c.call).max();
        let Some(created) = scene
            .steps
            .iter()
            .find(|s| Some(s.at) == maker && creates(s))
        else {
            continue;
        };
        let between = scene
            .steps
            .iter()
            .filter(|s| s.at > created.at && s.at < read.at);
        if between.into_iter().any(|s| s.method() == Method::Delete) {
            continue;
        }
        let title = format!(
            "{} right after {} answered {}",
            read.status(),
            created.operation.label,
            created.status()
        );
        let why = "What was just created should be there.".to_owned();
        findings.push(
            read.finding(oracle, title, why)
                .marked("absent after create"),
        );
    }
}

fn looks_in_vain(step: &Shown<'_>) -> bool {
    step.method() == Method::Get
        && step.call.role == Role::Check
        && step.call.intent.is_valid()
        && matches!(step.status(), 404 | 410)
}

fn creates(step: &Shown<'_>) -> bool {
    matches!(step.method(), Method::Post | Method::Put) && step.succeeded() && step.status() != 202
}
