//! Paths without their values: `/projects/{}/tasks`.
//!
//! There is no schema at hand, so a segment is a value if it looks like an id, if the rules of
//! privacy took it for one, or if an earlier answer once gave it.

use std::collections::BTreeSet;

use fossick_contract::is_uuid;

use crate::privacy::shapes::is_hex;

/// A segment of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    Value,
    /// As it may be kept.
    Word(String),
}

pub(crate) struct Template(Vec<Segment>);

impl Template {
    pub(super) fn of(path: &[Segment], holes: &BTreeSet<String>) -> Self {
        let mut template = Self(Vec::new());
        for segment in path {
            let known = || holes.contains(&template.text());
            let segment = match segment {
                Segment::Word(_) if !template.0.is_empty() && known() => Segment::Value,
                segment => segment.clone(),
            };
            template.0.push(segment);
        }
        template
    }

    pub(super) fn text(&self) -> String {
        written(&self.0)
    }

    pub(super) fn before(&self, at: usize) -> String {
        written(self.0.get(..at).unwrap_or_default())
    }

    /// Which hole a segment is, counted from none.
    pub(super) fn hole(&self, at: usize) -> Option<usize> {
        let is_value = |segment: &&Segment| **segment == Segment::Value;
        self.0.get(at).filter(is_value)?;
        Some(self.0.iter().take(at).filter(is_value).count())
    }

    pub(super) fn last_word(&self) -> Option<&str> {
        self.0.iter().rev().find_map(|segment| match segment {
            Segment::Word(word) if !word.is_empty() => Some(word.as_str()),
            _ => None,
        })
    }
}

fn written(segments: &[Segment]) -> String {
    let texts = segments.iter().map(|segment| match segment {
        Segment::Value => "{}",
        Segment::Word(word) => word,
    });
    texts.collect::<Vec<_>>().join("/")
}

/// Segments of a path as it was sent and as it may be kept.
pub(super) fn segments(sent: &str, kept: &str) -> Vec<Segment> {
    let pairs = sent.split('/').zip(kept.split('/'));
    let segment = |(sent, kept): (&str, &str)| {
        if sent == kept && !is_id(sent) {
            Segment::Word(kept.to_owned())
        } else {
            Segment::Value
        }
    };
    pairs.map(segment).collect()
}

/// `42`, `6f1d2c3b-…`, `INV-2024-001`, `a%40b`; but not `v2`, `oauth2`, `sha256`, `my-first-post`.
pub(super) fn is_id(segment: &str) -> bool {
    let digits = segment.bytes().filter(u8::is_ascii_digit).count();
    let named = segment.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_name =
        named.bytes().all(|b| b.is_ascii_alphabetic()) && segment.len() - named.len() <= 3;
    let wordy = segment
        .bytes()
        .all(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'_'));
    (digits > 0 && digits == segment.len())
        || is_uuid(segment)
        || is_hex(segment)
        || segment.contains(['@', '%', '=', ','])
        || (segment.len() >= 20 && !wordy)
        || (digits >= 2 && segment.len() >= 6 && !is_name)
        || (segment.len() >= 4 && segment.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_from_words() {
        for id in [
            "42",
            "6f1d2c3b-0a1b-4c2d-8e3f-0123456789ab",
            "INV-2024-001",
            "5f43a1b2c9",
            "UHJvZHVjdFR5cGU6MTY=",
            "a%40b",
            "2024-01-02",
            "01HZX3K9QF7N",
        ] {
            assert!(is_id(id), "{id}");
        }
        for word in [
            "v2",
            "oauth2",
            "sha256",
            "my-first-post",
            "projects",
            "",
            "2fa",
            "getUser",
        ] {
            assert!(!is_id(word), "{word}");
        }
    }

    #[test]
    fn values_leave_holes() {
        let path = segments("/projects/42/tasks/ada", "/projects/42/tasks/bob");
        let template = Template::of(&path, &BTreeSet::new());
        assert_eq!(template.text(), "/projects/{}/tasks/{}");
        assert_eq!(
            (template.hole(1), template.hole(2), template.hole(4)),
            (None, Some(0), Some(1))
        );
        assert_eq!(template.last_word(), Some("tasks"));
    }

    #[test]
    fn what_was_once_a_value_is_one() {
        let holes = BTreeSet::from(["/articles".to_owned()]);
        let path = segments("/articles/my-post/comments", "/articles/my-post/comments");
        assert_eq!(Template::of(&path, &holes).text(), "/articles/{}/comments");
        assert_eq!(
            Template::of(&path, &BTreeSet::new()).text(),
            "/articles/my-post/comments"
        );
    }
}
