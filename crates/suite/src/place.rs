//! Places in a JSON body.

use serde_json::Value;

use crate::{Item, Key};

/// What a variable of the test holds.
pub(crate) type Held<'h> = dyn Fn(&str) -> Option<&'h Value> + 'h;

/// What stands at a path of a body.
pub(crate) fn at<'v>(body: &'v Value, path: &[Key], held: &Held<'_>) -> Option<&'v Value> {
    path.iter()
        .try_fold(body, |value, key| inside(value, key, held))
}

fn inside<'v>(value: &'v Value, key: &Key, held: &Held<'_>) -> Option<&'v Value> {
    match key {
        Key::Index(index) => value.as_array()?.get(*index),
        Key::Name(name) => value.as_object()?.get(name),
        Key::Item(item) => found(value.as_array()?, item, held),
    }
}

fn found<'v>(list: &'v [Value], item: &Item, held: &Held<'_>) -> Option<&'v Value> {
    let wanted = held(&item.is)?;
    list.iter().find(|one| below(one, &item.at) == Some(wanted))
}

/// What stands below a value, by names.
pub(crate) fn below<'v>(value: &'v Value, names: &[String]) -> Option<&'v Value> {
    names
        .iter()
        .try_fold(value, |value, name| value.as_object()?.get(name))
}

/// Whether something is missing where it could be: in an object, or in a list.
pub(crate) fn lacks(body: &Value, path: &[Key], held: &Held<'_>) -> bool {
    let Some((last, above)) = path.split_last() else {
        return false;
    };
    let around = at(body, above, held);
    let is_fit = match last {
        Key::Name(_) => around.is_some_and(Value::is_object),
        Key::Index(_) | Key::Item(_) => around.is_some_and(Value::is_array),
    };
    is_fit && at(body, path, held).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn item(at: &[&str], is: &str) -> Key {
        Key::Item(Item {
            at: at.iter().map(ToString::to_string).collect(),
            is: is.to_owned(),
        })
    }

    #[test]
    fn an_item_is_found_by_what_it_carries_wherever_it_stands() {
        let body = json!({"edges": [{"node": {"id": 3, "n": "c"}}, {"node": {"id": 7, "n": "g"}}]});
        let seven = json!(7);
        let held = |name: &str| (name == "lot_id").then_some(&seven);
        let place = |key: Key| vec!["edges".into(), key, "node".into(), "n".into()];
        let found = at(&body, &place(item(&["node", "id"], "lot_id")), &held);
        assert_eq!(found, Some(&json!("g")));
        for key in [item(&["node", "id"], "nobody"), item(&["id"], "lot_id")] {
            assert_eq!(at(&body, &place(key), &held), None);
        }
    }

    #[test]
    fn a_text_may_be_the_item_itself() {
        let (body, name) = (json!(["saw", "plane"]), json!("plane"));
        let held = |_: &str| Some(&name);
        assert_eq!(at(&body, &[item(&[], "name")], &held), Some(&name));
    }

    #[test]
    fn only_what_has_a_place_can_be_missing_from_it() {
        let (body, id) = (json!({"lots": [{"id": 1}], "n": 1}), json!(2));
        let held = |_: &str| Some(&id);
        let lot = || item(&["id"], "lot_id");
        assert!(lacks(&body, &["lots".into(), lot()], &held));
        assert!(lacks(&body, &["lots".into(), 1.into()], &held));
        assert!(lacks(&body, &["name".into()], &held));
        assert!(!lacks(&body, &["lots".into(), lot(), "n".into()], &held));
        assert!(!lacks(&body, &["n".into(), lot()], &held));
        assert!(!lacks(&body, &[], &held));
    }
}
