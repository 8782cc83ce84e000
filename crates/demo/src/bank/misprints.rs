//! Faults that no correct executor commits, put into the finished answer.
//!
//! What is spoiled depends on the value itself and on the root field above it, so that each fault
//! belongs to one operation.

use std::collections::BTreeSet;

use apollo_compiler::executable::{Field, Operation, Selection, SelectionSet};
use apollo_compiler::{ExecutableDocument, Name};
use serde_json::{Map, Value, json};

use super::faults::GraphqlFault;
use crate::faults::Faults;

pub(crate) fn misprint(
    faults: Faults<GraphqlFault>,
    document: &ExecutableDocument,
    operation: &Operation,
    data: &mut Value,
) {
    let press = Press { faults, document };
    if let (Value::Object(data), true) = (data, faults != Faults::None) {
        press.object(None, &operation.selection_set, data);
    }
}

type Fields = Map<String, Value>;

struct Press<'a> {
    faults: Faults<GraphqlFault>,
    document: &'a ExecutableDocument,
}

impl Press<'_> {
    fn object(&self, root: Option<&str>, set: &SelectionSet, object: &mut Fields) {
        self.selections(root, set, object, &mut BTreeSet::new());
    }

    /// Follows what was selected into an object. Above the root fields there is no root yet. A
    /// fragment is looked at once for each object, however often it is spread.
    fn selections<'d>(
        &'d self,
        root: Option<&str>,
        set: &'d SelectionSet,
        object: &mut Fields,
        seen: &mut BTreeSet<&'d Name>,
    ) {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => {
                    let root = root.unwrap_or(&field.name);
                    self.field(root, &set.ty, field, object);
                }
                Selection::InlineFragment(inline) => {
                    self.selections(root, &inline.selection_set, object, seen);
                }
                Selection::FragmentSpread(spread) => {
                    let name = &spread.fragment_name;
                    if let Some(fragment) = self.document.fragments.get(name)
                        && seen.insert(name)
                    {
                        self.selections(root, &fragment.selection_set, object, seen);
                    }
                }
            }
        }
    }

    fn field(&self, root: &str, parent: &str, field: &Field, object: &mut Fields) {
        let key = field.response_key().as_str();
        let Some(value) = object.get_mut(key) else {
            return;
        };
        let wrong = self.spoiled(root, parent, &field.name, value);
        match wrong {
            Some(Spoiled::As(wrong)) => *value = wrong,
            Some(Spoiled::Missing) => {
                object.shift_remove(key);
            }
            None => self.below(root, &field.selection_set, value),
        }
    }

    fn below(&self, root: &str, set: &SelectionSet, value: &mut Value) {
        match value {
            Value::Object(object) => self.object(Some(root), set, object),
            Value::Array(items) => {
                for item in items {
                    self.below(root, set, item);
                }
            }
            _ => {}
        }
    }

    fn spoiled(&self, root: &str, parent: &str, field: &str, value: &Value) -> Option<Spoiled> {
        let (fault, wrong) = match (root, parent, field) {
            ("lots", "Lot", "quantity") => (GraphqlFault::QuantityAsText, big_as_text(value)?),
            ("variety", "Variety", "habit") if value == "BIENNIAL" => {
                (GraphqlFault::HabitOutside, Spoiled::As(json!("TWO_YEARS")))
            }
            ("lot", "Lot", "shelfMark") if value.as_str()?.starts_with('X') => {
                (GraphqlFault::MarkNull, Spoiled::As(Value::Null))
            }
            ("keeper", "Keeper", "skills") => (GraphqlFault::SkillNull, empty_as_null(value)?),
            ("search", _, "__typename") if value == "Keeper" => {
                (GraphqlFault::PersonFound, Spoiled::As(json!("Person")))
            }
            ("updateVariety", "Origin", "altitude") if value.is_null() => {
                (GraphqlFault::AltitudeMissing, Spoiled::Missing)
            }
            _ => return None,
        };
        self.faults.has(fault).then_some(wrong)
    }
}

enum Spoiled {
    As(Value),
    Missing,
}

fn big_as_text(value: &Value) -> Option<Spoiled> {
    let big = value.as_i64().filter(|number| *number >= 1000)?;
    Some(Spoiled::As(json!(big.to_string())))
}

fn empty_as_null(value: &Value) -> Option<Spoiled> {
    let items = value.as_array()?;
    let spoiled = items.iter().map(|item| match item.as_str() {
        Some("") => Value::Null,
        _ => item.clone(),
    });
    Some(Spoiled::As(spoiled.collect()))
}
