//! Telling values and broken values for every place of an operation.

use std::collections::VecDeque;

use fossick_contract::{
    Api, Kind, Location, Operation, OperationIndex, Parameter, RootField, ShapeId,
};
use fossick_genes::{Landmark, Manner, Source, breakages, is_path_safe, landmarks, text_breakages};
use fossick_plan::{DocumentFault, Plan, Spot};
use serde_json::Value;

use crate::builder::Builder;
use crate::tasks::{BreakCase, EdgeCase};

/// One place is worth so many values where an operation has few places.
const MOST_PER_PLACE: usize = 160;
/// An operation is worth so many in all.
const MOST_IN_ALL: usize = 1_200;
const MOST_BREAKS: usize = 160;

/// Cases that are made at a time for one operation. An API with many operations would fill the
/// memory with cases that no run has the time for; the next page is made when one is used up.
pub(crate) fn page(all: usize, operations: usize) -> usize {
    (all / operations.max(1)).clamp(16, 1_200)
}

/// Telling values in all, held at a time.
pub(crate) const EDGES_HELD: usize = 20_000;
/// Broken bodies are whole bodies, so fewer of them.
pub(crate) const BREAKS_HELD: usize = 5_000;

/// Every telling value, place by place in turn, so that a short run has tried all places.
pub(crate) fn edge_cases(
    builder: &mut Builder<'_, '_>,
    index: OperationIndex,
    base: &Plan,
) -> VecDeque<EdgeCase> {
    let mut rows = parameter_rows(builder, index, base);
    rows.extend(body_rows(builder, index, base));
    let room = (MOST_IN_ALL / rows.len().max(1)).clamp(12, MOST_PER_PLACE);
    for row in &mut rows {
        row.truncate(room);
    }
    interleave(rows)
}

fn interleave(rows: Vec<Vec<EdgeCase>>) -> VecDeque<EdgeCase> {
    let mut all = VecDeque::new();
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut rows: Vec<_> = rows.into_iter().map(Vec::into_iter).collect();
    for _ in 0..longest {
        all.extend(rows.iter_mut().filter_map(Iterator::next));
    }
    all
}

fn parameter_rows(
    builder: &Builder<'_, '_>,
    index: OperationIndex,
    base: &Plan,
) -> Vec<Vec<EdgeCase>> {
    let operation = builder.api.operation(index);
    let main = &base.steps[base.main()];
    operation
        .parameters
        .iter()
        .enumerate()
        .filter(|(at, _)| main.bind_at(&Spot::Parameter(*at)).is_none())
        .filter(|(at, p)| p.location != Location::Path || !is_identifier(builder, index, *at))
        .map(|(at, parameter)| {
            landmarks(builder.api, parameter.shape, &parameter.name)
                .into_iter()
                .filter(|landmark| can_travel(parameter, &landmark.value))
                .map(|landmark| case(builder, parameter.shape, Spot::Parameter(at), landmark))
                .collect()
        })
        .collect()
}

/// A hole that names something which must exist: other values only give 404.
fn is_identifier(builder: &Builder<'_, '_>, index: OperationIndex, at: usize) -> bool {
    let place = fossick_graph::Place::Parameter(at);
    builder
        .graph
        .need_at(index, &place)
        .is_some_and(|need| !builder.graph.edges(index, need).is_empty())
}

fn body_rows(
    builder: &mut Builder<'_, '_>,
    index: OperationIndex,
    base: &Plan,
) -> Vec<Vec<EdgeCase>> {
    let operation = builder.api.operation(index);
    let main = &base.steps[base.main()];
    let Some(shape) = body_shape(operation, base) else {
        return Vec::new();
    };
    let slots = builder.maker(Manner::Plausible).slots(shape);
    slots
        .into_iter()
        .filter(|slot| !builder.is_given(main, &Spot::Body(slot.pointer.clone())))
        .map(|slot| {
            landmarks(builder.api, slot.shape, &slot.name)
                .into_iter()
                .map(|landmark| {
                    case(
                        builder,
                        slot.shape,
                        Spot::Body(slot.pointer.clone()),
                        landmark,
                    )
                })
                .collect()
        })
        .collect()
}

fn body_shape(operation: &Operation, base: &Plan) -> Option<ShapeId> {
    let main = &base.steps[base.main()];
    let content = main.body.as_ref()?.content;
    operation.body.as_ref()?.contents.get(content)?.shape
}

fn case(builder: &Builder<'_, '_>, shape: ShapeId, spot: Spot, landmark: Landmark) -> EdgeCase {
    let named = matches!(
        landmark.source,
        Source::Enum | Source::Example | Source::Default
    );
    EdgeCase {
        spot,
        declared: named || is_declared_bound(&builder.api.shape(shape).kind, &landmark.value),
        member: landmark.source == Source::Enum && !landmark.value.is_number(),
        value: landmark.value,
    }
}

