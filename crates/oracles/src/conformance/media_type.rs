//! A content type that the document does not list for the status.

use fossick_trace::{Finding, Location};

use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let Some((answer, spec)) = step.promise() else {
            continue;
        };
        if spec.contents.is_empty() || answer.body.is_empty() || answer.status >= 500 {
            continue;
        }
        let sent = answer.media_type().unwrap_or("");
        if spec.contents.iter().any(|c| fits(&c.media_type, sent)) || is_page(sent) {
            continue;
        }
        let promised: Vec<&str> = spec
            .contents
            .iter()
            .map(|c| c.media_type.as_str())
            .collect();
        let title = match sent {
            "" => "no content type".to_owned(),
            sent => format!("answered {sent}"),
        };
        let why = format!(
            "The document promises {} with status {}.",
            promised.join(" or "),
            answer.status
        );
        findings.push(
            step.finding(oracle, title, why)
                .marked(format!("{} {sent}", answer.status))
                .caused_by(format!("media type {sent}"))
                .located(Location::MediaType),
        );
    }
}

/// Pages are another oracle's business.
fn is_page(sent: &str) -> bool {
    sent.eq_ignore_ascii_case("text/html")
}

pub(super) fn fits(promised: &str, sent: &str) -> bool {
    let promised = promised.split(';').next().unwrap_or("").trim();
    match promised.split_once('/') {
        _ if promised.eq_ignore_ascii_case(sent) => true,
        Some(("*", "*")) => true,
        Some((family, "*")) => sent
            .to_ascii_lowercase()
            .starts_with(&format!("{}/", family.to_ascii_lowercase())),
        _ => false,
    }
}
