//! Parameters in every place and style.

use fossick_contract::Method;
use fossick_trace::{Intent, Role};
use serde_json::{Value, json};

use crate::desk::{api, call, fixed, read_text, step};

/// A call of `/things` or `/things/{p}` with one parameter `p`, written as told.
fn rendered(place: &str, told: &Value, value: &Value) -> fossick_trace::Call {
    let mut parameter = json!({"name": "p", "in": place, "required": place == "path"});
    for (key, inner) in told.as_object().expect("a map") {
        parameter[key] = inner.clone();
    }
    let path = if place == "path" {
        "/things/{p}"
    } else {
        "/things"
    };
    let operation = json!({"parameters": [parameter], "responses": {}});
    let api = api(&json!({path: {"get": operation}}));
    call(
        &api,
        step(&api, &format!("GET {path}"), &json!({"p": value})),
    )
}

fn target(place: &str, style: &str, explode: bool, value: &Value) -> String {
    let kind = match value {
        Value::Array(_) => "array",
        Value::Object(_) => "object",
        _ => "string",
    };
    let told = json!({"style": style, "explode": explode, "schema": {"type": kind}});
    fixed(&rendered(place, &told, value).target)
}

#[test]
fn paths_are_written_in_every_style() {
    let (one, list, map) = (json!("a b"), json!(["a", "b"]), json!({"x": 1, "y": 2}));
    for (style, explode, value, expected) in [
        ("simple", false, &one, "/things/a%20b"),
        ("simple", false, &list, "/things/a,b"),
        ("simple", false, &map, "/things/x,1,y,2"),
        ("simple", true, &map, "/things/x=1,y=2"),
        ("label", false, &one, "/things/.a%20b"),
        ("label", false, &list, "/things/.a,b"),
        ("label", true, &list, "/things/.a.b"),
        ("label", true, &map, "/things/.x=1.y=2"),
        ("matrix", false, &one, "/things/;p=a%20b"),
        ("matrix", false, &list, "/things/;p=a,b"),
        ("matrix", true, &list, "/things/;p=a;p=b"),
        ("matrix", true, &map, "/things/;x=1;y=2"),
    ] {
        let written = target("path", style, explode, value);
        assert_eq!(written, expected, "{style} {explode} {value}");
    }
}

#[test]
fn queries_are_written_in_every_style() {
    let (one, list, map) = (json!("a&b=c"), json!(["a", "b"]), json!({"x": 1, "y": 2}));
    for (style, explode, value, expected) in [
        ("form", true, &one, "/things?p=a%26b%3Dc"),
        ("form", true, &list, "/things?p=a&p=b"),
        ("form", false, &list, "/things?p=a,b"),
        ("form", true, &map, "/things?x=1&y=2"),
        ("form", false, &map, "/things?p=x,1,y,2"),
        ("spaceDelimited", false, &list, "/things?p=a%20b"),
        ("pipeDelimited", false, &list, "/things?p=a%7Cb"),
        ("deepObject", true, &map, "/things?p[x]=1&p[y]=2"),
    ] {
        let written = target("query", style, explode, value);
        assert_eq!(written, expected, "{style} {explode} {value}");
    }
}

#[test]
fn a_style_that_is_not_said_is_the_usual_one() {
    let list = json!(["a", "b"]);
    let told = json!({"schema": {"type": "array"}});
    assert_eq!(fixed(&rendered("path", &told, &list).target), "/things/a,b");
    assert_eq!(
        fixed(&rendered("query", &told, &list).target),
        "/things?p=a&p=b"
    );
}

#[test]
fn formats_of_older_documents_are_kept() {
    let written = |format: &str| {
        let api = read_text(
            &json!({"swagger": "2.0", "info": {"title": "", "version": ""}, "paths": {
                "/things": {"get": {"responses": {}, "parameters": [{
                    "name": "p", "in": "query", "type": "array",
                    "items": {"type": "string"}, "collectionFormat": format,
                }]}},
            }})
            .to_string(),
        );
        let one = step(&api, "GET /things", &json!({"p": ["a", "b"]}));
        fixed(&call(&api, one).target)
    };
    assert_eq!(written("csv"), "/things?p=a,b");
    assert_eq!(written("multi"), "/things?p=a&p=b");
    assert_eq!(written("pipes"), "/things?p=a%7Cb");
    assert_eq!(written("tsv"), "/things?p=a%09b");
}

