//! A finding as one line for a POSIX shell.
//!
//! One call is one `curl -i`: the status is half of what there is to see. Several calls are a
//! chain of them in which only the last one shows its answer, because the calls before it matter
//! by what they do. A value that flows from one answer into a later call is read again each time
//! the line runs, so the line works on a fresh service as well:
//!
//! ```text
//! p=$(curl -sS -X POST … | jq -er .id) && curl -sS -o /dev/null -X DELETE "…/$p" && curl -i "…/$p"
//! ```
//!
//! Body fields are read with jq, which most people have and which can't be fooled by the layout
//! of a body; headers with sed, which everybody has. A value that is not there breaks the chain
//! instead of sending a wrong request. Credentials are variables of the environment and never
//! values; calls after the one that shows the finding are left out.

mod request;
mod take;

use fossick_trace::Episode;

use crate::captures::Names;
use request::Sender;

/// The line that shows again what call `shows` of the episode showed.
pub fn curl(base_url: &str, episode: &Episode, shows: usize) -> String {
    curl_with_credentials(base_url, episode, shows, &[])
}

/// The same where the client adds credentials on the way out, so that the requests do not hold
/// them: `credentials` names the headers they go in. A call without credentials gets none, and a
/// call of a named user gets that user's: `$ALICE_AUTHORIZATION`.
pub fn curl_with_credentials(
    base_url: &str,
    episode: &Episode,
    shows: usize,
    credentials: &[String],
) -> String {
    let names = Names::of(episode);
    let sender = Sender {
        base_url,
        names: &names,
        credentials,
    };
    let steps: Vec<_> = episode
        .steps()
        .take_while(|(at, ..)| *at <= shows)
        .collect();
    let mut commands = Vec::with_capacity(steps.len());
    for (at, call, exchange) in &steps {
        let last = at + 1 == steps.len();
        let request = |options: &str| sender.command(options, call, &exchange.request);
        let wanted = take::wanted(episode, &names, *at, shows);
        commands.push(match (last, wanted.as_slice()) {
            (true, _) => request("-i"),
            (_, []) => request("-sS -o /dev/null"),
            (_, [only]) => take::one(only, request),
            (_, several) => take::several(*at, several, request),
        });
    }
    commands.join(" && ")
}
