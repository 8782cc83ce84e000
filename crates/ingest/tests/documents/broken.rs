//! What people get wrong: mended, told with line and column, and never the end.

use std::fmt::Write as _;

use crate::support::{
    accepts, body_shape, check_texts, folder, object, operation, property, read_file,
};
use fossick_contract::{Kind, Level, Location};
use fossick_ingest::Reading;
use serde_json::json;

fn told(reading: &Reading) -> String {
    let mut told = String::new();
    for diagnostic in &reading.diagnostics {
        let level = match diagnostic.level {
            Level::Warning => "warning",
            Level::Error => "error",
        };
        let place = diagnostic.place.as_ref().expect("every remark has a place");
        let message = &diagnostic.message;
        writeln!(
            told,
            "{place}: {level}: {message}\n    {}",
            diagnostic.pointer
        )
        .expect("a string");
    }
    told
}

#[test]
fn every_mistake_is_told_where_it_stands() {
    let told = told(&read_file("broken", "openapi.yaml"));
    let golden = folder("broken").join("expected-diagnostics.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&golden, &told).expect("testdata can be written");
    }
    let expected = std::fs::read_to_string(&golden).expect("testdata is there");
    assert_eq!(told, expected);
}

#[test]
fn what_is_mended_works() {
    let api = read_file("broken", "openapi.yaml").api;
    check_texts(&api);
    let mended = body_shape(&api, "POST /body");
    assert!(
        object(mended)
            .property("name")
            .is_some_and(|name| name.required)
    );
    let kind = |name| &property(&api, mended, name).kind;
    assert!(
        matches!(kind("size"), Kind::Integer(n) if n.minimum == Some(1.0) && n.maximum.is_none())
    );
    assert!(matches!(kind("long"), Kind::Integer(n) if n.format.as_deref() == Some("int64")));
    assert!(matches!(kind("when"), Kind::String(s) if s.format.as_deref() == Some("date-time")));
    assert_eq!(*kind("any"), Kind::Any);
    assert_eq!(*kind("flag"), Kind::Boolean);
    assert_eq!(*kind("odd"), Kind::Any);
    assert_eq!(*kind("one"), Kind::Enum(vec![json!("just-this")]));
    assert_eq!(
        *kind("numbers"),
        Kind::Enum(vec![json!("1"), json!("2"), json!("yes")])
    );
    assert!(matches!(kind("pattern"), Kind::String(s) if s.patterns.is_empty()));
    assert!(matches!(kind("slashes"), Kind::String(s) if &*s.patterns[0] == "^a+$"));
    for name in ["loop", "gone", "text"] {
        assert_eq!(*kind(name), Kind::Any, "{name}");
    }
    let Kind::Array(levels) = kind("levels") else {
        panic!("an array");
    };
    let level = api.shape(levels.items.expect("has items"));
    assert_eq!(level.kind, Kind::Enum(vec![json!("low"), json!("high")]));
    let levels = property(&api, mended, "levels");
    assert!(accepts(&api, levels, &json!(["low"])));
    assert!(!accepts(&api, levels, &json!(["middling"])));
    assert!(property(&api, mended, "closed").needs_check);
}

#[test]
fn parameters_are_mended() {
    let api = read_file("broken", "openapi.yaml").api;
    let get = operation(&api, "GET /no-slash");
    let names: Vec<_> = get.parameters.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e", "f"]);
    assert!(get.parameters.iter().all(|p| p.location == Location::Query));
    let twice = operation(&api, "GET /twice/{id}");
    assert!(
        twice
            .parameter(Location::Path, "id")
            .is_some_and(|id| id.required)
    );
    assert_eq!(operation(&api, "PUT /body").body, None);
    let patch = operation(&api, "PATCH /body")
        .body
        .as_ref()
        .expect("a body");
    assert_eq!(patch.contents.len(), 1);
}

#[test]
fn only_what_can_not_be_understood_is_unusable() {
    let api = read_file("broken", "openapi.yaml").api;
    let unusable: Vec<_> = api.unusable.iter().map(|u| u.operation.as_str()).collect();
    assert_eq!(
        unusable,
        ["POST /unusable", "PUT /unusable", "GET /unusable"]
    );
    assert!(api.unusable.iter().all(|u| u.place.is_some()));
    assert_eq!(api.operations.len(), 5);
}
