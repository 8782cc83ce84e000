//! What came back: an answer, or the way in which none did.

use std::sync::OnceLock;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;

use crate::graphql::{self, Said};
use crate::pointer::value_at;

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    /// Decompressed. Cut where the limit was reached; then `truncated` is set.
    pub body: Bytes,
    pub truncated: bool,
    pub elapsed: Duration,
    /// What a GraphQL answer says of itself; its status says little.
    pub said: Option<Said>,
    json: OnceLock<Option<Value>>,
}

/// A copy has the text alone: the parsed form is many times its size, and most copies are kept
/// without being read.
impl Clone for Answer {
    fn clone(&self) -> Self {
        Self {
            headers: self.headers.clone(),
            body: self.body.clone(),
            json: OnceLock::new(),
            ..*self
        }
    }
}

/// Bodies beyond this many bytes are parsed again rather than kept parsed.
const LARGE: usize = 48 << 10;

impl Answer {
    pub fn new(
        status: u16,
        headers: Vec<(String, String)>,
        body: Bytes,
        truncated: bool,
        elapsed: Duration,
    ) -> Self {
        Self {
            status,
            headers,
            body,
            truncated,
            elapsed,
            said: None,
            json: OnceLock::new(),
        }
    }

    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status) && self.said.is_none_or(|said| said == Said::Data)
    }

    /// The same answer, read as GraphQL's to a call about one key of `data`.
    #[must_use]
    pub fn heard(mut self, key: &str) -> Self {
        self.said = Some(graphql::said(self.json(), key));
        // Dozens of answers wait for their turn; the parsed form of a large one is larger still.
        if self.body.len() > LARGE {
            self.forget();
        }
        self
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    pub fn media_type(&self) -> Option<&str> {
        let text = self.header("content-type")?;
        Some(text.split(';').next().unwrap_or("").trim())
    }

    /// Where the errors of a GraphQL answer lie in its data.
    pub fn error_paths(&self) -> impl Iterator<Item = &[Value]> {
        let errors = self.json().and_then(|body| body.get("errors")?.as_array());
        let errors = errors.into_iter().flatten();
        errors.filter_map(|error| error.get("path")?.as_array().map(Vec::as_slice))
    }

    /// Whether a GraphQL answer has an error whose path leads through a list: who stands there is
    /// a matter of what others made.
    pub fn fails_over_an_item(&self) -> bool {
        self.error_paths().flatten().any(Value::is_number)
    }

    /// The body as JSON, parsed once and only when somebody asks. `None` if it is not JSON.
    pub fn json(&self) -> Option<&Value> {
        self.json
            .get_or_init(|| {
                if self.truncated || self.body.is_empty() {
                    return None;
                }
                serde_json::from_slice(&self.body).ok()
            })
            .as_ref()
    }

    /// Drops the parsed body, which is many times its text: whoever asks again has it parsed again.
    pub fn forget(&mut self) {
        self.json = OnceLock::new();
    }

    /// The value at a JSON pointer of the body. Cheaper than [`Self::json`] where nobody needs the
    /// whole.
    pub fn value_at(&self, pointer: &str) -> Option<Value> {
        match self.json.get() {
            Some(parsed) => parsed.as_ref()?.pointer(pointer).cloned(),
            None if self.truncated => None,
            None => value_at(&self.body, pointer),
        }
    }

    /// A number for status and body: answers that are equal have equal ones. Services repeat
    /// themselves a lot, and what was looked at once need not be parsed again.
    pub fn digest(&self) -> u64 {
        const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(PRIME).rotate_left(29);
        let mut chunks = self.body.chunks_exact(8);
        let mut hash = mix(self.body.len() as u64, u64::from(self.status));
        for chunk in &mut chunks {
            let word = <[u8; 8]>::try_from(chunk).map_or(0, u64::from_le_bytes);
            hash = mix(hash, word);
        }
        let rest = chunks.remainder().iter();
        let tail = rest.fold(0, |word, byte| (word << 8) | u64::from(*byte));
        mix(hash, tail)
    }

    /// The beginning of the body as text, for people.
    pub fn excerpt(&self, limit: usize) -> String {
        let mut end = self.body.len().min(limit);
        // A cut in the middle of a character would show as a replacement mark.
        while end < self.body.len() && end > 0 && self.body[end] & 0xC0 == 0x80 {
            end -= 1;
        }
        let mut text = String::from_utf8_lossy(&self.body[..end]).into_owned();
        if end < self.body.len() {
            text.push('…');
        }
        text
    }
}

/// Finds a header; names are compared without regard to case.
pub fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers
        .iter()
        .find(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_str())
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// No connection could be made: the service is not there.
    Unreachable(String),
    /// The connection was made, then closed or reset before a whole answer came.
    Dropped(String),
    TimedOut(Duration),
    /// The service was gone after this call, and it was this one.
    Ended(String),
    /// What came is not HTTP.
    Malformed(String),
    /// A value that an earlier answer should have given was not in it.
    Unbound(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreachable(why) => write!(f, "could not connect: {why}"),
            Self::Dropped(why) => write!(f, "connection dropped: {why}"),
            Self::TimedOut(after) => write!(f, "no answer within {} s", after.as_secs_f64()),
            Self::Ended(why) => write!(f, "the service ended: {why}"),
            Self::Malformed(why) => write!(f, "not an HTTP answer: {why}"),
            Self::Unbound(what) => write!(f, "an earlier answer did not give {what}"),
        }
    }
}

#[derive(Debug, Clone)]
pub enum Outcome {
    Answered(Answer),
    Failed(Failure),
}

impl Outcome {
    pub fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Answered(answer) => Some(answer),
            Self::Failed(_) => None,
        }
    }

    pub fn status(&self) -> Option<u16> {
        self.answer().map(|answer| answer.status)
    }

    pub fn is_success(&self) -> bool {
        self.answer().is_some_and(Answer::is_success)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(body: &'static str) -> Answer {
        Answer::new(200, vec![], Bytes::from(body), false, Duration::ZERO)
    }

    #[test]
    fn an_excerpt_never_cuts_a_character() {
        assert_eq!(answer("aé").excerpt(2), "a…");
        assert_eq!(answer("aé").excerpt(3), "aé");
    }

    #[test]
    fn a_digest_tells_bodies_apart() {
        assert_eq!(
            answer("[1,2,3,4,5]").digest(),
            answer("[1,2,3,4,5]").digest()
        );
        assert_ne!(
            answer("[1,2,3,4,5]").digest(),
            answer("[1,2,3,4,6]").digest()
        );
        assert_ne!(
            answer("[1,2,3,4,5]").digest(),
            answer("[0,2,3,4,5]").digest()
        );
        assert_ne!(answer("").digest(), answer("\0").digest());
    }

    #[test]
    fn a_truncated_body_is_not_json() {
        let whole = answer("[1]");
        assert!(whole.json().is_some());
        let cut = Answer::new(200, vec![], Bytes::from("[1]"), true, Duration::ZERO);
        assert!(cut.json().is_none());
    }

    #[test]
    fn an_error_below_a_list_is_about_an_item() {
        let fails = |body: Value| {
            let body = Bytes::from(body.to_string());
            Answer::new(200, vec![], body, false, Duration::ZERO).fails_over_an_item()
        };
        let at = |path: Value| json!({"data": null, "errors": [{"message": "no", "path": path}]});
        assert!(fails(at(json!(["books", 3, "reviews"]))));
        assert!(!fails(at(json!(["addReview", "comment"]))));
        assert!(!fails(at(Value::Null)));
        assert!(!fails(json!({"path": [1]})));
    }
}
