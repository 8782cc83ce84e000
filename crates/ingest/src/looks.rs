//! What a text is, if it is not the OpenAPI document that was hoped for.
//!
//! People point at the page that shows the documentation, at a Postman collection, at a recording.
//! Each gets told what was found and what to do. Decides the dialect; reads no further. GraphQL
//! schemas are recognised before anybody comes here.

use fossick_contract::{Dialect, Place};
use serde_json::Value;

use crate::{ReadError, Source};

/// The dialect a document names, and what to note about that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) dialect: Dialect,
    /// A version newer than what is known, read as the newest that is.
    pub(crate) newer: bool,
}

pub(crate) fn dialect(source: &Source, root: &Value) -> Result<Named, ReadError> {
    let named = |key: &str| root.get(key).and_then(version_text);
    match (named("openapi"), named("swagger")) {
        (Some(version), _) => of_openapi(&version).ok_or((version, "openapi")),
        (None, Some(version)) => of_swagger(&version).ok_or((version, "swagger")),
        (None, None) => return Err(not_openapi(source, root)),
    }
    .map_err(|(version, key)| ReadError::Version {
        name: source.name.clone(),
        version,
        place: place_of_key(source, key),
    })
}

fn version_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().trim_start_matches(['v', 'V']).to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn of_openapi(version: &str) -> Option<Named> {
    let known = |dialect, newer| Some(Named { dialect, newer });
    match *version.split('.').take(2).collect::<Vec<_>>() {
        ["3" | "3-0", "0"] | ["3"] => known(Dialect::OpenApi30, false),
        ["3", "1"] => known(Dialect::OpenApi31, false),
        ["3", minor] if minor.parse::<u32>().is_ok() => known(Dialect::OpenApi31, true),
        ["2" | "2.0", ..] => known(Dialect::Swagger2, false),
        _ => None,
    }
}

fn of_swagger(version: &str) -> Option<Named> {
    let known = |dialect| {
        Some(Named {
            dialect,
            newer: false,
        })
    };
    match version.split('.').next() {
        Some("2") => known(Dialect::Swagger2),
        // Seen in the wild: the old key with the new version.
        Some("3") => of_openapi(version),
        _ => None,
    }
}

/// The first line that begins with a key, for documents that are not read any further.
fn place_of_key(source: &Source, key: &str) -> Option<Place> {
    let (at, line) = source.text.lines().enumerate().find(|(_, line)| {
        line.trim_start_matches(['{', ' ', '\t', '"', '\''])
            .starts_with(key)
    })?;
    Some(Place {
        file: source.name.clone(),
        line: at + 1,
        column: line.find(key).map_or(1, |byte| {
            line.get(..byte)
                .map_or(1, |before| before.chars().count() + 1)
        }),
    })
}

/// A text that is not even JSON or YAML may still be recognised.
pub(crate) fn explain(source: &Source, error: ReadError) -> ReadError {
    match looks_of_text(&source.text) {
        Some(looks) if matches!(error, ReadError::Unreadable { .. }) => refused(source, looks),
        _ => error,
    }
}

#[derive(Clone, Copy)]
struct Looks {
    like: &'static str,
    advice: &'static str,
}

fn refused(source: &Source, looks: Looks) -> ReadError {
    ReadError::NotOpenApi {
        name: source.name.clone(),
        looks_like: looks.like.to_owned(),
        advice: looks.advice.to_owned(),
        place: None,
    }
}

fn looks_of_text(text: &str) -> Option<Looks> {
    let head: String = text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .chars()
        .take(400)
        .collect();
    let head = head.to_ascii_lowercase();
    let looks = |like, advice| Some(Looks { like, advice });
    if head.starts_with("<!doctype html") || head.starts_with("<html") {
        return looks(
            "an HTML page",
            "give the document behind the page, often at /openapi.json, /swagger.json or /v3/api-docs",
        );
    }
    if head.starts_with('<') {
        return looks("XML", "give an OpenAPI document in JSON or YAML");
    }
    if head.starts_with("#%raml") {
        return looks("RAML", "convert it to OpenAPI first");
    }
    None
}

