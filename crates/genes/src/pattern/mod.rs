//! Regular expressions, read once: to make strings that match, and to confirm that others do.

mod ecma;
mod tree;
mod walk;

use std::sync::Arc;

use fancy_regex::{Regex, RegexBuilder};

pub(crate) use walk::Aim;

use crate::Rng;
use tree::Tree;

#[derive(Debug)]
pub(crate) struct Pattern {
    pub text: Arc<str>,
    /// None where the pattern cannot be walked.
    tree: Option<Tree>,
    /// None where the pattern cannot be compiled.
    regex: Option<Regex>,
}

/// Longer patterns are nobody's handwriting; they are taken for no pattern at all.
const LONGEST: usize = 10_000;

/// How far an endless pattern is walked when the longest string is wanted.
const LONG: usize = 64;

impl Pattern {
    pub(crate) fn new(text: &Arc<str>) -> Self {
        const BACKTRACKS: usize = 20_000;
        if text.len() > LONGEST {
            return Self {
                text: Arc::clone(text),
                tree: None,
                regex: None,
            };
        }
        let translated = ecma::translate(text);
        let (plain, _) = ecma::strip_look_arounds(&translated);
        Self {
            text: Arc::clone(text),
            tree: tree::read(&plain),
            regex: RegexBuilder::new(&translated)
                .backtrack_limit(BACKTRACKS)
                .build()
                .ok(),
        }
    }

    /// Whether a text matches; a pattern that nobody can compile forbids nothing.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.regex
            .as_ref()
            .is_none_or(|regex| regex.is_match(text).unwrap_or(false))
    }

    /// One try at a matching text of the wanted length; the caller confirms it.
    pub(crate) fn attempt(&self, lo: usize, hi: usize, aim: Aim, rng: &mut Rng) -> Option<String> {
        let tree = self.tree.as_ref()?;
        let hi = hi.max(lo);
        let cap = match aim {
            Aim::Longest => hi.min(lo.max(tree.root.min).saturating_add(LONG)),
            _ => hi,
        };
        Some(walk::walk(tree, lo, cap.max(lo), aim, rng))
    }
}

/// Whether a text is itself a pattern that every reader takes: nothing escaped, nothing nested in
/// classes, no quantifier where there is nothing to repeat.
pub(crate) fn is_readable(text: &str) -> bool {
    let balanced = text.matches('[').count() == text.matches(']').count();
    let mut previous = '(';
    let repeats_nothing = text.chars().any(|c| {
        let bare = "*+?".contains(c) && "*+?^$(|".contains(previous);
        previous = c;
        bare
    });
    balanced && !repeats_nothing && !text.contains(['\\', '{', '}']) && tree::read(text).is_some()
}

/// Texts that a pattern matches, as far as it can be walked and the texts are confirmed; the first
/// is of ordinary length.
pub fn matching(pattern: &str, wanted: usize, rng: &mut Rng) -> Vec<String> {
    const TRIES: usize = 12;
    const LENGTHS: [(usize, usize); 3] = [(1, 24), (0, 8), (8, 64)];
    let pattern = Pattern::new(&Arc::from(pattern));
    if pattern.regex.is_none() {
        return Vec::new();
    }
    let mut found: Vec<String> = Vec::new();
    for (lo, hi) in LENGTHS.iter().cycle().take(TRIES * LENGTHS.len()) {
        if found.len() >= wanted {
            break;
        }
        let made = pattern.attempt(*lo, *hi, Aim::Tidy, rng);
        found.extend(made.filter(|text| pattern.matches(text) && !found.contains(text)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    const PATTERNS: [&str; 30] = [
        r"^[a-z0-9.]+@[a-z0-9]+\.[a-z]{2,4}$",
        r"^\d{3}-\d{2}-\d{4}$",
        r"^(foo|bar)+$",
        r"abc",
        r"^$",
        r"^\S+$",
        r"^[^/]+$",
        r"^#?([a-f0-9]{6}|[a-f0-9]{3})$",
        r"^v?\d+\.\d+\.\d+(-[\w.]+)?$",
        r"^[A-Z]{2}$",
        r"(?i)^yes|no$",
        r"^\+?[1-9]\d{1,14}$",
        r"^[\w-]+(\.[\w-]+)*$",
        r"^.{3,9}$",
        r"^(?!foo)[a-z]{3,}$",
        r"^(?=.*[A-Z])(?=.*\d).{8,20}$",
        r"\bword\b",
        r"^arn:aws:[^:]*:\d*:.*",
        r"^[\u4e00-\u9fa5]{2,4}$",
        r"^[^\x00-\x7F]+$",
        r"^a{2,}b?c*$",
        r"^(a|b(c|d(e|f)))$",
        r"^[a-zA-Z_$][a-zA-Z0-9_$]*$",
        r"^/([^/]+/)*[^/]*$",
        r"[0-9]{4}$",
        r"^\/subscriptions\/[^\/]+$",
        r"^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$",
        r"^((a*)*)*$",
        r"^\p{L}+$",
        r"^{[a-z]+}$",
    ];

    #[test]
    fn what_is_walked_matches() {
        let mut rng = Rng::seed_from_u64(3);
        for text in PATTERNS {
            let pattern = Pattern::new(&text.into());
            for aim in [Aim::Shortest, Aim::Tidy, Aim::Wide, Aim::Longest] {
                let hits = (0..50)
                    .filter_map(|_| pattern.attempt(0, 200, aim, &mut rng))
                    .filter(|made| pattern.matches(made))
                    .count();
                let shaky = text.contains("(?=") && matches!(aim, Aim::Shortest | Aim::Tidy);
                assert!(hits > 0 || shaky || text.contains("(?!"), "{text} {aim:?}");
            }
        }
    }

    #[test]
    fn lengths_are_met_where_the_pattern_allows() {
        let mut rng = Rng::seed_from_u64(4);
        let pattern = Pattern::new(&r"^[a-z]+(-[a-z]+)*$".into());
        for length in 1..60 {
            for aim in [Aim::Shortest, Aim::Tidy, Aim::Wide, Aim::Longest] {
                let made = pattern
                    .attempt(length, length, aim, &mut rng)
                    .expect("walks");
                assert_eq!(made.chars().count(), length, "{aim:?}");
                assert!(pattern.matches(&made));
            }
        }
        let made = Pattern::new(&"b".into()).attempt(9, 9, Aim::Tidy, &mut rng);
        assert_eq!(made.map(|m| m.len()), Some(9));
    }

    #[test]
    fn monsters_end() {
        let mut rng = Rng::seed_from_u64(5);
        for text in [
            "^((a?){1000}){1000}$",
            "^(((x{0,500}){0,500}){0,500})$",
            "^.{0,100000}$",
        ] {
            let pattern = Pattern::new(&text.into());
            for aim in [Aim::Shortest, Aim::Tidy, Aim::Wide, Aim::Longest] {
                if let Some(made) = pattern.attempt(0, 5000, aim, &mut rng) {
                    assert!(made.len() <= 200_000);
                }
            }
        }
    }
}
