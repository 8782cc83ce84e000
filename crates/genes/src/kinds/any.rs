//! Values where a document allows anything: a little of every kind.

use serde_json::{Value, json};

use crate::Rng;
use crate::dice;
use crate::gene::Gene;
use crate::names;
use crate::source::Source;

/// A small value of some kind.
pub(crate) fn sample(hint: names::Hint, plain: bool, rng: &mut Rng) -> Gene {
    if plain {
        return Gene::scalar(&Value::String(names::text(hint, rng)), Source::Named);
    }
    match dice::below(rng, 10) {
        0..4 => Gene::scalar(&Value::String(names::text(hint, rng)), Source::Named),
        4..6 => Gene::scalar(&json!(dice::between(rng, 0, 100)), Source::Random),
        _ => {
            let all = candidates();
            let at = dice::index(rng, all.len());
            all.into_iter()
                .nth(at)
                .map_or(Gene::Null(Source::Random), |value| {
                    Gene::literal(value, Source::Random)
                })
        }
    }
}

/// Small values of every kind, for trying what is not understood.
pub(crate) fn candidates() -> Vec<Value> {
    vec![
        json!({}),
        json!("a"),
        json!(1),
        json!(true),
        json!([]),
        json!(null),
        json!(0.5),
        json!(""),
        json!(0),
        json!(-1),
        json!(false),
        json!({"a": 1}),
        json!(["a"]),
        json!([1]),
        json!([{}]),
        json!({"a": {"b": []}}),
    ]
}
