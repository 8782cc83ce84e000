//! What a piece of code may name: its variables, and what it has to import for the rest.

use std::collections::{BTreeMap, BTreeSet};

use super::Language;
use super::language::RESERVED;
use super::layout::Expression;
use super::literal::quoted;
use super::text::Part;
use crate::names::{Taken, camel};

/// What a variable of a test holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// A value of an answer, type and all.
    Json,
}

#[derive(Debug)]
pub(super) struct Scope {
    pub language: Language,
    variables: BTreeMap<String, (String, Kind)>,
    taken: Taken,
    /// What the code calls, by name: `at`, `BigInteger`, `Response`.
    used: BTreeSet<String>,
}

impl Scope {
    pub(super) fn new(language: Language) -> Self {
        Self {
            language,
            variables: BTreeMap::new(),
            taken: Taken::with(RESERVED),
            used: BTreeSet::new(),
        }
    }

    /// A name for a variable of the suite; the same again if it is declared twice.
    pub(super) fn declare(&mut self, variable: &str, kind: Kind) -> String {
        let name = free(&mut self.taken, &camel(variable, "value"));
        self.variables
            .insert(variable.to_owned(), (name.clone(), kind));
        name
    }

    /// A name for a variable that the suite doesn't know of.
    pub(super) fn local(&mut self, name: &str) -> String {
        free(&mut self.taken, name)
    }

    pub(super) fn using(&mut self, name: &str) {
        self.used.insert(name.to_owned());
    }

    pub(super) fn used(self) -> BTreeSet<String> {
        self.used
    }

    /// A call of something that has to be imported.
    pub(super) fn call(&mut self, name: &str, arguments: Vec<Expression>) -> Expression {
        self.using(name);
        Expression::call(name, arguments)
    }

    /// The variable with its own type. What nobody declared comes from the environment.
    pub(super) fn value(&mut self, variable: &str) -> String {
        match self.variables.get(variable) {
            Some((name, _)) => name.clone(),
            None => self.secret(variable),
        }
    }

    /// The same, where it may stand on lines of its own.
    pub(super) fn expression(&mut self, variable: &str) -> Expression {
        match self.variables.get(variable) {
            Some((name, _)) => Expression::Atom(name.clone()),
            None => self.call("secret", vec![Expression::text(variable)]),
        }
    }

    /// The variable as a text.
    pub(super) fn text(&mut self, variable: &str) -> String {
        match self.variables.get(variable).cloned() {
            Some((name, Kind::Json)) => {
                self.using("text");
                format!("text({name})")
            }
            Some((name, Kind::Text)) => name,
            None => self.secret(variable),
        }
    }

    /// The variable as a component of a URI.
    pub(super) fn component(&mut self, variable: &str) -> Part {
        let value = self.value(variable);
        self.using("component");
        Part::Hole(format!("component({value})"))
    }

    fn secret(&mut self, variable: &str) -> String {
        self.using("secret");
        format!("secret({})", quoted(variable, self.language))
    }
}

/// The name itself or, if it is taken, with a number: camels have no underscores.
pub(super) fn free(taken: &mut Taken, name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .find(|name| taken.give(name.clone()) == *name)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_without_underscores() {
        let mut taken = Taken::with(&["class"]);
        assert_eq!(free(&mut taken, "class"), "class2");
        assert_eq!(free(&mut taken, "tool"), "tool");
        assert_eq!(free(&mut taken, "tool"), "tool2");
        assert_eq!(free(&mut taken, "tool"), "tool3");
    }
}
