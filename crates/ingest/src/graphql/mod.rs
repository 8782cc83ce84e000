//! Turns GraphQL schemas into a contract.
//!
//! `SDL or introspection -> outline -> types, shapes and operations -> Api`. Two readers, because
//! schemas come in two languages; one lowering, because they say the same. What GraphQL does not
//! say (what a scalar is in JSON, what a mutation does to which thing) is guessed here by the
//! habits of those who write schemas, each kind of guess in a file of its own.

mod deed;
mod endless;
mod inputs;
mod introspection;
mod keys;
mod lines;
mod literal;
mod loose;
mod names;
mod notes;
mod operations;
mod outline;
mod pages;
mod queries;
mod recognise;
mod scalar_table;
mod scalars;
mod sdl;
mod texts;
mod thing;
mod types;
mod verbs;
mod words;

use std::sync::Arc;

use fossick_contract::{Api, Dialect, SchemaTexts};
use serde_json::Value;

pub use queries::{introspection_queries, introspection_refusal};
pub use scalars::{ScalarRule, Scalars};

pub(crate) use recognise::is_sdl;

use crate::{ReadError, Reading, Source};
use inputs::Inputs;
use introspection::{Answer, RawSchema};
use notes::Notes;
use outline::Outline;

/// Nesting of lists and values that the parser follows.
const DEEPEST: usize = 128;
/// A schema of this many words has some twenty megabytes.
const MOST_TOKENS: usize = 4_000_000;
/// Interfaces that one object is held to implement; schemas that people write stay below ten.
const MOST_INTERFACES: usize = 256;

/// Reads SDL files together.
pub(crate) fn read_sdl(sources: &[Source], user: &Scalars) -> Result<Reading, ReadError> {
    let mut notes = Notes::default();
    let outline = sdl::outline(sources, &mut notes);
    let name = match sources {
        [only] => only.name.clone(),
        _ => format!("the schema of {} files", sources.len()),
    };
    lower(&name, &outline, user, notes)
}

/// Reads a text as introspection; `None` if it is none.
pub(crate) fn read_introspection(
    source: &Source,
    user: &Scalars,
) -> Option<Result<Reading, ReadError>> {
    if !recognise::may_be_introspection(&source.text) {
        return None;
    }
    let text = crate::source::without_mark(&source.text);
    let schema = serde_json::from_str::<Answer>(text).ok()?.schema()?;
    Some(read_schema(&source.name, schema, user))
}

/// Reads introspection from a tree, for texts that only a patient reader takes; and tells a
/// service's refusal as what it is.
pub(crate) fn read_tree(
    source: &Source,
    tree: &Value,
    user: &Scalars,
) -> Option<Result<Reading, ReadError>> {
    if tree.get("openapi").is_some() || tree.get("swagger").is_some() {
        return None;
    }
    if let Some(message) = queries::refusal(tree) {
        return Some(Err(ReadError::IntrospectionRefused {
            name: source.name.clone(),
            message,
        }));
    }
    let has = |pointer: &str| tree.pointer(pointer).is_some();
    if !(has("/data/__schema") || has("/__schema") || (has("/queryType") && has("/types"))) {
        return None;
    }
    let schema = serde_json::from_value::<Answer>(tree.clone())
        .ok()?
        .schema()?;
    Some(read_schema(&source.name, schema, user))
}

fn read_schema(name: &str, schema: RawSchema, user: &Scalars) -> Result<Reading, ReadError> {
    let mut notes = Notes::default();
    let outline = introspection::outline(schema, &mut notes);
    lower(name, &outline, user, notes)
}

fn lower(
    name: &str,
    outline: &Outline,
    user: &Scalars,
    mut notes: Notes,
) -> Result<Reading, ReadError> {
    let mut inputs = Inputs::new(outline, user);
    let types = types::graph(outline, user, &mut inputs, &mut notes);
    let callable = operations::operations(outline, &types, &mut inputs, &mut notes);
    if callable.operations.is_empty() {
        return Err(nothing(name, outline, &notes));
    }
    let (shapes, text) = inputs.finish(&mut notes);
    let text = Arc::new(text);
    let api = Api {
        title: title(outline),
        dialect: Dialect::GraphQl,
        operations: callable.operations,
        shapes,
        types,
        schemas: SchemaTexts {
            request: Arc::clone(&text),
            response: text,
        },
        unusable: callable.unusable,
        ..Api::default()
    };
    Ok(Reading {
        api,
        diagnostics: notes.into_all(),
    })
}

/// The first line of what the schema says of itself.
fn title(outline: &Outline) -> String {
    let said = outline.description.as_deref().unwrap_or("");
    let line = said.lines().map(str::trim).find(|line| !line.is_empty());
    line.unwrap_or("GraphQL API").to_owned()
}

/// Why nothing in a schema can be called, by the first thing that went wrong.
fn nothing(name: &str, outline: &Outline, notes: &Notes) -> ReadError {
    let first = notes.first_error();
    let message = match (first, &outline.query) {
        (Some(first), _) => first.message.clone(),
        (None, Some(query)) => format!("its query type `{query}` has no fields"),
        (None, None) => "it has no query type".to_owned(),
    };
    let advice = if outline.query.is_none() && outline.types.is_empty() {
        "give a schema, in SDL or as the JSON of an introspection query"
    } else if outline.query.is_none() {
        "add `type Query { … }`, name the root in `schema { query: … }`, or give all files of the \
         schema together"
    } else {
        "mend that, or give all files of the schema together"
    };
    ReadError::NothingToCall {
        name: name.to_owned(),
        message,
        advice,
        place: first.and_then(|note| note.place.clone()),
    }
}

#[cfg(test)]
mod tests;
