//! Takes what is told, line by line, and answers for it.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use fossick_harvest::Seen;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::{Body as _, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_ENCODING, HeaderValue};
use hyper::{Method, Request, StatusCode};
use serde_json::json;
use tokio::time::timeout;

use super::Parse;
use super::answer::{Answer, Refusal, written};
use crate::CollectSettings;
use crate::figures::count;
use crate::record::{Ack, Entry, Queue};

/// Complaints that are told; the others are counted.
const MOST_COMPLAINTS: usize = 5;

pub(super) struct Desk {
    pub(super) settings: CollectSettings,
    pub(super) parse: Parse,
    pub(super) queue: Arc<Queue>,
}

impl Desk {
    pub(super) async fn handle(
        self: Arc<Self>,
        request: Request<Incoming>,
    ) -> Result<Answer, Infallible> {
        let answer = match request.uri().path() {
            "/health" => self.health(request.method()),
            "/" | "/v1/seen" => self.take(request).await,
            _ => Err(Refusal::NoSuchPath),
        };
        Ok(answer.unwrap_or_else(Answer::from))
    }

    fn health(&self, method: &Method) -> Result<Answer, Refusal> {
        if ![Method::GET, Method::HEAD].contains(method) {
            return Err(Refusal::Method("GET"));
        }
        let figures = self.queue.counters.figures();
        let told = json!({
            "status": "ok",
            "taken": figures.passed,
            "stored": figures.recorded,
            "lost": figures.lost,
            "waiting": figures.waiting,
        });
        Ok(written(StatusCode::OK, &told))
    }

    async fn take(self: &Arc<Self>, request: Request<Incoming>) -> Result<Answer, Refusal> {
        if request.method() != Method::POST {
            return Err(Refusal::Method("POST"));
        }
        self.check(&request)?;
        let wait = wants_to_wait(request.uri().query());
        let body = self.body(request.into_body()).await?;
        let desk = Arc::clone(self);
        // Reading many lines takes a while, and others want to be heard meanwhile.
        let read = tokio::task::spawn_blocking(move || (desk.parse)(&body));
        let (seen, complaints) = sorted(read.await.map_err(|_| Refusal::Broke)?);
        self.queue_all(seen, &complaints, wait).await
    }

    fn check(&self, request: &Request<Incoming>) -> Result<(), Refusal> {
        let headers = request.headers();
        let shown = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes);
        if let Some(token) = &self.settings.token
            && !shown.is_some_and(|shown| shows(shown, token))
        {
            return Err(Refusal::Token);
        }
        let encoding = headers.get(CONTENT_ENCODING);
        if let Some(encoding) = encoding.filter(|value| *value != "identity") {
            let text = String::from_utf8_lossy(encoding.as_bytes());
            return Err(Refusal::Encoded(text.into_owned()));
        }
        Ok(())
    }

    async fn body(&self, body: Incoming) -> Result<Bytes, Refusal> {
        let most = self.settings.max_body;
        if body.size_hint().lower() > most as u64 {
            return Err(Refusal::TooLarge(most));
        }
        let reading = timeout(
            self.settings.patience.stall,
            Limited::new(body, most).collect(),
        );
        match reading.await {
            Ok(Ok(whole)) => Ok(whole.to_bytes()),
            Ok(Err(why)) if why.is::<LengthLimitError>() => Err(Refusal::TooLarge(most)),
            Ok(Err(why)) => Err(Refusal::Unread(why.to_string())),
            Err(_) => Err(Refusal::Unread("it took too long".to_owned())),
        }
    }

    async fn queue_all(
        &self,
        seen: Vec<Seen>,
        complaints: &[String],
        wait: bool,
    ) -> Result<Answer, Refusal> {
        let (taken, refused) = (seen.len(), complaints.len());
        let (ack, settled) = Ack::new();
        let entries: Option<Vec<Entry>> = seen
            .into_iter()
            .map(|seen| self.entry(seen, wait.then(|| Arc::clone(&ack))))
            .collect();
        drop(ack);
        let entries = entries.ok_or(Refusal::Full)?;
        let queued = self.queue.push_all(entries.into_iter());
        queued.map_err(|_| Refusal::Full)?;
        count(&self.queue.counters.passed, taken as u64);
        if wait {
            let lost = timeout(self.settings.wait, settled).await;
            match lost
                .map_err(|_| Refusal::StoreLate)?
                .unwrap_or(taken as u64)
            {
                0 => {}
                lost => return Err(Refusal::NotStored(lost)),
            }
        }
        let mut told = json!({ "taken": taken, "refused": refused });
        if refused > 0 {
            told["complaints"] = complaints.iter().take(MOST_COMPLAINTS).cloned().collect();
        }
        let status = if wait {
            StatusCode::OK
        } else {
            StatusCode::ACCEPTED
        };
        Ok(written(status, &told))
    }

    /// None where there is no room for it.
    fn entry(&self, seen: Seen, ack: Option<Arc<Ack>>) -> Option<Entry> {
        let mut share = self.queue.share();
        share
            .grow(weight(&seen))
            .then(|| Entry::told(seen, share, ack))
    }
}

fn sorted(lines: Vec<Result<Seen, String>>) -> (Vec<Seen>, Vec<String>) {
    let (mut seen, mut complaints) = (Vec::new(), Vec::new());
    for line in lines {
        match line {
            Ok(call) => seen.push(call),
            Err(why) => complaints.push(why),
        }
    }
    (seen, complaints)
}

fn wants_to_wait(query: Option<&str>) -> bool {
    let mut pairs = query.unwrap_or_default().split('&');
    pairs.any(|pair| matches!(pair, "wait=true" | "wait=1" | "wait"))
}

/// Compares without telling by its time how much was right.
fn shows(header: &[u8], token: &str) -> bool {
    let Some((scheme, shown)) = header.split_at_checked(7) else {
        return false;
    };
    let shown = shown.trim_ascii();
    let same = shown.len() == token.len()
        && shown
            .iter()
            .zip(token.as_bytes())
            .fold(0, |differs, (one, other)| differs | (one ^ other))
            == 0;
    scheme.eq_ignore_ascii_case(b"bearer ") && same
}

fn weight(seen: &Seen) -> usize {
    let headers = seen.headers.iter();
    let headers: usize = headers.map(|(name, value)| name.len() + value.len()).sum();
    let answer = seen.answer.as_ref().and_then(|answer| answer.body.as_ref());
    let fixed = size_of::<Seen>() + seen.method.len() + seen.target.len();
    fixed + headers + seen.body.len() + answer.map_or(0, Vec::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_opens() {
        assert!(shows(b"Bearer secret", "secret"));
        assert!(shows(b"bearer  secret ", "secret"));
        for wrong in [
            "Bearer secre",
            "Bearer secrets",
            "Basic secret",
            "secret",
            "Bearer",
            "",
        ] {
            assert!(!shows(wrong.as_bytes(), "secret"), "{wrong}");
        }
    }

    #[test]
    fn waiting_is_asked_for_in_the_query() {
        assert!(wants_to_wait(Some("wait=true")) && wants_to_wait(Some("a=b&wait=1")));
        assert!(!wants_to_wait(None) && !wants_to_wait(Some("wait=false&waiting=true")));
    }

    #[test]
    fn a_call_weighs_what_it_holds() {
        let mut seen = Seen::once(0, "GET", "/");
        let bare = weight(&seen);
        seen.body = vec![0; 100];
        seen.headers.push(("ab".into(), "cd".into()));
        assert_eq!(weight(&seen), bare + 104);
    }
}
