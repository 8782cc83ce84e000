//! Changing a gene at a JSON pointer, without knowing its shape.

use std::sync::Arc;

use serde_json::Value;

use crate::gene::{Field, Gene, below};
use crate::source::Source;

impl Gene {
    /// Puts a literal at a pointer. The place must exist, except that the last step may name a
    /// new key of an object or the end of an array.
    pub fn set(&mut self, pointer: &str, value: Value, source: Source) -> bool {
        let tokens: Vec<String> = tokens(pointer).collect();
        set_at(self, &tokens, Gene::literal(value, source))
    }

    /// Takes away the field or item at a pointer; false if there is none.
    pub fn remove(&mut self, pointer: &str) -> bool {
        let tokens: Vec<String> = tokens(pointer).collect();
        remove_at(self, &tokens)
    }

    /// The value at a pointer: that of [`Gene::value`] there, without what stands beside it.
    pub fn value_at(&self, pointer: &str) -> Option<Value> {
        let gene = self.bare();
        let Some(rest) = pointer.strip_prefix('/') else {
            return pointer.is_empty().then(|| gene.value());
        };
        let (token, rest) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        match gene {
            Self::Literal(value, _) => value.pointer(pointer).cloned(),
            Self::Array(items) => items.get(index(token)?)?.value_at(rest),
            Self::Map(fields) | Self::Object(fields) => {
                let name = fossick_contract::unescape_token(token);
                let field = fields.iter().rfind(|field| *field.name == *name)?;
                field.gene.value_at(rest)
            }
            _ => None,
        }
    }

    /// The gene at a pointer; none inside a literal, which has no genes.
    pub fn at(&self, pointer: &str) -> Option<&Gene> {
        tokens(pointer).try_fold(self, |gene, token| match gene.bare() {
            Self::Array(items) => items.get(token.parse::<usize>().ok()?),
            Self::Map(fields) | Self::Object(fields) => fields
                .iter()
                .find(|field| *field.name == token)
                .map(|field| &field.gene),
            _ => None,
        })
    }
}

/// A place in a list, as pointers write it.
fn index(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with(['0', '+']);
    token.parse().ok().filter(|_| plain)
}

/// Items of lists in one value that are told apart; further ones are as they are.
const MOST_PLACES: usize = 32;

impl Gene {
    /// Every place that a pointer leads to, where `0` stands for each item of a list.
    pub fn places(&self, pointer: &str) -> Vec<String> {
        let tokens: Vec<String> = tokens(pointer).collect();
        let mut found = Vec::new();
        gene_places(self, &tokens, &mut String::new(), &mut found);
        found
    }
}

fn gene_places(gene: &Gene, tokens: &[String], place: &mut String, found: &mut Vec<String>) {
    let Some((token, rest)) = tokens.split_first() else {
        found.extend((found.len() < MOST_PLACES).then(|| place.clone()));
        return;
    };
    match gene.bare() {
        Gene::Array(items) if token == "0" => {
            for (at, item) in items.iter().enumerate().take(MOST_PLACES) {
                below(place, &at.to_string(), |p| {
                    gene_places(item, rest, p, found);
                });
            }
        }
        Gene::Map(fields) | Gene::Object(fields) => {
            if let Some(field) = fields.iter().find(|field| *field.name == **token) {
                below(place, token, |p| gene_places(&field.gene, rest, p, found));
            }
        }
        Gene::Literal(value, _) => value_places(value, tokens, place, found),
        _ => {}
    }
}

fn value_places(value: &Value, tokens: &[String], place: &mut String, found: &mut Vec<String>) {
    let Some((token, rest)) = tokens.split_first() else {
        found.extend((found.len() < MOST_PLACES).then(|| place.clone()));
        return;
    };
    match value {
        Value::Array(items) if token == "0" => {
            for (at, item) in items.iter().enumerate().take(MOST_PLACES) {
                below(place, &at.to_string(), |p| {
                    value_places(item, rest, p, found);
                });
            }
        }
        Value::Object(map) => {
            if let Some(inner) = map.get(token) {
                below(place, token, |p| value_places(inner, rest, p, found));
            }
        }
        _ => {}
    }
}

