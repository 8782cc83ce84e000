//! What matters most comes first.

use crate::candidates::{Candidates, Confirmed};
use crate::hunt::Shown;
use serde_json::Value;

/// Confirmed before unconfirmed, then by weight, then what explains itself best.
pub(crate) fn ranked(done: Vec<Confirmed>, candidates: &Candidates) -> Vec<Shown> {
    let mut shown: Vec<Shown> = done
        .into_iter()
        .map(|c| Shown {
            seen: candidates.seen(&c.finding),
            confirmed: c.is_sure(),
            replays: (c.came_back, c.replays),
            shrunk_from: c.shrunk_from,
            finding: c.finding,
            episode: c.episode,
        })
        .collect();
    let valid = |s: &Shown| s.episode.script.calls[s.finding.call].intent.is_valid();
    shown.sort_by(|a, b| {
        (
            b.confirmed,
            b.finding.severity,
            b.finding.sureness,
            valid(b),
        )
            .cmp(&(
                a.confirmed,
                a.finding.severity,
                a.finding.sureness,
                valid(a),
            ))
            .then_with(|| a.finding.code.cmp(&b.finding.code))
            .then_with(|| plainness(a).cmp(&plainness(b)))
            .then_with(|| a.finding.operation.cmp(&b.finding.operation))
            .then_with(|| a.finding.mark.cmp(&b.finding.mark))
    });
    shown
}

/// Of several findings the one that is told first: close to what was called, few calls, provoked
/// by a value that it names. What only stumbles over the ruins that another left ranks behind.
fn plainness(shown: &Shown) -> (usize, usize, bool, usize) {
    let calls = &shown.episode.script.calls;
    let intent = &calls[shown.finding.call].intent;
    let provoked = intent.place().is_some() || intent.is_telling();
    let mark = shown.finding.mark.len();
    (depth(shown), calls.len(), !provoked, mark)
}

/// How many fields below the call's own its first GraphQL error lies.
fn depth(shown: &Shown) -> usize {
    let answer = shown.episode.answer(shown.finding.call);
    let path = answer.and_then(|answer| answer.value_at("/errors/0/path"));
    let keys = path.as_ref().and_then(Value::as_array);
    keys.map_or(0, |keys| keys.iter().filter(|key| key.is_string()).count())
}
