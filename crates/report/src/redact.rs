//! Takes secrets out of what leaves the process.
//!
//! There is one place for it: [`redacted`] turns a run into one that may be shown, and every
//! renderer takes the result. A secret is found as it stands and in the forms it takes on the way
//! into a URL, a JSON text or a shell word. What is derived from a secret by other means, such as
//! the base64 of a user and a password, is another secret and must be listed as one.

use std::sync::Arc;

use bytes::Bytes;
use fossick_trace::{
    Answer, Basis, COMPONENT, Call, Case, Cleanup, Episode, Exchange, Failure, Outcome, Part,
    Payload, PropertyGraph, Request, Run, Script, Text,
};
use percent_encoding::utf8_percent_encode;
use serde_json::Value;

pub(crate) const MASK: &str = "[redacted]";

/// Shorter ones are found in every other word: taking them out would shred a report and give them
/// away by the holes.
const SHORTEST: usize = 4;

/// Values nested deeper than this are masked whole.
const DEEPEST: usize = 128;

/// Whether a header of this name carries credentials, so that its value is never shown.
pub fn is_credential(header: &str) -> bool {
    let name = header.to_ascii_lowercase();
    let telling = [
        "authorization",
        "token",
        "secret",
        "password",
        "api-key",
        "apikey",
        "api_key",
    ];
    matches!(name.as_str(), "cookie" | "set-cookie") || telling.iter().any(|t| name.contains(t))
}

/// The text with every secret masked.
pub fn redact(text: &str, secrets: &[String]) -> String {
    Secrets::of(secrets).text(text)
}

/// The run as it may be shown: no secret in any text of it, no value in a credentials header.
pub fn redacted(run: Run, secrets: &[String]) -> Run {
    let secrets = Secrets::of(secrets);
    let mut run = run;
    for text in [&mut run.title, &mut run.schema, &mut run.base_url] {
        *text = without_login(&secrets.text(text));
    }
    run.notes
        .iter_mut()
        .for_each(|note| *note = secrets.text(note));
    for tally in &mut run.operations {
        tally.last_refusal = tally.last_refusal.as_deref().map(|why| secrets.text(why));
        for rule in &mut tally.rules {
            *rule = secrets.text(rule);
        }
    }
    run.findings.iter_mut().for_each(|r| secrets.case(r));
    run
}

/// The property graph as it may be shown: its sentences tell of what was sent.
pub fn redacted_graph(graph: PropertyGraph, secrets: &[String]) -> PropertyGraph {
    let secrets = Secrets::of(secrets);
    let mut graph = graph;
    graph.title = secrets.text(&graph.title);
    let events = graph.edges.iter_mut().flat_map(|edge| &mut edge.history);
    events.for_each(|event| event.why = secrets.text(&event.why));
    graph
}

/// Masks the beginning of a secret whose end was cut off before it came here.
fn without_beginnings(mut text: String, secret: &str) -> String {
    /// A shorter beginning may be a word.
    const TELLING: usize = 12;
    let Some(head) = secret
        .get(..TELLING)
        .filter(|head| head.len() < secret.len())
    else {
        return text;
    };
    while let Some(at) = text.find(head) {
        let both = text[at..].chars().zip(secret.chars());
        let shared = both.take_while(|(a, b)| a == b);
        let length: usize = shared.map(|(a, _)| a.len_utf8()).sum();
        text.replace_range(at..at + length, MASK);
    }
    text
}

/// A header's value as it may be shown.
pub(crate) fn shown<'a>(name: &str, value: &'a str) -> &'a str {
    if is_credential(name) { MASK } else { value }
}

/// `http://user:word@host/` without what is between the scheme and the host.
fn without_login(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://{MASK}{}", &rest[at..]),
        None => url.to_owned(),
    }
}

/// Every form of every secret, the longest first, so that no secret hides the rest of another.
struct Secrets(Vec<String>);

impl Secrets {
    fn of(secrets: &[String]) -> Self {
        let long_enough = secrets.iter().filter(|s| s.len() >= SHORTEST);
        let mut forms: Vec<_> = long_enough.flat_map(|s| forms(s)).collect();
        forms.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
        forms.dedup();
        Self(forms)
    }

