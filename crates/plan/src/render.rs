//! A plan as a script.

use std::borrow::Cow;
use std::sync::Arc;

use fossick_contract::{Api, Location, Operation, Parameter, Piece};
use fossick_genes::Gene;
use fossick_trace::{Call, Capture, Fill, Payload, Script, Text};

use crate::parameter::{escape, in_header, in_path, in_query};
use crate::{Extra, Plan, Spot, Step, body, graphql};

/// Writes a plan as calls. `labels` are the operations' labels, shared so that a call costs none.
pub fn render(api: &Api, labels: &[Arc<str>], plan: &Plan) -> Script {
    let calls = plan
        .steps
        .iter()
        .map(|step| call(api, &labels[step.operation.0 as usize], step))
        .collect();
    Script {
        calls,
        names: Vec::new(),
        ..Script::default()
    }
}

fn call(api: &Api, label: &Arc<str>, step: &Step) -> Call {
    let operation = api.operation(step.operation);
    if let Some(root) = &operation.graphql {
        return graphql::call(api, label, step, root);
    }
    let mut target = Text::default();
    path(operation, step, &mut target);
    query(operation, step, &mut target);
    Call {
        operation: Arc::clone(label),
        method: step.method.unwrap_or(operation.method),
        target,
        headers: headers(operation, step),
        payload: payload(api, operation, step),
        user: step.user.clone(),
        role: step.role,
        intent: step.intent.clone(),
        graphql: None,
    }
}

pub(crate) fn capture(step: &Step, spot: &Spot) -> Option<Capture> {
    step.bind_at(spot).map(|bind| Capture {
        call: bind.step,
        take: bind.take.clone(),
    })
}

fn path(operation: &Operation, step: &Step, target: &mut Text) {
    for piece in &operation.path.pieces {
        match piece {
            Piece::Fixed(text) => target.push_str(&fixed(text)),
            Piece::Hole(name) => hole(operation, step, name, target),
        }
    }
    if !operation.path.text.starts_with('/') {
        target
            .0
            .insert(0, fossick_trace::Part::Fixed("/".to_owned()));
    }
}

/// Fixed text of a path is the document's; only what can't stand in a request line is escaped.
fn fixed(text: &str) -> Cow<'_, str> {
    let plain = |c: char| matches!(c, '!'..='~') && !"\"<>\\^`{|}#?".contains(c);
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if plain(c) {
            out.push(c);
        } else {
            out.push_str(&escape(c.encode_utf8(&mut [0; 4])));
        }
    }
    Cow::Owned(out)
}

fn hole(operation: &Operation, step: &Step, name: &str, target: &mut Text) {
    let at = operation
        .parameters
        .iter()
        .position(|p| p.location == Location::Path && p.name == name);
    let Some(at) = at else {
        target.push_str("x");
        return;
    };
    match (capture(step, &Spot::Parameter(at)), argument(step, at)) {
        (Some(capture), _) => target.push_capture(capture),
        (None, Some(gene)) => target.push_str(&in_path(&operation.parameters[at], &gene.value())),
        (None, None) => target.push_str("x"),
    }
}

fn argument(step: &Step, at: usize) -> Option<&Gene> {
    step.arguments.get(at)?.as_ref()
}

fn of_location(
    operation: &Operation,
    location: Location,
) -> impl Iterator<Item = (usize, &Parameter)> {
    operation
        .parameters
        .iter()
        .enumerate()
        .filter(move |(_, parameter)| parameter.location == location)
}

fn query(operation: &Operation, step: &Step, target: &mut Text) {
    let mut separator = '?';
    let mut pairs = Vec::new();
    for (at, parameter) in of_location(operation, Location::Query) {
        if let Some(capture) = capture(step, &Spot::Parameter(at)) {
            target.push_str(&format!("{separator}{}=", escape(&parameter.name)));
            target.push_capture(capture);
            separator = '&';
        } else if let Some(gene) = argument(step, at) {
            in_query(parameter, &gene.value(), &mut pairs);
        }
    }
    let pair = |(name, value): (&str, &str)| format!("{}={}", escape(name), escape(value));
    pairs.extend(extras(step, Location::Query).map(pair));
    for pair in pairs {
        target.push_str(&format!("{separator}{pair}"));
        separator = '&';
    }
}

fn headers(operation: &Operation, step: &Step) -> Vec<(String, Text)> {
    let mut headers = Vec::new();
    for (at, parameter) in of_location(operation, Location::Header) {
        if let Some(capture) = capture(step, &Spot::Parameter(at)) {
            let mut text = Text::default();
            text.push_capture(capture);
            headers.push((parameter.name.clone(), text));
        } else if let Some(gene) = argument(step, at) {
            let text = Text::fixed(in_header(parameter, &gene.value()));
            headers.push((parameter.name.clone(), text));
        }
    }
    headers.extend(cookies(operation, step));
    headers.extend(extra_headers(step));
    headers
}

fn extras(step: &Step, location: Location) -> impl Iterator<Item = (&str, &str)> {
    let of_location = move |extra: &&Extra| extra.location == location;
    let extras = step.extras.iter().filter(of_location);
    extras.map(|extra| (extra.name.as_str(), extra.value.as_str()))
}

/// Headers that the document does not know of; what a header can't hold is escaped.
pub(crate) fn extra_headers(step: &Step) -> impl Iterator<Item = (String, Text)> {
    let plain = |c: char| matches!(c, ' '..='~');
    extras(step, Location::Header).map(move |(name, value)| {
        let held = if value.chars().all(plain) {
            value.to_owned()
        } else {
            escape(value)
        };
        (name.to_owned(), Text::fixed(held))
    })
}

fn cookies(operation: &Operation, step: &Step) -> Option<(String, Text)> {
    let extra = extras(step, Location::Cookie);
    let extra = extra.map(|(name, value)| format!("{name}={}", escape(value)));
    let pairs: Vec<String> = of_location(operation, Location::Cookie)
        .filter_map(|(at, parameter)| {
            let value = argument(step, at)?.value();
            Some(format!(
                "{}={}",
                parameter.name,
                escape(&in_header(parameter, &value))
            ))
        })
        .chain(extra)
        .collect();
    (!pairs.is_empty()).then(|| ("cookie".to_owned(), Text::fixed(pairs.join("; "))))
}

fn payload(api: &Api, operation: &Operation, step: &Step) -> Payload {
    let (Some(body), Some(value)) = (&operation.body, &step.body) else {
        return Payload::None;
    };
    body::payload(api, body, value, fills(step))
}

pub(crate) fn fills(step: &Step) -> Vec<Fill> {
    step.binds
        .iter()
        .filter_map(|bind| match &bind.spot {
            Spot::Body(pointer) => Some((pointer.clone(), capture(step, &bind.spot)?)),
            Spot::Parameter(_) => None,
        })
        .collect()
}
