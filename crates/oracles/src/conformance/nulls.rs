//! Null where the schema allows none, or a failed field that left something else than null.

use fossick_trace::Finding;

use super::selection::told;
use crate::scene::Scene;
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let flaws = scene.review(step).map(|review| review.nulls.as_slice());
        findings.extend(
            flaws
                .unwrap_or_default()
                .iter()
                .map(|flaw| told(oracle, step, flaw)),
        );
    }
}
