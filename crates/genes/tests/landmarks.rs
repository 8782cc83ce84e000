//! Landmarks are valid, and hold what general means must find.

mod common;

use common::{Subject, subjects};
use fossick_genes::{Manner, Source, is_path_safe, landmarks};
use fossick_trace::Class;
use serde_json::{Value, json};

fn values(subject: &Subject, name: &str) -> Vec<Value> {
    landmarks(&subject.api, subject.shape, name)
        .into_iter()
        .map(|landmark| landmark.value)
        .collect()
}

#[test]
fn every_landmark_is_valid_and_comes_once() {
    for subject in subjects() {
        let all = values(&subject, subject.name);
        for (at, value) in all.iter().enumerate() {
            subject.assert_valid(value, "a landmark");
            assert!(
                !all[..at].contains(value),
                "{value} twice in {}",
                subject.name
            );
        }
    }
}

#[test]
fn landmarks_at_the_slots_of_a_value_keep_it_valid() {
    for subject in subjects() {
        subject.with_maker(1, Manner::Plausible, |maker| {
            let base = maker.sample("", subject.shape);
            for slot in maker.slots(subject.shape) {
                for landmark in landmarks(&subject.api, slot.shape, &slot.name)
                    .into_iter()
                    .take(40)
                {
                    let (value, source) = (landmark.value, landmark.source);
                    let placed = maker.with(
                        "",
                        subject.shape,
                        &base,
                        &slot.pointer,
                        value.clone(),
                        source,
                    );
                    let gene =
                        placed.unwrap_or_else(|| panic!("no {} in {}", slot.pointer, subject.name));
                    assert_eq!(gene.value().pointer(&slot.pointer), Some(&value));
                    // What spans several places is for the whole to judge.
                    if maker.is_valid(&gene, subject.shape) {
                        subject.assert_good(&gene, "a value with a landmark");
                    } else {
                        assert!(
                            is_entangled(subject.name),
                            "{} at {} in {}",
                            value,
                            slot.pointer,
                            subject.name
                        );
                    }
                }
            }
        });
    }
}

/// Schemas in which one place depends on another.
fn is_entangled(name: &str) -> bool {
    [
        "contains",
        "condition",
        "dependent",
        "base and options",
        "unique members",
        "unique booleans",
        "unique numbers",
        "one of objects",
        "all of",
    ]
    .contains(&name)
}

#[test]
fn a_small_domain_is_enumerated() {
    let limit = Subject::new(
        "limit",
        json!({"type": "integer", "minimum": 1, "maximum": 100}),
    );
    let all = values(&limit, "limit");
    assert_eq!(all.len(), 100);
    assert_eq!(all[..4], [json!(1), json!(2), json!(100), json!(99)]);
    assert!(all.contains(&json!(97)));
}

#[test]
fn a_name_is_tried_with_every_punctuation_mark_at_its_end() {
    for max in [1, 5, 6, 40] {
        let name = Subject::new(
            "name",
            json!({"type": "string", "minLength": 1, "maxLength": max}),
        );
        let all = values(&name, "name");
        for mark in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".chars() {
            let ends = |value: &Value| value.as_str().is_some_and(|text| text.ends_with(mark));
            assert!(all.iter().any(ends), "{mark} with at most {max}");
        }
        assert!(all.iter().any(|v| v.as_str().map(str::len) == Some(max)));
    }
}

#[test]
fn dates_are_tried_where_calendars_and_clocks_are_odd() {
    let holds = |schema: Value, name: &str, wanted: &[&str]| {
        let all = values(&Subject::new("x", schema), name);
        for text in wanted {
            assert!(all.contains(&json!(text)), "{text} for {name}");
        }
    };
    let leap = ["2024-02-29", "2000-02-29", "2023-02-28", "2024-12-31"];
    holds(json!({"type": "string", "format": "date"}), "x", &leap);
    holds(json!({"type": "string"}), "birth_date", &leap);
    let clocks = ["2024-10-27T02:30:00+02:00", "9999-12-31T23:59:59-12:00"];
    let moment = json!({"type": "string", "format": "date-time"});
    holds(moment, "x", &clocks);
    holds(json!({"type": "string"}), "updated_at", &clocks);
    let time = json!({"type": "string", "format": "time"});
    holds(time, "x", &["23:59:59.999999Z", "00:00:00+14:00"]);
}

