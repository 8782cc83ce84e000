//! Running a stored script again, and saying whether it still shows what it showed.

use std::sync::Arc;

use fossick_oracles::Judge;
use fossick_trace::{Episode, Failure, Finding, Heard, Intent, Outcome, Role, Script};
use fossick_transport::Client;

use crate::pulse::Pulse;
use crate::revive::{blame, was_dropped};
use crate::runner;

/// What a replay says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It came back so many times of so many.
    StillThere {
        came_back: u32,
        of: u32,
    },
    Gone,
    /// It could not be looked for: a set-up call failed, so nothing follows.
    SetUpFailed {
        step: usize,
        why: String,
    },
    Unreachable(String),
}

/// A finding that is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Sought<'s> {
    pub script: &'s Script,
    /// As it is seen from outside.
    pub fingerprint: &'s str,
    /// The call that shows it, and those that it takes to see it.
    pub shows: usize,
    pub involved: &'s [usize],
    /// What each call came to when it was found; empty where nobody wrote that down.
    pub heard: &'s [Heard],
}

/// Replays a finding `times` times. Whoever can't set it up never says "gone".
pub async fn replay(
    client: &Client,
    judge: &Judge<'_>,
    sought: Sought<'_>,
    times: u32,
) -> (Verdict, Option<Episode>) {
    let (mut came_back, mut of) = (0, times);
    let mut last = None;
    let pulse = Pulse::of(client.clone(), None);
    for tried in 1..=times {
        let script = Arc::new(sought.script.renamed(fresh_salt()));
        let mut episode = runner::run(client, script).await;
        let ended = was_dropped(&episode) && !pulse.beats().await;
        if ended {
            blame(&mut episode);
        }
        let shows = |f: &Finding| f.fingerprint() == sought.fingerprint;
        if judge.judge(&episode).iter().any(shows) {
            came_back += 1;
        } else if let Some(verdict) = broken_set_up(&episode).or_else(|| astray(sought, &episode)) {
            return (verdict, Some(episode));
        }
        last = Some(episode);
        // Nobody is left to be asked again.
        if ended && came_back > 0 {
            of = tried;
            break;
        }
    }
    let verdict = match came_back {
        0 => Verdict::Gone,
        came_back => Verdict::StillThere { came_back, of },
    };
    (verdict, last)
}

/// Different at every call and in every process: names that were used are used up.
pub fn fresh_salt() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| time.as_nanos() as u64)
}

/// A call before the one that shows the fault which did not do what it did when it was found. The
/// calls that the fault itself is made of may do otherwise: that is what mending it means.
fn astray(sought: Sought<'_>, episode: &Episode) -> Option<Verdict> {
    let both = episode.heard().into_iter().zip(sought.heard);
    let before = both.enumerate().take(sought.shows);
    let mut changed = before.filter(|(at, _)| !sought.involved.contains(at));
    let (at, (now, then)) = changed.find(|(_, (now, then))| now.worked != then.worked)?;
    Some(Verdict::SetUpFailed {
        step: at + 1,
        why: format!("{}, and {} when it was found", told(now), told(*then)),
    })
}

fn told(heard: Heard) -> String {
    match heard.status {
        Some(status) if heard.worked => format!("answered {status}"),
        Some(status) => format!("was refused with {status}"),
        None => "got no answer".to_owned(),
    }
}

/// A set-up call that failed, or a call that could not be made at all.
fn broken_set_up(episode: &Episode) -> Option<Verdict> {
    for (step, call, exchange) in episode.steps() {
        match &exchange.outcome {
            Outcome::Failed(Failure::Unreachable(why)) => {
                return Some(Verdict::Unreachable(why.clone()));
            }
            Outcome::Failed(failure) if call.role == Role::Setup => {
                return Some(Verdict::SetUpFailed {
                    step: step + 1,
                    why: failure.to_string(),
                });
            }
            Outcome::Answered(answer) if call.role == Role::Setup && !answer.is_success() => {
                return Some(Verdict::SetUpFailed {
                    step: step + 1,
                    why: format!("answered {}", answer.status),
                });
            }
            Outcome::Answered(answer)
                if matches!(answer.status, 401 | 403)
                    && !matches!(call.intent, Intent::Unauthenticated { .. }) =>
            {
                return Some(Verdict::SetUpFailed {
                    step: step + 1,
                    why: format!("answered {}; are the credentials given?", answer.status),
                });
            }
            _ => {}
        }
    }
    let missing = episode.exchanges.len();
    (!episode.is_complete()).then(|| Verdict::SetUpFailed {
        step: missing + 1,
        why: "an earlier answer did not give what it needs".to_owned(),
    })
}
