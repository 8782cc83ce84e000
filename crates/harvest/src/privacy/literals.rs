//! Operations of GraphQL through the rules: values in their text, and their variables.

use std::collections::{BTreeMap, BTreeSet};

use fossick_query::{Asked, Directive, Document, Literal, Pick};
use serde_json::{Map, Value};

use super::cover::{Cover, Place, Sense};
use super::pseudonym::pseudonym;
use super::shapes::is_card;
use crate::How;

impl Cover<'_> {
    /// A variable is private by its name and by that of every argument that it is given to.
    pub(crate) fn operation(
        &mut self,
        document: &mut Document,
        variables: &mut Map<String, Value>,
    ) {
        let mut private = BTreeSet::new();
        self.picks(&mut document.picks, "argument ", &mut private);
        let senses = document.variables.iter_mut().map(|variable| {
            let given = match private.get(&variable.name) {
                Some(_) => Sense::Private,
                None => Sense::Plain,
            };
            let sense = self.guard.sense(given, &variable.name);
            if let Some(default) = &mut variable.default {
                let place = format!("argument ${}", variable.name);
                self.literal(default, sense, &Place::Start(&place), &mut BTreeSet::new());
            }
            (variable.name.clone(), sense)
        });
        let senses: BTreeMap<String, Sense> = senses.collect();
        let start = Place::Start("variables");
        for (name, value) in variables {
            let sense = senses.get(name).copied();
            let sense = sense.unwrap_or_else(|| self.guard.sense(Sense::Plain, name));
            self.json(value, sense, &Place::Key(&start, name));
        }
    }

    fn picks(&mut self, picks: &mut [Pick], path: &str, private: &mut BTreeSet<String>) {
        for pick in picks {
            match pick {
                Pick::Field(asked) => self.asked(asked, path, private),
                Pick::Part(part) => {
                    self.directives(&mut part.directives, path, private);
                    self.picks(&mut part.picks, path, private);
                }
            }
        }
    }

    fn asked(&mut self, asked: &mut Asked, path: &str, private: &mut BTreeSet<String>) {
        let place = format!("{path}{}", asked.name);
        self.arguments(&mut asked.arguments, &place, private);
        self.directives(&mut asked.directives, &place, private);
        if !asked.picks.is_empty() {
            self.picks(&mut asked.picks, &format!("{place}/"), private);
        }
    }

    fn directives(
        &mut self,
        directives: &mut [Directive],
        path: &str,
        private: &mut BTreeSet<String>,
    ) {
        for directive in directives {
            let place = format!("{path}@{}", directive.name);
            self.arguments(&mut directive.arguments, &place, private);
        }
    }

    fn arguments(
        &mut self,
        arguments: &mut [(String, Literal)],
        place: &str,
        private: &mut BTreeSet<String>,
    ) {
        let place = Place::Start(place);
        for (name, literal) in arguments {
            let sense = self.guard.sense(Sense::Plain, name);
            self.literal(literal, sense, &Place::Dot(&place, name), private);
        }
    }

    /// Words of an enumeration stay: another one would be refused, and they name no one.
    fn literal(
        &mut self,
        literal: &mut Literal,
        sense: Sense,
        place: &Place<'_>,
        private: &mut BTreeSet<String>,
    ) {
        match literal {
            Literal::Null | Literal::Boolean(_) | Literal::Enum(_) => {}
            Literal::Variable(name) => {
                if sense == Sense::Private {
                    private.insert(name.clone());
                }
            }
            Literal::Number(text) => self.written(text, sense, place),
            Literal::Text(text) => *text = self.text(text, sense, place),
            Literal::List(items) => {
                for item in items {
                    self.literal(item, sense, place, private);
                }
            }
            Literal::Object(fields) => self.fields(fields, sense, place, private),
        }
    }

    fn fields(
        &mut self,
        fields: &mut [(String, Literal)],
        sense: Sense,
        place: &Place<'_>,
        private: &mut BTreeSet<String>,
    ) {
        let told = told_name(fields).is_some_and(|n| self.guard.sense(sense, n) == Sense::Private);
        for (name, literal) in fields {
            let inner = match name.as_str() {
                "value" | "values" if told => Sense::Private,
                name => self.guard.sense(sense, name),
            };
            self.literal(literal, inner, &Place::Dot(place, name), private);
        }
    }

    fn written(&mut self, text: &mut String, sense: Sense, place: &Place<'_>) {
        if sense != Sense::Private && (sense == Sense::Kept || !is_card(text)) {
            return;
        }
        let made = pseudonym(self.guard.keyed(), text);
        if made != *text {
            *text = made;
            self.tell(place, How::Pseudonym);
        }
    }
}

/// The name in `{name: "password", value: …}`.
fn told_name(fields: &[(String, Literal)]) -> Option<&str> {
    fields.iter().find_map(|(name, literal)| match literal {
        Literal::Text(text) if matches!(name.as_str(), "name" | "key" | "field") => {
            Some(text.as_str())
        }
        _ => None,
    })
}