/// The tokens of a pointer, unescaped.
pub(crate) fn tokens(pointer: &str) -> impl Iterator<Item = String> {
    pointer
        .split('/')
        .skip(1)
        .map(fossick_contract::unescape_token)
}

/// Adds a token to a pointer.
pub(crate) fn push(pointer: &mut String, token: &str) {
    pointer.push('/');
    for c in token.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

fn set_at(gene: &mut Gene, tokens: &[String], new: Gene) -> bool {
    let Some((token, rest)) = tokens.split_first() else {
        *gene = new;
        return true;
    };
    match gene {
        Gene::Choice(choice) => set_at(&mut choice.gene, tokens, new),
        Gene::Disruptive(inner) => set_at(inner, tokens, new),
        Gene::Array(items) => match token.parse::<usize>() {
            Ok(at) if at < items.len() => set_at(&mut items[at], rest, new),
            Ok(at) if at == items.len() && rest.is_empty() => {
                items.push(new);
                true
            }
            _ => false,
        },
        Gene::Map(fields) | Gene::Object(fields) => set_field(fields, token, rest, new),
        Gene::Literal(value, _) => match value_at(Arc::make_mut(value), token, rest) {
            Some(place) => {
                *place = new.value();
                true
            }
            None => false,
        },
        _ => false,
    }
}

fn set_field(fields: &mut Vec<Field>, token: &str, rest: &[String], new: Gene) -> bool {
    match fields.iter_mut().find(|field| &*field.name == token) {
        Some(field) => set_at(&mut field.gene, rest, new),
        None if rest.is_empty() => {
            fields.push(Field {
                name: token.into(),
                gene: new,
            });
            true
        }
        None => false,
    }
}

/// The place inside a plain value, made if only the last key is missing.
fn value_at<'v>(value: &'v mut Value, token: &str, rest: &[String]) -> Option<&'v mut Value> {
    let next = match value {
        Value::Object(map) => {
            if rest.is_empty() && !map.contains_key(token) {
                map.insert(token.to_owned(), Value::Null);
            }
            map.get_mut(token)?
        }
        Value::Array(items) => {
            let at: usize = token.parse().ok()?;
            if at == items.len() && rest.is_empty() {
                items.push(Value::Null);
            }
            items.get_mut(at)?
        }
        _ => return None,
    };
    match rest.split_first() {
        None => Some(next),
        Some((token, rest)) => value_at(next, token, rest),
    }
}

fn remove_at(gene: &mut Gene, tokens: &[String]) -> bool {
    let Some((token, rest)) = tokens.split_first() else {
        return false;
    };
    match gene {
        Gene::Choice(choice) => remove_at(&mut choice.gene, tokens),
        Gene::Disruptive(inner) => remove_at(inner, tokens),
        Gene::Array(items) => match token.parse::<usize>() {
            Ok(at) if at < items.len() && rest.is_empty() => {
                items.remove(at);
                true
            }
            Ok(at) => items.get_mut(at).is_some_and(|item| remove_at(item, rest)),
            Err(_) => false,
        },
        Gene::Map(fields) | Gene::Object(fields) => {
            let Some(at) = fields.iter().position(|field| &*field.name == token) else {
                return false;
            };
            if rest.is_empty() {
                fields.remove(at);
                return true;
            }
            remove_at(&mut fields[at].gene, rest)
        }
        Gene::Literal(value, _) => remove_value(Arc::make_mut(value), token, rest),
        _ => false,
    }
}

