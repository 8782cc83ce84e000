//! Swagger 2.0: what its own words become.

use crate::support::{accepts, body_shape, check_texts, object, operation, property, read_file};
use fossick_contract::{
    Dialect, Encoding, KeyPlace, Kind, Location, SecurityScheme, StatusPattern, Style,
};
use serde_json::json;

#[test]
fn it_reads_without_a_remark() {
    let reading = read_file("forms-2.0", "openapi.yaml");
    assert_eq!(reading.diagnostics, []);
    assert_eq!(reading.api.dialect, Dialect::Swagger2);
    assert_eq!(reading.api.version, "1.2");
    assert_eq!(
        reading.api.servers,
        ["https://forms.example/v1", "http://forms.example/v1"]
    );
    check_texts(&reading.api);
}

#[test]
fn collection_formats_become_styles() {
    let api = read_file("forms-2.0", "openapi.yaml").api;
    let list = operation(&api, "GET /letters");
    let encoding = |location, name| match list.parameter(location, name).map(|p| &p.encoding) {
        Some(Encoding::Style { style, explode }) => (*style, *explode),
        other => panic!("a style, not {other:?}"),
    };
    for (name, expected) in [
        ("csv", (Style::Form, false)),
        ("ssv", (Style::SpaceDelimited, false)),
        ("tsv", (Style::TabDelimited, false)),
        ("pipes", (Style::PipeDelimited, false)),
        ("multi", (Style::Form, true)),
    ] {
        assert_eq!(encoding(Location::Query, name), expected, "{name}");
    }
    assert_eq!(encoding(Location::Header, "X-Ids"), (Style::Simple, false));
}

#[test]
fn exclusive_bounds_of_integers_are_moved() {
    let api = read_file("forms-2.0", "openapi.yaml").api;
    let page = operation(&api, "GET /letters").parameter(Location::Query, "page");
    let shape = api.shape(page.expect("from the path").shape);
    match &shape.kind {
        Kind::Integer(number) => assert_eq!(number.minimum, Some(1.0)),
        other => panic!("an integer, not {other:?}"),
    }
    assert_eq!(shape.default, Some(json!(1)));
    assert!(!accepts(&api, shape, &json!(0)));
    assert!(accepts(&api, shape, &json!(1)));
}

#[test]
fn forms_become_bodies() {
    let api = read_file("forms-2.0", "openapi.yaml").api;
    let media_types = |label: &str| -> Vec<String> {
        let body = operation(&api, label).body.as_ref().expect("a body");
        body.contents.iter().map(|c| c.media_type.clone()).collect()
    };
    assert_eq!(
        media_types("POST /letters/{id}/scan"),
        ["multipart/form-data"]
    );
    assert_eq!(
        media_types("PUT /stamps"),
        ["application/x-www-form-urlencoded"]
    );
    assert_eq!(
        media_types("POST /letters"),
        ["application/json", "application/xml"]
    );
    let scan = body_shape(&api, "POST /letters/{id}/scan");
    let image = object(scan).property("image").expect("a field");
    assert!(image.required);
    match &api.shape(image.shape).kind {
        Kind::String(string) => assert_eq!(string.format.as_deref(), Some("binary")),
        other => panic!("a string, not {other:?}"),
    }
    let stamps = operation(&api, "PUT /stamps")
        .body
        .as_ref()
        .expect("a body");
    let tags = &stamps.contents[0].parts["tags"];
    assert_eq!((tags.style, tags.explode), (Some(Style::Form), Some(true)));
}

#[test]
fn a_schema_with_a_discriminator_stands_for_those_that_extend_it() {
    let api = read_file("forms-2.0", "openapi.yaml").api;
    let letter = body_shape(&api, "POST /letters");
    assert_eq!(letter.name.as_deref(), Some("Letter"));
    let Kind::Choice(choice) = &letter.kind else {
        panic!("a choice, not {:?}", letter.kind);
    };
    let discriminator = choice.discriminator.as_ref().expect("has one");
    assert_eq!(&*discriminator.property, "kind");
    let values: Vec<&str> = discriminator.values.iter().map(|v| &**v).collect();
    assert_eq!(values, ["Postcard", "parcel"]);
    let postcard = api.shape(choice.options[0]);
    assert_eq!(postcard.name.as_deref(), Some("Postcard"));
    let names: Vec<&str> = object(postcard)
        .properties
        .iter()
        .map(|p| &*p.name)
        .collect();
    assert_eq!(names, ["kind", "id", "reply", "text"]);
    let required = object(postcard).properties.iter().filter(|p| p.required);
    assert_eq!(required.count(), 3);
    assert!(property(&api, postcard, "text").nullable);
    assert!(property(&api, postcard, "id").read_only);
    let reply = property(&api, postcard, "reply");
    assert_eq!(reply.description.as_deref(), Some("what came back"));
    assert_eq!(reply.name.as_deref(), Some("Letter"));
}

#[test]
fn what_is_read_only_need_not_be_sent() {
    let api = read_file("forms-2.0", "openapi.yaml").api;
    let letter = body_shape(&api, "POST /letters");
    let without_id = json!({"kind": "Postcard", "text": "x"});
    assert!(accepts(&api, letter, &without_id));
    assert!(!crate::support::answers(&api, letter, &without_id));
}

#[test]
fn responses_carry_what_is_produced() {
    let api = read_file("forms-2.0", "openapi.yaml").api;
    let list = operation(&api, "GET /letters");
    let ok = list.response(200).expect("declared");
    let media_types: Vec<_> = ok.contents.iter().map(|c| c.media_type.as_str()).collect();
    assert_eq!(media_types, ["application/json", "application/xml"]);
    assert_eq!(ok.contents[0].examples.len(), 1);
    assert_eq!(ok.contents[1].examples.len(), 0);
    assert_eq!(ok.headers[0].name, "X-Total");
    assert_eq!(
        list.response(418).map(|r| r.status),
        Some(StatusPattern::Default)
    );
    let stamp = operation(&api, "PUT /stamps")
        .response(200)
        .expect("declared");
    assert_eq!(stamp.contents[0].media_type, "image/png");
}

#[test]
fn security_is_the_operations_or_the_documents() {
    let api = read_file("forms-2.0", "openapi.yaml").api;
    let schemes = |label| -> Vec<Vec<String>> {
        let requirements = &operation(&api, label).security;
        requirements.iter().map(|r| r.schemes.clone()).collect()
    };
    assert_eq!(schemes("GET /letters"), [["key"]]);
    assert!(schemes("POST /letters").is_empty());
    assert_eq!(
        schemes("POST /letters/{id}/scan"),
        [vec!["key", "login"], vec!["oauth"]]
    );
    assert_eq!(
        api.security_schemes["key"],
        SecurityScheme::ApiKey {
            place: KeyPlace::Header,
            name: "X-Key".to_owned()
        }
    );
    assert_eq!(api.security_schemes["login"], SecurityScheme::Basic);
    assert_eq!(api.security_schemes["oauth"], SecurityScheme::OAuth2);
}
