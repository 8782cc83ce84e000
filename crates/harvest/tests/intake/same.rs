//! What is kept, sent again, is kept as it was.

use fossick_harvest::{Call, Content, Seen};
use proptest::prelude::*;
use serde_json::{Value, json as value};

use super::{json, open, sent};

pub(crate) fn made_again(call: &Call) -> Seen {
    match call {
        Call::GraphQl(call) => json(
            &call.path,
            &value!({"query": call.query, "operationName": call.operation_name, "variables": call.variables}),
        ),
        Call::Rest(call) => {
            let (media_type, body) = match &call.content {
                Content::None => (String::new(), String::new()),
                Content::Json { media_type, value } => (media_type.clone(), value.to_string()),
                Content::Form { fields } => (
                    "application/x-www-form-urlencoded".to_owned(),
                    written(fields),
                ),
                Content::Text { media_type, text } => (media_type.clone(), text.clone()),
                Content::Opaque { .. } => panic!("can't be made again"),
            };
            let target = format!("{}?{}", call.path, written(&call.query));
            let mut seen = sent(&call.method, &target, &media_type, &body);
            seen.headers.extend(call.headers.clone());
            seen
        }
    }
}

fn written(pairs: &[(String, String)]) -> String {
    let encoded = |text: &str| {
        percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
    };
    let pair = |(name, value): &(String, String)| format!("{}={}", encoded(name), encoded(value));
    pairs.iter().map(pair).collect::<Vec<_>>().join("&")
}

pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z\\PC]{1,6}", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn settings() -> ProptestConfig {
    ProptestConfig {
        cases: 150,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn kept_as_it_was(seen: &Seen) -> Result<(), TestCaseError> {
    let first = open().take(seen);
    for sighting in &first.sightings {
        if matches!(&sighting.call, Call::Rest(call) if matches!(call.content, Content::Opaque { .. }))
        {
            continue;
        }
        let again = open().take(&made_again(&sighting.call));
        prop_assert_eq!(again.sightings.len(), 1, "{:?}", again.skipped);
        prop_assert_eq!(&again.sightings[0].call, &sighting.call);
        prop_assert_eq!(again.sightings[0].key, sighting.key);
    }
    Ok(())
}

#[test]
fn a_form_without_fields_is_no_body() {
    let form = sent("POST", "/form", "application/x-www-form-urlencoded", "&");
    kept_as_it_was(&form).expect("it is kept");
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn a_request_with_json_is_kept_as_it_was(body in any_json(), query in "\\PC{0,20}", path in "[a-z0-9/%.;=-]{0,20}") {
        kept_as_it_was(&json(&format!("/{path}?{query}"), &body))?;
    }

    #[test]
    fn a_form_is_kept_as_it_was(body in "[a-c=&%+\\PC]{0,30}") {
        kept_as_it_was(&sent("POST", "/form", "application/x-www-form-urlencoded", &body))?;
    }

    #[test]
    fn a_text_is_kept_as_it_was(body in "\\PC{0,40}", media_type in "(text/plain|application/xml|)") {
        kept_as_it_was(&sent("PUT", "/text", &media_type, &body))?;
    }

    #[test]
    fn an_operation_is_kept_as_it_was(variable in any_json(), text in "\\PC{0,12}") {
        let literal = Value::from(text).to_string();
        let query = format!("query Q($a: X = 3, $b: [Y!]) {{ f(a: $a, t: {literal}, e: [RED, -1.5]) {{ ...F }} }} fragment F on T {{ id, x: y(b: $b) }}");
        kept_as_it_was(&json("/graphql", &value!({"query": query, "variables": {"b": variable, "a": 1, "c": 2}})))?;
    }
}