fn remove_value(value: &mut Value, token: &str, rest: &[String]) -> bool {
    match (value, rest.split_first()) {
        (Value::Object(map), None) => map.shift_remove(token).is_some(),
        (Value::Object(map), Some((next, rest))) => map
            .get_mut(token)
            .is_some_and(|inner| remove_value(inner, next, rest)),
        (Value::Array(items), step) => match (token.parse::<usize>(), step) {
            (Ok(at), None) if at < items.len() => {
                items.remove(at);
                true
            }
            (Ok(at), Some((next, rest))) => items
                .get_mut(at)
                .is_some_and(|inner| remove_value(inner, next, rest)),
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::Integer;
    use serde_json::json;

    fn integer(value: i64) -> Gene {
        Gene::Integer(Integer {
            value,
            source: Source::Random,
        })
    }

    fn object() -> Gene {
        Gene::Object(vec![
            Field {
                name: "a".into(),
                gene: integer(1),
            },
            Field {
                name: "b".into(),
                gene: Gene::Array(vec![integer(2)]),
            },
            Field {
                name: "c".into(),
                gene: Gene::literal(json!({"d": {"e~/": 3}}), Source::Example),
            },
        ])
    }

    #[test]
    fn a_value_is_put_where_it_is_wanted() {
        let mut gene = object();
        assert!(gene.set("/a", json!("x"), Source::Seen));
        assert!(gene.set("/b/0", json!(9), Source::Seen));
        assert!(gene.set("/b/1", json!(8), Source::Seen));
        assert!(gene.set("/c/d/e~0~1", json!(4), Source::Seen));
        assert!(gene.set("/c/d/new", json!(5), Source::Seen));
        assert!(gene.set("/fresh", json!(null), Source::Seen));
        let expected =
            json!({"a": "x", "b": [9, 8], "c": {"d": {"e~/": 4, "new": 5}}, "fresh": null});
        assert_eq!(gene.value(), expected);
        assert!(gene.set("", json!(1), Source::Seen));
        assert_eq!(gene.value(), json!(1));
    }

    #[test]
    fn a_place_that_is_not_there_is_refused() {
        let mut gene = object();
        for pointer in ["/x/y", "/a/b", "/b/7", "/b/z", "/c/q/r", "/c/d/e~0~1/f"] {
            assert!(!gene.set(pointer, json!(1), Source::Seen), "{pointer}");
            assert!(!gene.remove(pointer), "{pointer}");
        }
        assert_eq!(gene, object());
        assert!(!gene.remove(""));
    }

    #[test]
    fn fields_and_items_can_be_taken_away() {
        let mut gene = object();
        assert!(gene.remove("/a") && gene.remove("/b/0") && gene.remove("/c/d/e~0~1"));
        assert_eq!(gene.value(), json!({"b": [], "c": {"d": {}}}));
    }

    #[test]
    fn a_place_in_a_list_is_one_in_each_item() {
        let line = |id: i64| {
            Gene::Object(vec![Field {
                name: "id".into(),
                gene: integer(id),
            }])
        };
        let gene = Gene::Object(vec![
            Field {
                name: "lines".into(),
                gene: Gene::Array(vec![line(1), line(2), integer(3)]),
            },
            Field {
                name: "old".into(),
                gene: Gene::literal(json!({"tags": [[1, 2], [3]], "0": 4}), Source::Example),
            },
        ]);
        assert_eq!(gene.places("/lines/0/id"), ["/lines/0/id", "/lines/1/id"]);
        let tags = ["/old/tags/0/0", "/old/tags/0/1", "/old/tags/1/0"];
        assert_eq!(gene.places("/old/tags/0/0"), tags);
        assert_eq!(gene.places("/old/0"), ["/old/0"]);
        assert_eq!(gene.places(""), [""]);
        for nowhere in ["/lines/1/id", "/lines/0/x", "/x", "/lines/0/id/0"] {
            assert!(gene.places(nowhere).is_empty(), "{nowhere}");
        }
    }

    #[test]
    fn a_place_can_be_looked_up() {
        assert_eq!(object().at("/b/0"), Some(&integer(2)));
        assert_eq!(object().at("/c/d"), None);
    }

    #[test]
    fn a_value_at_a_pointer_is_that_of_the_whole() {
        let inner = Gene::literal(json!({"d": [1, {"e~/f": null}]}), Source::Random);
        let field = |name: &str, gene| Field {
            name: name.into(),
            gene,
        };
        let gene = Gene::Object(vec![
            field("a/b", Gene::Array(vec![integer(1), object()])),
            field("c", inner),
        ]);
        let whole = gene.value();
        for pointer in [
            "",
            "/",
            "/a~1b",
            "/a~1b/0",
            "/a~1b/00",
            "/a~1b/+1",
            "/a~1b/1",
            "/a~1b/2",
            "/a/b",
            "/a~1b/0/x",
            "/c",
            "/c/d/1",
            "/c/d/1/e~0~1f",
            "/c/d/2",
            "c",
            "/none",
        ] {
            let expected = whole.pointer(pointer).cloned();
            assert_eq!(gene.value_at(pointer), expected, "{pointer}");
        }
    }
}
