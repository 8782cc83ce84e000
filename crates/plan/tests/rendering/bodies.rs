//! Bodies in the media types that services take.

use fossick_contract::Api;
use fossick_plan::best_content;
use fossick_trace::Payload;
use serde_json::{Value, json};

use crate::desk::{api, api_with, call, sent, step, with_body};

fn taking(contents: &Value) -> Api {
    let operation = json!({"requestBody": {"content": contents}, "responses": {}});
    api(&json!({"/things": {"post": operation}}))
}

fn written(api: &Api, content: usize, value: &Value) -> (String, String) {
    let step = step(api, "POST /things", &json!({}));
    sent(&call(api, with_body(step, content, value)))
}

fn one(media_type: &str, schema: &Value, value: &Value) -> (String, String) {
    let api = taking(&json!({media_type: {"schema": schema}}));
    written(&api, 0, value)
}

#[test]
fn json_is_written_as_it_is() {
    let object = json!({"type": "object"});
    let value = json!({"a": [1, 2.5, null], "é": "\u{1}"});
    let (media_type, text) = one("application/json", &object, &value);
    assert_eq!(media_type, "application/json");
    assert_eq!(serde_json::from_str::<Value>(&text).ok(), Some(value));
    let (media_type, _) = one("application/merge-patch+json", &object, &json!({}));
    assert_eq!(media_type, "application/merge-patch+json");
    let (media_type, text) = one("*/*", &object, &json!({}));
    assert_eq!(
        (media_type.as_str(), text.as_str()),
        ("application/json", "{}")
    );
}

#[test]
fn forms_are_written_pair_by_pair() {
    let media_type = "application/x-www-form-urlencoded";
    let schema = json!({"type": "object"});
    let value = json!({"a b": "c&d", "list": [1, "x y"], "flag": true, "none": null});
    let (told, text) = one(media_type, &schema, &value);
    assert_eq!(told, media_type);
    assert_eq!(text, "a%20b=c%26d&list=1&list=x%20y&flag=true&none=");
}

#[test]
fn a_form_may_join_its_lists() {
    let media_type = "application/x-www-form-urlencoded";
    let api = taking(&json!({media_type: {
        "schema": {"type": "object"},
        "encoding": {"list": {"explode": false}},
    }}));
    assert_eq!(written(&api, 0, &json!({"list": [1, 2]})).1, "list=1,2");
}

/// The parts of a multipart body: what stands above the empty line, and what below.
fn parts(media_type: &str, text: &str) -> Vec<(String, String)> {
    let boundary = media_type.split_once("boundary=").expect("a boundary").1;
    let body = text
        .strip_suffix(&format!("--{boundary}--\r\n"))
        .expect("it ends as it should");
    let part = |part: &str| {
        let (head, value) = part.split_once("\r\n\r\n").expect("an empty line");
        let value = value.strip_suffix("\r\n").expect("an end of line");
        (head.trim_start_matches("\r\n").to_owned(), value.to_owned())
    };
    body.split(&format!("--{boundary}"))
        .skip(1)
        .map(part)
        .collect()
}

#[test]
fn multipart_bodies_hold_files_lists_and_maps() {
    let schema = json!({"type": "object", "properties": {
        "name": {"type": "string"},
        "file": {"type": "string", "format": "binary"},
        "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
        "map": {"type": "object"},
        "icon": {"type": "string", "format": "binary"},
    }});
    let api = taking(&json!({"multipart/form-data": {
        "schema": schema, "encoding": {"icon": {"contentType": "image/png, image/gif"}},
    }}));
    let value = json!({"name": "x\r\ny", "file": "bytes", "files": ["1", "2"],
                       "map": {"a": 1}, "icon": "png"});
    let (media_type, text) = written(&api, 0, &value);
    let parts = parts(&media_type, &text);
    let told: Vec<(&str, &str)> = parts
        .iter()
        .map(|(head, value)| (head.as_str(), value.as_str()))
        .collect();
    let disposition = "Content-Disposition: form-data; name=";
    let file = "; filename=\"file.txt\"\r\nContent-Type:";
    assert_eq!(
        told,
        [
            (&*format!("{disposition}\"name\""), "x\r\ny"),
            (
                &*format!("{disposition}\"file\"{file} application/octet-stream"),
                "bytes"
            ),
            (
                &*format!("{disposition}\"files\"{file} application/octet-stream"),
                "1"
            ),
            (
                &*format!("{disposition}\"files\"{file} application/octet-stream"),
                "2"
            ),
            (
                &*format!("{disposition}\"map\"\r\nContent-Type: application/json"),
                "{\"a\":1}"
            ),
            (&*format!("{disposition}\"icon\"{file} image/png"), "png"),
        ]
    );
}

