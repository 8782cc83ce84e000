//! Which letters a file of tests may show as they are.
//!
//! Everything else is escaped in literals and left out of comments: control characters, line
//! breaks of any script, and marks that are invisible or turn the direction of the text, so that
//! a reviewer sees what a runner reads.

pub(crate) fn is_plain(letter: char) -> bool {
    letter == ' ' || letter.is_ascii_graphic() || (!letter.is_ascii() && letter.is_alphanumeric())
}

/// How many columns a text takes: letters of the Far East take two.
pub(crate) fn columns(text: &str) -> usize {
    text.chars()
        .map(|letter| 1 + usize::from(is_wide(letter)))
        .sum()
}

fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}' | '\u{20000}'..='\u{3fffd}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_not_plain() {
        for letter in [
            '\0', '\n', '\u{7f}', '\u{85}', '\u{a0}', '\u{202e}', '\u{2028}', '\u{feff}',
        ] {
            assert!(!is_plain(letter), "{letter:?}");
        }
        for letter in ['a', '~', ' ', 'ë', '木'] {
            assert!(is_plain(letter), "{letter:?}");
        }
    }

    #[test]
    fn a_wide_letter_takes_two_columns() {
        assert_eq!(columns("aë木"), 4);
    }
}
