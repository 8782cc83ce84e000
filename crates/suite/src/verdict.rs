//! Whether an answer is what a test expects.

use std::collections::BTreeMap;

use fossick_trace::Answer;
use serde_json::Value;

use crate::place::{at, lacks};
use crate::{Check, Is, JsonKind, Key, What};

/// What a check needs to know besides the answer.
pub(crate) struct Ground<'g> {
    /// The values of the test's variables.
    pub variables: &'g BTreeMap<String, Value>,
    /// Why the body does not fit the suite's schema at a place; `None` if it does.
    pub misfit: &'g dyn Fn(usize, &Value) -> Option<String>,
}

/// Why a check fails, or `None` where it holds. A suspect check is taken as it stands.
pub(crate) fn broken(check: &Check, answer: &Answer, ground: &Ground<'_>) -> Option<String> {
    match &check.what {
        What::Status(status) => (answer.status != *status)
            .then(|| format!("the status is {} and not {status}", answer.status)),
        What::MediaType(wanted) => {
            let found = essence(answer.media_type().unwrap_or(""));
            (found != *wanted).then(|| format!("the content type is `{found}` and not `{wanted}`"))
        }
        What::NoBody => {
            (!answer.body.is_empty()).then(|| format!("there is a body: {}", answer.excerpt(120)))
        }
        What::Text(wanted) => (answer.body.as_ref() != wanted.as_bytes())
            .then(|| format!("the body is another: {}", answer.excerpt(120))),
        What::At { path, is } => {
            let Some(body) = answer.json() else {
                return Some(format!("the body is no JSON: {}", answer.excerpt(120)));
            };
            misfits(body, path, is, ground)
        }
        What::Schema(index) => {
            let body = answer.json().unwrap_or(&Value::Null);
            (ground.misfit)(*index, body)
        }
    }
}

/// The essence of a content type: without parameters, in lower case.
pub(crate) fn essence(media_type: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or("");
    essence.trim().to_ascii_lowercase()
}

fn misfits(body: &Value, path: &[Key], is: &Is, ground: &Ground<'_>) -> Option<String> {
    let place = shown(path);
    let held = |variable: &str| ground.variables.get(variable);
    if *is == Is::Absent && lacks(body, path, &held) {
        return None;
    }
    let Some(value) = at(body, path, &held) else {
        return Some(missing(body, path, ground));
    };
    match is {
        Is::Absent => Some(format!("{place} is there: {}", clipped(value))),
        Is::Equal(wanted) => (value != wanted)
            .then(|| format!("{place} is {} and not {}", clipped(value), clipped(wanted))),
        Is::Same(variable) => {
            let wanted = ground.variables.get(variable).unwrap_or(&Value::Null);
            (value != wanted).then(|| {
                let (found, wanted) = (clipped(value), clipped(wanted));
                format!("{place} is {found} and not {variable}, {wanted}")
            })
        }
        Is::Kind(kind) => (!is_of(value, *kind)).then(|| {
            format!("{place} is {} and not of type {kind:?}", clipped(value)).to_lowercase()
        }),
        Is::Size(wanted) => match value.as_array() {
            Some(items) if items.len() == *wanted => None,
            Some(items) => Some(format!(
                "{place} has {} items and not {wanted}",
                items.len()
            )),
            None => Some(format!("{place} is no list: {}", clipped(value))),
        },
    }
}

fn is_of(value: &Value, kind: JsonKind) -> bool {
    let found = JsonKind::of(value);
    match (kind, found) {
        (JsonKind::Number, JsonKind::Integer) => true,
        // 1.0 is an integer by JSON Schema, and some languages write it so.
        (JsonKind::Integer, JsonKind::Number) => value.as_f64().is_some_and(|n| n.fract() == 0.0),
        _ => kind == found,
    }
}

/// What is missing of a path: where an item is, all below it is too.
fn missing(body: &Value, path: &[Key], ground: &Ground<'_>) -> String {
    let held = |variable: &str| ground.variables.get(variable);
    let is_gone = |end: &usize| at(body, &path[..*end], &held).is_none();
    let first = (1..=path.len()).find(is_gone);
    let gone = first.and_then(|end| path[..end].split_last());
    let Some((Key::Item(key), list)) = gone else {
        return format!("{} is missing", shown(path));
    };
    let value = ground.variables.get(&key.is).unwrap_or(&Value::Null);
    let (name, value) = (named(&key.at), clipped(value));
    format!("no item of {} has {name} = {value}", shown(list))
}

