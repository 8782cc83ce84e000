//! A GraphQL call as seeds, one for each field at its root.

use fossick_contract::{Api, OperationIndex, RootKind, TypeId};
use fossick_query::{Asked, Document, Literal, Pick, read};
use serde_json::{Map, Value};

use super::{Seed, Why, succeeded, typed};
use crate::suite::told;
use crate::{GraphQlCall, Record};

pub(super) fn seeds(api: &Api, record: &Record, call: &GraphQlCall) -> Result<Vec<Seed>, Why> {
    let document: Document = read(&call.query, None)?;
    let picks = document.resolved(&call.variables);
    let mut roots = Vec::new();
    collect(&picks, &mut roots);
    let roots = roots.into_iter().filter(|asked| asked.name != "__typename");
    roots
        .map(|asked| seed(api, record, document.kind, asked))
        .collect()
}

/// The fields at the root; parts there are of the root type itself.
fn collect<'p>(picks: &'p [Pick], into: &mut Vec<&'p Asked>) {
    for pick in picks {
        match pick {
            Pick::Field(asked) => into.push(asked),
            Pick::Part(part) => collect(&part.picks, into),
        }
    }
}

fn seed(api: &Api, record: &Record, kind: RootKind, asked: &Asked) -> Result<Seed, Why> {
    let operation = root(api, kind, &asked.name).ok_or_else(|| Why::NoRoot(asked.name.clone()))?;
    let arguments = asked.arguments.iter();
    let given: Map<String, Value> = arguments
        .filter_map(|(name, literal)| Some((name.clone(), literal.value()?)))
        .collect();
    let declared = api.operation(operation).body.as_ref();
    let shape = declared.and_then(|body| body.contents.first()?.shape);
    let body = shape.map(|shape| (0, typed::coerced(api, shape, Value::Object(given), 0)));
    let root = api.operation(operation).graphql.as_ref();
    let returns = root.map(|root| api.root_field(root).returns.named);
    let mut picks = asked.picks.clone();
    if let Some(on) = returns {
        coerce_below(api, on, &mut picks);
    }
    Ok(Seed {
        what: told(&record.call),
        operation,
        times: record.times_called,
        succeeded: succeeded(record),
        arguments: vec![None; api.operation(operation).parameters.len()],
        body,
        picks,
    })
}

/// Brings the arguments of fields below the root into the form that every service takes. The
/// reader of operations has a limit on depth, and so has this.
fn coerce_below(api: &Api, on: TypeId, picks: &mut [Pick]) {
    for pick in picks {
        match pick {
            Pick::Part(part) => {
                let named = part.on.as_ref().and_then(|name| api.types.find(name));
                coerce_below(api, named.unwrap_or(on), &mut part.picks);
            }
            Pick::Field(asked) => {
                let Some(field) = api.types.field(on, &asked.name) else {
                    continue;
                };
                for (name, literal) in &mut asked.arguments {
                    let declared = field.arguments.iter().find(|a| *a.name == **name);
                    if let (Some(argument), Some(value)) = (declared, literal.value()) {
                        let value = typed::coerced(api, argument.shape, value, 0);
                        *literal = Literal::from(&value);
                    }
                }
                coerce_below(api, field.returns.named, &mut asked.picks);
            }
        }
    }
}

/// The operation of a root field.
pub(super) fn root(api: &Api, kind: RootKind, name: &str) -> Option<OperationIndex> {
    let mut operations = api.indexed();
    let found = operations.find(|(_, operation)| {
        let root = operation.graphql.as_ref();
        root.is_some_and(|root| root.kind == kind && *api.root_field(root).name == *name)
    });
    found.map(|(index, _)| index)
}
