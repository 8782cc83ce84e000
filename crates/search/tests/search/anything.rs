//! Whatever a service answers, the search goes on, and what it sends can be written down.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::play::{World, free, play};

/// Words that refusals are made of, in any disorder.
fn any_words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("required".to_owned()),
        Just("'name'".to_owned()),
        Just("must be one of".to_owned()),
        Just("[a, b".to_owned()),
        Just("(c|d)".to_owned()),
        Just("greater than or equal to 99999999999999999999".to_owned()),
        Just("at least -".to_owned()),
        Just("valid uuid".to_owned()),
        Just("\"".to_owned()),
        "\\PC{0,6}",
    ];
    prop::collection::vec(word, 0..6).prop_map(|words| words.join(" "))
}

fn any_refusal() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => any_words().prop_map(Value::from),
        1 => any::<f64>().prop_map(|n| json!(n)),
        1 => Just(Value::Null),
    ];
    let key = prop_oneof![
        Just("loc".to_owned()),
        Just("path".to_owned()),
        Just("detail".to_owned()),
        Just("errors".to_owned()),
        Just("id".to_owned()),
        Just("name".to_owned()),
        "\\PC{0,5}",
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn whatever_is_answered_is_learned_from(
        replies in prop::collection::vec((any::<u16>(), any_refusal()), 1..12),
        seed in any::<u64>(),
    ) {
        let world = World::workshop();
        let mut search = world.search(free(seed));
        let mut next = replies.iter().cycle();
        let rounds = play(&mut search, 60, |_| {
            let (status, body) = next.next().expect("it never ends");
            let status = match status % 4 {
                0 => 200,
                1 => 400,
                2 => 422,
                _ => *status,
            };
            (status, body.clone())
        });
        prop_assert_eq!(rounds.len(), 60);
    }
}