fn named(names: &[String]) -> String {
    match names {
        [] => "the value".to_owned(),
        names => names.join("."),
    }
}

fn shown(path: &[Key]) -> String {
    if path.is_empty() {
        return "the body".to_owned();
    }
    path.iter()
        .map(|key| match key {
            Key::Index(index) => format!("/{index}"),
            Key::Name(name) => format!("/{name}"),
            Key::Item(item) => format!("/[{} = {}]", named(&item.at), item.is),
        })
        .collect()
}

fn clipped(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use serde_json::json;
    use std::time::Duration;

    fn why(what: What, body: &Value) -> Option<String> {
        let headers = vec![(
            "content-type".to_owned(),
            "Application/JSON; charset=utf-8".to_owned(),
        )];
        let body = Bytes::from(body.to_string());
        let answer = Answer::new(200, headers, body, false, Duration::ZERO);
        let variables = BTreeMap::from([("id".to_owned(), json!(7))]);
        let ground = Ground {
            variables: &variables,
            misfit: &|_, _| None,
        };
        let check = Check {
            what,
            suspect: false,
        };
        broken(&check, &answer, &ground)
    }

    fn at(name: &str, is: Is) -> What {
        What::At {
            path: vec![Key::Name(name.to_owned())],
            is,
        }
    }

    #[test]
    fn types_are_strict_and_falsy_values_are_values() {
        let body = json!({"n": 0, "t": "", "b": false, "l": [], "f": 1.5, "i": 1.0});
        for (name, kind) in [
            ("n", JsonKind::Integer),
            ("n", JsonKind::Number),
            ("t", JsonKind::String),
            ("b", JsonKind::Boolean),
            ("l", JsonKind::Array),
            ("f", JsonKind::Number),
            ("i", JsonKind::Integer),
        ] {
            assert_eq!(why(at(name, Is::Kind(kind)), &body), None, "{name}");
        }
        assert!(why(at("f", Is::Kind(JsonKind::Integer)), &body).is_some());
        assert!(why(at("n", Is::Equal(json!(false))), &body).is_some());
        assert!(why(at("t", Is::Equal(Value::Null)), &body).is_some());
        assert!(why(at("l", Is::Size(1)), &body).is_some());
    }

    #[test]
    fn what_is_missing_is_not_null() {
        let body = json!({"there": null, "id": 7});
        assert_eq!(why(at("gone", Is::Absent), &body), None);
        assert!(why(at("there", Is::Absent), &body).is_some());
        assert!(why(at("gone", Is::Equal(Value::Null)), &body).is_some());
        assert_eq!(why(at("id", Is::Same("id".to_owned())), &body), None);
    }

    #[test]
    fn an_item_is_looked_for_by_the_value_of_a_variable() {
        let place = |names: &[&str]| {
            let item = crate::Item {
                at: names.iter().map(ToString::to_string).collect(),
                is: "id".to_owned(),
            };
            vec![Key::from("lots"), Key::Item(item), Key::from("n")]
        };
        let at = |names: &[&str], is| What::At {
            path: place(names),
            is,
        };
        let body = json!({"lots": [{"id": 1, "n": "b"}, {"id": 7, "n": "a"}]});
        assert_eq!(why(at(&["id"], Is::Equal(json!("a"))), &body), None);
        let other = why(at(&["id"], Is::Equal(json!("b"))), &body);
        assert_eq!(
            other.as_deref(),
            Some(r#"/lots/[id = id]/n is "a" and not "b""#)
        );
        for is in [Is::Equal(json!("a")), Is::Absent] {
            let gone = why(at(&["node", "id"], is), &body);
            assert_eq!(gone.as_deref(), Some("no item of /lots has node.id = 7"));
        }
    }

    #[test]
    fn a_content_type_is_compared_without_its_parameters() {
        let wanted = || What::MediaType("application/json".to_owned());
        assert_eq!(why(wanted(), &json!(1)), None);
        assert!(why(What::NoBody, &json!(1)).is_some());
    }
}
