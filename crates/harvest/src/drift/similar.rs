//! Which name another one has most likely become.

use std::collections::BTreeSet;

use fossick_suite::{singular, words};

/// The only one of these names that a name may have become; none where several may.
pub(super) fn only<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let mut alike = candidates.filter(|candidate| are_alike(name, candidate));
    let first = alike.next()?;
    alike.next().is_none().then_some(first)
}

/// Whether two names are spelt nearly alike, or one says no more than the other.
pub(super) fn are_alike(one: &str, other: &str) -> bool {
    let (a, b) = (stems(one), stems(other));
    let said = !a.is_empty() && !b.is_empty() && (a.is_subset(&b) || b.is_subset(&a));
    let shorter = one.chars().count().min(other.chars().count());
    said || (shorter >= 4 && distance(one, other) <= 1 + shorter / 5)
}

fn stems(name: &str) -> BTreeSet<String> {
    words(name).iter().map(|word| singular(word)).collect()
}

/// Levenshtein's distance without regard to case; names are short.
fn distance(one: &str, other: &str) -> usize {
    const LONGEST: usize = 100;
    let letters = |text: &str| -> Vec<char> { text.to_lowercase().chars().take(LONGEST).collect() };
    let (one, other) = (letters(one), letters(other));
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, x) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in other.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

/// Whether what somebody said of a deprecated thing names another: `Use title instead.`
pub(super) fn names(reason: &str, candidate: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    reason.split(|c| !is_name(c)).any(|word| word == candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_say_the_same_are_alike() {
        for (one, other) in [
            ("colour", "color"),
            ("imageUrl", "image_url"),
            ("price", "grossPrice"),
            ("tags", "tag"),
            ("pageSize", "pagesize"),
        ] {
            assert!(are_alike(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("id", "it"),
            ("name", "title"),
            ("width", "weight"),
            ("", "a"),
        ] {
            assert!(!are_alike(one, other), "{one} {other}");
        }
    }

    #[test]
    fn of_several_candidates_none_is_taken() {
        let all = ["grossPrice", "netPrice", "name"];
        assert_eq!(only("price", all.iter().copied()), None);
        assert_eq!(only("nam", all.iter().copied()), None);
        assert_eq!(only("names", all.iter().copied()), Some("name"));
    }

    #[test]
    fn a_reason_names_what_to_use() {
        assert!(names("Use `title` instead.", "title"));
        assert!(!names("Use subtitle.", "title"));
    }
}
