//! Where in a lab file something is wrong, what is wrong, and what to do about it.

use std::fmt;
use std::ops::Range;

/// A lab file that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct LabError {
    /// As the file was named by whoever read it.
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub message: String,
    pub advice: Option<String>,
}

impl fmt::Display for LabError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            line,
            column,
            message,
            advice,
        } = self;
        write!(out, "{file}:{line}:{column}: {message}")?;
        match advice {
            Some(advice) => write!(out, "\n  {advice}"),
            None => Ok(()),
        }
    }
}

/// A complaint that knows its bytes but not yet its file.
#[derive(Debug)]
pub(crate) struct Complaint {
    at: usize,
    message: String,
    advice: Option<String>,
}

impl Complaint {
    pub(crate) fn at(span: &Range<usize>, message: impl Into<String>) -> Self {
        Self {
            at: span.start,
            message: message.into(),
            advice: None,
        }
    }

    /// About something that is not in the file at all.
    pub(crate) fn absent(message: impl Into<String>) -> Self {
        Self::at(&(0..0), message)
    }

    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Adds the known word that a misspelt one comes nearest to, or all of them.
    pub(crate) fn did_you_mean(self, word: &str, known: &[&str]) -> Self {
        let advice = match nearest(word, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known are: {}", known.join(", ")),
        };
        self.advise(advice)
    }

    pub(crate) fn of_toml(error: &toml::de::Error) -> Self {
        let span = error.span().unwrap_or(0..0);
        let quoted: Vec<&str> = error.message().split('`').skip(1).step_by(2).collect();
        match quoted.split_first() {
            Some((word, known)) if error.message().starts_with("unknown field") => {
                let message = format!("unknown key `{word}`");
                Self::at(&span, message).did_you_mean(word, known)
            }
            _ => Self::at(&span, error.message()),
        }
    }

    pub(crate) fn in_file(self, text: &str, file: &str) -> LabError {
        let (line, column) = position(text, self.at);
        LabError {
            file: file.to_owned(),
            line,
            column,
            message: self.message,
            advice: self.advice,
        }
    }
}

/// Line and column, both from 1, the column in characters.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let last = before.rsplit('\n').next().unwrap_or_default();
    (line, last.chars().count() + 1)
}

fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let (distance, near) = known
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + near.chars().count() / 4).then_some(near)
}

/// Letters to insert, remove or replace (Levenshtein), row by row.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.chars().count()).collect();
    for (down, from) in left.chars().enumerate() {
        let mut next = vec![down + 1];
        for ((to, above), slant) in right.chars().zip(row.iter().skip(1)).zip(&row) {
            let before = next.last().copied().unwrap_or_default();
            next.push(
                (slant + usize::from(from != to))
                    .min(above + 1)
                    .min(before + 1),
            );
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_counted_in_lines_and_characters() {
        assert_eq!(position("ä = 1\nöß = 2", 11), (2, 3));
        assert_eq!(position("", 0), (1, 1));
        assert_eq!(position("a", 99), (1, 2));
    }

    #[test]
    fn the_nearest_word_is_offered_only_if_it_is_near() {
        assert_eq!(nearest("budget", &["seeds", "budgets"]), Some("budgets"));
        assert_eq!(nearest("seed", &["seeds", "budgets"]), Some("seeds"));
        assert_eq!(nearest("colour", &["seeds", "budgets"]), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
