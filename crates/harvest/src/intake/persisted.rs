//! Operations that are sent by name: the text behind a hash or an id.
//!
//! A client sends text and hash together once and the hash alone from then on; so hashes are
//! learned as traffic goes by, and believed only if they are the hash of their text. Ids have a
//! manifest, which the team's build writes.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::privacy::hexadecimal;
use crate::recent::Recent;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "not a manifest of persisted queries: expected a JSON object from ids to texts, or Apollo's \
     with `operations`"
)]
pub struct NotAManifest;

/// Reads a manifest of Relay's kind (ids and texts) or of Apollo's.
pub fn read_manifest(text: &str) -> Result<BTreeMap<String, String>, NotAManifest> {
    let value: Value = serde_json::from_str(text).map_err(|_| NotAManifest)?;
    let fields = value.as_object().ok_or(NotAManifest)?;
    let texts: Option<BTreeMap<String, String>> = match fields.get("operations") {
        Some(Value::Array(listed)) => listed.iter().map(of_apollo).collect(),
        _ => fields
            .iter()
            .map(|(id, text)| Some((id.clone(), text.as_str()?.to_owned())))
            .collect(),
    };
    texts.ok_or(NotAManifest)
}

fn of_apollo(operation: &Value) -> Option<(String, String)> {
    let text = |name: &str| operation.get(name)?.as_str().map(str::to_owned);
    Some((text("id")?, text("body")?))
}

pub(super) struct Persisted {
    manifest: BTreeMap<String, String>,
    learned: Recent<String, String>,
    /// Of all learned texts together.
    bytes: usize,
    most: usize,
}

impl Persisted {
    /// `most` is how many bytes of learned text are remembered.
    pub(super) fn new(manifest: BTreeMap<String, String>, most: usize) -> Self {
        Self {
            manifest,
            learned: Recent::new(),
            bytes: 0,
            most,
        }
    }

    /// Remembers a text under its hash, if it is its hash.
    pub(super) fn learn(&mut self, hash: &str, text: &str) {
        let hash = hash.to_ascii_lowercase();
        if text.len() > self.most || self.learned.get(&hash).is_some() || hash != sha256(text) {
            return;
        }
        self.bytes += text.len();
        self.learned.put(hash, text.to_owned());
        while self.bytes > self.most {
            let Some(gone) = self.learned.forget_oldest() else {
                return;
            };
            self.bytes -= gone.len();
        }
    }

    pub(super) fn text(&mut self, id: &str) -> Option<String> {
        if let Some(text) = self.manifest.get(id) {
            return Some(text.clone());
        }
        self.learned
            .get(&id.to_ascii_lowercase())
            .map(|text| text.clone())
    }

    pub(super) fn is_listed(&self, id: &str) -> bool {
        self.manifest.contains_key(id)
    }
}

fn sha256(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_manifest_are_read() {
        let expected = BTreeMap::from([("a1".to_owned(), "{x}".to_owned())]);
        for text in [
            r#"{"a1": "{x}"}"#,
            r#"{"format": "apollo-persisted-query-manifest", "version": 1,
                "operations": [{"id": "a1", "name": "X", "type": "query", "body": "{x}"}]}"#,
        ] {
            assert_eq!(read_manifest(text).as_ref(), Ok(&expected));
        }
        for text in ["[]", "{\"a\": 1}", "{\"operations\": [{}]}", "x"] {
            assert_eq!(read_manifest(text), Err(NotAManifest), "{text}");
        }
    }

    #[test]
    fn a_hash_is_believed_only_if_it_is_right() {
        let mut persisted = Persisted::new(BTreeMap::new(), 100);
        persisted.learn("00", "{x}");
        assert_eq!(persisted.text("00"), None);
        let hash = sha256("{x}");
        persisted.learn(&hash.to_uppercase(), "{x}");
        assert_eq!(persisted.text(&hash).as_deref(), Some("{x}"));
    }

    #[test]
    fn memory_is_bounded_and_what_is_used_stays() {
        let mut persisted = Persisted::new(BTreeMap::new(), 10);
        let texts = ["{aaa}", "{bbb}", "{ccc}"];
        persisted.learn(&sha256(texts[0]), texts[0]);
        persisted.learn(&sha256(texts[1]), texts[1]);
        assert!(persisted.text(&sha256(texts[0])).is_some());
        persisted.learn(&sha256(texts[2]), texts[2]);
        assert!(persisted.text(&sha256(texts[1])).is_none());
        assert!(persisted.text(&sha256(texts[0])).is_some());
        persisted.learn(&sha256("{much too long}"), "{much too long}");
        assert_eq!(persisted.text(&sha256("{much too long}")), None);
    }
}
