//! OpenAPI 3.0: choices, null, directions, links, styles.

use crate::support::{
    accepts, answers, body_shape, check_texts, object, operation, property, property_id, read_file,
};
use fossick_contract::{Additional, Encoding, Kind, Location, SecurityScheme, Style};
use serde_json::json;

#[test]
fn only_the_link_that_leads_nowhere_is_remarked() {
    let reading = read_file("pets-3.0", "openapi.yaml");
    let told: Vec<_> = reading.diagnostics.iter().map(|d| &d.message).collect();
    assert_eq!(told, ["the link `nowhere` leads to no operation; left out"]);
    assert_eq!(
        reading.diagnostics[0].pointer,
        "/paths/~1pets/post/responses/201/links/nowhere"
    );
    check_texts(&reading.api);
}

#[test]
fn server_variables_are_filled_in() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    assert_eq!(api.servers, ["https://eu.pets.example/v2", "/relative"]);
    let rename = operation(&api, "PATCH /pets/{id}");
    assert_eq!(rename.server.as_deref(), Some("https://write.pets.example"));
}

#[test]
fn operations_know_where_they_stand() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    let place = operation(&api, "GET /pets").place.clone().expect("known");
    assert_eq!(place.to_string(), "openapi.yaml:18:5");
}

#[test]
fn parameters_of_the_operation_override_those_of_its_path() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    let list = operation(&api, "GET /pets");
    let names: Vec<_> = list.parameters.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(
        names,
        ["trace", "limit", "filter", "ids", "near", "raw", "session"]
    );
    let limit = list.parameter(Location::Query, "limit").expect("declared");
    match &api.shape(limit.shape).kind {
        Kind::Integer(number) => assert_eq!(number.maximum, Some(100.0)),
        other => panic!("an integer, not {other:?}"),
    }
    assert_eq!(limit.examples, [json!(10)]);
    assert_eq!(api.shape(limit.shape).examples, [json!(20)]);
}

#[test]
fn parameters_have_their_styles() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    let list = operation(&api, "GET /pets");
    let encoding = |location, name| {
        list.parameter(location, name)
            .expect("there")
            .encoding
            .clone()
    };
    let style = |style, explode| Encoding::Style { style, explode };
    assert_eq!(encoding(Location::Query, "limit"), style(Style::Form, true));
    assert_eq!(
        encoding(Location::Query, "filter"),
        style(Style::DeepObject, true)
    );
    assert_eq!(
        encoding(Location::Query, "ids"),
        style(Style::PipeDelimited, false)
    );
    assert_eq!(
        encoding(Location::Header, "trace"),
        style(Style::Simple, false)
    );
    assert_eq!(
        encoding(Location::Cookie, "session"),
        style(Style::Form, true)
    );
    assert_eq!(
        encoding(Location::Query, "near"),
        Encoding::Content("application/json".to_owned())
    );
    let raw = list.parameter(Location::Query, "raw").expect("there");
    assert!(raw.allow_reserved);
    assert_eq!(raw.examples, [json!("a/b"), json!("c?d")]);
    let show = operation(&api, "GET /pets/{id}");
    let id = show.parameter(Location::Path, "id").expect("there");
    assert_eq!(id.encoding, style(Style::Label, true));
    assert!(id.required && show.deprecated);
}

#[test]
fn discriminators_name_their_options() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    let pet = body_shape(&api, "POST /pets");
    let Kind::Choice(choice) = &pet.kind else {
        panic!("a choice, not {:?}", pet.kind);
    };
    let values: Vec<&str> = choice
        .discriminator
        .as_ref()
        .expect("has one")
        .values
        .iter()
        .map(|v| &**v)
        .collect();
    assert_eq!(values, ["cat", "dog", "Fish"]);
    let names: Vec<_> = choice
        .options
        .iter()
        .map(|id| api.shape(*id).name.as_deref())
        .collect();
    assert_eq!(names, [Some("Cat"), Some("Dog"), Some("Fish")]);
    assert!(!pet.needs_check);
}

#[test]
fn a_component_is_one_shape() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    let post = operation(&api, "POST /pets");
    let sent = post.body.as_ref().expect("a body").contents[0].shape;
    let answered = post.response(201).expect("declared").contents[0].shape;
    assert_eq!(sent, answered);
    let named = api
        .shapes
        .iter()
        .filter(|(_, s)| s.name.as_deref() == Some("Pet"));
    assert_eq!(named.count(), 1);
}

#[test]
fn all_of_is_merged_into_one_object() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    let Kind::Choice(choice) = &body_shape(&api, "POST /pets").kind else {
        panic!("a choice");
    };
    let cat = api.shape(choice.options[0]);
    match &property(&api, cat, "name").kind {
        Kind::String(name) => {
            assert_eq!((name.min_length, name.max_length), (1, Some(40)));
            assert_eq!(name.patterns.len(), 1);
        }
        other => panic!("a string, not {other:?}"),
    }
    assert!(accepts(&api, property(&api, cat, "name"), &json!("Tom")));
    assert!(!accepts(&api, property(&api, cat, "name"), &json!("tom")));
    assert!(
        object(cat)
            .property("lives")
            .is_some_and(|lives| lives.required)
    );
    let dog = api.shape(choice.options[1]);
    let tricks = object(property(&api, dog, "tricks"));
    assert!(matches!(tricks.additional, Additional::Shaped(_)));
}

