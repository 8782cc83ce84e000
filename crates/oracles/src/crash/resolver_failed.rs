//! An error that is the server's own, told in a GraphQL answer whose status says nothing.

use fossick_trace::{Answer, Finding, Intent, Location, Severity, Sureness};

use super::server_error::{aftermath, circumstances};
use crate::graphql::blame::{Blame, Verdict, blame};
use crate::graphql::complaint::{Complaint, complaints};
use crate::message::fold_told;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in scene.steps.iter().filter(|s| s.root().is_some()) {
        // A status of 500 and above is told already.
        let Some(answer) = step.answer().filter(|answer| answer.status < 500) else {
            continue;
        };
        let first = findings.len();
        for complaint in answer.json().into_iter().flat_map(complaints) {
            let Some(finding) = report(oracle, scene, step, answer, complaint) else {
                continue;
            };
            // Ten items of a list that fail alike are one fault.
            let told = findings.get(first..).unwrap_or_default();
            if told.iter().all(|known| known.mark != finding.mark) {
                findings.push(finding);
            }
        }
    }
}

fn report(
    oracle: &Oracle,
    scene: &Scene<'_>,
    step: &Shown<'_>,
    answer: &Answer,
    complaint: Complaint<'_>,
) -> Option<Finding> {
    let intent = &step.call.intent;
    let verdict = blame(complaint, answer, intent);
    let (severity, sureness) = weight(&verdict, intent)?;
    let resolver = resolver(scene, step, complaint);
    let message = fold_told(complaint.message(), &step.exchange.request);
    let title = format!(
        "resolver of {resolver} failed{}: {}",
        match intent {
            Intent::Valid => format!(" on a valid operation{}", aftermath(scene, step)),
            _ => circumstances(scene, step),
        },
        complaint.brief()
    );
    let same = format!("{resolver} {message}");
    Some(
        step.finding(oracle, title, told(&verdict))
            .marked(same.clone())
            .caused_by(same)
            .located(Location::Message)
            .got(Some(complaint.message().into()))
            .promised_by(resolver)
            .failed_in(step, complaint.message())
            .of(severity, sureness),
    )
}

/// What the verdict comes to; nothing where the caller is to blame, or may be.
fn weight(verdict: &Verdict, intent: &Intent) -> Option<(Severity, Sureness)> {
    let is_right = intent.is_valid() || matches!(intent, Intent::Stranger { .. });
    match verdict.blame {
        Blame::Server => {
            let severity = if is_right {
                Severity::High
            } else {
                Severity::Medium
            };
            let sureness = if verdict.is_sure {
                Sureness::Sure
            } else {
                Sureness::Likely
            };
            Some((severity, sureness))
        }
        Blame::Unknown if intent.is_valid() => Some((Severity::Low, Sureness::Perhaps)),
        Blame::Unknown | Blame::Caller => None,
    }
}

fn told(verdict: &Verdict) -> String {
    let evidence = match verdict.evidence.split_last() {
        None => "nothing else is known".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{}, and {last}", rest.join(", ")),
    };
    match verdict.blame {
        Blame::Unknown => format!("Whose mistake it is can't be told: {evidence}."),
        _ => format!("It is the server's own failure: {evidence}."),
    }
}

/// `Book.pages`, or the root field where the error does not say more.
fn resolver(scene: &Scene<'_>, step: &Shown<'_>, complaint: Complaint<'_>) -> String {
    let path = complaint.path();
    let named = path.and_then(|path| step.inquiry?.resolver(scene.api, path));
    named.unwrap_or_else(|| match step.root() {
        Some(root) => {
            let on = &scene.api.types.get(root.on).name;
            format!("{on}.{}", scene.api.root_field(root).name)
        }
        None => step.operation.label.clone(),
    })
}
