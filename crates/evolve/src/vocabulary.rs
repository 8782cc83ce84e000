//! The words that a resource uses: in its path, its parameters, its bodies and what is said of it.

use std::collections::BTreeSet;

use fossick_contract::{Api, Kind, ObjectShape, Operation, ShapeId};
use fossick_graph::stem_words;

use crate::{Resource, Resources};

/// How deep into a body names are read.
const DEPTH: usize = 3;
/// Words of one resource beyond this say nothing more.
const MOST: usize = 400;
/// Endings that a name has beside the word that matters.
const GENERIC: [&str; 4] = ["id", "name", "value", "uuid"];

/// The words of one resource, with their stems, and with what is left without a generic end:
/// `warehouseName` is also `warehouse`.
pub(crate) fn words_of(
    api: &Api,
    called: &BTreeSet<String>,
    resource: &Resource,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (_, index) in &resource.operations {
        names_of(api, api.operation(*index), &mut names);
    }
    let mut words = BTreeSet::new();
    for name in names {
        spellings(&name, &mut words);
    }
    for (_, index) in &resource.operations {
        let operation = api.operation(*index);
        nouns(called, &operation.summary, &mut words);
        nouns(called, &operation.description, &mut words);
    }
    words
}

/// A name as it is written, as stems, and without a generic end.
pub(crate) fn spellings(name: &str, words: &mut BTreeSet<String>) {
    if words.len() >= MOST {
        return;
    }
    let stems = stem_words(name);
    words.insert(name.to_lowercase());
    words.insert(stems.concat());
    if let Some((last, rest)) = stems.split_last()
        && !rest.is_empty()
        && GENERIC.contains(&last.as_str())
    {
        words.insert(rest.concat());
    }
}

fn names_of(api: &Api, operation: &Operation, names: &mut BTreeSet<String>) {
    let segments = operation.path.segments();
    names.extend(segments.map(|segment| segment.trim_matches(['{', '}']).to_owned()));
    for parameter in &operation.parameters {
        names.insert(parameter.name.clone());
        shape_names(api, parameter.shape, DEPTH, names);
    }
    for shape in bodies(operation) {
        shape_names(api, shape, DEPTH, names);
    }
    let thing = operation.graphql.as_ref().and_then(|root| root.thing);
    names.extend(thing.map(|thing| api.types.get(thing).name.to_string()));
}

fn bodies(operation: &Operation) -> impl Iterator<Item = ShapeId> {
    let contents = operation.body.iter().flat_map(|body| &body.contents);
    contents.filter_map(|content| content.shape)
}

/// The properties of an operation's bodies that hold a text or a number.
pub(crate) fn body_fields<'a>(
    api: &'a Api,
    operation: &Operation,
) -> impl Iterator<Item = &'a str> {
    let objects = bodies(operation).filter_map(|shape| object(api, shape));
    objects.take(1).flat_map(|object| plain_fields(api, object))
}

/// The same of objects inside those bodies: what each is called, and its field.
pub(crate) fn embedded_fields<'a>(
    api: &'a Api,
    operation: &Operation,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let objects = bodies(operation).filter_map(|shape| object(api, shape));
    let properties = objects.take(1).flat_map(|object| &object.properties);
    properties.flat_map(|property| {
        let inner = object(api, property.shape).into_iter();
        let fields = inner.flat_map(|inner| plain_fields(api, inner));
        fields.map(|field| (&*property.name, field))
    })
}

fn object(api: &Api, shape: ShapeId) -> Option<&ObjectShape> {
    match &api.shape(shape).kind {
        Kind::Object(object) => Some(object),
        _ => None,
    }
}

fn plain_fields<'a>(api: &'a Api, object: &'a ObjectShape) -> impl Iterator<Item = &'a str> {
    let plain = object.properties.iter().filter(|property| {
        let kind = &api.shape(property.shape).kind;
        matches!(kind, Kind::String(_) | Kind::Integer(_) | Kind::Any)
    });
    plain.map(|property| &*property.name)
}

/// Names of types and of properties.
fn shape_names(api: &Api, id: ShapeId, depth: usize, names: &mut BTreeSet<String>) {
    let shape = api.shape(id);
    names.extend(shape.name.as_ref().map(ToString::to_string));
    if depth == 0 || names.len() >= MOST {
        return;
    }
    match &shape.kind {
        Kind::Object(object) => {
            for property in &object.properties {
                names.insert(property.name.to_string());
                shape_names(api, property.shape, depth - 1, names);
            }
        }
        Kind::Array(array) => {
            if let Some(items) = array.items {
                shape_names(api, items, depth - 1, names);
            }
        }
        Kind::Choice(choice) => {
            for option in choice.options.iter().take(8) {
                shape_names(api, *option, depth - 1, names);
            }
        }
        _ => {}
    }
}

/// The stems of what resources are called by.
pub(crate) fn called(resources: &Resources) -> BTreeSet<String> {
    let tokens = resources.iter().map(|(_, r)| stem_words(&r.token).concat());
    tokens.collect()
}

/// Of a text, the words that resources are called by: a parser would find more nouns, but none that
/// matter here.
fn nouns(called: &BTreeSet<String>, text: &str, words: &mut BTreeSet<String>) {
    const READ: usize = 60;
    let all = text.split(|c: char| !c.is_alphanumeric()).take(READ);
    for word in all.filter(|word| word.len() > 2) {
        let stem = stem_words(word).concat();
        if called.contains(&stem) {
            words.insert(stem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::tests::{Bench, library, rest, shop};
    use serde_json::json;

    fn words(bench: &Bench, resource: &str) -> BTreeSet<String> {
        let resource = bench.resources.get(bench.resource(resource));
        words_of(&bench.api, &called(&bench.resources), resource)
    }

    #[test]
    fn a_name_is_also_what_it_is_without_its_generic_end() {
        let mut found = BTreeSet::new();
        spellings("warehouseName", &mut found);
        assert!(found.contains("warehousename"));
        assert!(found.contains("warehous"));
    }

    #[test]
    fn paths_parameters_and_bodies_give_words() {
        let bench = Bench::of(shop(), 0);
        let stock = words(&bench, "/stock/{productName}");
        for word in ["stock", "warehous", "product"] {
            assert!(stock.contains(word), "{word} in {stock:?}");
        }
        assert!(words(&bench, "/products").contains("price"));
    }

    #[test]
    fn a_type_gives_the_names_of_its_arguments() {
        let bench = Bench::of(library(), 0);
        assert!(words(&bench, "Book").contains("author"));
    }

    #[test]
    fn of_descriptions_only_the_names_of_resources_are_read() {
        let told = json!({
            "summary": "Opens all the doors of the warehouses",
            "responses": {"200": {"description": ""}},
        });
        let plain = json!({"responses": {"200": {"description": ""}}});
        let api = rest(json!({"/gates": {"get": told}, "/warehouses": {"get": plain}}));
        let bench = Bench::of(api, 0);
        let gates = words(&bench, "/gates");
        assert!(gates.contains("warehous"));
        assert!(!gates.contains("door"));
    }
}
