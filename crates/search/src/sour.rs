//! Fields that fail deep inside an operation.
//!
//! A payload may offer a field that only an administrator may read, or one that fails for this
//! thing and no other. GraphQL then spoils the operation's answer although the operation itself
//! went well. Such fields are told by the paths of the errors, and plain plans leave them out.

use fossick_contract::{Api, TypeGraph, TypeId};
use fossick_genes::{Selection, Values};
use fossick_plan::Step;
use fossick_trace::Answer;
use serde_json::Value;

/// Errors of one answer that are looked at.
const MOST: usize = 12;

/// Remembers the fields that an answer complains of, below the root field.
pub(crate) fn taste(api: &Api, step: &Step, answer: &Answer, values: &mut Values) {
    let selection = step.ask.as_ref().and_then(|ask| ask.selection.as_ref());
    let errors = answer.json().and_then(|body| body.get("errors"));
    let (Some(selection), Some(Value::Array(errors))) = (selection, errors) else {
        return;
    };
    for error in errors.iter().take(MOST) {
        let path = error.get("path").and_then(Value::as_array);
        let keys: Vec<&str> = path
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if let [_, below @ ..] = keys.as_slice()
            && let Some((on, field)) = find(&api.types, selection, below)
        {
            values.turn_sour(on, field);
        }
    }
}

/// The field that a path of response keys ends at.
fn find(types: &TypeGraph, selection: &Selection, path: &[&str]) -> Option<(TypeId, u32)> {
    let (key, rest) = path.split_first()?;
    let parts = std::iter::once(selection).chain(&selection.parts);
    for part in parts {
        let chosen = part.fields.iter().find(|chosen| {
            let field = types.fields(part.on).get(chosen.field as usize);
            let name = field.map_or("", |field| &*field.name);
            chosen.alias.as_deref().unwrap_or(name) == *key
        });
        match chosen {
            Some(chosen) if rest.is_empty() => return Some((part.on, chosen.field)),
            Some(chosen) => return find(types, chosen.inner.as_ref()?, rest),
            None => {}
        }
    }
    None
}
