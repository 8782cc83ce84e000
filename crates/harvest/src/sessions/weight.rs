//! Whether a value can be an id, and how likely it is equal to another by chance.

use crate::privacy::shapes::{is_date, is_number};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// Small numbers, short words.
    Weak,
    Strong,
}

const LONGEST: usize = 300;
/// Smaller numbers are counts and prices as often as ids.
const LARGE: u64 = 100_000;

pub(super) fn weight(text: &str) -> Option<Weight> {
    if text.len() > LONGEST || text.contains(char::is_whitespace) || text.contains("://") {
        return None;
    }
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(match text.parse::<u64>() {
            Ok(number) if number < LARGE => Weight::Weak,
            _ => Weight::Strong,
        });
    }
    let version = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let nothing = ["true", "false", "null", "none", "undefined", "nan"];
    let idle = nothing.iter().any(|word| text.eq_ignore_ascii_case(word));
    if text.chars().count() < 3 || version || idle || is_number(text) || is_date(text) {
        return None;
    }
    let rare = text
        .bytes()
        .any(|byte| byte.is_ascii_digit() || byte == b'@');
    Some(match (text.len(), rare) {
        (16.., _) | (6.., true) => Weight::Strong,
        _ => Weight::Weak,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_weighed() {
        for text in [
            "6f1d2c3b-0a1b-4c2d-8e3f-0123456789ab",
            "INV-001",
            "1234567",
            "a-rather-long-slug",
        ] {
            assert_eq!(weight(text), Some(Weight::Strong), "{text}");
        }
        for text in ["7", "42", "99999", "abc", "my-post", "é1x"] {
            assert_eq!(weight(text), Some(Weight::Weak), "{text}");
        }
        for text in [
            "",
            "ab",
            "true",
            "NULL",
            "2024-01-02",
            "2024-01-02T10:00:00Z",
            "1.5",
            "1.2.3",
            "-4",
            "two words",
            "https://a.b/c123456",
        ] {
            assert_eq!(weight(text), None, "{text}");
        }
    }
}
