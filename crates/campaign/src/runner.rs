//! Runs a script: fills the holes from earlier answers, sends, and stops where going on is useless.

use std::sync::Arc;

use fossick_trace::{
    Answer, Call, Episode, Exchange, Failure, Outcome, Removal, Request, Role, Script,
};
use fossick_transport::Client;
use tokio::sync::MutexGuard;

use crate::probes::{Begun, HEADER, Probes};

pub async fn run(client: &Client, script: Arc<Script>) -> Episode {
    run_probed(client, script, None).await
}

async fn turn<'p>(client: &Client, probes: Option<&'p Probes>) -> Option<MutexGuard<'p, ()>> {
    probes?.turn(client).await
}

/// The same on a service that is emptied first, where that can be; where it has a probe inside, each
/// call with what it reached.
pub(crate) async fn run_probed(
    client: &Client,
    script: Arc<Script>,
    probes: Option<&Probes>,
) -> Episode {
    let _turn = turn(client, probes).await;
    let mut episode = Episode {
        exchanges: Vec::with_capacity(script.calls.len()),
        script: Arc::clone(&script),
        inside: Vec::new(),
        removed: Vec::new(),
    };
    let mut ended = Vec::new();
    for call in &script.calls {
        let Some(mut request) = episode.request(call) else {
            break;
        };
        let begun = announce(probes, &mut request).await;
        let outcome = heard(call, client.send(&request).await);
        if let (Some(probes), Some(begun)) = (probes, begun) {
            // The header is ours: whoever sends the call again needs none.
            request.headers.pop();
            ended.push(begun.number);
            if begun.is_alone() {
                let insights = probes.end(std::mem::take(&mut ended)).await;
                episode.inside.extend(insights);
            }
        }
        let failed = !outcome.is_success();
        let lost = matches!(outcome, Outcome::Failed(Failure::Unreachable(_)));
        episode.exchanges.push(Exchange { request, outcome });
        // What depends on a set-up that failed would only waste calls.
        if lost || (failed && call.role == Role::Setup) {
            break;
        }
    }
    if let Some(probes) = probes.filter(|_| !ended.is_empty()) {
        episode.inside.extend(probes.end(ended).await);
    }
    clean_up(client, &mut episode).await;
    episode
}

/// Removes what the script made, as far as that works. What becomes of it is judged by nobody: where
/// the service fails over it, the search makes a plan of it.
async fn clean_up(client: &Client, episode: &mut Episode) {
    let script = Arc::clone(&episode.script);
    for cleanup in &script.cleanup {
        let made = episode.answer(cleanup.of).is_some_and(Answer::is_success);
        let request = episode.request(&cleanup.call).filter(|_| made);
        let removed = match request {
            Some(request) => {
                let outcome = heard(&cleanup.call, client.send(&request).await);
                Some(Removal::of(&outcome))
            }
            None => None,
        };
        episode.removed.push(removed);
    }
}

/// Tells the probe that a call begins, and the service which one it is.
async fn announce<'p>(probes: Option<&'p Probes>, request: &mut Request) -> Option<Begun<'p>> {
    let begun = probes?.begin().await?;
    let header = (HEADER.to_owned(), begun.number.to_string());
    request.headers.push(header);
    Some(begun)
}

/// GraphQL's status says little: what it means stands in the body.
fn heard(call: &Call, outcome: Outcome) -> Outcome {
    match (&call.graphql, outcome) {
        (Some(key), Outcome::Answered(answer)) => Outcome::Answered(answer.heard(key)),
        (_, outcome) => outcome,
    }
}
