//! What the document's own links say: which parameter, and where its value comes from.

use fossick_contract::{Location, Operation};
use fossick_trace::Take;

use crate::path_words::owner_of_hole;
use crate::{Words, Yield};

/// The parameter that a link fills, named as it is (`id`) or with its place (`path.id`).
pub(crate) fn linked_parameter(target: &Operation, name: &str) -> Option<usize> {
    let by_name = target.parameters.iter().position(|p| p.name == name);
    by_name.or_else(|| {
        let (place, name) = name.split_once('.')?;
        parameter(target, place, name)
    })
}

fn parameter(operation: &Operation, place: &str, name: &str) -> Option<usize> {
    let location = match place {
        "path" => Location::Path,
        "query" => Location::Query,
        "header" => Location::Header,
        "cookie" => Location::Cookie,
        _ => return None,
    };
    let same = |given: &str| match location {
        Location::Header => given.eq_ignore_ascii_case(name),
        _ => given == name,
    };
    operation
        .parameters
        .iter()
        .position(|p| p.location == location && same(&p.name))
}

/// A link's runtime expression as a yield of the linking operation.
pub(crate) fn read_expression(operation: &Operation, expression: &str) -> Option<Yield> {
    let inner = expression
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    let expression = inner.unwrap_or(expression);
    if let Some(pointer) = expression.strip_prefix("$response.body#") {
        return Some(Yield::Answer(Take::Pointer(pointer.to_owned())));
    }
    if let Some(name) = expression.strip_prefix("$response.header.") {
        return Some(Yield::Answer(Take::Header(name.to_owned())));
    }
    if let Some(pointer) = expression.strip_prefix("$request.body#") {
        return Some(Yield::SentBody(pointer.to_owned()));
    }
    let (place, name) = expression.strip_prefix("$request.")?.split_once('.')?;
    parameter(operation, place, name).map(Yield::SentParameter)
}

/// Whether an answer only repeats what its own call was told: a child that names its parent gives
/// the parent's identifier, but whoever made the parent gives it first.
pub(crate) fn echoes(operation: &Operation, yields: &Yield) -> bool {
    let Yield::Answer(Take::Pointer(pointer)) = yields else {
        return false;
    };
    let name = Words::of(pointer.rsplit('/').next().unwrap_or(""));
    operation.path.holes().any(|hole| {
        let bare = Words::of(hole);
        name == bare.qualified_by(&owner_of_hole(&operation.path, hole))
            || (name == bare && !bare.is_bare())
    })
}
