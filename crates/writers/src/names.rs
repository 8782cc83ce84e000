//! Names for tests, variables and files, made of text that may be anything.
//!
//! Only ASCII letters, digits and underscores are left, so a name can't be code in any language
//! nor a path in any file system. What becomes alike by that is numbered.

use std::collections::BTreeSet;

/// Longer names are cut: some file systems allow no more than 255 bytes, and nobody reads them.
const LONGEST: usize = 100;

/// The words of a text, in small letters: `Zoë's 1st` has `zo`, `s` and `1st`.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut left = LONGEST;
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| {
            let kept: String = word.chars().take(left).collect();
            left = left.saturating_sub(word.len() + 1);
            kept.to_ascii_lowercase()
        })
        .filter(|word| !word.is_empty())
        .collect()
}

/// `deleted_tool_is_served`; `fallback` where nothing is left, and before a digit.
pub(crate) fn snake(text: &str, fallback: &str) -> String {
    led_by_a_letter(&words(text).join("_"), fallback)
}

/// `deletedToolIsServed`
pub(crate) fn camel(text: &str, fallback: &str) -> String {
    let words = words(text);
    let (first, rest) = words.split_first().map_or(("", &[][..]), |(f, r)| (f, r));
    let rest: String = rest.iter().map(|word| capital(word)).collect();
    led_by_a_letter(&format!("{first}{rest}"), fallback)
}

/// `DeletedToolIsServed`
pub(crate) fn pascal(text: &str, fallback: &str) -> String {
    let whole: String = words(text).iter().map(|word| capital(word)).collect();
    led_by_a_letter(&whole, fallback)
}

fn capital(word: &str) -> String {
    let (head, tail) = word.split_at(word.len().min(1));
    format!("{}{tail}", head.to_ascii_uppercase())
}

fn led_by_a_letter(name: &str, fallback: &str) -> String {
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name.to_owned(),
        _ => format!("{fallback}{name}"),
    }
}

/// Names that were given out already, so that no two are the same.
#[derive(Debug, Default, Clone)]
pub(crate) struct Taken(BTreeSet<String>);

impl Taken {
    /// Words of a language, and names that a file uses for itself.
    pub(crate) fn with(reserved: &[&str]) -> Self {
        Self(reserved.iter().map(ToString::to_string).collect())
    }

    /// The same for a wish that may begin with a digit, or be nothing at all.
    pub(crate) fn claim(&mut self, wish: &str) -> String {
        self.give(led_by_a_letter(wish, "n"))
    }

    /// The name itself, or with the first number that is free: `name`, `name_2`.
    pub(crate) fn give(&mut self, name: String) -> String {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let free = std::iter::once(name.clone())
            .chain(numbered)
            .find(|name| !self.0.contains(name))
            .unwrap_or(name);
        self.0.insert(free.clone());
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_written_in_the_manner_of_each_language() {
        assert_eq!(snake("a tool  is served", "test"), "a_tool_is_served");
        assert_eq!(camel("a tool is served", "test"), "aToolIsServed");
        assert_eq!(pascal("a tool is 2nd", "test"), "AToolIs2nd");
    }

    #[test]
    fn a_name_never_begins_with_a_digit_and_is_never_empty() {
        assert_eq!(snake("73 is too many", "test_"), "test_73_is_too_many");
        assert_eq!(camel("∅", "test"), "test");
    }

    #[test]
    fn names_that_are_taken_are_numbered() {
        let mut taken = Taken::with(&["for"]);
        assert_eq!(taken.give("for".into()), "for_2");
        assert_eq!(taken.give("tool".into()), "tool");
        assert_eq!(taken.give("tool".into()), "tool_2");
    }

    proptest! {
        #[test]
        fn names_are_nothing_but_letters_digits_and_underscores(text in "\\PC{0,300}|.{0,20}") {
            for name in [snake(&text, "t_"), camel(&text, "t"), pascal(&text, "T")] {
                prop_assert!(name.starts_with(|c: char| c.is_ascii_alphabetic()));
                prop_assert!(name.len() <= LONGEST + 2, "{name}");
                prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
            }
        }
    }
}
