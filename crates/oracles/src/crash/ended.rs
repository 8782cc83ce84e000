//! The service was gone after the call.

use fossick_trace::{Failure, Finding, Outcome};

use super::server_error::circumstances;
use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let Outcome::Failed(Failure::Ended(how)) = &step.exchange.outcome else {
            continue;
        };
        let circumstances = circumstances(scene, step);
        let title = format!("no answer{circumstances}, and the service is gone");
        let why = format!(
            "What came of it: {how}. After that nobody answered until the service was back."
        );
        let place = step.call.intent.place().unwrap_or("");
        findings.push(
            step.finding(oracle, title, why)
                .marked(format!("ended {place}"))
                .caused_by(format!("{} ended the service", step.operation.label)),
        );
    }
}
