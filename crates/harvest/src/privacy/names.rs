//! Which names are private.

use std::collections::BTreeSet;

/// Names and patterns, compared without regard to case, `_`, `-` and spaces.
#[derive(Debug, Default)]
pub(crate) struct Globs {
    exact: BTreeSet<String>,
    patterns: Vec<String>,
}

impl Globs {
    pub(crate) fn new(texts: &[String]) -> Self {
        let folded = texts.iter().map(|text| folded(text));
        let (patterns, exact): (Vec<_>, Vec<_>) = folded.partition(|text| text.contains('*'));
        Self {
            exact: exact.into_iter().collect(),
            patterns,
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.fit(&folded(name))
    }

    fn fit(&self, folded: &str) -> bool {
        self.exact.contains(folded) || self.patterns.iter().any(|p| fits(p, folded))
    }
}

/// Longer names are the sender's joke; their beginning decides.
const LONGEST: usize = 200;

fn folded(name: &str) -> String {
    let kept = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    kept.take(LONGEST).collect::<String>().to_lowercase()
}

/// Whether a text fits a pattern in which `*` stands for any text.
pub(crate) fn fits(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let Some(last) = pieces.next_back() else {
        return rest.is_empty();
    };
    for piece in pieces {
        let Some((_, after)) = rest.split_once(piece) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}

#[derive(Debug)]
pub(crate) struct Names {
    fields: Globs,
    keep: Globs,
}

impl Names {
    pub(crate) fn new(fields: &[String], keep: &[String]) -> Self {
        Self {
            fields: Globs::new(fields),
            keep: Globs::new(keep),
        }
    }

    /// `user[password]` and `user.password` are as private as `password`.
    pub(crate) fn is_private(&self, name: &str) -> bool {
        Self::any(name, &self.fields) && !self.is_kept(name)
    }

    pub(crate) fn is_kept(&self, name: &str) -> bool {
        Self::any(name, &self.keep)
    }

    fn any(name: &str, globs: &Globs) -> bool {
        let folded = folded(name);
        globs.fit(&folded)
            || (folded.contains(MARKS) && folded.split(MARKS).any(|part| globs.fit(part)))
    }
}

/// What stands between the names in a name.
const MARKS: [char; 7] = ['[', ']', '.', ':', '/', '@', '$'];

#[cfg(test)]
mod tests {
    use super::*;

    fn names(fields: &[&str], keep: &[&str]) -> Names {
        let owned = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        Names::new(&owned(fields), &owned(keep))
    }

    #[test]
    fn a_pattern_fits_from_end_to_end() {
        for (pattern, text) in [
            ("*", ""),
            ("a*", "a"),
            ("*a*", "bab"),
            ("a*b*c", "axxbc"),
            ("ab", "ab"),
        ] {
            assert!(fits(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("a*", "ba"),
            ("*a", "ab"),
            ("ab*b", "ab"),
            ("a*b*c", "acb"),
            ("ab", "abc"),
        ] {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn manners_of_writing_a_name_make_no_difference() {
        let names = names(&["api_key", "*token"], &[]);
        for name in [
            "apiKey",
            "API-KEY",
            "api_key",
            "accessToken",
            "x-csrf-token",
            "user[apiKey]",
            "a.api_key",
        ] {
            assert!(names.is_private(name), "{name}");
        }
        assert!(!names.is_private("apiKeys"));
        assert!(!names.is_private("tokenize"));
    }

    #[test]
    fn what_is_kept_is_not_private() {
        let names = names(&["*token"], &["page-token"]);
        assert!(!names.is_private("pageToken"));
        assert!(names.is_private("nextPageToken"));
    }
}
