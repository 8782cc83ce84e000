//! Cuts circles that a validator could not get out of.
//!
//! A schema may refer to itself below a property or an item: each round then eats a level of the
//! value. But `A: {allOf: [{$ref: A}]}` says of a value what it says of the same value, forever.
//! The reference that closes such a circle is replaced by "anything", which for `allOf` is
//! exactly what it means.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Keywords whose schemas are about the same value as the schema they stand in.
const IN_PLACE_LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const IN_PLACE: [&str; 4] = ["not", "if", "then", "else"];

pub(super) fn cut(entries: &mut Map<String, Value>) {
    let numbers: HashMap<&str, usize> = entries
        .keys()
        .enumerate()
        .map(|(at, key)| (key.as_str(), at))
        .collect();
    let edges: Vec<Vec<usize>> = entries
        .values()
        .map(|text| targets(text, &numbers))
        .collect();
    let closing = closing_edges(&edges);
    let keys: Vec<String> = entries.keys().cloned().collect();
    for (from, to) in closing {
        if let (Some(from), Some(to)) = (keys.get(from), keys.get(to))
            && let Some(text) = entries.get_mut(from)
        {
            each_in_place(text, &mut |schema| drop_reference(schema, to));
        }
    }
}

fn drop_reference(schema: &mut Map<String, Value>, key: &str) {
    if referred(schema) == Some(key) {
        schema.remove("$ref");
    }
}

fn referred(schema: &Map<String, Value>) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// The entries that a text refers to for the same value.
fn targets(text: &Value, numbers: &HashMap<&str, usize>) -> Vec<usize> {
    let mut found = Vec::new();
    let mut waiting = vec![text];
    while let Some(Value::Object(schema)) = waiting.pop() {
        let target = referred(schema).and_then(|key| numbers.get(key));
        found.extend(target);
        let lists = IN_PLACE_LISTS
            .iter()
            .filter_map(|key| schema.get(*key)?.as_array());
        waiting.extend(lists.flatten());
        waiting.extend(IN_PLACE.iter().filter_map(|key| schema.get(*key)));
        let dependent = schema.get("dependentSchemas").and_then(Value::as_object);
        waiting.extend(dependent.into_iter().flat_map(Map::values));
    }
    found
}

fn each_in_place(text: &mut Value, change: &mut dyn FnMut(&mut Map<String, Value>)) {
    let Value::Object(schema) = text else { return };
    change(schema);
    for (key, value) in schema.iter_mut() {
        let key = key.as_str();
        match value {
            Value::Array(parts) if IN_PLACE_LISTS.contains(&key) => {
                for part in parts {
                    each_in_place(part, change);
                }
            }
            Value::Object(parts) if key == "dependentSchemas" => {
                for part in parts.values_mut() {
                    each_in_place(part, change);
                }
            }
            _ if IN_PLACE.contains(&key) => each_in_place(value, change),
            _ => {}
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    White,
    Grey,
    Black,
}

/// The edges that lead back onto the path they come from, by a walk in depth without recursion.
fn closing_edges(edges: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut colours = vec![Colour::White; edges.len()];
    let mut closing = Vec::new();
    for start in 0..edges.len() {
        if colours[start] != Colour::White {
            continue;
        }
        colours[start] = Colour::Grey;
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            let Some(target) = edges[node].get(*next).copied() else {
                colours[node] = Colour::Black;
                path.pop();
                continue;
            };
            *next += 1;
            match colours[target] {
                Colour::Grey => closing.push((node, target)),
                Colour::White => {
                    colours[target] = Colour::Grey;
                    path.push((target, 0));
                }
                Colour::Black => {}
            }
        }
    }
    closing
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn after(entries: Value) -> Value {
        let Value::Object(mut entries) = entries else {
            panic!("an object")
        };
        cut(&mut entries);
        Value::Object(entries)
    }

    #[test]
    fn a_schema_that_is_itself_is_anything() {
        assert_eq!(after(json!({"A": {"$ref": "#/$defs/A"}})), json!({"A": {}}));
        let circle = json!({
            "A": {"allOf": [{"$ref": "#/$defs/B"}]},
            "B": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "string"}]},
        });
        let cut = json!({
            "A": {"allOf": [{"$ref": "#/$defs/B"}]},
            "B": {"anyOf": [{}, {"type": "string"}]},
        });
        assert_eq!(after(circle), cut);
    }

    #[test]
    fn recursion_through_a_property_stays() {
        let tree = json!({"A": {"properties": {"a": {"$ref": "#/$defs/A"}}}});
        assert_eq!(after(tree.clone()), tree);
    }
}
