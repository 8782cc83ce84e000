//! Something that was deleted is still seen where others are shown: in its list, inside its
//! parent, behind an interface.

use fossick_contract::Deed;
use fossick_trace::{Finding, Wrong};
use serde_json::Value;

use super::served_after_delete::{asks_for, says_deleted};
use crate::scene::{Scene, Shaded, Shown};
use crate::sights::{Likeness, sights};
use crate::table::Oracle;
use crate::thing::Thing;

pub(super) fn check<'a>(
    oracle: &Oracle,
    scene: &Scene<'a>,
    deletion: &Shown<'a>,
    thing: &Thing<'a>,
) -> Vec<Finding> {
    let Some(likeness) = Likeness::of(scene, deletion, thing) else {
        return Vec::new();
    };
    let made_again = scene.after(deletion.at).find(|s| makes(s));
    let until = made_again.map_or(usize::MAX, |s| s.at);
    let looks = scene
        .after(deletion.at)
        .filter(|s| s.at < until && s.is_read() && s.succeeded() && !s.shows(thing));
    looks
        .filter_map(|look| still_there(oracle, scene, deletion, look, &likeness))
        .collect()
}

/// It may be the same again: the caller may choose identifiers.
fn makes(step: &Shown<'_>) -> bool {
    step.succeeded() && !step.is_safe() && step.deed() != Deed::Delete
}

fn still_there<'a>(
    oracle: &Oracle,
    scene: &Scene<'a>,
    deletion: &Shown<'a>,
    look: &Shown<'a>,
    likeness: &Likeness<'a>,
) -> Option<Finding> {
    if asks_for(look, &["deleted", "archived", "removed", "trashed", "all"]) {
        return None;
    }
    let found = sights(scene.api, look)
        .into_iter()
        .find(|sight| likeness.stands_in(scene.api, look, sight))
        .filter(|sight| !says_deleted(sight.value))?;
    let title = format!(
        "still shows {} {} after {} answered {}",
        likeness.called,
        likeness.key,
        deletion.verb(),
        deletion.reply()
    );
    let why = "What was deleted should be gone from every view of it.".to_owned();
    let finding = look
        .finding(oracle, title, why)
        .marked(format!("seen after delete {}", likeness.called))
        .in_body(found.path, Wrong::Value)
        .got(Some(Value::from(likeness.key.as_str())))
        .after(deletion);
    Some(finding)
}
