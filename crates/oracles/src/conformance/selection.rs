//! `data` that does not fit what was asked for: keys that are missing or too many, values of
//! another type.

use fossick_query::Pick;
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
    let mut finding = step
        .finding(oracle, flaw.title.clone(), flaw.why.clone())
        .marked(flaw.mark.clone())
        .caused_by(flaw.cause.clone())
        .in_body(pointer(&flaw.place), flaw.wrong)
        .got(flaw.got.clone())
        .of(flaw.severity, flaw.sureness);
    if let Some((alias, name)) = stood_beside(step, &flaw.place) {
        let kind = step.root().map_or("query", |root| root.kind.as_str());
        finding.operation = format!("{kind} {name}");
        finding.title = finding.title.replace(&alias, &name);
        finding.mark = finding.mark.replace(&alias, &name);
        finding.cause = finding.cause.replace(&alias, &name);
    }
    finding
}

/// A place below `data` from the root of the body.
fn pointer(place: &str) -> String {
    match place {
        "" => "/data".to_owned(),
        place => format!("/data/{place}"),
    }
}

/// The alias and the name of the root field that a flaw is about, where it is not the step's own
/// but one that was asked for beside it.
fn stood_beside(step: &Shown<'_>, place: &str) -> Option<(String, String)> {
    let document = step.inquiry?.document.as_deref()?;
    let head = place.split('/').next().filter(|head| *head != step.key())?;
    document.picks.iter().find_map(|pick| match pick {
        Pick::Field(asked) if asked.alias.as_deref() == Some(head) => {
            Some((head.to_owned(), asked.name.clone()))
        }
        _ => None,
    })
}
