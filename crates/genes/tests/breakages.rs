//! Breakages break one constraint, the one they name, at the place they name.

mod common;

use common::{Subject, subjects};
use fossick_genes::{Breakage, Manner, breakages, text_breakages};
use serde_json::{Value, json};

fn all(subject: &Subject) -> Vec<Breakage> {
    subject.with_maker(1, Manner::Plausible, |maker| {
        breakages(maker, subject.name, subject.shape)
    })
}

fn texts(schema: Value) -> Vec<Breakage> {
    let subject = Subject::new("x", schema);
    subject.with_maker(1, Manner::Plausible, |maker| {
        text_breakages(maker, "x", subject.shape)
    })
}

#[test]
fn every_breakage_is_invalid_by_the_constraint_it_names() {
    for subject in subjects() {
        for breakage in all(&subject) {
            let errors: Vec<_> = subject.judge.iter_errors(&breakage.value).collect();
            assert!(!errors.is_empty(), "{} accepts {breakage:?}", subject.name);
            for error in errors {
                let path = error.schema_path().to_string();
                let keyword = path
                    .rsplit('/')
                    .find(|p| p.parse::<usize>().is_err())
                    .unwrap_or("");
                // A constant is a set of one.
                let keyword = if keyword == "const" { "enum" } else { keyword };
                let wrapped = ["anyOf", "oneOf"].contains(&keyword);
                let at = error.instance_path().to_string();
                assert!(
                    wrapped || keyword == breakage.constraint,
                    "{}: {error} instead of {breakage:?}",
                    subject.name
                );
                assert!(
                    at == breakage.pointer || (wrapped && breakage.pointer.starts_with(&at)),
                    "{}: at {at} instead of {breakage:?}",
                    subject.name
                );
            }
            assert!(!breakage.detail.is_empty());
        }
    }
}

#[test]
fn every_constraint_of_a_plain_object_is_broken() {
    let subject = Subject::new(
        "all",
        json!({"type": "object", "required": ["name"], "additionalProperties": false, "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 8, "pattern": "^[a-z]+$"},
        "age": {"type": "integer", "minimum": 0, "maximum": 150, "multipleOf": 5},
        "ratio": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "kind": {"enum": ["a", "b"]},
        "born": {"type": "string", "format": "date"},
        "tags": {"type": "array", "minItems": 1, "maxItems": 3, "uniqueItems": true, "items": {"type": "string"}},
        "extra": {"type": "object", "minProperties": 1, "maxProperties": 2, "additionalProperties": {"type": "integer"}}}}),
    );
    let found = all(&subject);
    let has = |pointer: &str, constraint: &str| {
        found
            .iter()
            .any(|b| b.pointer == pointer && b.constraint == constraint)
    };
    for (pointer, constraints) in [
        ("", "type required additionalProperties"),
        ("/name", "type minLength maxLength pattern"),
        ("/age", "type minimum maximum multipleOf"),
        ("/ratio", "type exclusiveMinimum exclusiveMaximum"),
        ("/kind", "enum"),
        ("/born", "type format"),
        ("/tags", "type minItems maxItems uniqueItems"),
        ("/tags/0", "type"),
        ("/extra", "type minProperties maxProperties"),
    ] {
        for constraint in constraints.split(' ') {
            assert!(has(pointer, constraint), "{constraint} at {pointer:?}");
        }
    }
    let minimum = found
        .iter()
        .find(|b| b.pointer == "/age" && b.constraint == "minimum");
    assert_eq!(
        minimum.map(|b| b.detail.as_str()),
        Some("-5 is below the minimum 0")
    );
}

#[test]
fn most_schemas_can_be_broken() {
    let unbreakable = ["free", "null"];
    for subject in subjects().iter().filter(|s| !unbreakable.contains(&s.name)) {
        assert!(!all(subject).is_empty(), "{}", subject.name);
    }
}

#[test]
fn a_broken_string_is_not_broken_by_its_type_once_it_is_text() {
    assert_eq!(texts(json!({"type": "string"})), []);
    let found = texts(json!({"type": "string", "minLength": 2, "maxLength": 5}));
    let constraints: Vec<_> = found.iter().map(|b| b.constraint.as_str()).collect();
    assert_eq!(constraints, ["minLength", "maxLength", "maxLength"]);
    assert!(
        texts(json!({"type": "string", "minLength": 1})).is_empty(),
        "empty may mean absent"
    );
}

#[test]
fn a_broken_integer_is_no_number_or_a_fraction_or_out_of_bounds() {
    let found = texts(json!({"type": "integer", "minimum": 1, "maximum": 9}));
    let values: Vec<_> = found.iter().map(|b| b.value.clone()).collect();
    for wanted in [json!("abc"), json!(1.5), json!(0), json!(10)] {
        assert!(values.contains(&wanted), "{wanted} in {values:?}");
    }
    assert!(values.iter().all(|v| v.is_string() || v.is_number()));
}

#[test]
fn text_that_could_be_read_as_valid_is_left_out() {
    assert!(texts(json!({"type": ["string", "integer"]})).is_empty());
    let booleans = texts(json!({"type": "boolean"}));
    assert!(
        booleans
            .iter()
            .all(|b| b.value != json!("1") && b.value != json!(1))
    );
    assert!(!booleans.is_empty());
    let members = texts(json!({"enum": ["asc", "desc"]}));
    assert!(
        members
            .iter()
            .all(|b| b.constraint == "enum" && b.value.is_string())
    );
    assert!(!members.is_empty());
    for breakage in texts(json!({"anyOf": [{"type": "integer", "maximum": 5}, {"type": "null"}]})) {
        assert_ne!(breakage.value, json!("null"));
    }
}

#[test]
fn broken_text_is_legal_in_a_header() {
    for subject in subjects() {
        let found = subject.with_maker(1, Manner::Plausible, |maker| {
            text_breakages(maker, "x", subject.shape)
        });
        for breakage in found {
            let legal = |value: &Value| match value {
                Value::String(text) => {
                    !text.is_empty()
                        && text.trim() == text
                        && text.bytes().all(|b| (0x20..0x7f).contains(&b))
                }
                _ => true,
            };
            assert!(legal(&breakage.value), "{breakage:?}");
            assert!(!subject.judge.is_valid(&breakage.value));
        }
    }
}
