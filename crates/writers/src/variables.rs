//! What the variables and users of a suite are called in a file.
//!
//! Names in a suite are in snake case already, but nobody relies on it: a file of tests is made of
//! letters that we chose.

use std::collections::BTreeMap;

use fossick_suite::{Suite, Test};
use fossick_trace::Take;

use crate::arrange::variables;
use crate::names::{Taken, snake};

/// How a language writes a name, from a text and a name for texts without letters.
pub(crate) type Style = fn(&str, &str) -> String;

/// The variables of a test by the name they have in the suite.
#[derive(Debug)]
pub(crate) struct Variables {
    /// With whether it holds a text for sure, and not whatever JSON an answer had there.
    names: BTreeMap<String, (String, bool)>,
    style: Style,
}

impl Variables {
    pub(crate) fn of(test: &Test, style: Style, reserved: &[&str]) -> Self {
        let fresh = test.fresh.iter().map(|fresh| (&fresh.variable, true));
        let saves = test.steps.iter().flat_map(|step| &step.saves);
        let saved = saves.map(|save| (&save.variable, !matches!(save.take, Take::Pointer(_))));
        Self::of_names(fresh.chain(saved), style, reserved)
    }

    /// Of names, each with whether it holds a text.
    pub(crate) fn of_names<'a>(
        all: impl Iterator<Item = (&'a String, bool)>,
        style: Style,
        reserved: &[&str],
    ) -> Self {
        let mut taken = Taken::with(reserved);
        let mut names: BTreeMap<String, (String, bool)> = BTreeMap::new();
        for (variable, is_text) in all {
            names
                .entry(variable.clone())
                .and_modify(|known| known.1 &= is_text)
                .or_insert_with(|| (taken.give(style(variable, "value")), is_text));
        }
        Self { names, style }
    }

    pub(crate) fn get(&self, variable: &str) -> String {
        let known = self.names.get(variable).map(|(name, _)| name.clone());
        known.unwrap_or_else(|| (self.style)(variable, "value"))
    }

    pub(crate) fn is_text(&self, variable: &str) -> bool {
        self.names
            .get(variable)
            .is_some_and(|(_, is_text)| *is_text)
    }
}

/// What each user is called; the only one needs no name.
pub(crate) fn users(suite: &Suite, style: Style, reserved: &[&str]) -> Vec<String> {
    let mut taken = Taken::with(reserved);
    let users = suite.users.iter();
    users
        .map(|user| taken.give(style(user.name.as_deref().unwrap_or("user"), "user")))
        .collect()
}

/// File names for the schemas, in small letters.
pub(crate) fn schemas(suite: &Suite) -> Vec<String> {
    let mut taken = Taken::default();
    let names = suite.schemas.iter();
    names
        .map(|(name, _)| taken.give(snake(name, "schema")))
        .collect()
}

/// A variable of the environment: capitals, digits and underscores whatever was said.
pub(crate) fn environment(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(letter).take(200).collect();
    match name.chars().next() {
        Some(first) if !first.is_ascii_digit() => name,
        _ => format!("_{name}"),
    }
}

/// All variables of the environment that a run needs, each once.
pub(crate) fn secrets(suite: &Suite) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for user in &suite.users {
        let headers = user.headers.iter().map(|secret| secret.variable.clone());
        let login = user
            .login
            .iter()
            .flat_map(|login| variables(&login.request));
        for name in headers.chain(login).map(|name| environment(&name)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// A header's name without anything that no header may have in it.
pub(crate) fn header(name: &str) -> String {
    let token = |c: &char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(*c);
    let name: String = name.chars().filter(token).collect();
    if name.is_empty() {
        "X-Nameless".to_owned()
    } else {
        name
    }
}

/// A piece of a header's value: no line can be added to a request with it.
pub(crate) fn header_text(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() || *c == '\t')
        .collect()
}
