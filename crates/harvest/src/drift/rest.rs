//! A REST call held against a new OpenAPI document, and mended on the way.

use fossick_contract::{
    Api, Kind as ShapeKind, Location, Method, Operation, Parameter, ShapeId, is_json,
};
use fossick_validate::Direction;
use serde_json::{Map, Value};

use super::inputs::Inputs;
use super::{Ground, Kind, Notes, similar};
use crate::suite::{Resolved, resolve};
use crate::{Call, Content, RestCall};

pub(super) fn mended(ground: &Ground<'_>, call: &RestCall) -> (Option<Call>, Notes) {
    let mut notes = Notes::default();
    let mut mended = call.clone();
    let resolved = resolve(ground.new, &call.method, &call.path);
    let Some(resolved) = resolved else {
        gone(ground.new, call, &mut notes);
        return (None, notes);
    };
    let operation = ground.new.operation(resolved.operation);
    path(ground, operation, &resolved, &mut notes);
    mended.query = query(ground, operation, call, &mut notes);
    mended.content = content(ground, operation, call, &mut notes);
    (Some(Call::Rest(mended)), notes)
}

fn gone(api: &Api, call: &RestCall, notes: &mut Notes) {
    let others = Method::ALL
        .iter()
        .filter(|method| resolve(api, method.as_str(), &call.path).is_some());
    let others: Vec<&str> = others.map(|method| method.as_str()).collect();
    let told = match others.as_slice() {
        [] => format!("there is no {} any more", call.path),
        others => format!(
            "{} takes no {} any more, only {}",
            call.path,
            call.method,
            others.join(", ")
        ),
    };
    notes.lost(Kind::NoOperation, &call.path, told);
}

fn path(ground: &Ground<'_>, operation: &Operation, resolved: &Resolved<'_>, notes: &mut Notes) {
    for (name, value) in &resolved.holes {
        let parameter = operation.parameter(Location::Path, name);
        if let Some(parameter) =
            parameter.filter(|parameter| !takes(ground, parameter.shape, value))
        {
            let told = format!("{value} does not fit {} any more", parameter.name);
            notes.lost(Kind::Value, &format!("path {name}"), told);
        }
    }
}

fn query(
    ground: &Ground<'_>,
    operation: &Operation,
    call: &RestCall,
    notes: &mut Notes,
) -> Vec<(String, String)> {
    let declared: Vec<&Parameter> = of(operation, Location::Query).collect();
    let mut mended = Vec::new();
    for (name, value) in &call.query {
        let Some(parameter) = parameter(&declared, name, call, notes) else {
            continue;
        };
        if !takes(ground, parameter.shape, value) {
            let told = format!("{value} does not fit {} any more", parameter.name);
            notes.lost(Kind::Value, &format!("query {}", parameter.name), told);
        }
        let bracket = name.find('[').and_then(|at| name.get(at..)).unwrap_or("");
        let name = if base(&parameter.name) == parameter.name {
            format!("{}{bracket}", parameter.name)
        } else {
            parameter.name.clone()
        };
        mended.push((name, value.clone()));
    }
    let given = |name: &str| mended.iter().any(|(given, _)| base(given) == base(name));
    for parameter in declared
        .iter()
        .filter(|parameter| parameter.required && !given(&parameter.name))
    {
        let told = format!(
            "{} must be given now, and nobody knows which",
            parameter.name
        );
        notes.lost(
            Kind::RequiredParameter,
            &format!("query {}", parameter.name),
            told,
        );
    }
    mended
}

/// `filter` of `filter[name]`: deep objects and lists are spelt so.
fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

fn of(operation: &Operation, location: Location) -> impl Iterator<Item = &Parameter> {
    let parameters = operation.parameters.iter();
    parameters.filter(move |parameter| parameter.location == location)
}

/// The parameter that a given one is now. An object that is exploded has parameters of any name.
fn parameter<'o>(
    declared: &[&'o Parameter],
    name: &str,
    call: &RestCall,
    notes: &mut Notes,
) -> Option<&'o Parameter> {
    let by_name = |name: &str| {
        declared
            .iter()
            .find(|parameter| base(&parameter.name) == base(name))
    };
    if let Some(known) = by_name(name) {
        return Some(known);
    }
    let told = format!("there is no parameter {name} any more");
    let place = format!("query {name}");
    let free = declared.iter().map(|parameter| parameter.name.as_str());
    let free = free.filter(|other| call.query.iter().all(|(given, _)| given != other));
    let other = similar::only(name, free).and_then(by_name);
    let change = match other {
        Some(other) => format!("query {name} is now {}", other.name),
        None => format!("query {name} is left out"),
    };
    notes.mended(Kind::NoParameter, &place, told, change);
    other.copied()
}

/// Whether a text can be a value of a shape. Lists and objects are spelt in many ways: let them be.
fn takes(ground: &Ground<'_>, shape: ShapeId, text: &str) -> bool {
    let kind = &ground.new.shape(shape).kind;
    if matches!(
        kind,
        ShapeKind::Array(_) | ShapeKind::Object(_) | ShapeKind::Opaque(_)
    ) {
        return true;
    }
    let validators = ground.validators;
    let fits = |value: &Value| {
        validators.is_valid(Direction::Request, shape, value)
            || validators.is_valid_but_for_formats(shape, value)
    };
    fits(&Value::from(text)) || serde_json::from_str(text).is_ok_and(|value: Value| fits(&value))
}

fn content(
    ground: &Ground<'_>,
    operation: &Operation,
    call: &RestCall,
    notes: &mut Notes,
) -> Content {
    let required = operation.body.as_ref().is_some_and(|body| body.required);
    match (&call.content, &operation.body) {
        (Content::None, _) if required => {
            let told = "a body must be sent now, and nobody knows which".to_owned();
            notes.lost(Kind::Body, "body", told);
            Content::None
        }
        (Content::None, _) => Content::None,
        (content, None) => {
            // Methods that never have a body in documents may have been sent with one all the same.
            if call.method == "GET" || call.method == "DELETE" {
                return content.clone();
            }
            let told = "no body is taken any more".to_owned();
            notes.mended(Kind::Body, "body", told, "the body is left out".to_owned());
            Content::None
        }
        (Content::Json { media_type, value }, Some(body)) => {
            let contents = body.contents.iter();
            let mut json = contents.filter(|content| is_json(&content.media_type));
            let shape = json.next().and_then(|content| content.shape);
            let value = match shape {
                Some(shape) => body_value(ground, shape, value.clone(), notes),
                None => value.clone(),
            };
            Content::Json {
                media_type: media_type.clone(),
                value,
            }
        }
        (content, Some(_)) => content.clone(),
    }
}

fn body_value(ground: &Ground<'_>, shape: ShapeId, value: Value, notes: &mut Notes) -> Value {
    let mut inputs = Inputs {
        ground,
        notes,
        variables: &mut Map::new(),
        place: "body ".to_owned(),
    };
    let mended = inputs.value(shape, value);
    let problems = ground
        .validators
        .problems(Direction::Request, shape, &mended);
    // What the walk does not know (bounds between fields, choices) the validator does.
    if notes.beyond.is_empty()
        && let Some(problem) = problems.first()
    {
        let told = format!(
            "the body does not fit any more: {} {}",
            problem.at, problem.message
        );
        notes.lost(Kind::Body, &format!("body {}", problem.at), told);
    }
    mended
}
