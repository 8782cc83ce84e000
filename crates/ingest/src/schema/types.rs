//! Sets of JSON types.
//!
//! A number is either whole or not, so `integer` is one bit and `number` two: intersecting them
//! then gives what JSON Schema means.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    pub(crate) const NUMBER: Self = Self(4 | 8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);

    /// Every type by its name; `number` before `integer`, which it contains.
    const NAMES: [(Self, &'static str); 7] = [
        (Self::OBJECT, "object"),
        (Self::ARRAY, "array"),
        (Self::STRING, "string"),
        (Self::NUMBER, "number"),
        (Self::INTEGER, "integer"),
        (Self::BOOLEAN, "boolean"),
        (Self::NULL, "null"),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(_, known)| *known == name);
        found.map(|(types, _)| *types)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without_null(self) -> Self {
        Self(self.0 & !Self::NULL.0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn has(self, other: Self) -> bool {
        self.and(other) == other
    }

    /// Its types one by one; whole numbers are not told apart where all numbers are in.
    pub(crate) fn each(self) -> impl Iterator<Item = Self> {
        let mut left = self;
        Self::NAMES.into_iter().filter_map(move |(types, _)| {
            let there = left.has(types);
            if there {
                left = Self(left.0 & !types.0);
            }
            there.then_some(types)
        })
    }

    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        self.each().filter_map(|one| {
            let found = Self::NAMES.iter().find(|(types, _)| *types == one);
            found.map(|(_, name)| *name)
        })
    }

    /// The type of a value.
    pub(crate) fn of(value: &serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(n) if n.as_f64().is_some_and(|n| n.fract() == 0.0) => Self::INTEGER,
            Value::Number(_) => Self(8),
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }
}

impl fmt::Debug for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whole_numbers_are_numbers() {
        assert_eq!(Types::NUMBER.and(Types::INTEGER), Types::INTEGER);
        let both = Types::NUMBER.or(Types::INTEGER);
        assert_eq!(both.names().collect::<Vec<_>>(), ["number"]);
        assert!(Types::NUMBER.has(Types::of(&json!(1.5))));
        assert!(!Types::INTEGER.has(Types::of(&json!(1.5))));
        assert!(Types::INTEGER.has(Types::of(&json!(2.0))));
    }

    #[test]
    fn a_set_names_its_members() {
        let some = Types::STRING.or(Types::NULL).or(Types::INTEGER);
        assert_eq!(
            some.names().collect::<Vec<_>>(),
            ["string", "integer", "null"]
        );
        assert_eq!(some.without_null().each().count(), 2);
        assert!(Types::STRING.and(Types::ARRAY).is_empty());
    }
}
