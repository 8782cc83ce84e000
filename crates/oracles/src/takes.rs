//! What an operation takes of a thing: the fields of its body, or of its arguments.

use fossick_contract::{Api, Kind, ObjectShape, Operation, Property, ShapeId, is_json};

/// The groups of fields that stand side by side in what an operation takes. Arguments of GraphQL
/// that are objects are groups of their own.
pub(crate) fn groups<'a>(api: &'a Api, operation: &Operation) -> Vec<Vec<&'a Property>> {
    let contents = operation.body.iter().flat_map(|body| &body.contents);
    let mut of_json = contents.filter(|content| is_json(&content.media_type));
    let Some(shape) = of_json.find_map(|content| content.shape) else {
        return Vec::new();
    };
    let own = properties(api, shape, 0);
    let inner = own.iter().filter(|_| operation.graphql.is_some());
    let inner: Vec<_> = inner.map(|p| properties(api, p.shape, 0)).collect();
    [own].into_iter().chain(inner).collect()
}

/// The properties of an object, or of all objects that it may be.
pub(crate) fn properties(api: &Api, shape: ShapeId, depth: usize) -> Vec<&Property> {
    const DEPTH: usize = 3;
    match &api.shape(shape).kind {
        Kind::Object(ObjectShape { properties, .. }) => properties.iter().collect(),
        Kind::Choice(choice) if depth < DEPTH => {
            let options = choice.options.iter();
            let inner = options.flat_map(|option| properties(api, *option, depth + 1));
            inner.collect()
        }
        _ => Vec::new(),
    }
}