    fn text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for form in self.0.iter().map(String::as_str) {
            if text.contains(form) {
                text = text.replace(form, MASK);
            }
            text = without_beginnings(text, form);
        }
        text
    }

    fn bytes(&self, bytes: &Bytes) -> Bytes {
        match std::str::from_utf8(bytes) {
            Ok(text) => Bytes::from(self.text(text)),
            Err(_) => self.0.iter().fold(bytes.clone(), |bytes, form| {
                replaced(&bytes, form.as_bytes())
            }),
        }
    }

    fn case(&self, case: &mut Case) {
        let finding = &mut case.finding;
        for text in [
            &mut finding.title,
            &mut finding.why,
            &mut finding.mark,
            &mut finding.cause,
            &mut case.names.curl,
            &mut case.names.replay,
        ] {
            *text = self.text(text);
        }
        if let Some(got) = &mut finding.evidence.got {
            self.value(got, 0);
        }
        if let Some(raised) = &mut finding.evidence.raised {
            raised.message = self.text(&raised.message);
        }
        let source = case.source.iter_mut().map(|(_, line)| line);
        for line in case.log.iter_mut().chain(source) {
            *line = self.text(line);
        }
        if let Basis::Seeds(what) | Basis::Leftovers(what) = &mut case.basis {
            for text in what {
                *text = self.text(text);
            }
        }
        case.episode = Arc::new(self.episode(&case.episode));
    }

    fn episode(&self, episode: &Episode) -> Episode {
        let Script {
            calls,
            names,
            cleanup,
        } = &*episode.script;
        let cleanup = cleanup.iter().map(|cleanup| Cleanup {
            of: cleanup.of,
            call: self.call(&cleanup.call),
        });
        Episode {
            script: Arc::new(Script {
                calls: calls.iter().map(|call| self.call(call)).collect(),
                names: names.clone(),
                cleanup: cleanup.collect(),
            }),
            exchanges: episode.exchanges.iter().map(|e| self.exchange(e)).collect(),
            inside: Vec::new(),
            removed: Vec::new(),
        }
    }

    fn call(&self, call: &Call) -> Call {
        let header = |(name, text): &(String, Text)| {
            let masked = is_credential(name).then(|| Text::fixed(MASK));
            (name.clone(), masked.unwrap_or_else(|| self.holed(text)))
        };
        Call {
            target: self.holed(&call.target),
            headers: call.headers.iter().map(header).collect(),
            payload: self.payload(&call.payload),
            ..call.clone()
        }
    }

    fn holed(&self, text: &Text) -> Text {
        let part = |part: &Part| match part {
            Part::Fixed(fixed) => Part::Fixed(self.text(fixed)),
            Part::Captured(capture) => Part::Captured(capture.clone()),
        };
        Text(text.0.iter().map(part).collect())
    }

    fn payload(&self, payload: &Payload) -> Payload {
        let mut payload = payload.clone();
        match &mut payload {
            Payload::None => {}
            Payload::Bytes { bytes, .. } => *bytes = self.bytes(bytes),
            Payload::Json { value, .. } => self.value(value, 0),
        }
        payload
    }

    fn value(&self, value: &mut Value, depth: usize) {
        match value {
            _ if depth > DEEPEST => *value = Value::from(MASK),
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|v| self.value(v, depth + 1)),
            Value::Object(members) => members
                .values_mut()
                .for_each(|member| self.value(member, depth + 1)),
            _ => {}
        }
    }

    fn exchange(&self, exchange: &Exchange) -> Exchange {
        let request = &exchange.request;
        Exchange {
            request: Request {
                target: self.text(&request.target),
                headers: self.headers(&request.headers),
                body: self.bytes(&request.body),
                ..request.clone()
            },
            outcome: self.outcome(&exchange.outcome),
        }
    }

    fn headers(&self, headers: &[(String, String)]) -> Vec<(String, String)> {
        headers
            .iter()
            .map(|(name, value)| (name.clone(), self.text(shown(name, value))))
            .collect()
    }

    fn outcome(&self, outcome: &Outcome) -> Outcome {
        match outcome {
            Outcome::Answered(answer) => Outcome::Answered(self.answer(answer)),
            Outcome::Failed(failure) => Outcome::Failed(self.failure(failure)),
        }
    }

    fn answer(&self, answer: &Answer) -> Answer {
        let mut shown = Answer::new(
            answer.status,
            self.headers(&answer.headers),
            self.bytes(&answer.body),
            answer.truncated,
            answer.elapsed,
        );
        shown.said = answer.said;
        shown
    }

    fn failure(&self, failure: &Failure) -> Failure {
        match failure {
            Failure::Unreachable(why) => Failure::Unreachable(self.text(why)),
            Failure::Dropped(why) => Failure::Dropped(self.text(why)),
            Failure::Ended(why) => Failure::Ended(self.text(why)),
            Failure::TimedOut(after) => Failure::TimedOut(*after),
            Failure::Malformed(why) => Failure::Malformed(self.text(why)),
            Failure::Unbound(what) => Failure::Unbound(self.text(what)),
        }
    }
}

