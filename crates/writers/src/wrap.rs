//! Text for comments: it stays inside them, in every language, and in sight.
//!
//! Line breaks of any kind, control characters and marks that turn the direction of writing go;
//! what would end a comment somewhere (`*/`, `?>`, `-->`) is pulled apart by a space.

/// The text as lines of at most `width` characters; a longer word has a line of its own.
pub(crate) fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut room = 0;
    for word in calm(text).split_whitespace() {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if length < room => {
                line.push(' ');
                line.push_str(word);
                room -= length + 1;
            }
            _ => {
                lines.push(word.to_owned());
                room = width.saturating_sub(length);
            }
        }
    }
    lines
}

/// A comment of whole lines, each behind `mark`.
pub(crate) fn comment(mark: &str, text: &str, width: usize) -> Vec<String> {
    lines(text, width.saturating_sub(mark.len() + 1))
        .into_iter()
        .map(|line| format!("{mark} {line}"))
        .collect()
}

/// The text on one line.
pub(crate) fn calm(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().map(visible) {
        if is_end(&out, c) {
            out.push(' ');
        }
        out.push(c);
    }
    let words: Vec<_> = out.split_whitespace().collect();
    words.join(" ")
}

fn is_end(before: &str, c: char) -> bool {
    match c {
        '/' => before.ends_with('*'),
        '*' => before.ends_with('/'),
        '>' => before.ends_with(['?', '-']),
        _ => false,
    }
}

fn visible(c: char) -> char {
    if is_unseen(c) { ' ' } else { c }
}

/// Breaks lines, can't be seen, or makes a reader see what is not there.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        )
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(c, '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A sentence begins with a capital and ends with a stop.
pub(crate) fn sentence(text: &str) -> String {
    let text = calm(text);
    let mut chars = text.chars();
    let first: String = chars
        .next()
        .map(char::to_uppercase)
        .into_iter()
        .flatten()
        .collect();
    let stop = if text.ends_with(['.', '!', '?', ':', ';']) || text.is_empty() {
        ""
    } else {
        "."
    };
    format!("{first}{}{stop}", chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn long_text_is_broken_between_words() {
        let lines = lines("one two three fourteen_letters\nfive", 9);
        assert_eq!(lines, ["one two", "three", "fourteen_letters", "five"]);
    }

    #[test]
    fn sentences_look_like_sentences() {
        assert_eq!(sentence("makes a tool"), "Makes a tool.");
        assert_eq!(sentence("éa?"), "Éa?");
        assert_eq!(sentence(""), "");
    }

    proptest! {
        #[test]
        fn nothing_ends_a_comment_or_a_line(text in "(\\*/|/\\*|\\?>|-->|--|[\r\n\u{c}\u{2028}\u{85}*/?>-]|.){0,40}") {
            for line in lines(&text, 20).iter().chain([&calm(&text), &sentence(&text)]) {
                for end in ["*/", "/*", "?>", "-->"] {
                    prop_assert!(!line.contains(end), "{line:?} has {end}");
                }
                prop_assert!(!line.contains(is_unseen), "{line:?}");
                prop_assert_eq!(line.trim(), line.as_str());
            }
        }
    }
}
