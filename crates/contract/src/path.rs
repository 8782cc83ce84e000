//! A path with holes: `/projects/{project_id}/tasks`.

use std::fmt;

/// The pieces of a path in order; a hole may stand anywhere, also twice in one segment
/// (`/files/{name}.{ext}`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PathTemplate {
    pub text: String,
    pub pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Fixed(String),
    /// The name of a path parameter.
    Hole(String),
}

impl PathTemplate {
    /// Takes a path apart. A brace that is never closed is ordinary text.
    pub fn parse(text: &str) -> Self {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, name, after)) = next_hole(rest) {
            if !before.is_empty() {
                pieces.push(Piece::Fixed(before.to_owned()));
            }
            pieces.push(Piece::Hole(name.to_owned()));
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Fixed(rest.to_owned()));
        }
        Self {
            text: text.to_owned(),
            pieces,
        }
    }

    pub fn holes(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Hole(name) => Some(name.as_str()),
            Piece::Fixed(_) => None,
        })
    }

    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.text.split('/').filter(|segment| !segment.is_empty())
    }

    /// Whether the last segment is a hole: the path of one item rather than of a collection.
    pub fn ends_with_hole(&self) -> bool {
        self.segments().next_back().is_some_and(is_hole)
    }

    /// The path without its last segment, if it has one.
    pub fn parent(&self) -> Option<&str> {
        let trimmed = self.text.trim_end_matches('/');
        let cut = trimmed.rfind('/')?;
        Some(&trimmed[..cut])
    }
}

fn next_hole(text: &str) -> Option<(&str, &str, &str)> {
    let open = text.find('{')?;
    let close = open + text[open..].find('}')?;
    Some((&text[..open], &text[open + 1..close], &text[close + 1..]))
}

fn is_hole(segment: &str) -> bool {
    segment.starts_with('{') && segment.ends_with('}')
}

impl fmt::Display for PathTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_may_stand_anywhere() {
        let path = PathTemplate::parse("/files/{name}.{ext}/raw");
        assert_eq!(path.holes().collect::<Vec<_>>(), ["name", "ext"]);
        assert_eq!(path.pieces.len(), 5);
        assert!(!path.ends_with_hole());
    }

    #[test]
    fn an_unclosed_brace_is_text() {
        let path = PathTemplate::parse("/a/{b");
        assert_eq!(path.pieces, [Piece::Fixed("/a/{b".to_owned())]);
    }

    #[test]
    fn the_parent_drops_one_segment() {
        let path = PathTemplate::parse("/projects/{id}/");
        assert_eq!(path.parent(), Some("/projects"));
        assert!(path.ends_with_hole());
        assert_eq!(PathTemplate::parse("/projects").parent(), Some(""));
        assert_eq!(PathTemplate::parse("").parent(), None);
    }
}