#[test]
fn what_says_nothing_of_dates_is_not_tried_with_them() {
    let title = Subject::new("title", json!({"type": "string"}));
    assert!(!values(&title, "title").contains(&json!("2024-02-29")));
    let short = Subject::new("date", json!({"type": "string", "maxLength": 4}));
    assert!(!values(&short, "date").contains(&json!("2024-02-29")));
}

#[test]
fn a_pattern_admits_what_it_admits() {
    let mail = Subject::new(
        "email",
        json!({"type": "string", "maxLength": 60,
        "pattern": r"^[a-z0-9.]+@[a-z0-9]+\.[a-z]{2,4}$"}),
    );
    let all = values(&mail, "email");
    assert!(all.len() >= 5, "{all:?}");
    let free = Subject::new(
        "code",
        json!({"type": "string", "pattern": r"^[a-z]+[%!]?$"}),
    );
    let all = values(&free, "code");
    assert!(
        all.iter()
            .any(|v| v.as_str().is_some_and(|t| t.ends_with('%')))
    );
}

#[test]
fn classes_name_what_stands_there() {
    let class_of = |schema: Value, wanted: Value| {
        let subject = Subject::new("x", schema);
        landmarks(&subject.api, subject.shape, "x")
            .into_iter()
            .find(|landmark| landmark.value == wanted)
            .and_then(|landmark| landmark.class)
    };
    let range = || json!({"type": "integer", "minimum": -5, "maximum": 500});
    assert_eq!(class_of(range(), json!(-5)), Some(Class::Minimum));
    assert_eq!(class_of(range(), json!(500)), Some(Class::Maximum));
    assert_eq!(class_of(range(), json!(0)), Some(Class::Zero));
    assert_eq!(class_of(range(), json!(-1)), Some(Class::Negative));
    assert_eq!(
        class_of(json!({"enum": ["a", "b"]}), json!("b")),
        Some(Class::Member(1))
    );
    assert_eq!(
        class_of(json!({"type": "boolean"}), json!(true)),
        Some(Class::True)
    );
    assert_eq!(
        class_of(json!({"type": "string"}), json!("")),
        Some(Class::Empty)
    );
    assert_eq!(
        class_of(json!({"type": ["integer", "null"]}), Value::Null),
        Some(Class::Null)
    );
    let example = json!({"type": "integer", "examples": [77]});
    assert_eq!(class_of(example, json!(77)), Some(Class::Example));
}

#[test]
fn slots_are_the_scalar_places_breadth_first() {
    let subject = Subject::new(
        "order",
        json!({"type": "object", "required": ["name", "lines"], "properties": {
        "id": {"type": "integer", "readOnly": true},
        "lines": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["sku"], "properties": {
            "sku": {"type": "string"}, "note": {"type": "string"}}}},
        "name": {"type": "string"},
        "price": {"anyOf": [{"type": "number"}, {"type": "null"}]}}}),
    );
    subject.with_maker(1, Manner::Plausible, |maker| {
        let slots = maker.slots(subject.shape);
        let found: Vec<_> = slots
            .iter()
            .map(|s| (s.pointer.as_str(), s.required))
            .collect();
        let expected = [
            ("/name", true),
            ("/price", false),
            ("/lines/0/sku", true),
            ("/lines/0/note", false),
        ];
        assert_eq!(found, expected);
    });
}

#[test]
fn a_value_can_be_placed_where_nothing_is_yet() {
    let subject = Subject::new(
        "deep",
        json!({"type": "object", "properties": {
        "a": {"type": "object", "required": ["b"], "properties": {
            "b": {"type": "string"},
            "c": {"type": "array", "items": {"type": "object", "properties": {"d": {"type": "integer"}}}}}}}}),
    );
    subject.with_maker(1, Manner::Plausible, |maker| {
        let base = maker.sample("", subject.shape);
        assert_eq!(base.value(), json!({}));
        let placed = maker.with(
            "",
            subject.shape,
            &base,
            "/a/c/0/d",
            json!(42),
            Source::Boundary,
        );
        let gene = placed.expect("there is such a place");
        assert_eq!(gene.value()["a"]["c"][0]["d"], json!(42));
        subject.assert_good(&gene, "a placed value");
        let leaf = gene.leaves().into_iter().find(|l| l.pointer == "/a/c/0/d");
        assert_eq!(leaf.map(|l| l.source), Some(Source::Boundary));
        let nowhere = maker.with("", subject.shape, &base, "/a/b/x", json!(1), Source::Seen);
        assert!(nowhere.is_none());
    });
}

#[test]
fn paths_take_only_what_survives_them() {
    assert!(is_path_safe("a%") && !is_path_safe("a/b") && !is_path_safe(""));
}
