//! Grows a JSON tree from whatever a YAML reader hands over, within a budget.
//!
//! YAML lets a few lines stand for billions of nodes (an alias of aliases of aliases), so the
//! tree is counted while it grows and not after. Keys that are numbers or booleans become text
//! here, because `responses: {200: …}` is how people write it; merge keys (`<<`) are carried out.
//! Does not know what the tree means.

use std::cell::Cell;
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_json::{Map, Number, Value};

/// Deeper than any document a person or generator writes, and safe for every walk of ours.
pub(crate) const DEEPEST: usize = 128;
pub(crate) const TOO_MUCH: &str = "its aliases expand to more than can be read";
pub(crate) const TOO_DEEP: &str = "it is nested deeper than 128 levels";

/// How much may still grow; strings count by their length.
pub(crate) struct Budget {
    left: Cell<usize>,
}

impl Budget {
    /// Without aliases a text can't hold more nodes than characters; what is above comes from
    /// aliases, of which a decent number is fine.
    pub(crate) fn for_text(text: &str) -> Self {
        Self {
            left: Cell::new(text.len().saturating_mul(2).saturating_add(1_000_000)),
        }
    }

    fn spend<E: Error>(&self, cost: usize) -> Result<(), E> {
        let left = self.left.get().checked_sub(cost);
        self.left.set(left.ok_or_else(|| E::custom(TOO_MUCH))?);
        Ok(())
    }
}

/// Grows one node; hand it to a deserialiser.
#[derive(Clone, Copy)]
pub(crate) struct Grow<'b> {
    budget: &'b Budget,
    depth: usize,
}

impl<'b> Grow<'b> {
    pub(crate) fn new(budget: &'b Budget) -> Self {
        Self { budget, depth: 0 }
    }

    fn deeper<E: Error>(self) -> Result<Self, E> {
        self.budget.spend(1)?;
        if self.depth >= DEEPEST {
            return Err(E::custom(TOO_DEEP));
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self
        })
    }

    fn text<E: Error>(self, text: String) -> Result<Value, E> {
        self.budget.spend(text.len() / 16)?;
        Ok(Value::String(text))
    }
}

impl<'de> DeserializeSeed<'de> for Grow<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

fn float(number: f64) -> Value {
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

impl<'de> Visitor<'de> for Grow<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Value, E> {
        Ok(float(value as f64))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Value, E> {
        Ok(float(value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(float(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.text(value.to_owned())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        self.text(value)
    }

    fn visit_bytes<E: Error>(self, value: &[u8]) -> Result<Value, E> {
        self.text(String::from_utf8_lossy(value).into_owned())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        let inner = self.deeper()?;
        while let Some(item) = access.next_element_seed(inner)? {
            self.budget.spend(1)?;
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        let inner = self.deeper()?;
        while let Some(key) = access.next_key_seed(inner)? {
            self.budget.spend(1)?;
            let value = access.next_value_seed(inner)?;
            map.insert(key_text(key), value);
        }
        Ok(Value::Object(merged(map)))
    }

    /// A tag such as `!include` says nothing to us: what it stands before counts.
    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let (_tag, variant) = access.variant_seed(inner)?;
        variant.newtype_variant_seed(inner)
    }
}

fn key_text(key: Value) -> String {
    match key {
        Value::String(text) => text,
        Value::Null => "null".to_owned(),
        other => other.to_string(),
    }
}

/// Carries out `<<: *base`: what the mapping says itself wins.
fn merged(mut map: Map<String, Value>) -> Map<String, Value> {
    match map.get("<<") {
        Some(Value::Object(_) | Value::Array(_)) => {}
        _ => return map,
    }
    let bases = match map.shift_remove("<<") {
        Some(Value::Array(bases)) => bases,
        Some(base) => vec![base],
        None => Vec::new(),
    };
    for (key, value) in bases.into_iter().filter_map(into_map).flatten() {
        map.entry(key).or_insert(value);
    }
    map
}

fn into_map(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(map) => Some(map),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn grow(text: &str) -> Result<Value, String> {
        let budget = Budget::for_text(text);
        Grow::new(&budget)
            .deserialize(yaml_serde::Deserializer::from_str(text))
            .map_err(|e| e.to_string())
    }

    #[test]
    fn keys_of_any_type_become_text() {
        let tree = grow("200: a\ntrue: b\n1.5: c\nnull: d\n");
        assert_eq!(
            tree,
            Ok(json!({"200": "a", "true": "b", "1.5": "c", "null": "d"}))
        );
    }

    #[test]
    fn merge_keys_are_carried_out_and_own_keys_win() {
        let tree = grow("base: &b {a: 1, b: 2}\nuse:\n  <<: *b\n  b: 3\n").expect("valid");
        assert_eq!(tree["use"], json!({"b": 3, "a": 1}));
    }

    #[test]
    fn a_tag_is_looked_through() {
        assert_eq!(grow("a: !Ref b\n"), Ok(json!({"a": "b"})));
    }

    #[test]
    fn an_alias_bomb_is_refused_while_it_grows() {
        let many = |item: String, times| vec![item; times].join(",");
        let mut lines = vec![format!("a0: &a0 [{}]", many("x".to_owned(), 1000))];
        for at in 1..6 {
            let before = format!("*a{}", at - 1);
            lines.push(format!("a{at}: &a{at} [{}]", many(before, 50)));
        }
        let text = lines.join("\n");
        let problem = grow(&text).expect_err("refused");
        assert!(problem.contains(TOO_MUCH), "{problem}");
    }

    #[test]
    fn long_strings_count_by_their_length() {
        let mut text = format!("a: &a {}\nb: [", "x".repeat(100_000));
        text.push_str(&vec!["*a"; 2_000].join(","));
        text.push(']');
        assert!(grow(&text).is_err());
    }
}