/// How a secret is written where secrets get written.
fn forms(secret: &str) -> [String; 4] {
    let json = Value::from(secret).to_string();
    let inside = json.strip_prefix('"').and_then(|j| j.strip_suffix('"'));
    [
        secret.to_owned(),
        utf8_percent_encode(secret, COMPONENT).to_string(),
        inside.unwrap_or(secret).to_owned(),
        secret.replace('\'', r"'\''"),
    ]
}

fn replaced(bytes: &Bytes, needle: &[u8]) -> Bytes {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes.as_ref();
    while let Some((first, after)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(needle) {
            out.extend_from_slice(MASK.as_bytes());
            rest = after;
        } else {
            out.push(*first);
            rest = after;
        }
    }
    Bytes::from(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_was_cut_is_masked_too() {
        let secrets = ["abcdefghijklmnopqrstuvwxyz".to_owned()];
        assert_eq!(
            redact("x abcdefghijklmno… y", &secrets),
            format!("x {MASK}… y")
        );
        assert_eq!(redact("abcdefgh is a word", &secrets), "abcdefgh is a word");
    }

    fn secrets(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_secret_is_found_in_every_form_it_takes() {
        let secrets = secrets(&["p@ss \"w'rd"]);
        for text in [
            "is p@ss \"w'rd.",
            "is p%40ss%20%22w%27rd.",
            r#"is p@ss \"w'rd."#,
            r#"is p@ss "w'\''rd."#,
        ] {
            assert_eq!(redact(text, &secrets), "is [redacted].");
        }
    }

    #[test]
    fn a_secret_inside_a_longer_one_does_not_leave_its_tail() {
        let secrets = secrets(&["abcd", "abcd-efgh"]);
        assert_eq!(
            redact("x abcd-efgh y abcd", &secrets),
            "x [redacted] y [redacted]"
        );
    }

    #[test]
    fn a_secret_too_short_to_hide_is_left() {
        assert_eq!(redact("banana", &secrets(&["a", ""])), "banana");
    }

    #[test]
    fn a_login_in_a_url_is_masked() {
        assert_eq!(
            without_login("http://u:p@h:1/x@y"),
            "http://[redacted]@h:1/x@y"
        );
        assert_eq!(without_login("http://h/x@y"), "http://h/x@y");
        assert_eq!(without_login("Tracker"), "Tracker");
    }

    #[test]
    fn bodies_that_are_not_text_are_searched_too() {
        let secrets = Secrets::of(&secrets(&["hush!"]));
        let body = Bytes::from_static(b"\xffhush!\xfehush");
        assert_eq!(secrets.bytes(&body).as_ref(), b"\xff[redacted]\xfehush");
    }

    #[test]
    fn credentials_are_known_by_the_name_of_their_header() {
        for name in [
            "Authorization",
            "COOKIE",
            "X-Api-Key",
            "x-auth-token",
            "ApiKey",
        ] {
            assert!(is_credential(name), "{name}");
        }
        for name in ["Accept", "Content-Type", "X-Request-Id"] {
            assert!(!is_credential(name), "{name}");
        }
    }
}
