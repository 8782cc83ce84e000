//! Deserialising that takes what it is given: a part of the wrong kind counts as missing.
//!
//! Introspection comes from every server that was ever written, through proxies and hand-edited
//! files. One number where a text belongs must not cost the whole schema, and the whole schema
//! must not be held as a tree of values only to be looked at forgivingly.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A text, if it is one.
#[derive(Debug, Default)]
pub(super) struct Text(pub(super) Option<String>);

/// True only where it says `true`.
#[derive(Debug, Default)]
pub(super) struct Flag(pub(super) bool);

/// An object of this form, if it is an object.
#[derive(Debug)]
pub(super) struct Entry<T>(pub(super) Option<T>);

/// The members of a list, if it is a list.
#[derive(Debug)]
pub(super) struct Many<T>(pub(super) Vec<T>);

impl<T> Default for Entry<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Default for Many<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Writes the visits that end in the default, so that each visitor says only what it wants.
macro_rules! otherwise_default {
    ($($visit:ident: $kind:ty),* $(,)?) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("anything")
        }
        $(fn $visit<E>(self, _: $kind) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        })*
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_none<E>(self) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
}

fn skip_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<(), A::Error> {
    while list.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

fn skip_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text;

    otherwise_default!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64);

    fn visit_str<E>(self, text: &str) -> Result<Text, E> {
        Ok(Text(Some(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Text, A::Error> {
        skip_list(list).map(|()| Text(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Text, A::Error> {
        skip_map(map).map(|()| Text(None))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct FlagVisitor;

impl<'de> Visitor<'de> for FlagVisitor {
    type Value = Flag;

    otherwise_default!(visit_str: &str, visit_i64: i64, visit_u64: u64, visit_f64: f64);

    fn visit_bool<E>(self, flag: bool) -> Result<Flag, E> {
        Ok(Flag(flag))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Flag, A::Error> {
        skip_list(list).map(|()| Flag(false))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Flag, A::Error> {
        skip_map(map).map(|()| Flag(false))
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FlagVisitor)
    }
}

struct EntryVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for EntryVisitor<T> {
    type Value = Entry<T>;

    otherwise_default!(
        visit_bool: bool, visit_str: &str, visit_i64: i64, visit_u64: u64, visit_f64: f64,
    );

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Entry<T>, A::Error> {
        skip_list(list).map(|()| Entry(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entry<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(|found| Entry(Some(found)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entry<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntryVisitor(PhantomData))
    }
}

struct ManyVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ManyVisitor<T> {
    type Value = Many<T>;

    otherwise_default!(
        visit_bool: bool, visit_str: &str, visit_i64: i64, visit_u64: u64, visit_f64: f64,
    );

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Many<T>, A::Error> {
        let mut all = Vec::new();
        while let Some(Entry(found)) = list.next_element::<Entry<T>>()? {
            all.extend(found);
        }
        Ok(Many(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Many<T>, A::Error> {
        skip_map(map).map(|()| Many::default())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Many<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ManyVisitor(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize as Derived;
    use serde_json::{Value, json};

    #[derive(Derived, Default)]
    #[serde(default)]
    struct Thing {
        name: Text,
        on: Flag,
        parts: Many<Thing>,
        one: Entry<Box<Thing>>,
    }

    fn read(value: Value) -> Thing {
        serde_json::from_value(value).expect("it takes anything")
    }

    #[test]
    fn what_fits_is_taken() {
        let thing = read(json!({"name": "a", "on": true, "parts": [{"name": "b"}], "one": {}}));
        assert_eq!(thing.name.0.as_deref(), Some("a"));
        assert!(thing.on.0 && thing.one.0.is_some());
        assert_eq!(thing.parts.0[0].name.0.as_deref(), Some("b"));
    }

    #[test]
    fn what_does_not_fit_counts_as_missing() {
        for odd in [
            json!(null),
            json!(1),
            json!(-1),
            json!(1.5),
            json!("x"),
            json!([1, {"a": []}]),
            json!({"a": [1]}),
        ] {
            let thing = read(json!({"name": odd, "on": odd, "parts": odd, "one": odd}));
            assert!(!thing.on.0);
            assert_eq!(thing.name.0.is_some(), odd.is_string());
            assert_eq!(thing.one.0.is_some(), odd.is_object());
            assert_eq!(thing.parts.0.len(), usize::from(odd.is_array()), "{odd}");
        }
    }
}
