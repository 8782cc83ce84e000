//! Schemas and patterns that nobody wrote: random ones, hostile ones, contradictory ones.

mod common;

use common::Subject;
use fossick_genes::{Manner, Rng, breakages, landmarks, text_breakages};
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

/// A random schema that has values.
fn schema(rng: &mut Rng, depth: usize) -> Value {
    let top = if depth == 0 { 7 } else { 11 };
    match rng.random_range(0..top) {
        0 => integer(rng),
        1 => number(rng),
        2 | 3 => text(rng),
        4 => json!({"type": "boolean"}),
        5 => json!({"enum": [rng.random_range(0..9), "x", null, "é"]}),
        6 => json!({"type": ["integer", "null"], "minimum": rng.random_range(-9..9)}),
        7 => array(rng, depth),
        8 => map(rng, depth),
        9 => json!({"anyOf": [schema(rng, depth - 1), schema(rng, depth - 1)]}),
        _ => object(rng, depth),
    }
}

fn integer(rng: &mut Rng) -> Value {
    let low: i64 = rng.random_range(-1000..1000);
    let mut schema = json!({"type": "integer", "minimum": low});
    if rng.random_bool(0.5) {
        schema["maximum"] = json!(low + rng.random_range(20..5000));
    }
    if rng.random_bool(0.3) {
        schema["multipleOf"] = json!(rng.random_range(1..10));
    }
    schema
}

fn number(rng: &mut Rng) -> Value {
    let low = f64::from(rng.random_range(-1000..1000)) / 8.0;
    let mut schema = json!({"type": "number", "exclusiveMinimum": low});
    match rng.random_range(0..4) {
        0 | 1 => schema["maximum"] = json!(low + 0.5 + rng.random_range(0.0..100.0)),
        2 => schema["multipleOf"] = json!([0.01, 0.25, 3.0, 0.3][rng.random_range(0..4)]),
        _ => {}
    }
    schema
}

const FORMATS: [&str; 7] = [
    "date",
    "date-time",
    "email",
    "uuid",
    "ipv4",
    "uri",
    "duration",
];

fn text(rng: &mut Rng) -> Value {
    let min = rng.random_range(0..6);
    match rng.random_range(0..4) {
        0 => {
            json!({"type": "string", "minLength": min, "maxLength": min + rng.random_range(0..20)})
        }
        1 => json!({"type": "string", "pattern": pattern(rng, 2)}),
        2 => json!({"type": "string", "format": FORMATS[rng.random_range(0..FORMATS.len())]}),
        _ => {
            json!({"type": "string", "pattern": "^[a-z0-9]+$", "minLength": min, "maxLength": min + 3})
        }
    }
}

fn array(rng: &mut Rng, depth: usize) -> Value {
    let min = rng.random_range(0..3);
    json!({"type": "array", "items": schema(rng, depth - 1), "minItems": min,
        "maxItems": min + rng.random_range(0..4)})
}

fn map(rng: &mut Rng, depth: usize) -> Value {
    json!({"type": "object", "additionalProperties": schema(rng, depth - 1),
        "minProperties": rng.random_range(0..3)})
}

fn object(rng: &mut Rng, depth: usize) -> Value {
    let names = ["id", "name", "email", "count", "a/b", "url", "é~"];
    let mut schema = json!({"type": "object", "properties": {}, "required": []});
    for name in names.into_iter().take(rng.random_range(1..7)) {
        schema["properties"][name] = self::schema(rng, depth - 1);
        if rng.random_bool(0.4) {
            schema["required"]
                .as_array_mut()
                .expect("a list")
                .push(json!(name));
        }
    }
    if rng.random_bool(0.4) {
        schema["additionalProperties"] = json!(false);
    }
    schema
}

/// A random pattern, anchored so that every part of it counts.
fn pattern(rng: &mut Rng, depth: usize) -> String {
    format!("^{}$", piece(rng, depth))
}

fn piece(rng: &mut Rng, depth: usize) -> String {
    const ATOMS: [&str; 16] = [
        "a", "[a-z]", r"\d", r"\w", "[^x]", ".", r"\.", "é", "[0-9a-f]", r"\s", r"\S", "[A-Z_-]",
        r"\u0041", "[[]", r"[\w.]", r"\/",
    ];
    let atom = |rng: &mut Rng| ATOMS[rng.random_range(0..ATOMS.len())].to_owned();
    if depth == 0 {
        return atom(rng);
    }
    match rng.random_range(0..6) {
        0 => format!("({}|{})", piece(rng, depth - 1), piece(rng, depth - 1)),
        1 => format!("(?:{})*", piece(rng, depth - 1)),
        2 => format!("({}){{1,3}}", piece(rng, depth - 1)),
        3 => format!("({})?", piece(rng, depth - 1)),
        4 => format!("{}+", atom(rng)),
        _ => format!("{}{}", piece(rng, depth - 1), piece(rng, depth - 1)),
    }
}

