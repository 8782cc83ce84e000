//! A write that was refused has changed something all the same.

use fossick_contract::Method;
use fossick_trace::Finding;

use crate::compare::{difference, items};
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for write in scene
        .steps
        .iter()
        .filter(|s| !s.method().is_safe() && (400..500).contains(&s.status()))
    {
        let before = scene.before(write.at).find(|s| s.shows(write.path()));
        let after = scene.after(write.at).find(|s| s.shows(write.path()));
        let (Some(before), Some(after)) = (before, after) else {
            continue;
        };
        if others_write(scene, before, write, after) {
            continue;
        }
        let (Some(old), Some(new)) = (before.json(), after.json()) else {
            continue;
        };
        // Others add to a list at any time.
        if write.method() == Method::Post && items(old).is_some() {
            continue;
        }
        if let Some(place) = difference(old, new) {
            let title = format!(
                "{} changed {} although it answered {}",
                write.method(),
                shown(&place),
                write.status()
            );
            let why = "A refused write should leave everything as it was.".to_owned();
            findings.push(
                write
                    .finding(oracle, title, why)
                    .marked("failed write")
                    .shown_by(after),
            );
        }
    }
}

fn others_write(
    scene: &Scene<'_>,
    before: &Shown<'_>,
    write: &Shown<'_>,
    after: &Shown<'_>,
) -> bool {
    scene
        .steps
        .iter()
        .any(|s| s.at > before.at && s.at < after.at && s.at != write.at && !s.method().is_safe())
}

fn shown(place: &str) -> &str {
    if place.is_empty() { "it" } else { place }
}