#[test]
fn reserved_characters_stay_where_they_may() {
    let told = json!({"schema": {"type": "string"}, "allowReserved": true});
    let written = rendered("query", &told, &json!("a/b?c&d#e f"));
    assert_eq!(fixed(&written.target), "/things?p=a/b?c%26d%23e%20f");
}

#[test]
fn a_parameter_may_be_json_as_a_whole() {
    let told = json!({"content": {"application/json": {"schema": {"type": "object"}}}});
    let written = rendered("query", &told, &json!({"a": 1}));
    assert_eq!(fixed(&written.target), "/things?p=%7B%22a%22%3A1%7D");
}

#[test]
fn a_value_never_leaves_its_segment() {
    let written = |text: &str| target("path", "simple", false, &json!(text));
    assert_eq!(written("a/b"), "/things/a%2Fb");
    assert_eq!(written("?x#y"), "/things/%3Fx%23y");
    assert_eq!(written(".."), "/things/%2E%2E");
    assert_eq!(written("%2e"), "/things/%252e");
    assert_eq!(written("é\n"), "/things/%C3%A9%0A");
}

#[test]
fn headers_are_written_without_line_breaks() {
    let told = json!({"schema": {"type": "string"}});
    let written = rendered("header", &told, &json!("a\r\nX-Evil: é"));
    assert_eq!(written.headers.len(), 1);
    assert_eq!(written.headers[0].0, "p");
    assert_eq!(fixed(&written.headers[0].1), "a%0D%0AX-Evil: %C3%A9");
    let list = json!({"schema": {"type": "array"}});
    let written = rendered("header", &list, &json!([1, 2]));
    assert_eq!(fixed(&written.headers[0].1), "1,2");
}

#[test]
fn cookies_share_one_header() {
    let cookie = |name: &str| json!({"name": name, "in": "cookie", "schema": {"type": "string"}});
    let parameters = json!([cookie("a"), cookie("b"), cookie("c")]);
    let api = api(&json!({"/things": {"get": {"parameters": parameters, "responses": {}}}}));
    let values = json!({"a": "x; y", "b": 1});
    let written = call(&api, step(&api, "GET /things", &values));
    assert_eq!(written.headers.len(), 1);
    assert_eq!(written.headers[0].0, "cookie");
    assert_eq!(fixed(&written.headers[0].1), "a=x%3B%20y; b=1");
}

#[test]
fn what_is_left_out_is_not_written() {
    let query = |name: &str| json!({"name": name, "in": "query", "schema": {"type": "string"}});
    let parameters = json!([query("a"), query("b b"), query("c")]);
    let api = api(&json!({"/things": {"get": {"parameters": parameters, "responses": {}}}}));
    let written = |values: Value| {
        let call = call(&api, step(&api, "GET /things", &values));
        (fixed(&call.target), call.headers.len())
    };
    assert_eq!(written(json!({})), ("/things".to_owned(), 0));
    assert_eq!(written(json!({"b b": 1})).0, "/things?b%20b=1");
    assert_eq!(written(json!({"a": 1, "c": true})).0, "/things?a=1&c=true");
}

#[test]
fn several_holes_may_share_a_segment() {
    let hole = |name: &str| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}});
    let operation = json!({"parameters": [hole("ext"), hole("name")], "responses": {}});
    let api = api(&json!({"/a b/{name}.{ext}": {"get": operation}}));
    let values = json!({"name": "x", "ext": "tar.gz"});
    let written = call(&api, step(&api, "GET /a b/{name}.{ext}", &values));
    assert_eq!(fixed(&written.target), "/a%20b/x.tar.gz");
}

#[test]
fn a_step_says_what_its_call_is_there_for() {
    let api = api(&json!({"/things": {"get": {"responses": {}}}}));
    let mut one = step(&api, "GET /things", &json!({}));
    one.role = Role::Check;
    one.intent = Intent::Undeclared;
    one.method = Some(Method::Options);
    one.user = Some("ada".to_owned());
    let written = call(&api, one);
    assert_eq!(
        (written.role, written.method),
        (Role::Check, Method::Options)
    );
    assert_eq!(written.intent, Intent::Undeclared);
    assert_eq!(written.user.as_deref(), Some("ada"));
    assert_eq!(&*written.operation, "GET /things");
}
