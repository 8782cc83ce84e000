//! How a service is asked for its schema, and how it says no.
//!
//! Servers refuse a whole query for one field that they do not know, so there are several, from
//! what the newest can tell down to what every server since 2016 understands. Sending them is
//! somebody else's work.

use serde_json::Value;

/// Introspection queries, the newest first: where one is refused, the next may be understood.
pub fn introspection_queries() -> &'static [&'static str] {
    &[NEWEST, OLDER, OLDEST]
}

/// Types are wrapped at most nine times; four would do for nearly everybody.
macro_rules! type_ref {
    () => {
        " fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name \
         ofType { kind name ofType { kind name ofType { kind name ofType { kind name \
         ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }"
    };
}

/// The draft of today: one-of inputs, deprecated arguments, links to what a scalar is.
const NEWEST: &str = concat!(
    "query IntrospectionQuery { __schema { description ",
    "queryType { name } mutationType { name } subscriptionType { name } ",
    "types { ...FullType } ",
    "directives { name description isRepeatable locations ",
    "args(includeDeprecated: true) { ...InputValue } } } } ",
    "fragment FullType on __Type { kind name description specifiedByURL isOneOf ",
    "fields(includeDeprecated: true) { name description ",
    "args(includeDeprecated: true) { ...InputValue } ",
    "type { ...TypeRef } isDeprecated deprecationReason } ",
    "inputFields(includeDeprecated: true) { ...InputValue } ",
    "interfaces { ...TypeRef } ",
    "enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } ",
    "possibleTypes { ...TypeRef } } ",
    "fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue ",
    "isDeprecated deprecationReason }",
    type_ref!()
);

/// The specification of 2018.
const OLDER: &str = concat!(
    "query IntrospectionQuery { __schema { ",
    "queryType { name } mutationType { name } subscriptionType { name } ",
    "types { ...FullType } ",
    "directives { name description locations args { ...InputValue } } } } ",
    "fragment FullType on __Type { kind name description ",
    "fields(includeDeprecated: true) { name description args { ...InputValue } ",
    "type { ...TypeRef } isDeprecated deprecationReason } ",
    "inputFields { ...InputValue } ",
    "interfaces { ...TypeRef } ",
    "enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } ",
    "possibleTypes { ...TypeRef } } ",
    "fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }",
    type_ref!()
);

/// What servers of 2016 know: neither subscriptions nor the locations of directives.
const OLDEST: &str = concat!(
    "query IntrospectionQuery { __schema { ",
    "queryType { name } mutationType { name } ",
    "types { ...FullType } } } ",
    "fragment FullType on __Type { kind name description ",
    "fields { name description args { ...InputValue } type { ...TypeRef } isDeprecated } ",
    "inputFields { ...InputValue } ",
    "interfaces { ...TypeRef } ",
    "enumValues { name description isDeprecated } ",
    "possibleTypes { ...TypeRef } } ",
    "fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }",
    type_ref!()
);

/// If an answer to an introspection query is a refusal: a sentence with the service's own words.
///
/// Other errors (a field that the server does not know, a missing login) are not refusals: an
/// older query or a header may still help.
pub fn introspection_refusal(body: &str) -> Option<String> {
    refusal(&serde_json::from_str(body).ok()?)
}

pub(super) fn refusal(answer: &Value) -> Option<String> {
    let schema = answer.pointer("/data/__schema");
    if schema.is_some_and(|schema| !schema.is_null()) {
        return None;
    }
    let errors = answer.get("errors").and_then(Value::as_array);
    let refused = errors.and_then(|errors| errors.iter().find_map(refused));
    let advice = "switch it on for this run, or give the schema as a file (SDL, or introspection \
                  that was saved before)";
    match (refused, schema) {
        (Some(words), _) => Some(format!(
            "the service refuses introspection: \"{words}\"; {advice}"
        )),
        (None, Some(_)) => {
            let words = errors.and_then(|errors| errors.iter().find_map(message));
            let told = words.map_or_else(String::new, |words| format!(": \"{words}\""));
            Some(format!(
                "the service answers introspection with nothing{told}; {advice}"
            ))
        }
        (None, None) => None,
    }
}

/// The message of an error that says no to introspection as such.
fn refused(error: &Value) -> Option<String> {
    let words = message(error)?;
    let code = error.pointer("/extensions/code").and_then(Value::as_str);
    let about = words.to_lowercase().contains("introspect")
        // Not `__Schema`: that is what old servers say of single fields they do not know.
        || words.contains("__schema")
        || code.is_some_and(|code| code.to_ascii_lowercase().contains("introspection"));
    about.then_some(words)
}

fn message(error: &Value) -> Option<String> {
    const LONGEST: usize = 300;
    let text = error.get("message").and_then(Value::as_str)?;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => words.get(..end).map(|start| format!("{start}…")),
        None => Some(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use apollo_compiler::{ExecutableDocument, Schema};
    use serde_json::json;

    fn valid() -> apollo_compiler::validation::Valid<Schema> {
        Schema::parse_and_validate("type Query { a: Int }", "x").expect("valid")
    }

    #[test]
    fn queries_go_from_new_to_old_and_are_valid() {
        let queries = introspection_queries();
        assert_eq!(queries.len(), 3);
        for word in ["specifiedByURL", "isOneOf", "isRepeatable", "args(include"] {
            assert!(
                queries[0].contains(word) && !queries[1].contains(word),
                "{word}"
            );
        }
        for old in &queries[1..] {
            ExecutableDocument::parse_and_validate(&valid(), *old, "q").expect("valid");
        }
        assert!(!queries[2].contains("subscriptionType") && !queries[2].contains("locations"));
    }

    #[test]
    fn the_newest_asks_only_one_thing_beyond_the_specification_of_2021() {
        let without = introspection_queries()[0].replace(" isOneOf", "");
        ExecutableDocument::parse_and_validate(&valid(), without, "q").expect("valid");
    }

    #[test]
    fn types_are_asked_for_nine_wrappings_deep() {
        for query in introspection_queries() {
            assert_eq!(query.matches("ofType").count(), 9);
            assert_eq!(query.matches('{').count(), query.matches('}').count());
        }
    }

    #[test]
    fn refusals_are_told_in_the_services_words() {
        for (message, data) in [
            (
                "GraphQL introspection is not allowed by the server",
                json!(null),
            ),
            (
                "Cannot query field \"__schema\" on type \"Query\".",
                json!(null),
            ),
            (
                "field '__schema' not found in type: 'query_root'",
                json!({"__schema": null}),
            ),
        ] {
            let body = json!({"errors": [{"message": message}], "data": data}).to_string();
            let told = introspection_refusal(&body).expect("a refusal");
            assert!(told.contains(message), "{told}");
        }
        let coded = json!({"errors": [{"message": "No.",
            "extensions": {"code": "INTROSPECTION_DISABLED"}}]});
        assert!(introspection_refusal(&coded.to_string()).is_some());
        let empty = introspection_refusal("{\"data\": {\"__schema\": null}}");
        assert!(empty.is_some_and(|told| told.contains("nothing")));
    }

    #[test]
    fn other_answers_are_no_refusals() {
        for body in [
            json!({"data": {"__schema": {"types": []}}, "errors": [{"message": "introspection"}]}),
            json!({"errors": [{"message": "Cannot query field \"description\" on type \"__Schema\"."}]}),
            json!({"errors": [{"message": "Unauthorized"}], "data": null}),
            json!([1]),
        ] {
            assert_eq!(introspection_refusal(&body.to_string()), None, "{body}");
        }
        assert_eq!(introspection_refusal("<html>"), None);
    }
}
