//! OpenAPI 3.1: JSON Schema in full, as far as shapes go.

use std::sync::Arc;

use crate::support::{accepts, body_shape, check_texts, object, property, read_file, read_schemas};
use fossick_contract::{Additional, ChoiceMode, Kind, Shape};
use serde_json::json;

fn with_thing(test: impl FnOnce(&fossick_contract::Api, &Shape)) {
    let api = read_file("shapes-3.1", "openapi.json").api;
    test(&api, body_shape(&api, "POST /things"));
}

#[test]
fn it_compiles_and_remarks_what_no_value_fits() {
    let reading = read_file("shapes-3.1", "openapi.json");
    let told: Vec<_> = reading
        .diagnostics
        .iter()
        .map(|d| format!("{} {}", d.place.as_ref().map_or(0, |p| p.line), d.message))
        .collect();
    assert_eq!(
        told,
        [
            "32 the pattern `[` can't be used; left out",
            "39 its parts ask for different types: no value fits",
            "40 its lower bound is above its upper: no value fits",
        ]
    );
    assert_eq!(reading.api.operations.len(), 1);
    check_texts(&reading.api);
}

#[test]
fn types_with_null_are_nullable() {
    with_thing(|api, thing| {
        let text = property(api, thing, "text");
        assert!(text.nullable && matches!(text.kind, Kind::String(_)));
        assert_eq!(text.examples, [json!("a"), json!("b")]);
    });
}

#[test]
fn several_types_are_a_choice() {
    with_thing(|api, thing| {
        let Kind::Choice(choice) = &property(api, thing, "several").kind else {
            panic!("a choice");
        };
        assert_eq!(choice.mode, ChoiceMode::Any);
        let kinds: Vec<_> = choice
            .options
            .iter()
            .map(|id| &api.shape(*id).kind)
            .collect();
        assert!(matches!(kinds[0], Kind::String(string) if string.min_length == 2));
        assert!(matches!(kinds[1], Kind::Integer(number) if number.minimum == Some(3.0)));
        assert!(matches!(kinds[2], Kind::Boolean));
    });
}

#[test]
fn tuples_end_where_they_say() {
    with_thing(|api, thing| {
        let Kind::Array(pair) = &property(api, thing, "pair").kind else {
            panic!("an array");
        };
        assert_eq!(
            (pair.prefix.len(), pair.items, pair.min_items),
            (2, None, 2)
        );
        assert!(accepts(api, property(api, thing, "pair"), &json!(["a", 1])));
        assert!(!accepts(
            api,
            property(api, thing, "pair"),
            &json!(["a", 1, 2])
        ));
    });
}

#[test]
fn siblings_of_a_reference_count() {
    with_thing(|api, thing| {
        let short = property(api, thing, "short");
        let Kind::String(string) = &short.kind else {
            panic!("a string");
        };
        assert_eq!((string.min_length, string.max_length), (1, Some(5)));
        assert_eq!(short.description.as_deref(), Some("a short one"));
        assert_eq!(short.name, None);
        assert_eq!(property(api, thing, "same").name.as_deref(), Some("Text"));
        assert!(!accepts(api, short, &json!("too long")));
        assert!(!accepts(api, short, &json!("")));
    });
}

#[test]
fn older_dialects_ignore_constraints_beside_a_reference() {
    let reading = read_schemas(
        "3.0.3",
        "{Root: {properties: {a: {$ref: '#/components/schemas/A', maxLength: 1, nullable: true}}}, A: {type: string}}",
    );
    let api = &reading.api;
    let a = property(api, body_shape(api, "POST /x"), "a");
    assert!(matches!(&a.kind, Kind::String(string) if string.max_length.is_none()));
    assert!(a.nullable && accepts(api, a, &json!(null)) && accepts(api, a, &json!("long")));
    assert_eq!(a.name.as_deref(), Some("A"));
}

#[test]
fn booleans_are_schemas_and_constants_are_sets_of_one() {
    with_thing(|api, thing| {
        assert_eq!(property(api, thing, "whatever").kind, Kind::Any);
        assert_eq!(property(api, thing, "nothing").kind, Kind::Never);
        assert_eq!(
            property(api, thing, "fixed").kind,
            Kind::Enum(vec![json!(42)])
        );
        assert_eq!(property(api, thing, "anchored").kind, Kind::Boolean);
    });
}

#[test]
fn a_choice_with_null_is_no_choice() {
    with_thing(|api, thing| {
        let maybe = property(api, thing, "maybe");
        assert!(maybe.nullable);
        assert_eq!(maybe.name.as_deref(), Some("Node"));
        let next = property(api, maybe, "next");
        assert_eq!(next.name.as_deref(), Some("Node"));
        let again = property(api, next, "next");
        assert!(std::ptr::eq(next, again), "a recursive schema is one shape");
        assert!(next.needs_check, "`if` is beyond a shape");
    });
}

#[test]
fn maps_know_their_patterns_and_names() {
    with_thing(|api, thing| {
        let map = object(property(api, thing, "map"));
        let patterns: Vec<&str> = map.patterns.iter().map(|(p, _)| &**p).collect();
        assert_eq!(patterns, ["^x-"]);
        assert_eq!(map.additional, Additional::Forbidden);
        let names = api.shape(map.names.expect("has names"));
        assert!(matches!(&names.kind, Kind::String(string) if string.max_length == Some(8)));
    });
}

