//! An operation in its one form.

use fossick_query::{Document, NotReadable, Pick, write_compact};
use serde_json::{Map, Value};

use super::Skipped;
use crate::GraphQlCall;
use crate::privacy::Cover;

pub(super) fn read(text: &str, name: Option<&str>) -> Result<Document, Skipped> {
    let document = fossick_query::read(text, name).map_err(|wrong| match wrong {
        NotReadable::Subscription { .. } => Skipped::Subscription,
        NotReadable::TooLarge { .. } | NotReadable::TooDeep { .. } => Skipped::TooLarge,
        _ => Skipped::NotReadable,
    })?;
    if is_introspection(&document.picks) {
        return Err(Skipped::Introspection);
    }
    Ok(document)
}

/// Fields of the schema and the name of the root, and nothing else.
fn is_introspection(picks: &[Pick]) -> bool {
    picks.iter().all(|pick| match pick {
        Pick::Field(asked) => asked.name.starts_with("__"),
        Pick::Part(part) => is_introspection(&part.picks),
    })
}

/// The variables that the operation has.
pub(super) fn declared(document: &Document, sent: &Map<String, Value>) -> Map<String, Value> {
    let declared = document.variables.iter();
    let of = |name: &String| Some((name.clone(), sent.get(name)?.clone()));
    declared.filter_map(|variable| of(&variable.name)).collect()
}

pub(super) fn call(
    path: &str,
    mut document: Document,
    mut variables: Map<String, Value>,
    cover: &mut Cover<'_>,
) -> GraphQlCall {
    cover.operation(&mut document, &mut variables);
    GraphQlCall {
        path: cover.path(path),
        root: document.kind,
        query: write_compact(&document),
        operation_name: document.name,
        variables: sorted(variables),
    }
}

fn sorted(mut variables: Map<String, Value>) -> Map<String, Value> {
    variables.sort_keys();
    variables.values_mut().for_each(Value::sort_all_objects);
    variables
}
