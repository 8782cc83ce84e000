//! An operation with its variables laid in: what one call of it asked for.
//!
//! `@skip` and `@include` are decided, other directives are dropped. A variable that nobody gave
//! and that has no default is left out where that is allowed, and null in a list.

use serde_json::{Map, Value};

use crate::{Asked, Directive, Document, Literal, Part, Pick};

/// Deeper values are cut; no service takes them.
const DEEPEST: usize = 128;

impl Document {
    /// What is asked for with these variables. No variable and no directive is left.
    pub fn resolved(&self, variables: &Map<String, Value>) -> Vec<Pick> {
        let given = Given {
            document: self,
            variables,
        };
        given.picks(&self.picks)
    }
}

struct Given<'a> {
    document: &'a Document,
    variables: &'a Map<String, Value>,
}

impl Given<'_> {
    fn picks(&self, picks: &[Pick]) -> Vec<Pick> {
        picks.iter().filter_map(|pick| self.pick(pick)).collect()
    }

    fn pick(&self, pick: &Pick) -> Option<Pick> {
        match pick {
            Pick::Field(asked) => self.is_wanted(&asked.directives).then(|| {
                Pick::Field(Asked {
                    alias: asked.alias.clone(),
                    name: asked.name.clone(),
                    arguments: self.members(&asked.arguments),
                    directives: Vec::new(),
                    picks: self.picks(&asked.picks),
                })
            }),
            Pick::Part(part) => self.is_wanted(&part.directives).then(|| {
                Pick::Part(Part {
                    on: part.on.clone(),
                    directives: Vec::new(),
                    picks: self.picks(&part.picks),
                })
            }),
        }
    }

    fn is_wanted(&self, directives: &[Directive]) -> bool {
        directives.iter().all(|directive| {
            let wanted = match directive.name.as_str() {
                "include" => true,
                "skip" => false,
                _ => return true,
            };
            let condition = directive.arguments.iter().find(|(name, _)| name == "if");
            let told = condition.and_then(|(_, literal)| self.literal(literal));
            told.is_none_or(|told| told == Literal::Boolean(wanted))
        })
    }

    fn members(&self, members: &[(String, Literal)]) -> Vec<(String, Literal)> {
        let resolved = members.iter().filter_map(|(name, literal)| {
            let literal = self.literal(literal)?;
            Some((name.clone(), literal))
        });
        resolved.collect()
    }

    fn literal(&self, literal: &Literal) -> Option<Literal> {
        Some(match literal {
            Literal::Variable(name) => return self.variable(name),
            Literal::List(items) => {
                let item = |item| self.literal(item).unwrap_or(Literal::Null);
                Literal::List(items.iter().map(item).collect())
            }
            Literal::Object(members) => Literal::Object(self.members(members)),
            plain => plain.clone(),
        })
    }

    fn variable(&self, name: &str) -> Option<Literal> {
        if let Some(value) = self.variables.get(name) {
            return Some(Literal::from(value));
        }
        let mut declared = self.document.variables.iter();
        declared.find(|known| known.name == name)?.default.clone()
    }
}

/// A value as GraphQL writes it; without a schema a member of an enumeration is a text.
fn written(value: &Value, depth: usize) -> Literal {
    match value {
        _ if depth > DEEPEST => Literal::Null,
        Value::Null => Literal::Null,
        Value::Bool(flag) => Literal::Boolean(*flag),
        Value::Number(number) => Literal::Number(number.to_string()),
        Value::String(text) => Literal::Text(text.clone()),
        Value::Array(items) => Literal::List(items.iter().map(|i| written(i, depth + 1)).collect()),
        Value::Object(members) => {
            let member =
                |(name, value): (&String, &Value)| (name.clone(), written(value, depth + 1));
            Literal::Object(members.iter().map(member).collect())
        }
    }
}

impl From<&Value> for Literal {
    fn from(value: &Value) -> Self {
        written(value, 0)
    }
}

impl Literal {
    /// The same as JSON; none for a variable, or for a number that JSON does not know.
    pub fn value(&self) -> Option<Value> {
        Some(match self {
            Self::Variable(_) => return None,
            Self::Null => Value::Null,
            Self::Boolean(flag) => Value::Bool(*flag),
            Self::Number(text) => serde_json::from_str(text).ok()?,
            Self::Text(text) | Self::Enum(text) => Value::String(text.clone()),
            Self::List(items) => {
                Value::Array(items.iter().map(Self::value).collect::<Option<_>>()?)
            }
            Self::Object(members) => {
                let member =
                    |(name, literal): &(String, Self)| Some((name.clone(), literal.value()?));
                Value::Object(members.iter().map(member).collect::<Option<_>>()?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read, write_compact};
    use serde_json::json;

    fn resolved(text: &str, variables: &Value) -> String {
        let mut document = read(text, None).expect("an operation");
        let none = Map::new();
        document.picks = document.resolved(variables.as_object().unwrap_or(&none));
        document.variables.clear();
        write_compact(&document)
    }

    #[test]
    fn variables_are_laid_in_and_defaults_stand_in_for_them() {
        let text = "query($id: ID!, $few: Int = 3, $no: Int) {
            saw(id: $id, where: {size: $no, few: $few, in: [$no]}) { teeth(first: $few) } }";
        assert_eq!(
            resolved(text, &json!({"id": "a"})),
            resolved(
                "{ saw(id: \"a\", where: {few: 3, in: [null]}) { teeth(first: 3) } }",
                &json!({})
            )
        );
    }

    #[test]
    fn conditions_are_decided() {
        let text = "query($more: Boolean!) { saw { id name @include(if: $more)
            ... @skip(if: $more) { size } } }";
        assert!(!resolved(text, &json!({"more": false})).contains("name"));
        let more = resolved(text, &json!({"more": true}));
        assert!(
            more.contains("name") && !more.contains("size") && !more.contains('@'),
            "{more}"
        );
    }

    #[test]
    fn literals_are_json_where_json_has_them() {
        let object = Literal::Object(vec![
            ("a".to_owned(), Literal::Number("1.5".to_owned())),
            (
                "b".to_owned(),
                Literal::List(vec![Literal::Enum("RED".to_owned())]),
            ),
        ]);
        assert_eq!(object.value(), Some(json!({"a": 1.5, "b": ["RED"]})));
        assert_eq!(Literal::Variable("x".to_owned()).value(), None);
    }
}