#[test]
fn bounds_of_integers_are_inclusive() {
    with_thing(|api, thing| {
        let guarded = property(api, thing, "guarded");
        let Kind::Integer(number) = &guarded.kind else {
            panic!("an integer");
        };
        assert_eq!((number.minimum, number.maximum), (Some(3.0), Some(7.0)));
        assert!(guarded.needs_check, "`not` is beyond a shape");
        assert!(!accepts(api, guarded, &json!(5)));
    });
}

#[test]
fn types_are_inferred_from_keywords() {
    with_thing(|api, thing| {
        let inferred = property(api, thing, "inferred");
        assert!(matches!(&inferred.kind, Kind::String(string) if string.min_length == 3));
        let bytes = property(api, thing, "bytes");
        assert!(matches!(&bytes.kind, Kind::String(s) if s.format.as_deref() == Some("byte")));
    });
}

#[test]
fn only_overlapping_choices_need_a_check() {
    with_thing(|api, thing| {
        assert!(!property(api, thing, "either").needs_check);
        assert!(property(api, thing, "overlapping").needs_check);
    });
}

#[test]
fn required_names_are_properties_even_if_undeclared() {
    with_thing(|api, thing| {
        let undeclared = object(thing).property("undeclared").expect("added");
        assert!(undeclared.required);
        assert_eq!(api.shape(undeclared.shape).kind, Kind::Any);
        assert!(
            thing.needs_check,
            "`unevaluatedProperties` is beyond a shape"
        );
        assert_eq!(object(thing).additional, Additional::Forbidden);
    });
}

#[test]
fn contradictions_fit_nothing() {
    with_thing(|api, thing| {
        assert_eq!(property(api, thing, "empty").kind, Kind::Never);
        assert_eq!(property(api, thing, "crossed").kind, Kind::Never);
    });
}

#[test]
fn pointers_lead_into_the_texts() {
    with_thing(|api, thing| {
        assert_eq!(&*thing.pointer, "/$defs/Thing");
        let pair: &Arc<str> = &property(api, thing, "pair").pointer;
        assert_eq!(&**pair, "/$defs/Thing/properties/pair");
        let one = Arc::ptr_eq(&api.schemas.request, &api.schemas.response);
        assert!(one, "without directions both views are the same text");
    });
}

#[test]
fn names_that_are_held_to_no_schema_may_be_any() {
    let reading = read_schemas(
        "3.1.0",
        "{Root: {type: object, propertyNames: 5, additionalProperties: true}}",
    );
    let root = body_shape(&reading.api, "POST /x");
    assert_eq!(object(root).names, None);
    check_texts(&reading.api);
}

#[test]
fn options_that_fit_nothing_are_left_out() {
    let reading = read_schemas(
        "3.1.0",
        "{Root: {type: object, properties: {a: {type: string}}, oneOf: [{type: object, required: [a]}, {type: string}, {properties: {a: {maxLength: 3}}}]}}",
    );
    let api = &reading.api;
    let Kind::Choice(choice) = &body_shape(api, "POST /x").kind else {
        panic!("a choice");
    };
    assert_eq!(choice.options.len(), 2);
    check_texts(api);
}

#[test]
fn two_choices_at_once_are_combined() {
    let reading = read_schemas(
        "3.1.0",
        "{Root: {allOf: [{oneOf: [{required: [a]}, {required: [b]}]}, {anyOf: [{required: [c]}, {required: [d]}]}, {properties: {a: {type: string}, c: {type: string}}}]}}",
    );
    let api = &reading.api;
    let Kind::Choice(outer) = &body_shape(api, "POST /x").kind else {
        panic!("a choice");
    };
    let Kind::Choice(inner) = &api.shape(outer.options[1]).kind else {
        panic!("a choice in a choice");
    };
    let both = object(api.shape(inner.options[0]));
    let required: Vec<_> = both
        .properties
        .iter()
        .filter(|p| p.required)
        .map(|p| &*p.name)
        .collect();
    assert_eq!(required, ["c", "b"]);
    check_texts(api);
}

#[test]
fn what_a_part_says_of_other_properties_holds_for_all_parts() {
    let reading = read_schemas(
        "3.0.0",
        "{Root: {allOf: [{type: object, additionalProperties: {maxLength: 5}}, {type: object, properties: {a: {type: string, minLength: 2}}}]}}",
    );
    let api = &reading.api;
    let a = property(api, body_shape(api, "POST /x"), "a");
    assert!(matches!(&a.kind, Kind::String(s) if s.min_length == 2 && s.max_length == Some(5)));
    assert!(!accepts(api, a, &json!("too long")));
    check_texts(api);
}

#[test]
fn a_closed_part_leaves_out_what_other_parts_only_allow() {
    let reading = read_schemas(
        "3.0.0",
        "{Root: {allOf: [{type: object, additionalProperties: false, properties: {a: {type: string}}}, {type: object, properties: {b: {type: string}}}]}}",
    );
    let root = body_shape(&reading.api, "POST /x");
    assert!(object(root).property("a").is_some());
    assert!(object(root).property("b").is_none());
    assert_eq!(object(root).additional, Additional::Forbidden);
}
