//! Makes text of strangers safe to show.
//!
//! Titles, bodies and error messages come from the service. A terminal obeys escape sequences and
//! reorders text at bidirectional marks, so a service could repaint the screen or hide a command
//! inside one that a reader is about to copy. What is left here is what can be seen.

/// The text without escape sequences, control characters and marks that reorder it; line breaks
/// stay, tabs become a space.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let after = &rest[next.len_utf8()..];
        rest = match next {
            '\u{1b}' => after_escape(after),
            '\u{9b}' => after_parameters(after),
            _ => {
                out.extend(visible(next));
                after
            }
        };
    }
    out
}

/// The same on one line, each run of white space a single space.
pub fn one_line(text: &str) -> String {
    let text = clean(text);
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ")
}

/// The same where XML can hold it: a dashboard should show no character that moves the others.
pub(crate) fn safe(text: &str) -> String {
    clean(text).replace(['\u{fffe}', '\u{ffff}'], "")
}

/// Whether a character could do more to a terminal than take up its place.
pub(crate) fn is_unsafe(c: char) -> bool {
    c.is_control() || reorders(c) || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

fn visible(c: char) -> Option<char> {
    match c {
        '\n' | '\u{2028}' | '\u{2029}' => Some('\n'),
        '\t' => Some(' '),
        _ => (!is_unsafe(c)).then_some(c),
    }
}

fn reorders(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
}

/// What follows an escape sequence whose first character is already gone.
fn after_escape(text: &str) -> &str {
    let mut chars = text.chars();
    match chars.next() {
        Some('[' | ' '..='/') => after_parameters(chars.as_str()),
        Some(']' | 'P' | 'X' | '^' | '_') => after_string(chars.as_str()),
        Some('0'..='~') => chars.as_str(),
        _ => text,
    }
}

fn after_parameters(text: &str) -> &str {
    text.trim_start_matches(|c| matches!(c, ' '..='?'))
        .strip_prefix(|c| matches!(c, '@'..='~'))
        .unwrap_or(text)
}

/// A string without an end would swallow all the rest; then only its beginning goes.
fn after_string(text: &str) -> &str {
    ["\u{7}", "\u{1b}\\", "\u{9c}"]
        .iter()
        .filter_map(|end| text.split_once(end))
        .min_by_key(|(inside, _)| inside.len())
        .map_or(text, |(_, after)| after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn colours_and_titles_of_strangers_are_taken_out_whole() {
        assert_eq!(clean("a\u{1b}[1;31mred\u{1b}[0m"), "ared");
        assert_eq!(clean("\u{1b}]0;owned\u{7}b"), "b");
        assert_eq!(clean("\u{1b}]8;;http://x\u{1b}\\link"), "link");
        assert_eq!(clean("\u{9b}31mred"), "red");
    }

    #[test]
    fn an_unfinished_sequence_does_not_swallow_the_rest() {
        assert_eq!(clean("\u{1b}]0;the rest"), "0;the rest");
        assert_eq!(clean("\u{1b}"), "");
        assert_eq!(clean("\u{1b}["), "");
    }

    #[test]
    fn text_that_reads_backwards_is_set_straight() {
        assert_eq!(clean("a\u{202e}b\u{2066}c"), "abc");
    }

    #[test]
    fn one_line_is_one_line() {
        assert_eq!(one_line(" a\r\n\tb\u{2028}c\n"), "a b c");
    }

    proptest! {
        #[test]
        fn nothing_unsafe_is_left(text in "(\\PC|\\pC|\u{1b}[\\[\\]P]){0,40}") {
            prop_assert!(clean(&text).chars().all(|c| c == '\n' || !is_unsafe(c)));
        }
    }
}
