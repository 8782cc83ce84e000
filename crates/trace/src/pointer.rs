//! One value out of a JSON text, without building the rest of it.
//!
//! Most answers are asked for a single identifier. Building the whole tree for it costs several
//! times what walking past the rest does.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize as _;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The value at a JSON pointer; `None` if it is not there or the text is not JSON.
pub(crate) fn value_at(text: &[u8], pointer: &str) -> Option<Value> {
    let path = tokens(pointer)?;
    let mut reader = serde_json::Deserializer::from_slice(text);
    let found = At(&path).deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    found
}

fn tokens(pointer: &str) -> Option<Vec<Cow<'_, str>>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let parts = pointer.strip_prefix('/')?.split('/');
    let unescaped = |part: &str| fossick_contract::unescape_token(part);
    let token = |part| match part {
        part if str::contains(part, '~') => Cow::Owned(unescaped(part)),
        part => Cow::Borrowed(part),
    };
    Some(parts.map(token).collect())
}

/// What is left of the way.
struct At<'p>(&'p [Cow<'p, str>]);

impl<'de> DeserializeSeed<'de> for At<'_> {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        if self.0.is_empty() {
            return Value::deserialize(from).map(Some);
        }
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for At<'_> {
    type Value = Option<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Some((wanted, rest)) = self.0.split_first() else {
            return Ok(None);
        };
        let mut found = None;
        // A key that stands twice means the last one, as it does where the whole is read.
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            if key == *wanted {
                found = map.next_value_seed(At(rest))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let Some((wanted, rest)) = self.0.split_first() else {
            return Ok(None);
        };
        let index: Option<usize> = wanted.parse().ok();
        let mut found = None;
        let mut at = 0;
        loop {
            if Some(at) == index {
                match items.next_element_seed(At(rest))? {
                    Some(value) => found = value,
                    None => return Ok(found),
                }
            } else if items.next_element::<IgnoredAny>()?.is_none() {
                return Ok(found);
            }
            at += 1;
        }
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Whatever the pointer, the answer is the one that the whole tree gives.
    #[test]
    fn a_walk_finds_what_the_tree_holds() {
        let text = br#"{"a":{"b/c":[1,{"d":"x"},null]},"a~":true,"n":-1.5,"e":[]} "#;
        let tree: Value = serde_json::from_slice(text).expect("it is JSON");
        let pointers = [
            "",
            "/a",
            "/a/b~1c",
            "/a/b~1c/0",
            "/a/b~1c/1/d",
            "/a/b~1c/2",
            "/a/b~1c/3",
            "/a~0",
            "/n",
            "/n/x",
            "/e/0",
            "/missing",
            "/a/b~1c/one",
            "no slash",
        ];
        for pointer in pointers {
            assert_eq!(
                value_at(text, pointer),
                tree.pointer(pointer).cloned(),
                "{pointer}"
            );
        }
    }

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        assert_eq!(value_at(br#"{"a":1,"a":2}"#, "/a"), Some(json!(2)));
    }

    #[test]
    fn what_is_not_json_holds_nothing() {
        assert_eq!(value_at(b"{\"a\":1} x", "/a"), None);
        assert_eq!(value_at(b"{\"a\":1", "/a"), None);
        assert_eq!(value_at(b"", "/a"), None);
    }
}
