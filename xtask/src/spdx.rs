//! Licence expressions, as packages state them: `(MIT OR Apache-2.0) AND Unicode-3.0`.
//!
//! `AND` binds closer than `OR`, as SPDX has it; a slash means `OR`, as old packages have it. An
//! exception (`WITH`) only ever allows more, so it is read and passed over.

use anyhow::{Result, bail};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    Licence(String),
    Any(Vec<Expression>),
    All(Vec<Expression>),
}

impl Expression {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let mut reader = Reader {
            words: words(text),
            at: 0,
            depth: 0,
        };
        let expression = reader.any()?;
        match reader.peek() {
            None => Ok(expression),
            Some(word) => bail!("`{word}` is too much in `{text}`"),
        }
    }

    /// Whether the allowed licences are enough.
    pub(crate) fn is_met(&self, allowed: &[&str]) -> bool {
        match self {
            Self::Licence(name) => allowed.contains(&name.as_str()),
            Self::Any(parts) => parts.iter().any(|part| part.is_met(allowed)),
            Self::All(parts) => parts.iter().all(|part| part.is_met(allowed)),
        }
    }
}

fn words(text: &str) -> Vec<String> {
    let spaced = text
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

struct Reader {
    words: Vec<String>,
    at: usize,
    depth: usize,
}

impl Reader {
    fn peek(&self) -> Option<&str> {
        self.words.get(self.at).map(String::as_str)
    }

    fn take(&mut self, word: &str) -> bool {
        let here = self
            .peek()
            .is_some_and(|next| next.eq_ignore_ascii_case(word));
        self.at += usize::from(here);
        here
    }

    fn any(&mut self) -> Result<Expression> {
        let mut parts = vec![self.all()?];
        while self.take("OR") {
            parts.push(self.all()?);
        }
        Ok(joined(parts, Expression::Any))
    }

    fn all(&mut self) -> Result<Expression> {
        let mut parts = vec![self.one()?];
        while self.take("AND") {
            parts.push(self.one()?);
        }
        Ok(joined(parts, Expression::All))
    }

    fn one(&mut self) -> Result<Expression> {
        if self.take("(") {
            return self.inner();
        }
        let name = self.name()?;
        if self.take("WITH") {
            self.name()?;
        }
        Ok(Expression::Licence(name))
    }

    fn inner(&mut self) -> Result<Expression> {
        const DEEPEST: usize = 32;
        self.depth += 1;
        if self.depth > DEEPEST {
            bail!("a licence in more than {DEEPEST} brackets");
        }
        let inner = self.any()?;
        self.depth -= 1;
        if !self.take(")") {
            bail!("a bracket is not closed");
        }
        Ok(inner)
    }

    fn name(&mut self) -> Result<String> {
        match self.peek() {
            Some("(" | ")") | None => bail!("a licence is missing"),
            Some(word) if ["AND", "OR", "WITH"].contains(&word.to_uppercase().as_str()) => {
                bail!("a licence is missing before `{word}`")
            }
            Some(word) => {
                let name = word.to_owned();
                self.at += 1;
                Ok(name)
            }
        }
    }
}

fn joined(mut parts: Vec<Expression>, many: fn(Vec<Expression>) -> Expression) -> Expression {
    match parts.len() {
        1 => parts.swap_remove(0),
        _ => many(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(text: &str) -> bool {
        let expression = Expression::parse(text).expect("it can be read");
        expression.is_met(&["MIT", "Apache-2.0"])
    }

    #[test]
    fn one_of_several_is_enough() {
        assert!(met("MIT OR GPL-3.0"));
        assert!(met("GPL-3.0/MIT"));
        assert!(!met("GPL-3.0 OR AGPL-3.0"));
    }

    #[test]
    fn all_of_several_are_needed_where_it_says_and() {
        assert!(met("MIT AND Apache-2.0"));
        assert!(!met("MIT AND GPL-3.0"));
        assert!(!met("(MIT OR Apache-2.0) AND OpenSSL"));
    }

    #[test]
    fn and_binds_closer_than_or() {
        assert!(met("MIT OR GPL-3.0 AND OpenSSL"));
        assert!(!met("(MIT OR GPL-3.0) AND OpenSSL"));
    }

    #[test]
    fn an_exception_allows_more() {
        assert!(met("Apache-2.0 WITH LLVM-exception OR GPL-3.0"));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "MIT OR", "AND MIT", "(MIT", "MIT)", "MIT MIT", "()"] {
            assert!(Expression::parse(text).is_err(), "{text}");
        }
        assert!(Expression::parse(&"(".repeat(5000)).is_err());
    }
}
