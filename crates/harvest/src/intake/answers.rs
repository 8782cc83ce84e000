//! What an answer adds to a sighting: its class, its time, and JSON to look into.

use serde_json::Value;

use super::media;
use crate::privacy::Cover;
use crate::{Call, Seen, Sighting, Statuses, Took};

pub(super) fn sighting(seen: &Seen, call: Call, cover: Cover<'_>, failed: bool) -> Sighting {
    Sighting {
        key: call.key(),
        call,
        first_at: seen.at.min(seen.last_at),
        last_at: seen.last_at.max(seen.at),
        times: seen.times,
        statuses: statuses(seen, failed),
        took: took(seen),
        redactions: cover.redactions(),
    }
}

/// Each answer is in one class: with errors, it is in no other.
fn statuses(seen: &Seen, failed: bool) -> Statuses {
    let mut statuses = Statuses::default();
    let status = seen.answer.as_ref().map_or(0, |answer| answer.status);
    let class = match status {
        100..=199 => &mut statuses.informational,
        200..=299 if failed => &mut statuses.with_errors,
        200..=299 => &mut statuses.successful,
        300..=399 => &mut statuses.redirected,
        400..=499 => &mut statuses.client_error,
        500..=599 => &mut statuses.server_error,
        _ => return statuses,
    };
    *class = seen.times;
    statuses
}

fn took(seen: &Seen) -> Took {
    let took = seen.answer.as_ref().and_then(|answer| answer.took);
    took.map_or_else(Took::default, |micros| Took {
        answers: seen.times,
        total: micros.saturating_mul(seen.times),
        most: micros,
    })
}

/// The answer, if it is JSON and not too large.
pub(super) fn answer_json(seen: &Seen, most: usize) -> Option<Value> {
    let answer = seen.answer.as_ref()?;
    let body = answer.body.as_deref().filter(|body| body.len() <= most)?;
    let said = answer.media_type.as_deref().map(media::canonical);
    let json = said.is_none_or(|said| said.is_empty() || media::is_json(&said));
    json.then(|| serde_json::from_slice(body).ok()).flatten()
}
