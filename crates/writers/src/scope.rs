//! The variables of one test under the names that a language gives them.

use std::collections::BTreeMap;

use fossick_suite::{Body, Piece, Request, Template, Test};
use fossick_trace::Take;

use crate::names::Taken;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// It holds a text for sure, and not whatever JSON an answer had there.
    pub(crate) is_text: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Scope {
    variables: BTreeMap<String, Variable>,
}

impl Scope {
    /// `manner` is how the language writes names; `taken` are those that mean something already.
    pub(crate) fn of(test: &Test, mut taken: Taken, manner: fn(&str) -> String) -> Self {
        let fresh = test.fresh.iter().map(|fresh| (&fresh.variable, true));
        let saves = test.steps.iter().flat_map(|step| &step.saves);
        let saved = saves.map(|save| (&save.variable, !matches!(save.take, Take::Pointer(_))));
        let mut variables: BTreeMap<String, Variable> = BTreeMap::new();
        for (variable, is_text) in fresh.chain(saved) {
            variables
                .entry(variable.clone())
                .and_modify(|known| known.is_text &= is_text)
                .or_insert_with(|| Variable {
                    name: taken.claim(&manner(variable)),
                    is_text,
                });
        }
        Self { variables }
    }

    /// The variables of a login's request, which are those of the environment.
    pub(crate) fn of_secrets(
        request: &Request,
        mut taken: Taken,
        manner: fn(&str) -> String,
    ) -> Self {
        let mut secrets = Vec::new();
        pieces_of(request, &mut |pieces| secrets.extend(variables_of(pieces)));
        let mut variables = BTreeMap::new();
        for secret in secrets {
            variables
                .entry(secret)
                .or_insert_with_key(|secret| Variable {
                    name: taken.claim(&manner(secret)),
                    is_text: true,
                });
        }
        Self { variables }
    }

    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &Variable)> {
        let pairs = self.variables.iter();
        pairs.map(|(variable, name)| (variable.as_str(), name))
    }

    /// A variable that nobody set has a name too; the runner will say that it is not there.
    pub(crate) fn get(&self, variable: &str) -> Variable {
        self.variables
            .get(variable)
            .cloned()
            .unwrap_or_else(|| Variable {
                name: format!("missing_{}", crate::names::snake(variable, "n")),
                is_text: true,
            })
    }
}

fn variables_of(pieces: &[Piece]) -> impl Iterator<Item = String> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Fixed(_) => None,
        Piece::Variable(variable) => Some(variable.clone()),
    })
}

/// Every place of a request where variables may stand.
fn pieces_of(request: &Request, see: &mut impl FnMut(&[Piece])) {
    see(&request.path);
    for (_, pieces) in &request.headers {
        see(pieces);
    }
    match &request.body {
        Body::Json { value, .. } => pieces_in(value, see),
        Body::Text { text, .. } => see(text),
        Body::None | Body::Bytes { .. } => {}
    }
}

fn pieces_in(template: &Template, see: &mut impl FnMut(&[Piece])) {
    match template {
        Template::Value(_) => {}
        Template::Text(pieces) => see(pieces),
        Template::Variable(variable) => see(&[Piece::Variable(variable.clone())]),
        Template::List(items) => items.iter().for_each(|item| pieces_in(item, see)),
        Template::Object(fields) => fields.iter().for_each(|(_, field)| pieces_in(field, see)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::names::snake;

    #[test]
    fn names_that_mean_something_are_not_given_to_variables() {
        let test: Test = serde_json::from_value(json!({
            "name": "a", "group": "others", "fresh": [{"variable": "class", "like": "a"}],
            "steps": [{"request": {"method": "GET", "path": []},
                "saves": [{"variable": "id", "take": {"pointer": "/id"}}]}]
        }))
        .expect("a test");
        let scope = Scope::of(&test, Taken::with(&["class"]), |text| snake(text, "n"));
        assert_eq!(scope.get("class").name, "class_2");
        assert!(!scope.get("id").is_text);
        assert_eq!(scope.get("no such").name, "missing_no_such");
    }
}
