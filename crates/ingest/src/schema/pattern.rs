//! Patterns that the validator's own engine takes.
//!
//! A pattern it can't compile would cost the whole schema text, so each is tried once. The
//! validator itself is asked: any other engine would only nearly agree with it.

use std::collections::HashMap;

use serde_json::json;

use crate::reader::Reader;
use crate::reference::Node;

/// Longer patterns are machine-made alternations that cost more than they tell.
const LONGEST: usize = 20_000;

#[derive(Default)]
pub(super) struct Patterns {
    tried: HashMap<String, bool>,
}

impl Patterns {
    pub(super) fn compiles(&mut self, pattern: &str) -> bool {
        if let Some(known) = self.tried.get(pattern) {
            return *known;
        }
        let compiles = pattern.len() <= LONGEST
            && jsonschema::draft202012::new(&json!({ "pattern": pattern })).is_ok();
        self.tried.insert(pattern.to_owned(), compiles);
        compiles
    }

    /// A pattern if it can be used; `node` is where a warning goes.
    pub(super) fn usable<'p>(
        &mut self,
        reader: Reader<'_>,
        node: Node<'_>,
        pattern: &'p str,
    ) -> Option<&'p str> {
        if let Some(inner) = inside_slashes(pattern)
            && self.compiles(inner)
        {
            reader.warn(
                node,
                "a pattern is written without slashes around it; read without",
            );
            return Some(inner);
        }
        if self.compiles(pattern) {
            return Some(pattern);
        }
        reader.warn(
            node,
            format!(
                "the pattern `{}` can't be used; left out",
                shortened(pattern)
            ),
        );
        None
    }
}

/// `/^a$/`, as JavaScript writes it: as a pattern it could never match, so it is never meant.
fn inside_slashes(pattern: &str) -> Option<&str> {
    let inner = pattern.strip_prefix('/')?.strip_suffix('/')?;
    (inner.starts_with('^') && inner.ends_with('$')).then_some(inner)
}

fn shortened(pattern: &str) -> String {
    const SHOWN: usize = 60;
    if pattern.chars().count() <= SHOWN {
        return pattern.to_owned();
    }
    let start: String = pattern.chars().take(SHOWN).collect();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_patterns_that_compile_are_usable() {
        let mut patterns = Patterns::default();
        assert!(patterns.compiles("^[a-z]+$"));
        assert!(patterns.compiles(r"^(?!x)\d+$"));
        assert!(!patterns.compiles("["));
        assert!(!patterns.compiles("(?P<a>"));
    }

    #[test]
    fn slashes_around_a_pattern_are_no_part_of_it() {
        assert_eq!(inside_slashes("/^[a-z]+$/"), Some("^[a-z]+$"));
        assert_eq!(inside_slashes("/users/"), None);
        assert_eq!(inside_slashes("^/a$"), None);
    }
}