#[test]
fn values_of_random_schemas_are_valid() {
    let mut rng = Rng::seed_from_u64(11);
    for round in 0..250 {
        let subject = Subject::new("random", schema(&mut rng, 3));
        for manner in [Manner::Plausible, Manner::Full, Manner::Varied] {
            subject.with_maker(round, manner, |maker| {
                for _ in 0..4 {
                    let mut gene = maker.sample("name", subject.shape);
                    subject.assert_good(&gene, "a sample");
                    for _ in 0..6 {
                        maker.mutate(&mut gene, "name", subject.shape);
                        subject.assert_good(&gene, "a mutant");
                    }
                    for simpler in maker.simpler(&gene, "name", subject.shape).iter().take(5) {
                        subject.assert_good(simpler, "a simpler value");
                    }
                }
                for breakage in breakages(maker, "name", subject.shape) {
                    assert!(!subject.judge.is_valid(&breakage.value), "{breakage:?}");
                }
            });
        }
    }
}

#[test]
fn strings_of_random_patterns_match() {
    let mut rng = Rng::seed_from_u64(12);
    for round in 0..400 {
        let schema = json!({"type": "string", "pattern": pattern(&mut rng, 3)});
        let subject = Subject::new("pattern", schema);
        subject.with_maker(round, Manner::Varied, |maker| {
            for _ in 0..10 {
                let gene = maker.sample("x", subject.shape);
                subject.assert_good(&gene, "a sample");
            }
        });
        for landmark in landmarks(&subject.api, subject.shape, "x") {
            subject.assert_valid(&landmark.value, "a landmark");
        }
    }
}

/// Schemas that have no values, or ask for more than anybody has.
fn hostile() -> Vec<Value> {
    let wide = |next: &str| {
        json!({"type": "object", "required": ["a", "b", "c"], "properties": {
        "a": {"$ref": next}, "b": {"$ref": next}, "c": {"$ref": next}}})
    };
    let mut laughs = json!({"$ref": "#SCHEMA/$defs/0", "$defs": {}});
    for level in 0..30 {
        laughs["$defs"][level.to_string()] = wide(&format!("#SCHEMA/$defs/{}", level + 1));
    }
    laughs["$defs"]["30"] = json!({"type": "string"});
    vec![
        laughs,
        json!(false),
        json!({"type": "integer", "minimum": 5, "maximum": 1}),
        json!({"type": "integer", "multipleOf": 1e30, "minimum": 1}),
        json!({"type": "number", "minimum": 1e308, "multipleOf": 1e-300}),
        json!({"type": "string", "minLength": 9, "maxLength": 2}),
        json!({"type": "string", "minLength": 1_000_000_000_000_i64}),
        json!({"type": "array", "minItems": 1_000_000_000_000_i64, "items": {"type": "integer"}}),
        json!({"type": "array", "minItems": 5, "uniqueItems": true, "items": {"type": "boolean"}}),
        json!({"type": "object", "minProperties": 1_000_000_000_000_i64}),
        json!({"type": "object", "minProperties": 3, "additionalProperties": false, "properties": {"a": {}}}),
        json!({"type": "object", "required": ["self"], "properties": {"self": {"$ref": "#SCHEMA/$defs/Self"}},
            "$defs": {"Self": {"type": "object", "required": ["self"], "properties": {"self": {"$ref": "#SCHEMA/$defs/Self"}}}}}),
        json!({"$ref": "#SCHEMA/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#SCHEMA/$defs/A"}, {"$ref": "#SCHEMA/$defs/A"}]}}}),
        json!({"$ref": "#SCHEMA/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#SCHEMA/$defs/A"}, {"type": "integer"}]}}}),
        json!({"type": "string", "pattern": "^(a+)+$", "not": {"pattern": "a"}}),
        json!({"type": "string", "pattern": "("}),
        json!({"type": "string", "pattern": r"^(.)\1$"}),
        json!({"type": "string", "pattern": "^a$", "format": "date"}),
        json!({"type": "string", "pattern": "x{0,100000}y{0,100000}"}),
        json!({"enum": []}),
        json!({"oneOf": [{}, {}]}),
        json!({"not": {}}),
        json!({"type": "object", "patternProperties": {"(": {"type": "string"}}, "additionalProperties": false, "minProperties": 1}),
    ]
}

/// The schema with references to its own definitions, as they are found in the whole document.
fn located(schema: &Value) -> Value {
    let place = "#/paths/~1things/post/requestBody/content/application~1json/schema";
    let text = schema.to_string().replace("#SCHEMA", place);
    serde_json::from_str(&text).expect("still JSON")
}

#[test]
fn hostile_schemas_neither_crash_nor_hang() {
    for schema in hostile() {
        let Some(subject) = Subject::try_new("hostile", located(&schema)) else {
            continue;
        };
        for manner in [Manner::Plausible, Manner::Full, Manner::Varied] {
            subject.with_maker(1, manner, |maker| {
                let mut gene = maker.sample("x", subject.shape);
                assert!(gene.size() < 50_000, "{schema}");
                maker.mutate(&mut gene, "x", subject.shape);
                if gene.size() < 100 {
                    maker.simpler(&gene, "x", subject.shape);
                }
                for slot in maker.slots(subject.shape) {
                    landmarks(&subject.api, slot.shape, &slot.name);
                    maker.with(
                        "x",
                        subject.shape,
                        &gene,
                        &slot.pointer,
                        json!(1),
                        fossick_genes::Source::Seen,
                    );
                }
                breakages(maker, "x", subject.shape);
                text_breakages(maker, "x", subject.shape);
                maker.with(
                    "x",
                    subject.shape,
                    &gene,
                    "/a/0/b/c",
                    json!(1),
                    fossick_genes::Source::Seen,
                );
            });
        }
    }
}