#[test]
fn a_part_can_not_smuggle_headers_through_its_name() {
    let schema = json!({"type": "object"});
    let value = json!({"a\"\r\nX-Evil: 1": "x"});
    let (media_type, text) = one("multipart/form-data", &schema, &value);
    let parts = parts(&media_type, &text);
    assert_eq!(parts.len(), 1);
    assert!(!parts[0].0.contains("\r\nX-Evil"), "{parts:?}");
}

#[test]
fn text_and_binary_bodies_are_the_value_itself() {
    let text = json!({"type": "string"});
    let (media_type, body) = one("text/plain", &text, &json!("a\nb"));
    assert_eq!((media_type.as_str(), body.as_str()), ("text/plain", "a\nb"));
    let binary = json!({"type": "string", "format": "binary"});
    let (media_type, body) = one("application/octet-stream", &binary, &json!("bytes"));
    assert_eq!(media_type, "application/octet-stream");
    assert_eq!(body, "bytes");
    assert_eq!(one("text/csv", &text, &json!(7)).1, "7");
    assert_eq!(one("image/*", &binary, &json!("png")).0, "image/png");
}

#[test]
fn xml_follows_the_hints_of_the_document() {
    let pet = json!({"type": "object", "properties": {
        "id": {"type": "integer", "xml": {"attribute": true}},
        "name": {"type": "string", "xml": {"name": "called"}},
        "tags": {"type": "array", "xml": {"wrapped": true},
                 "items": {"type": "string", "xml": {"name": "tag"}}},
    }});
    let content = json!({"application/xml": {"schema": {"$ref": "#/components/schemas/Pet"}}});
    let operation = json!({"requestBody": {"content": content}, "responses": {}});
    let api = api_with(
        &json!({"/things": {"post": operation}}),
        &json!({"Pet": pet}),
    );
    let value = json!({"id": 7, "name": "<&>", "tags": ["a", "b"]});
    let (media_type, text) = written(&api, 0, &value);
    assert_eq!(media_type, "application/xml");
    let inner = "<called>&lt;&amp;&gt;</called><tags><tag>a</tag><tag>b</tag></tags>";
    assert!(
        text.ends_with(&format!("<Pet id=\"7\">{inner}</Pet>")),
        "{text}"
    );
}

#[test]
fn the_content_that_is_likeliest_to_be_understood_comes_first() {
    let best = |contents: Value| {
        let api = taking(&contents);
        let body = api.operations[0].body.as_ref().expect("a body");
        body.contents[best_content(body)].media_type.clone()
    };
    let any = json!({});
    assert_eq!(
        best(json!({"application/xml": any, "multipart/form-data": any, "application/json": any})),
        "application/json"
    );
    assert_eq!(
        best(json!({"text/plain": any, "application/x-www-form-urlencoded": any})),
        "application/x-www-form-urlencoded"
    );
}

#[test]
fn a_step_without_a_body_sends_none() {
    let api = taking(&json!({"application/json": {}}));
    let bare = call(&api, step(&api, "POST /things", &json!({})));
    assert_eq!(bare.payload, Payload::None);
    let absent = with_body(step(&api, "POST /things", &json!({})), 9, &json!({}));
    assert_eq!(call(&api, absent).payload, Payload::None);
}
