//! Places in a text that give themselves away, whatever the name of the text.

use std::ops::Range;

use super::marks::{begins, credentials, run, starts};
use super::shapes::{is_card, is_email};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    pub range: Range<usize>,
    pub look: Look,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Dropped: a pseudonym of it would open nothing, and each would make another call.
    Credential,
    /// The public half of a pair.
    KeyId,
    Card,
    Email,
    /// The value of a parameter whose name is private, as it stands in an address.
    Parameter,
}

/// All of them but parameters, which need the names. They may overlap.
pub(super) fn scan(text: &str) -> Vec<Span> {
    let starts = starts(text);
    let mut spans = spans(credentials(text, &starts), Look::Credential);
    spans.extend(self::spans(key_ids(text, &starts), Look::KeyId));
    spans.extend(self::spans(cards(text), Look::Card));
    spans.extend(self::spans(emails(text), Look::Email));
    spans
}

pub(super) fn spans(ranges: Vec<Range<usize>>, look: Look) -> Vec<Span> {
    let span = |range| Span { range, look };
    ranges.into_iter().map(span).collect()
}

/// Sorted, and of two that overlap the one that begins first.
pub(super) fn apart(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.range.start, span.look != Look::Credential));
    let mut end = 0;
    spans.retain(|span| {
        let free = span.range.start >= end && !span.range.is_empty();
        if free {
            end = span.range.end;
        }
        free
    });
    spans
}

fn key_ids(text: &str, starts: &[usize]) -> Vec<Range<usize>> {
    let of = |at: usize| {
        let known = text.get(at..)?.starts_with("AKIA") || text.get(at..)?.starts_with("ASIA");
        let end = known.then(|| run(text, at, |c| c.is_ascii_uppercase() || c.is_ascii_digit()))?;
        (end - at == 20 && ends(text, end)).then_some(at..end)
    };
    starts.iter().filter_map(|at| of(*at)).collect()
}

/// No letter or digit follows.
fn ends(text: &str, end: usize) -> bool {
    let after = text.get(end..).unwrap_or_default();
    !after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn emails(text: &str) -> Vec<Range<usize>> {
    let local = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
    let domain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-');
    let of = |at: usize| {
        let before = text.get(..at)?;
        let start = before.trim_end_matches(local).len();
        let whole = text.get(at + 1..run(text, at + 1, domain))?;
        let end = at + 1 + whole.trim_end_matches(['.', '-']).len();
        let start = start + before.get(start..)?.find(|c| c != '.').unwrap_or(0);
        is_email(text.get(start..end)?).then_some(start..end)
    };
    let marks = text.match_indices('@').map(|(at, _)| at);
    marks.filter_map(of).collect()
}

fn cards(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if text.bytes().filter(u8::is_ascii_digit).count() < 13 {
        return found;
    }
    let mut at = 0;
    while let Some(start) = text
        .get(at..)
        .and_then(|t| t.find(|c: char| c.is_ascii_digit()))
    {
        let start = at + start;
        let groups = groups(text, start);
        at = groups.last().map_or(start + 1, |group| group.end);
        if begins(text, start) && ends(text, at) {
            found.extend(among(text, &groups));
        }
    }
    found
}

/// Digits with a single space or dash between them.
fn groups(text: &str, start: usize) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut at = start;
    loop {
        let end = run(text, at, |c| c.is_ascii_digit());
        if end == at {
            return groups;
        }
        groups.push(at..end);
        let next = text.get(end..).unwrap_or_default();
        if !next.starts_with([' ', '-']) {
            return groups;
        }
        at = end + 1;
    }
}

/// Cards are written in one piece or in three to five.
fn among(text: &str, groups: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for size in [1, 3, 4, 5] {
        for window in groups.windows(size) {
            let (Some(first), Some(last)) = (window.first(), window.last()) else {
                continue;
            };
            let grouped = size == 1 || window.iter().all(|group| (3..=6).contains(&group.len()));
            if grouped && text.get(first.start..last.end).is_some_and(is_card) {
                found.push(first.start..last.end);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, Look)> {
        let spans = apart(scan(text));
        let told = |span: Span| (&text[span.range], span.look);
        spans.into_iter().map(told).collect()
    }

    #[test]
    fn what_gives_itself_away_is_found_in_the_middle_of_a_text() {
        assert_eq!(
            found("write to ada.l+x@mail.example.org. or <bob@b.io>"),
            [
                ("ada.l+x@mail.example.org", Look::Email),
                ("bob@b.io", Look::Email)
            ]
        );
        assert_eq!(
            found("pay 4111 1111 1111 1111 12 25 now"),
            [("4111 1111 1111 1111", Look::Card)]
        );
        assert_eq!(found("378282246310005"), [("378282246310005", Look::Card)]);
        assert_eq!(
            found("id AKIAIOSFODNN7EXAMPLE"),
            [("AKIAIOSFODNN7EXAMPLE", Look::KeyId)]
        );
    }

    #[test]
    fn ordinary_numbers_and_words_are_left_alone() {
        for text in [
            "1693832749132",
            "a4111111111111111",
            "41111111111111111111111",
            "me@home",
            "@",
            "x@y.",
            "2024-01-02 10:00",
        ] {
            assert_eq!(found(text), Vec::new(), "{text}");
        }
    }

    #[test]
    fn of_two_that_overlap_one_is_taken() {
        assert_eq!(
            found("https://ada:l@example.org"),
            [("ada:l", Look::Credential)]
        );
    }

    #[test]
    fn hostile_texts_take_no_time() {
        for piece in ["4111 ", "1-", "a@", ".@", "@.", "AKIA", "é@é"] {
            scan(&piece.repeat(20_000));
        }
    }
}
