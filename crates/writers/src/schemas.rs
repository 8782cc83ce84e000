//! The schemas of a suite in a file of their own, under names that are given once.

use std::collections::BTreeSet;

use fossick_suite::Suite;
use serde_json::{Map, Value};

use crate::json;

/// A name for each of [`Suite::schemas`], in their order.
pub(crate) fn names(suite: &Suite) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let names = suite.schemas.iter().map(|(name, _)| name);
    names
        .map(|name| {
            let numbered = (2..).map(|number| format!("{name} {number}"));
            let mut wishes = std::iter::once(name.clone()).chain(numbered);
            let free = wishes.find(|wish| taken.insert(wish.clone()));
            free.unwrap_or_default()
        })
        .collect()
}

/// `schemas.json`
pub(crate) fn file(suite: &Suite, names: &[String]) -> String {
    let schemas = suite.schemas.iter().map(|(_, schema)| schema.clone());
    let named: Map<String, Value> = names.iter().cloned().zip(schemas).collect();
    json::file(&Value::Object(named))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_of_the_same_name_are_told_apart() {
        let suite: Suite = serde_json::from_value(json!({
            "version": 1, "title": "", "origin": "", "base_url": "", "tests": [],
            "schemas": [["Tool", {}], ["Tool", true], ["Tool 2", {}]]
        }))
        .expect("a suite");
        assert_eq!(names(&suite), ["Tool", "Tool 2", "Tool 2 2"]);
    }
}
