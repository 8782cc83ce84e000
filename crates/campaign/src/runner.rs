//! Runs a script: fills the holes from earlier answers, sends, and stops where going on is useless.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use fossick_trace::{
    Answer, Call, Capture, Episode, Exchange, Failure, Intent, Outcome, Payload, Request, Role,
    Script,
};
use fossick_transport::Client;
use serde_json::Value;
use tokio::sync::MutexGuard;

use crate::probes::{HEADER, Probes};

pub async fn run(client: &Client, script: Arc<Script>) -> Episode {
    run_probed(client, script, None).await
}

/// The same on a service that is emptied first, where that can be.
pub(crate) async fn run_alone(
    client: &Client,
    script: Arc<Script>,
    probes: Option<&Probes>,
) -> Episode {
    let _turn = turn(client, probes).await;
    run(client, script).await
}

async fn turn<'p>(client: &Client, probes: Option<&'p Probes>) -> Option<MutexGuard<'p, ()>> {
    probes?.turn(client).await
}

/// The same; where the service has a probe inside, each call with what it reached.
pub(crate) async fn run_probed(
    client: &Client,
    script: Arc<Script>,
    probes: Option<&Probes>,
) -> Episode {
    let _turn = turn(client, probes).await;
    let mut episode = Episode {
        exchanges: Vec::with_capacity(script.calls.len()),
        script: Arc::clone(&script),
        reached: Vec::new(),
    };
    for call in &script.calls {
        let Some(mut request) = request(call, &episode) else {
            break;
        };
        let number = announce(probes, &mut request).await;
        let outcome = heard(call, client.send(&request).await);
        if let (Some(probes), Some(number)) = (probes, number) {
            episode.reached.push(probes.end(number).await);
        }
        let failed = !outcome.is_success();
        let lost = matches!(outcome, Outcome::Failed(Failure::Unreachable(_)));
        episode.exchanges.push(Exchange { request, outcome });
        // What depends on a set-up that failed would only waste calls.
        if lost || (failed && call.role == Role::Setup) {
            break;
        }
    }
    episode
}

/// Tells the probe that a call begins, and the service which one it is.
async fn announce(probes: Option<&Probes>, request: &mut Request) -> Option<u64> {
    let number = probes?.begin().await?;
    let header = (HEADER.to_owned(), number.to_string());
    request.headers.push(header);
    Some(number)
}

/// GraphQL's status says little: what it means stands in the body.
fn heard(call: &Call, outcome: Outcome) -> Outcome {
    match (&call.graphql, outcome) {
        (Some(key), Outcome::Answered(answer)) => Outcome::Answered(answer.heard(key)),
        (_, outcome) => outcome,
    }
}

/// The request to send, or `None` if an earlier answer did not give what it needs.
fn request(call: &Call, episode: &Episode) -> Option<Request> {
    let look_up = |capture: &Capture| captured(capture, episode);
    let mut target = String::with_capacity(64);
    call.target.fill_into(&mut target, look_up)?;
    let mut headers = Vec::with_capacity(call.headers.len() + 1);
    for (name, text) in &call.headers {
        headers.push((name.clone(), text.fill_header(look_up)?));
    }
    let body = body(&call.payload, episode)?;
    if let Some(media_type) = call.payload.media_type() {
        headers.push(("content-type".to_owned(), media_type.to_owned()));
    }
    Some(Request {
        method: call.method,
        target,
        headers,
        body,
        user: call.user.clone(),
        anonymous: matches!(call.intent, Intent::Unauthenticated { .. }),
    })
}

fn captured<'e>(capture: &Capture, episode: &'e Episode) -> Option<Cow<'e, Value>> {
    let answer = episode
        .answer(capture.call)
        .filter(|a: &&Answer| a.is_success())?;
    let taken = capture.take.from(answer)?;
    (!taken.is_null()).then_some(Cow::Owned(taken))
}

fn body(payload: &Payload, episode: &Episode) -> Option<Bytes> {
    match payload {
        Payload::None => Some(Bytes::new()),
        Payload::Bytes { bytes, .. } => Some(bytes.clone()),
        Payload::Json { value, fills, .. } => {
            let mut value = value.clone();
            for (pointer, capture) in fills {
                let filler = captured(capture, episode)?.into_owned();
                if let Some(place) = value.pointer_mut(pointer) {
                    *place = filler;
                }
            }
            serde_json::to_vec(&value).ok().map(Bytes::from)
        }
    }
}
