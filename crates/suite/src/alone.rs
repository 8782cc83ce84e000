//! What an answer would be without the things of others.

use serde_json::{Map, Value};

use crate::Key;
use crate::own::{Own, lists};
use crate::volatile::{Change, Volatile};

/// The bodies of all runs; of lists that others fill only the items that hold something of the test.
pub(crate) fn alone(bodies: &[&Value], volatile: &[Volatile], own: &Own) -> Vec<Value> {
    let without = Without { volatile, own };
    without.value(bodies, &mut Vec::new())
}

struct Without<'w> {
    volatile: &'w [Volatile],
    own: &'w Own,
}

impl Without<'_> {
    fn value(&self, values: &[&Value], path: &mut Vec<Key>) -> Vec<Value> {
        let objects: Option<Vec<_>> = values.iter().map(|value| value.as_object()).collect();
        match (objects, lists(values)) {
            (Some(objects), _) => self.objects(&objects, path),
            (_, Some(lists)) if self.is_filled_by_others(path) => self.own_items(&lists),
            (_, Some(lists)) => self.items(&lists, path),
            _ => values.iter().map(|value| (*value).clone()).collect(),
        }
    }

    fn is_filled_by_others(&self, path: &[Key]) -> bool {
        let grows = |found: &Volatile| found.change == Change::Counter && found.path == path;
        self.volatile.iter().any(grows)
    }

    fn objects(&self, objects: &[&Map<String, Value>], path: &mut Vec<Key>) -> Vec<Value> {
        let mut left: Vec<Map<String, Value>> = objects.iter().map(|map| (*map).clone()).collect();
        for name in objects.first().into_iter().flat_map(|map| map.keys()) {
            let values: Option<Vec<&Value>> = objects.iter().map(|map| map.get(name)).collect();
            path.push(Key::Name(name.clone()));
            let values = values.map(|values| self.value(&values, path));
            path.pop();
            for (map, value) in left.iter_mut().zip(values.into_iter().flatten()) {
                map.insert(name.clone(), value);
            }
        }
        left.into_iter().map(Value::Object).collect()
    }

    fn own_items(&self, lists: &[&Vec<Value>]) -> Vec<Value> {
        let runs = lists.iter().enumerate();
        let own = runs.map(|(run, list)| {
            let items = list.iter();
            items
                .filter(|item| self.own.holds_own(item, run))
                .cloned()
                .collect()
        });
        own.collect()
    }

    fn items(&self, lists: &[&Vec<Value>], path: &mut Vec<Key>) -> Vec<Value> {
        let size = lists.iter().map(|list| list.len()).min().unwrap_or(0);
        let mut left = vec![Vec::new(); lists.len()];
        for at in 0..size {
            let items: Vec<&Value> = lists.iter().map(|list| &list[at]).collect();
            path.push(Key::Index(at));
            for (list, item) in left.iter_mut().zip(self.value(&items, path)) {
                list.push(item);
            }
            path.pop();
        }
        left.into_iter().map(Value::Array).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volatile::volatile;
    use serde_json::json;

    #[test]
    fn only_the_tests_own_items_are_left_in_lists_of_others() {
        let own = Own {
            sent: ["65536000".to_owned()].into(),
            ..Own::of(&[("lot_id", &[json!(7), json!(9)])])
        };
        let mine = |id: u8| json!({"id": id, "tags": ["a"]});
        let sent = json!({"quantity": "65536000"});
        let theirs = json!({"id": 1, "quantity": 3});
        let bodies = [
            json!({"lots": [mine(7), theirs, sent], "n": [1]}),
            json!({"lots": [theirs, sent, mine(9)], "n": [2]}),
        ];
        let bodies: Vec<&Value> = bodies.iter().collect();
        let left = alone(&bodies, &volatile(&bodies, &own), &own);
        assert_eq!(left[0], json!({"lots": [mine(7), sent], "n": []}));
        assert_eq!(left[1], json!({"lots": [sent, mine(9)], "n": []}));
        let asked = own.asked();
        let left = alone(&bodies, &volatile(&bodies, &asked), &asked);
        assert_eq!(left[1]["n"], json!([2]));
    }
}