fn not_openapi(source: &Source, root: &Value) -> ReadError {
    let looks = looks_of_text(&source.text).unwrap_or_else(|| looks_of_tree(root));
    refused(source, looks)
}

/// Kinds of documents by what must be in them, what they are, and what to do; the first counts.
const KINDS: &[(&[&str], &str, &str)] = &[
    (
        &["/asyncapi"],
        "an AsyncAPI document",
        "only request and response APIs can be tested",
    ),
    (
        &["/info", "/item"],
        "a Postman collection",
        "export the API as OpenAPI instead",
    ),
    (
        &["/log/entries"],
        "a HAR recording",
        "give the OpenAPI document of the recorded service",
    ),
    (
        &["/swaggerVersion"],
        "a Swagger 1.x listing",
        "convert it to OpenAPI 3 first",
    ),
    (
        &["/kind", "/rootUrl", "/resources"],
        "a Google discovery document",
        "convert it to OpenAPI first",
    ),
    (
        &["/paths"],
        "one without its version",
        "add `openapi: 3.0.3` (or `swagger: \"2.0\"`) at the top",
    ),
    (
        &["/$schema"],
        "a JSON Schema",
        "give the OpenAPI document that uses it",
    ),
    (
        &[],
        "some other JSON or YAML: it has neither an \"openapi\" nor a \"swagger\" key",
        "check the path or URL",
    ),
];

fn looks_of_tree(root: &Value) -> Looks {
    let fits = |wanted: &[&str]| wanted.iter().all(|pointer| root.pointer(pointer).is_some());
    let kind = KINDS.iter().find(|(wanted, ..)| fits(wanted));
    match kind.filter(|_| root.is_object()) {
        Some((_, like, advice)) => Looks { like, advice },
        None => Looks {
            like: "a list or a single value",
            advice: "an OpenAPI document is an object with an \"openapi\" or \"swagger\" key",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn source(text: &str) -> Source {
        Source {
            name: "x".to_owned(),
            text: text.to_owned(),
        }
    }

    fn found(root: &Value) -> Result<Named, ReadError> {
        dialect(&source(&root.to_string()), root)
    }

    #[test]
    fn versions_are_read_as_text_or_number() {
        let dialect_of = |root: Value| found(&root).map(|named| named.dialect);
        assert_eq!(dialect_of(json!({"swagger": 2.0})), Ok(Dialect::Swagger2));
        assert_eq!(dialect_of(json!({"swagger": "2"})), Ok(Dialect::Swagger2));
        assert_eq!(
            dialect_of(json!({"openapi": "3.0.1"})),
            Ok(Dialect::OpenApi30)
        );
        assert_eq!(dialect_of(json!({"openapi": 3.1})), Ok(Dialect::OpenApi31));
        assert!(found(&json!({"openapi": "3.2.0"})).expect("read").newer);
    }

    #[test]
    fn unknown_versions_are_refused_with_their_place() {
        let error = dialect(
            &source("a: 1\nopenapi: 4.0.0\n"),
            &json!({"openapi": "4.0.0"}),
        )
        .expect_err("refused");
        assert_eq!(error.place().map(|p| (p.line, p.column)), Some((2, 1)));
        assert!(error.to_string().contains("4.0.0"));
    }

    #[test]
    fn other_things_are_recognised() {
        for (tree, word) in [
            (json!({"asyncapi": "2.0"}), "AsyncAPI"),
            (json!({"info": {"_postman_id": "1"}, "item": []}), "Postman"),
            (json!({"log": {"entries": []}}), "HAR"),
            (json!({"paths": {}}), "without its version"),
            (json!([1, 2]), "a list"),
            (json!({"a": 1}), "neither"),
        ] {
            let error = found(&tree).expect_err("refused").to_string();
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn a_page_is_told_as_a_page() {
        let error = crate::read(&source("<!DOCTYPE html>\n<html><a: b"), &mut crate::NoFetch)
            .expect_err("refused");
        assert!(error.to_string().contains("an HTML page"), "{error}");
    }
}
