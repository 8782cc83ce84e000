//! Running a stored script again, and saying whether it still shows what it showed.

use std::sync::Arc;

use fossick_oracles::Judge;
use fossick_trace::{Episode, Failure, Finding, Intent, Outcome, Role, Script};
use fossick_transport::Client;

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

/// Replays a script `times` times. Whoever can't set it up never says "gone".
pub async fn replay(
    client: &Client,
    judge: &Judge<'_>,
    script: &Script,
    fingerprint: &str,
    times: u32,
) -> (Verdict, Option<Episode>) {
    let mut came_back = 0;
    let mut last = None;
    for _ in 0..times {
        let script = Arc::new(script.renamed(fresh_salt()));
        let episode = runner::run(client, script).await;
        let shows = |f: &Finding| f.fingerprint() == fingerprint;
        if judge.judge(&episode).iter().any(shows) {
            came_back += 1;
        } else if let Some(verdict) = broken_set_up(&episode) {
            return (verdict, Some(episode));
        }
        last = Some(episode);
    }
    let verdict = match came_back {
        0 => Verdict::Gone,
        came_back => Verdict::StillThere {
            came_back,
            of: times,
        },
    };
    (verdict, last)
}

/// Different at every call and in every process: names that were used are used up.
pub fn fresh_salt() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| time.as_nanos() as u64)
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
