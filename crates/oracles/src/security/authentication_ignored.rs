//! A call that needs credentials is carried out without them.

use fossick_contract::PathTemplate;
use fossick_trace::{Finding, Intent, Severity, Sureness};

use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in scene.steps.iter().filter(|s| s.succeeded()) {
        let Intent::Unauthenticated { how } = &step.call.intent else {
            continue;
        };
        if !step.operation.needs_credentials() {
            continue;
        }
        let schemes: Vec<&str> = step
            .operation
            .security
            .iter()
            .flat_map(|r| &r.schemes)
            .map(String::as_str)
            .collect();
        let title = format!("{} {how}", step.status());
        let why = format!(
            "The document asks for {}; 401 was to be expected.",
            schemes.join(" or ")
        );
        let finding = step
            .finding(oracle, title, why)
            .marked("authentication ignored")
            .caused_by("authentication ignored");
        findings.push(match how.as_str() {
            "without credentials" if !is_public_by_custom(&step.operation.path) => finding,
            _ => finding.of(Severity::Low, Sureness::Perhaps),
        });
    }
}

/// Documents often protect everything in one line and forget what monitors and people read, and
/// what one calls to get credentials in the first place.
fn is_public_by_custom(path: &PathTemplate) -> bool {
    const WORDS: [&str; 18] = [
        "health",
        "healthz",
        "ready",
        "readyz",
        "live",
        "livez",
        "ping",
        "version",
        "metrics",
        "docs",
        "openapi.json",
        "openapi.yaml",
        "login",
        "signin",
        "signup",
        "register",
        "token",
        "refresh",
    ];
    let is_known = |last: &str| {
        let bare = last.trim_matches('_').to_ascii_lowercase();
        WORDS.contains(&bare.as_str())
    };
    path.holes().next().is_none() && path.segments().next_back().is_some_and(is_known)
}
