//! Telling values and broken values for every place of an operation.

use std::collections::VecDeque;

use fossick_contract::{
    Api, Kind, Location, Operation, OperationIndex, Parameter, RootField, ShapeId,
};
use fossick_genes::{
    Landmark, Manner, Slot, Source, breakages, is_path_safe, landmarks, parameter_landmarks,
    text_breakages, told_landmarks,
};
use fossick_plan::{DocumentFault, Plan, Spot, Step};
use serde_json::Value;

use crate::builder::Builder;
use crate::pairs::pairs;
use crate::ranges::{Range, along, ranges};
use crate::tasks::{BreakCase, EdgeCase, EdgeValue};

/// One place is worth so many values where an operation has few places.
const MOST_PER_PLACE: usize = 160;
/// An operation is worth so many in all.
const MOST_IN_ALL: usize = 1_200;
const MOST_BREAKS: usize = 160;
/// Every place has had so many values before two of them come together.
const ROUNDS_ALONE: usize = 6;

/// Telling values in all, held at a time.
pub(crate) const EDGES_HELD: usize = 20_000;
/// Broken bodies are whole bodies, so fewer of them.
pub(crate) const BREAKS_HELD: usize = 5_000;

/// A place of a call with its telling values.
pub(crate) struct Row {
    pub(crate) spot: Spot,
    pub(crate) name: String,
    pub(crate) shape: ShapeId,
    /// It may be left out.
    pub(crate) optional: bool,
    /// What the known good call has there.
    pub(crate) value: Option<Value>,
    pub(crate) marks: Vec<Landmark>,
}

/// Every telling value, place by place in turn, so that a short run has tried all places; and
/// after the first of them, two together now and then.
pub(crate) fn edge_cases(
    builder: &mut Builder<'_, '_>,
    index: OperationIndex,
    base: &Plan,
) -> VecDeque<EdgeCase> {
    let mut rows = rows(builder, index, &base.steps[base.main()]);
    let ranges = ranges(&rows);
    let pairs = pairs(builder.api, &rows, &ranges);
    let room = (MOST_IN_ALL / rows.len().max(1)).clamp(12, MOST_PER_PLACE);
    for row in &mut rows {
        row.marks.truncate(room);
    }
    let head = rows.len() * ROUNDS_ALONE;
    let cases = (0..rows.len()).map(|at| singles(builder, &rows, at, &ranges));
    weave(interleave(cases.collect()), pairs, head)
}

/// The places of a call that are ours to fill.
pub(crate) fn rows(builder: &mut Builder<'_, '_>, index: OperationIndex, step: &Step) -> Vec<Row> {
    let mut rows = parameter_rows(builder, index, step);
    rows.extend(body_rows(builder, index, step));
    rows
}

/// One value at a time; the other end of a range moves where it has to.
fn singles(builder: &Builder<'_, '_>, rows: &[Row], at: usize, ranges: &[Range]) -> Vec<EdgeCase> {
    let row = &rows[at];
    let case = |mark: &Landmark| EdgeCase {
        values: vec![edge_value(builder.api, row, mark)],
        along: along(builder.validators, rows, at, &mark.value, ranges),
    };
    row.marks.iter().map(case).collect()
}

pub(crate) fn interleave<T>(rows: Vec<Vec<T>>) -> Vec<T> {
    let mut all = Vec::new();
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut rows: Vec<_> = rows.into_iter().map(Vec::into_iter).collect();
    for _ in 0..longest {
        all.extend(rows.iter_mut().filter_map(Iterator::next));
    }
    all
}

/// Two together after every fourth single one, from a place in the row of those on. More often,
/// and large domains would not be gone through in the time that most runs have.
fn weave(singles: Vec<EdgeCase>, pairs: Vec<EdgeCase>, head: usize) -> VecDeque<EdgeCase> {
    let mut pairs = pairs.into_iter();
    let mut all = VecDeque::with_capacity(singles.len() + pairs.len());
    for (at, single) in singles.into_iter().enumerate() {
        all.push_back(single);
        if at >= head && at % 4 == 0 {
            all.extend(pairs.next());
        }
    }
    all.extend(pairs);
    all
}

