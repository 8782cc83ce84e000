//! `data` that does not fit what was asked for: keys that are missing or too many, values of
//! another type.

use fossick_trace::Finding;

use crate::graphql::review::Flaw;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let flaws = scene.review(step).map(|review| review.selection.as_slice());
        findings.extend(
            flaws
                .unwrap_or_default()
                .iter()
                .map(|flaw| told(oracle, step, flaw)),
        );
    }
}

pub(super) fn told(oracle: &Oracle, step: &Shown<'_>, flaw: &Flaw) -> Finding {
    step.finding(oracle, flaw.title.clone(), flaw.why.clone())
        .marked(flaw.mark.clone())
        .caused_by(flaw.cause.clone())
        .of(flaw.severity, flaw.sureness)
}
