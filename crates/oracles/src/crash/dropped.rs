//! The connection ended before an answer did.

use fossick_trace::{Failure, Finding, Outcome};

use super::server_error::circumstances;
use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let Outcome::Failed(Failure::Dropped(how) | Failure::Malformed(how)) =
            &step.exchange.outcome
        else {
            continue;
        };
        let title = format!("no answer{}", circumstances(scene, step));
        let why =
            format!("The connection was open, then: {how}. Something behind it may have crashed.");
        let place = step.call.intent.place().unwrap_or("");
        findings.push(
            step.finding(oracle, title, why)
                .marked(format!("dropped {place}"))
                .caused_by(format!("{} dropped", step.operation.label)),
        );
    }
}