fn parameter_rows(builder: &Builder<'_, '_>, index: OperationIndex, step: &Step) -> Vec<Row> {
    let operation = builder.api.operation(index);
    let row = |(at, parameter): (usize, &Parameter)| {
        let mut marks = told(builder, index, &Spot::Parameter(at), parameter.shape);
        marks.extend(parameter_landmarks(builder.api, parameter));
        marks.retain(|mark| can_travel(parameter, &mark.value));
        let spot = Spot::Parameter(at);
        Row {
            value: step.value_at(&spot),
            spot,
            name: parameter.name.clone(),
            shape: parameter.shape,
            optional: !parameter.required && parameter.location != Location::Path,
            marks,
        }
    };
    let parameters = operation.parameters.iter().enumerate();
    parameters
        .filter(|(at, _)| step.bind_at(&Spot::Parameter(*at)).is_none())
        .filter(|(at, p)| p.location != Location::Path || !is_identifier(builder, index, *at))
        .map(row)
        .collect()
}

/// What rules of prose make worth trying at a place.
fn told(
    builder: &Builder<'_, '_>,
    index: OperationIndex,
    spot: &Spot,
    shape: ShapeId,
) -> Vec<Landmark> {
    let book = builder.known[index.0 as usize].rules.get();
    let rules = book.map(|book| book.at(spot)).unwrap_or_default();
    told_landmarks(builder.api, shape, &rules)
}

fn marks_of(builder: &Builder<'_, '_>, index: OperationIndex, slot: &Slot) -> Vec<Landmark> {
    let spot = Spot::Body(slot.pointer.clone());
    let mut marks = told(builder, index, &spot, slot.shape);
    marks.extend(landmarks(builder.api, slot.shape, &slot.name));
    marks
}

/// A hole that names something which must exist: other values only give 404.
fn is_identifier(builder: &Builder<'_, '_>, index: OperationIndex, at: usize) -> bool {
    let place = fossick_graph::Place::Parameter(at);
    builder
        .graph
        .need_at(index, &place)
        .is_some_and(|need| !builder.graph.edges(index, need).is_empty())
}

pub(crate) fn body_rows(
    builder: &mut Builder<'_, '_>,
    index: OperationIndex,
    step: &Step,
) -> Vec<Row> {
    let Some(shape) = body_shape(builder.api.operation(index), step) else {
        return Vec::new();
    };
    let slots = builder.maker(Manner::Plausible).slots(shape);
    let whole = step.body.as_ref().map(|body| body.gene.value());
    let row = |slot: Slot| Row {
        value: whole
            .as_ref()
            .and_then(|w| w.pointer(&slot.pointer))
            .cloned(),
        marks: marks_of(builder, index, &slot),
        spot: Spot::Body(slot.pointer),
        name: slot.name,
        shape: slot.shape,
        optional: !slot.required,
    };
    slots
        .into_iter()
        .filter(|slot| !builder.is_given(step, &Spot::Body(slot.pointer.clone())))
        .map(row)
        .collect()
}

pub(crate) fn body_shape(operation: &Operation, step: &Step) -> Option<ShapeId> {
    let content = step.body.as_ref()?.content;
    operation.body.as_ref()?.contents.get(content)?.shape
}

pub(crate) fn edge_value(api: &Api, row: &Row, mark: &Landmark) -> EdgeValue {
    let named = matches!(
        mark.source,
        Source::Enum | Source::Example | Source::Default
    );
    EdgeValue {
        spot: row.spot.clone(),
        declared: named || is_declared_bound(&api.shape(row.shape).kind, &mark.value),
        member: mark.source == Source::Enum && !mark.value.is_number(),
        value: Some(mark.value.clone()),
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
pub(crate) fn can_travel(parameter: &Parameter, value: &Value) -> bool {
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
    if let Some(shape) = body_shape(operation, &base.steps[base.main()]) {
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
