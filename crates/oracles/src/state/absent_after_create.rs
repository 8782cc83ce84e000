//! Something that was just created can't be read.

use fossick_contract::Method;
use fossick_trace::{Capture, Finding, Part, Role};

use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for read in scene.steps.iter().filter(|s| looks_in_vain(s)) {
        let Some(created) = scene.before(read.at).find(|s| makes(s, read)) else {
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

/// The write that made what is looked for: its answer names it, or it was written at this path.
fn makes(write: &Shown<'_>, read: &Shown<'_>) -> bool {
    let named = last_segment(read).is_some_and(|capture| capture.call == write.at);
    creates(write) && (named || (write.method() == Method::Put && write.path() == read.path()))
}

/// The capture that fills the end of the path, if one does.
fn last_segment<'a>(read: &Shown<'a>) -> Option<&'a Capture> {
    let in_path = |part: &&Part| !matches!(part, Part::Fixed(text) if text.contains('?'));
    let parts = &read.call.target.0;
    match parts.iter().take_while(in_path).last()? {
        Part::Captured(capture) if read.operation.path.ends_with_hole() => Some(capture),
        _ => None,
    }
}

fn creates(step: &Shown<'_>) -> bool {
    matches!(step.method(), Method::Post | Method::Put) && step.succeeded() && step.status() != 202
}
