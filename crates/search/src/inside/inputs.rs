//! The values of a plan, one by one, and where they stand.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use fossick_plan::{Plan, Spot, Step};
use serde_json::Value;

/// Where a value of a plan stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    Spot(Spot),
    /// One of the inputs that the document does not know of.
    Extra(usize),
}

/// Values that are looked at in one step.
const MOST_VALUES: usize = 48;

/// The scalars that a step sends, and texts of its own.
pub(crate) fn values_of(step: &Step) -> Vec<(Slot, Value)> {
    let mut values = Vec::new();
    for (at, gene) in step.arguments.iter().enumerate() {
        let Some(gene) = gene else { continue };
        let value = gene.value();
        if !value.is_object() && !value.is_null() {
            values.push((Slot::Spot(Spot::Parameter(at)), value));
        }
    }
    if let Some(body) = &step.body {
        let whole = body.gene.value();
        lists(&whole, &mut String::new(), &mut values);
        for leaf in body.gene.leaves() {
            let value = whole.pointer(&leaf.pointer);
            let scalar = value.filter(|value| !value.is_null()).cloned();
            values.extend(scalar.map(|value| (Slot::Spot(Spot::Body(leaf.pointer)), value)));
        }
    }
    let extras = step.extras.iter().enumerate();
    values.extend(extras.map(|(at, extra)| (Slot::Extra(at), Value::from(extra.value.as_str()))));
    values.truncate(MOST_VALUES);
    values
}

/// The lists in a body, whole: how long they are may matter.
fn lists(value: &Value, at: &mut String, into: &mut Vec<(Slot, Value)>) {
    const MOST: usize = 8;
    let length = at.len();
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                at.push('/');
                at.push_str(&name.replace('~', "~0").replace('/', "~1"));
                lists(inner, at, into);
                at.truncate(length);
            }
        }
        Value::Array(_) if into.len() < MOST => {
            into.push((Slot::Spot(Spot::Body(at.clone())), value.clone()));
        }
        _ => {}
    }
}

/// The same for plans that send the same.
pub(crate) fn hash(plan: &Plan) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut text = Vec::new();
    for step in &plan.steps {
        step.operation.hash(&mut hasher);
        step.user.hash(&mut hasher);
        for gene in step
            .arguments
            .iter()
            .chain([&step.body.as_ref().map(|b| b.gene.clone())])
        {
            text.clear();
            if let Some(gene) = gene {
                gene.write_json(&mut text);
            }
            text.hash(&mut hasher);
        }
        for extra in &step.extras {
            extra.name.hash(&mut hasher);
            extra.value.hash(&mut hasher);
        }
        step.binds.len().hash(&mut hasher);
    }
    hasher.finish()
}

/// Telling values of calls that changed something, with the plans that sent them: the service may
/// compare them in a later call of another plan.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    plans: HashMap<String, (Arc<Plan>, usize, Slot)>,
}

impl Recent {
    const MOST: usize = 4096;

    pub(crate) fn note(&mut self, plan: &Arc<Plan>, step: usize) {
        if self.plans.len() >= Self::MOST {
            self.plans.clear();
        }
        for (slot, value) in values_of(&plan.steps[step]) {
            if let Some(text) = telling(&value) {
                self.plans.insert(text, (Arc::clone(plan), step, slot));
            }
        }
    }

    pub(crate) fn find(&self, value: &Value) -> Option<&(Arc<Plan>, usize, Slot)> {
        self.plans.get(&telling(value)?)
    }
}

/// A value that hardly stands anywhere by chance.
fn telling(value: &Value) -> Option<String> {
    const SHORTEST: usize = 4;
    const SMALLEST: u64 = 1000;
    match value {
        Value::String(text) if text.chars().count() >= SHORTEST => Some(text.clone()),
        Value::Number(number) => {
            let whole = number.as_i64()?;
            (whole.unsigned_abs() >= SMALLEST).then(|| whole.to_string())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn large_numbers_and_long_texts_tell_where_they_came_from() {
        for value in [
            json!(1000),
            json!(-1000),
            json!(i64::MAX),
            json!(i64::MIN),
            json!("name"),
        ] {
            assert!(telling(&value).is_some(), "{value}");
        }
        for value in [
            json!(999),
            json!(-999),
            json!(1.5),
            json!("no"),
            json!(null),
        ] {
            assert_eq!(telling(&value), None, "{value}");
        }
    }
}
