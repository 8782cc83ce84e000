//! No answer within the time limit.

use fossick_trace::{Failure, Finding, Outcome};

use super::server_error::circumstances;
use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let Outcome::Failed(Failure::TimedOut(limit)) = &step.exchange.outcome else {
            continue;
        };
        let title = format!(
            "no answer within {} s{}",
            limit.as_secs_f64(),
            circumstances(scene, step)
        );
        let why =
            "The request may still be running; a few of them can use up a service.".to_owned();
        findings.push(
            step.finding(oracle, title, why)
                .marked("timeout")
                .caused_by(format!("{} timeout", step.operation.label)),
        );
    }
}
