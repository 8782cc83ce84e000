//! Named JSON Schemas, kept as text.
//!
//! A large document has megabytes of schemas, and as trees they take ten times as much; but a
//! schema is looked into only while a validator is built from it. So each one is written down
//! compactly and read again when somebody asks.

use indexmap::IndexMap;
use serde_json::{Map, Value};

/// What stands under `$defs`: one schema for each name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Definitions {
    texts: IndexMap<Box<str>, Box<str>>,
}

impl Definitions {
    /// Adds a schema, or puts it in the place of the one that has its name.
    pub fn insert(&mut self, name: &str, schema: &Value) {
        let text = schema.to_string().into_boxed_str();
        self.texts.insert(name.into(), text);
    }

    pub fn contains(&self, name: &str) -> bool {
        self.texts.contains_key(name)
    }

    pub fn get(&self, name: &str) -> Option<Value> {
        serde_json::from_str(self.texts.get(name)?).ok()
    }

    /// What a pointer of the form `/$defs/Project/properties/name` leads to.
    pub fn pointer(&self, pointer: &str) -> Option<Value> {
        let name = Self::name_in(pointer)?;
        let inner = pointer.strip_prefix("/$defs/")?;
        let inner = inner.find('/').map_or("", |at| &inner[at..]);
        self.get(&name)?.pointer_mut(inner).map(Value::take)
    }

    /// The name of the schema that a pointer begins in.
    pub fn name_in(pointer: &str) -> Option<String> {
        let name = pointer.strip_prefix("/$defs/")?.split('/').next()?;
        Some(crate::unescape_token(name))
    }

    /// In the order in which they were added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(|name| &**name)
    }

    /// All of them as one document, `{"$defs": {…}}`.
    pub fn document(&self) -> Value {
        let all: Map<_, _> = self
            .names()
            .filter_map(|name| Some((name.to_owned(), self.get(name)?)))
            .collect();
        Value::Object(Map::from_iter([("$defs".to_owned(), Value::Object(all))]))
    }
}

impl<'a> FromIterator<(&'a str, &'a Value)> for Definitions {
    fn from_iter<T: IntoIterator<Item = (&'a str, &'a Value)>>(all: T) -> Self {
        let mut definitions = Self::default();
        for (name, schema) in all {
            definitions.insert(name, schema);
        }
        definitions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_pointer_leads_into_a_schema_whose_name_is_escaped() {
        let schema = json!({"properties": {"a/b": {"type": "string"}}});
        let definitions: Definitions = [("Big/Thing", &schema)].into_iter().collect();
        let found = definitions.pointer("/$defs/Big~1Thing/properties/a~1b");
        assert_eq!(found, Some(json!({"type": "string"})));
        assert_eq!(definitions.pointer("/$defs/Big~1Thing"), Some(schema));
        assert_eq!(definitions.pointer("/$defs/Small"), None);
    }

    #[test]
    fn the_later_of_two_schemas_of_one_name_counts() {
        let (one, two) = (json!({"type": "null"}), json!(true));
        let definitions: Definitions = [("A", &one), ("A", &two)].into_iter().collect();
        assert_eq!(definitions.document(), json!({"$defs": {"A": true}}));
    }

    #[test]
    fn numbers_come_back_as_they_were() {
        let schema =
            json!({"minimum": 0.1, "maximum": 9_007_199_254_740_993_u64, "multipleOf": 1e-7});
        let definitions: Definitions = [("N", &schema)].into_iter().collect();
        assert_eq!(definitions.get("N"), Some(schema));
    }
}
