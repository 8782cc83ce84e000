//! Something that was deleted can still be read.

use fossick_contract::Method;
use fossick_trace::Finding;

use crate::compare::is_empty_list;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for deletion in scene.steps.iter().filter(|s| removes(s)) {
        let Some(read) = scene.after(deletion.at).find(|s| s.shows(deletion.path())) else {
            continue;
        };
        let between = scene
            .steps
            .iter()
            .filter(|s| s.at > deletion.at && s.at < read.at);
        // Written again in the meantime: of course it is there.
        if between
            .into_iter()
            .any(|s| s.path() == deletion.path() && !s.method().is_safe())
            || says_deleted(read)
        {
            continue;
        }
        let title = format!(
            "{} after DELETE answered {}",
            read.status(),
            deletion.status()
        );
        let why = "What was deleted should be gone: 404 or 410.".to_owned();
        findings.push(
            read.finding(oracle, title, why)
                .marked("served after delete"),
        );
    }
}

/// Accepted for later (202) is not deleted yet, and an emptied collection may well be served.
fn removes(step: &Shown<'_>) -> bool {
    step.method() == Method::Delete
        && step.succeeded()
        && step.status() != 202
        && step.operation.path.ends_with_hole()
}

/// A tombstone is an honest answer, and so is a search that finds nothing.
fn says_deleted(read: &Shown<'_>) -> bool {
    const MARKS: [&str; 8] = [
        "deleted",
        "deletedAt",
        "deleted_at",
        "isDeleted",
        "is_deleted",
        "archived",
        "removed",
        "archivedAt",
    ];
    let Some(body) = read.json() else {
        return false;
    };
    if is_empty_list(body) {
        return true;
    }
    let inner = body.get("data").unwrap_or(body);
    let marked = MARKS.iter().filter_map(|mark| inner.get(mark));
    marked
        .into_iter()
        .any(|value| !value.is_null() && *value != serde_json::Value::Bool(false))
}
