//! Custom scalars that nobody has described, learned from what answers hold in their places.

use fossick_contract::{JsonKind, Scalar, TypeGraph, TypeId, TypeKind};
use fossick_genes::{Selection, Values};
use serde_json::Value;

use crate::global_keys;

/// Items of a list that are looked at.
const ITEMS: usize = 2;

/// Remembers every value of such a scalar in the part of an answer that a selection asked for.
pub(crate) fn see(types: &TypeGraph, selection: &Selection, value: &Value, values: &mut Values) {
    match value {
        Value::Array(items) => {
            for item in items.iter().take(ITEMS) {
                see(types, selection, item, values);
            }
        }
        Value::Object(map) => {
            for chosen in &selection.fields {
                let Some(field) = types.fields(selection.on).get(chosen.field as usize) else {
                    continue;
                };
                let key = chosen.alias.as_deref().unwrap_or(&field.name);
                let Some(inner) = map.get(key) else { continue };
                if let Some(selection) = &chosen.inner {
                    see(types, selection, inner, values);
                } else {
                    note_key(types, selection.on, inner, values);
                    note(types, field.returns.named, inner, values);
                }
            }
            for part in &selection.parts {
                see(types, part, value, values);
            }
        }
        _ => {}
    }
}

fn note_key(types: &TypeGraph, holder: TypeId, value: &Value, values: &mut Values) {
    if let (false, Value::String(key)) = (values.has_global_keys(), value)
        && global_keys::names(key, &types.get(holder).name)
    {
        values.see_global_key();
    }
}

fn note(types: &TypeGraph, of: TypeId, value: &Value, values: &mut Values) {
    let kind = types.get(of);
    let undescribed = matches!(
        kind.kind,
        TypeKind::Scalar(Scalar::Custom {
            json: JsonKind::Any,
            format: None,
        })
    );
    if !undescribed {
        return;
    }
    match value {
        Value::Array(items) => items
            .iter()
            .take(ITEMS)
            .for_each(|item| values.see_scalar(&kind.name, item)),
        value => values.see_scalar(&kind.name, value),
    }
}
