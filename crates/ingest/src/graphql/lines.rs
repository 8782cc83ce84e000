//! From an offset into a text to its line and column.
//!
//! Kept apart from the parser's own reckoning because that counts a line from its beginning each
//! time: a schema on one line of megabytes, with an error at every word, would take hours.

use fossick_contract::Place;

/// Beyond this many bytes into a line the column is only counted in bytes.
const COUNTED: usize = 2_000;

#[derive(Debug)]
pub(super) struct Lines {
    name: String,
    text: String,
    starts: Vec<usize>,
}

impl Lines {
    pub(super) fn new(name: &str, text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        Self {
            name: name.to_owned(),
            starts: starts.collect(),
            text: text.to_owned(),
        }
    }

    pub(super) fn place(&self, offset: usize) -> Place {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        Place {
            file: self.name.clone(),
            line,
            column: self.column(start, offset) + 1,
        }
    }

    fn column(&self, start: usize, offset: usize) -> usize {
        let bytes = offset.saturating_sub(start);
        let before = self.text.get(start..offset);
        before
            .filter(|before| before.len() <= COUNTED)
            .map_or(bytes, |before| before.chars().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str, offset: usize) -> (usize, usize) {
        let place = Lines::new("x", text).place(offset);
        (place.line, place.column)
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        assert_eq!(position("ab\ncd", 0), (1, 1));
        assert_eq!(position("ab\ncd", 4), (2, 2));
        assert_eq!(position("", 0), (1, 1));
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(position("äöü x", 7), (1, 5));
    }

    #[test]
    fn an_offset_outside_is_still_somewhere() {
        assert_eq!(position("ab", 9), (1, 10));
        assert_eq!(position("ä", 1), (1, 2));
    }
}