/// Whether the document itself names a value as a bound; limits of a number's size are ours.
fn is_declared_bound(kind: &Kind, value: &Value) -> bool {
    match (kind, value) {
        (Kind::Integer(number) | Kind::Number(number), Value::Number(given)) => given
            .as_f64()
            .is_some_and(|v| [number.minimum, number.maximum].contains(&Some(v))),
        (Kind::String(text), Value::String(given)) => {
            let length = given.chars().count();
            let plain = given.chars().all(|c| c.is_ascii_alphanumeric());
            plain && (text.max_length == Some(length) || (length > 0 && text.min_length == length))
        }
        _ => false,
    }
}

/// What a parameter's place can carry unharmed.
fn can_travel(parameter: &Parameter, value: &Value) -> bool {
    let text = match value {
        Value::String(text) => text.as_str(),
        Value::Null => return false,
        _ => return true,
    };
    match parameter.location {
        Location::Path => is_path_safe(text),
        Location::Query => true,
        Location::Header | Location::Cookie => {
            text.trim() == text && text.bytes().all(|b| (b' '..=b'~').contains(&b))
        }
    }
}

/// Every way to break one constraint of the operation's input.
pub(crate) fn break_cases(
    builder: &mut Builder<'_, '_>,
    index: OperationIndex,
    base: &Plan,
) -> VecDeque<BreakCase> {
    let operation = builder.api.operation(index);
    let mut cases = Vec::new();
    for (at, parameter) in operation.parameters.iter().enumerate() {
        parameter_breaks(builder, operation, at, parameter, &mut cases);
    }
    if let Some(shape) = body_shape(operation, base) {
        let mut found = breakages(&mut builder.maker(Manner::Varied), "body", shape);
        // Arguments are always an object of their own making: only what is inside can be wrong.
        found.retain(|b| operation.graphql.is_none() || !b.pointer.is_empty());
        cases.extend(found.into_iter().map(|b| BreakCase {
            place: Spot::Body(b.pointer.clone()).describe(operation),
            spot: Spot::Body(String::new()),
            pointer: b.pointer,
            value: Some(b.value),
            constraint: b.constraint,
            detail: b.detail,
            fault: None,
        }));
    }
    if let Some(root) = &operation.graphql {
        cases.extend(document_breaks(builder.api, root));
    } else if operation.body.as_ref().is_some_and(|body| body.required) {
        cases.push(missing(
            Spot::Body(String::new()),
            "body".to_owned(),
            "body",
        ));
    }
    cases.truncate(MOST_BREAKS);
    cases.into()
}

pub(crate) fn parameter_breaks(
    builder: &mut Builder<'_, '_>,
    operation: &Operation,
    at: usize,
    parameter: &Parameter,
    cases: &mut Vec<BreakCase>,
) {
    let spot = Spot::Parameter(at);
    let place = spot.describe(operation);
    // Lists and maps travel in forms that different servers read differently.
    let scalar = !matches!(
        builder.api.shape(parameter.shape).kind,
        Kind::Array(_) | Kind::Object(_) | Kind::Any | Kind::Opaque(_)
    );
    if scalar {
        let found = text_breakages(
            &mut builder.maker(Manner::Varied),
            &parameter.name,
            parameter.shape,
        );
        cases.extend(
            found
                .into_iter()
                .filter(|b| can_travel(parameter, &b.value))
                .map(|b| BreakCase {
                    spot: spot.clone(),
                    pointer: String::new(),
                    fault: None,
                    value: Some(b.value),
                    place: place.clone(),
                    constraint: b.constraint,
                    detail: b.detail,
                }),
        );
    }
    if parameter.required && parameter.location != Location::Path {
        cases.push(missing(spot, place, &parameter.name));
    }
}

pub(crate) fn missing(spot: Spot, place: String, name: &str) -> BreakCase {
    BreakCase {
        spot,
        pointer: String::new(),
        fault: None,
        value: None,
        place,
        constraint: "required".to_owned(),
        detail: format!("{name} is left out"),
    }
}

/// Operations that break GraphQL's own rules, whatever their values are.
pub(crate) fn document_breaks(api: &Api, root: &RootField) -> Vec<BreakCase> {
    let composite = api
        .types
        .get(api.root_field(root).returns.named)
        .is_composite();
    let faults: &[(DocumentFault, &str, &str)] = if composite {
        &[
            (
                DocumentFault::UnknownField,
                "field",
                "asks for noSuchField, which the type does not have",
            ),
            (
                DocumentFault::NoSelection,
                "selection",
                "says nothing of what it wants of an object",
            ),
            (
                DocumentFault::UnknownType,
                "type",
                "has a part for NoSuchType, which does not exist",
            ),
        ]
    } else {
        &[(
            DocumentFault::SelectionOnScalar,
            "selection",
            "asks for parts of a scalar",
        )]
    };
    let always = [
        (
            DocumentFault::UnknownArgument,
            "argument",
            "gives noSuchArgument, which the field does not take",
        ),
        (
            DocumentFault::UndeclaredVariable,
            "variable",
            "uses a variable that it does not declare",
        ),
    ];
    let case = |(fault, constraint, detail): &(DocumentFault, &str, &str)| BreakCase {
        spot: Spot::Body(String::new()),
        pointer: String::new(),
        value: None,
        place: "the operation".to_owned(),
        constraint: (*constraint).to_owned(),
        detail: (*detail).to_owned(),
        fault: Some(*fault),
    };
    faults.iter().chain(&always).map(case).collect()
}
