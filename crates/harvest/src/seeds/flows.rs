//! What went from one call into another, by operation and place.
//!
//! A recorder knows no schema: its templates have holes where values stood. A hole of a template
//! is one of a path, and so may be a word, since a recorder takes a slug for one.

use fossick_contract::{Api, Location, Method, Operation, OperationIndex, RootKind};

use super::graphql::root;
use super::{At, Flowing};
use crate::Flow;

/// The base URL may stand before a path; one that is longer is not looked behind.
const DEEPEST_BASE: usize = 4;

pub(super) fn flowing(api: &Api, flow: &Flow) -> Option<Flowing> {
    let (maker, _) = labelled(api, &flow.from)?;
    let (consumer, template) = labelled(api, &flow.to)?;
    let into = place(api.operation(consumer), &template, &flow.place)?;
    (maker != consumer).then(|| Flowing {
        maker,
        pointer: first_items(&flow.pointer),
        consumer,
        into,
        times: flow.times,
    })
}

/// `/items/-/id` as `/items/0/id`.
fn first_items(pointer: &str) -> String {
    let token = |token| if token == "-" { "0" } else { token };
    pointer.split('/').map(token).collect::<Vec<_>>().join("/")
}

/// The operation of a label, and the segments of the label's path below the base URL.
fn labelled<'f>(api: &Api, label: &'f str) -> Option<(OperationIndex, Vec<&'f str>)> {
    if api.is_graphql() {
        let found =
            root(api, RootKind::Query, label).or_else(|| root(api, RootKind::Mutation, label));
        return found.map(|index| (index, Vec::new()));
    }
    let (method, path) = label.split_once(' ')?;
    let method = Method::parse(method)?;
    let mut segments: Vec<&str> = path.split('/').skip(1).collect();
    for _ in 0..DEEPEST_BASE {
        if let Some(index) = templated(api, method, &segments) {
            return Some((index, segments));
        }
        if segments.is_empty() {
            return None;
        }
        segments.remove(0);
    }
    None
}

/// The operation whose path a template fits, with the fewest words in holes.
fn templated(api: &Api, method: Method, template: &[&str]) -> Option<OperationIndex> {
    let fitting = api.indexed().filter(|(_, o)| o.method == method);
    let scored = fitting.filter_map(|(index, operation)| {
        let words = words_in_holes(operation, template)?;
        Some((words, index))
    });
    scored.min().map(|(_, index)| index)
}

fn own_segments(operation: &Operation) -> impl Iterator<Item = &str> {
    operation.path.text.trim_start_matches('/').split('/')
}

fn hole(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

fn words_in_holes(operation: &Operation, template: &[&str]) -> Option<usize> {
    if own_segments(operation).count() != template.len() {
        return None;
    }
    let mut words = 0;
    for (own, seen) in own_segments(operation).zip(template) {
        match (hole(own), *seen) {
            (Some(_), "{}") => {}
            (Some(_), _) => words += 1,
            (None, seen) if own == seen => {}
            (None, _) => return None,
        }
    }
    Some(words)
}

/// Where in a call of an operation a recorder's place is.
fn place(operation: &Operation, template: &[&str], place: &str) -> Option<At> {
    let (what, name) = place.split_once(' ')?;
    let parameter = |location, name: &str| {
        let mut all = operation.parameters.iter();
        all.position(|p| p.location == location && p.name == name)
            .map(At::Parameter)
    };
    match what {
        "path" => {
            let wanted: usize = name.parse().ok()?;
            let pairs = own_segments(operation).zip(template);
            let mut values = pairs.filter(|(_, seen)| **seen == "{}");
            let (own, _) = values.nth(wanted)?;
            parameter(Location::Path, hole(own)?)
        }
        "query" => parameter(Location::Query, name),
        "body" => Some(At::Body(first_items(name))),
        "argument" => argument(operation, name),
        _ => None,
    }
}

/// `createTask.input.projectId`; arguments of fields below the root are nobody's need.
fn argument(operation: &Operation, name: &str) -> Option<At> {
    operation.graphql.as_ref()?;
    let (field, rest) = name.split_once('.')?;
    let escaped = rest.split('.').map(fossick_contract::escape_token);
    let pointer = escaped.fold(String::new(), |pointer, token| pointer + "/" + &token);
    (!field.contains('/')).then_some(At::Body(pointer))
}