#[test]
fn null_is_allowed_where_the_document_says_so() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    let Kind::Choice(choice) = &body_shape(&api, "POST /pets").kind else {
        panic!("a choice");
    };
    let fish = api.shape(choice.options[2]);
    let owner = property(&api, fish, "owner");
    assert!(owner.nullable);
    assert_eq!(owner.name.as_deref(), Some("Owner"));
    assert!(accepts(&api, owner, &json!(null)));
    assert!(accepts(&api, owner, &json!({"email": "a@b.example"})));
    assert!(!accepts(&api, owner, &json!({})));
    for name in ["mood", "water"] {
        let shape = property(&api, fish, name);
        assert!(shape.nullable, "{name}");
        assert!(accepts(&api, shape, &json!(null)), "{name}");
        assert!(!accepts(&api, shape, &json!("other")), "{name}");
        assert!(matches!(&shape.kind, Kind::Enum(values) if values.len() == 2));
    }
}

#[test]
fn directions_change_what_is_required_and_nothing_else() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    let Kind::Choice(choice) = &body_shape(&api, "POST /pets").kind else {
        panic!("a choice");
    };
    let cat = api.shape(choice.options[0]);
    let sent = json!({"kind": "cat", "name": "Tom", "secret": "s", "lives": 9});
    let answered = json!({"kind": "cat", "name": "Tom", "id": 1, "lives": 9});
    assert!(accepts(&api, cat, &sent) && !accepts(&api, cat, &answered));
    assert!(answers(&api, cat, &answered) && !answers(&api, cat, &sent));
    assert!(property(&api, cat, "id").read_only);
    assert!(property(&api, cat, "secret").write_only);
}

#[test]
fn what_stands_beside_a_choice_holds_for_every_option() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    let change = body_shape(&api, "PATCH /pets/{id}");
    let Kind::Choice(choice) = &change.kind else {
        panic!("a choice, not {:?}", change.kind);
    };
    for (option, required) in choice.options.iter().zip(["name", "color"]) {
        let option = api.shape(*option);
        assert_eq!(object(option).min_properties, 1);
        assert!(object(option).property("name").is_some());
        assert!(
            object(option)
                .property(required)
                .is_some_and(|p| p.required)
        );
    }
    let first = api.shape(choice.options[0]);
    let xml = property(&api, first, "name")
        .xml
        .as_ref()
        .expect("has hints");
    assert!(xml.attribute && xml.name.as_deref() == Some("n"));
    assert_eq!(
        property_id(first, "name"),
        property_id(api.shape(choice.options[1]), "name")
    );
}

#[test]
fn links_lead_to_operations() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    let created = operation(&api, "POST /pets")
        .response(201)
        .expect("declared");
    let [show, rename] = created.links.as_slice() else {
        panic!("two links, not {:?}", created.links);
    };
    assert_eq!(api.operation(show.target).label, "GET /pets/{id}");
    assert_eq!(
        show.parameters,
        [("id".to_owned(), "$response.body#/id".to_owned())]
    );
    assert_eq!(api.operation(rename.target).label, "PATCH /pets/{id}");
    assert_eq!(rename.body.as_deref(), Some("$request.body"));
}

#[test]
fn bodies_responses_and_headers_are_read_through_references() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    let post = operation(&api, "POST /pets");
    let body = post.body.as_ref().expect("a body");
    assert!(body.required);
    assert_eq!(body.contents[0].examples.len(), 1);
    let problem = post.response(500).expect("the default");
    assert_eq!(problem.contents[0].media_type, "application/problem+json");
    let list = operation(&api, "GET /pets");
    let headers = &list.response(200).expect("declared").headers;
    assert_eq!(headers.len(), 1);
    assert!(headers[0].required && headers[0].name == "X-Next");
    assert_eq!(
        list.response(404).map(|r| r.status.to_string()).as_deref(),
        Some("4XX")
    );
    let parts = &operation(&api, "PATCH /pets/{id}")
        .body
        .as_ref()
        .expect("a body")
        .contents[1]
        .parts;
    assert_eq!(parts["photo"].content_type.as_deref(), Some("image/png"));
    assert_eq!(parts["meta"].explode, Some(false));
}

#[test]
fn an_empty_alternative_means_that_anybody_may_call() {
    let api = read_file("pets-3.0", "openapi.yaml").api;
    let list = operation(&api, "GET /pets");
    assert_eq!(list.security.len(), 2);
    assert!(!list.needs_credentials());
    assert!(operation(&api, "POST /pets").security.is_empty());
    assert_eq!(api.security_schemes["bearer"], SecurityScheme::Bearer);
    assert_eq!(
        api.security_schemes["digest"],
        SecurityScheme::Http("Digest".to_owned())
    );
    assert_eq!(
        api.security_schemes["tls"],
        SecurityScheme::Other("mutualTLS".to_owned())
    );
}
