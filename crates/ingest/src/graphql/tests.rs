//! What the tests of this folder share, and tests of the whole lowering.

use fossick_contract::{Api, RootField};

use crate::{NoFetch, Reading, Source, read};

pub(super) fn reading_of(text: &str) -> Reading {
    let source = Source {
        name: "schema.graphql".to_owned(),
        text: text.to_owned(),
    };
    read(&source, &mut NoFetch).expect("it can be read")
}

pub(super) fn api_of(text: &str) -> Api {
    reading_of(text).api
}

pub(super) fn root<'a>(api: &'a Api, label: &str) -> &'a RootField {
    let index = api
        .find(label)
        .unwrap_or_else(|| panic!("{label} is there"));
    let root = api.operation(index).graphql.as_ref();
    root.expect("a GraphQL operation")
}

mod lowering {
    use std::sync::Arc;

    use fossick_contract::{
        Api, ChoiceMode, Dialect, JsonKind, Kind, Level, Method, Property, Scalar, Shape, TypeKind,
    };
    use fossick_validate::{Direction, Validators};
    use serde_json::{Value, json};

    use super::{api_of, reading_of, root};
    use crate::{NoFetch, ReadError, ScalarRule, Scalars, Source, read, read_sdl, read_with};

    fn arguments<'a>(api: &'a Api, label: &str) -> &'a [Property] {
        let operation = api.operation(api.find(label).expect("it is there"));
        let body = operation.body.as_ref().expect("it takes arguments");
        match &api.shape(body.contents[0].shape.expect("a shape")).kind {
            Kind::Object(object) => &object.properties,
            other => panic!("an object, not {other:?}"),
        }
    }

    fn argument<'a>(api: &'a Api, label: &str, name: &str) -> &'a Shape {
        let found = arguments(api, label).iter().find(|p| &*p.name == name);
        api.shape(found.expect("it is there").shape)
    }

    /// Whether the arguments of `query q` may be these.
    fn takes(api: &Api, value: &Value) -> bool {
        let operation = api.operation(api.find("query q").expect("it is there"));
        let shape = operation
            .body
            .as_ref()
            .and_then(|body| body.contents[0].shape);
        Validators::new(api).is_valid(Direction::Request, shape.expect("a shape"), value)
    }

    #[test]
    fn operations_look_as_everybody_expects() {
        let api = api_of(
            "\"\"\"\nBooks and more.\nSecond line.\n\"\"\" schema { query: Q mutation: M }
             type Q { \"A book.\" book(id: ID!): Book @deprecated books: [Book] }
             type M { addBook(title: String! = \"x\"): Book } type Book { id: ID! }",
        );
        assert_eq!(
            (api.title.as_str(), api.dialect),
            ("Books and more.", Dialect::GraphQl)
        );
        let labels: Vec<_> = api.operations.iter().map(|o| o.label.as_str()).collect();
        assert_eq!(labels, ["query book", "query books", "mutation addBook"]);
        let book = &api.operations[0];
        assert_eq!((book.method, book.path.text.as_str()), (Method::Post, ""));
        assert_eq!((book.summary.as_str(), book.deprecated), ("A book.", true));
        assert!(book.parameters.is_empty() && book.responses.is_empty());
        let body = book.body.as_ref().expect("a body");
        assert!(body.required);
        assert_eq!(body.contents[0].media_type, "application/json");
        assert_eq!(api.operations[1].body, None);
        assert!(book.place.is_some());
        let field = api.root_field(root(&api, "mutation addBook"));
        assert_eq!((&*field.name, field.needs_arguments()), ("addBook", false));
        assert_eq!(&*field.arguments[0].type_text, "String!");
        assert!(Arc::ptr_eq(&api.schemas.request, &api.schemas.response));
    }

    #[test]
    fn types_know_what_they_may_be() {
        let api = api_of(
            "type Query { n: Node s: [S!]! c: Color d: DateTime x: Missing }
             interface Node { id: ID! } interface Named implements Node { id: ID! name: String }
             type Book implements Named { id: ID! name: String } type Pen implements Node { id: ID! }
             union S = Book | Pen enum Color { RED } scalar DateTime",
        );
        let possible = |name: &str| {
            let found = api.types.possible(api.types.find(name).expect("declared"));
            let names = found.iter().map(|id| &*api.types.get(*id).name);
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(possible("Node"), "Book Pen");
        assert_eq!(possible("Named"), "Book");
        assert_eq!(possible("Book"), "Book");
        assert_eq!(possible("S"), "Book Pen");
        let kind = |name: &str| &api.types.get(api.types.find(name).expect("there")).kind;
        assert_eq!(*kind("Color"), TypeKind::Enum(vec!["RED".into()]));
        let custom = |json, format: Option<&str>| {
            TypeKind::Scalar(Scalar::Custom {
                json,
                format: format.map(Arc::from),
            })
        };
        assert_eq!(*kind("DateTime"), custom(JsonKind::Text, Some("date-time")));
        assert_eq!(*kind("Missing"), custom(JsonKind::Any, None));
        assert_eq!(*kind("ID"), TypeKind::Scalar(Scalar::Id));
        assert!(api.types.find("__Type").is_none());
        let query = api.types.query.expect("a query type");
        let list = api.types.field(query, "s").expect("there");
        assert_eq!(*list.returns.nullable, [false, false]);
    }

    #[test]
    fn each_type_text_has_one_shape_and_defaults_do_not_leak() {
        let api = api_of(
            "type Query { q(a: Int, b: Int, c: Int = 7, d: Int!, f: F, g: F!): Int
                          r(a: Int, c: Int = 8): Int }
             input F { self: F n: Int = 9 list: [F!]! }",
        );
        let shape = |label, name| {
            let found = arguments(&api, label).iter().find(|p| &*p.name == name);
            found.expect("there").shape
        };
        assert_eq!(shape("query q", "a"), shape("query q", "b"));
        assert_eq!(shape("query q", "a"), shape("query r", "a"));
        assert_ne!(shape("query q", "a"), shape("query q", "d"));
        assert_eq!(argument(&api, "query q", "a").default, None);
        assert_eq!(argument(&api, "query q", "c").default, Some(json!(7)));
        assert_eq!(argument(&api, "query r", "c").default, Some(json!(8)));
        let whole = argument(&api, "query q", "a");
        assert!(whole.nullable);
        assert!(matches!(&whole.kind, Kind::Integer(n)
            if n.minimum == Some(-2_147_483_648.0) && n.format.as_deref() == Some("int32")));
        let Kind::Object(object) = &argument(&api, "query q", "f").kind else {
            panic!("an object");
        };
        assert_eq!(
            object.property("self").map(|p| p.shape),
            Some(shape("query q", "f"))
        );
        let required: Vec<_> = object.properties.iter().map(|p| p.required).collect();
        assert_eq!(required, [false, false, true]);
    }

    #[test]
    fn defaults_that_go_in_circles_end() {
        let api = api_of(
            "type Query { q(a: A = {b: {}}): Int } input A { b: B = {a: {}} } input B { a: A = {} }",
        );
        assert!(api.shapes.len() < 10, "{}", api.shapes.len());
    }

    #[test]
    fn one_of_is_a_choice_of_objects_with_one_field() {
        let api = api_of(
            "type Query { q(by: By!): Int } input By @oneOf { id: ID name: String at: [Int!] }",
        );
        let Kind::Choice(choice) = &argument(&api, "query q", "by").kind else {
            panic!("a choice");
        };
        assert_eq!((choice.mode, choice.options.len()), (ChoiceMode::One, 3));
        let Kind::Object(object) = &api.shape(choice.options[1]).kind else {
            panic!("an object");
        };
        assert!(object.properties[0].required);
        assert!(!api.shape(object.properties[0].shape).nullable);
        assert!(takes(&api, &json!({"by": {"name": "x"}})));
        assert!(takes(&api, &json!({"by": {"at": 1}})));
        for wrong in [
            json!({}),
            json!({"id": 1, "name": "x"}),
            json!({"id": null}),
            json!(null),
        ] {
            assert!(!takes(&api, &json!({ "by": wrong })), "{wrong}");
        }
        let validators = Validators::new(&api);
        let option = |value| validators.is_valid(Direction::Request, choice.options[1], &value);
        assert!(option(json!({"name": "x"})) && !option(json!({"id": "x"})));
    }

    #[test]
    fn what_a_server_coerces_is_valid() {
        let api = api_of(
            "type Query { q(i: Int f: Float id: ID s: String b: Boolean c: Color l: [Int!]
                            ll: [[Color!]!] x: Odd d: Date n: BigInt o: In): Int }
             enum Color { RED BLUE } scalar Odd scalar Date scalar BigInt
             input In { c: Color! = RED l: [In!]! r: Int! }",
        );
        for fine in [
            json!({}),
            json!({"i": 3, "f": 3, "id": 3, "s": "x", "b": true, "c": "RED"}),
            json!({"i": null, "f": 1.5, "id": "x", "c": null, "l": null, "o": null}),
            json!({"l": 3, "ll": "RED", "x": {"any": [1]}, "d": "2020", "n": 7}),
            json!({"l": [3], "ll": [["RED"], "BLUE"], "n": "99999999999999999999"}),
            json!({"ll": [], "i": 2_147_483_647, "f": 1e300}),
            json!({"o": {"l": [], "r": 1}}),
            json!({"o": {"l": {"l": [], "r": 2}, "r": 1, "c": "BLUE"}}),
        ] {
            assert!(takes(&api, &fine), "{fine}");
        }
        for wrong in [
            json!({"zzz": 1}),
            json!({"i": 2_147_483_648_i64}),
            json!({"i": 1.5}),
            json!({"i": "3"}),
            json!({"f": "1"}),
            json!({"id": true}),
            json!({"id": 1.5}),
            json!({"s": 1}),
            json!({"b": "true"}),
            json!({"c": "GREEN"}),
            json!({"l": [null]}),
            json!({"l": ["x"]}),
            json!({"ll": [[null]]}),
            json!({"ll": [null]}),
            json!({"d": 7}),
            json!({"o": {"r": 1}}),
            json!({"o": {"l": [], "r": 1, "c": null}}),
            json!({"o": {"l": [], "r": 1, "zzz": 1}}),
            json!([]),
        ] {
            assert!(!takes(&api, &wrong), "{wrong}");
        }
    }

    #[test]
    fn null_is_no_list_that_must_be_there() {
        let api = api_of("type Query { q(l: [Int]!): Int }");
        assert!(takes(&api, &json!({"l": [null]})) && takes(&api, &json!({"l": 1})));
        assert!(!takes(&api, &json!({"l": null})) && !takes(&api, &json!({})));
    }

    #[test]
    fn every_shape_can_be_validated_on_its_own() {
        let api = api_of(
            "type Query { q(a: [[Int!]!]! b: In! c: [In] d: [[[[[[Int]]]]]]): Int }
             input In { a: E = A b: By } enum E { A } input By @oneOf { a: Int b: In }",
        );
        for (id, shape) in api.shapes.iter() {
            let schema = api.schemas.request.pointer(&shape.pointer);
            assert!(schema.is_some(), "{id:?} {}", shape.pointer);
        }
        let validators = Validators::new(&api);
        let refused = api
            .shapes
            .iter()
            .filter(|(id, _)| !validators.is_valid(Direction::Request, *id, &json!({"no": {}})));
        assert!(
            refused.count() > api.shapes.len() - 4,
            "a schema that compiles refuses that"
        );
    }

    #[test]
    fn subscriptions_are_counted_and_missing_types_told() {
        let reading = reading_of(
            "type Query { a(x: Nope): Int b: Gone } input I { y: Never }
             type Mutation { m(i: I): I } type Subscription { a: Int b: Int }",
        );
        let told: Vec<_> = reading
            .diagnostics
            .iter()
            .map(|d| d.message.as_str())
            .collect();
        let has = |word: &str| told.iter().any(|line| line.contains(word));
        for word in [
            "Query.a(x) takes a `Nope`",
            "Query.b gives a `Gone`",
            "2 subscriptions",
        ] {
            assert!(has(word), "{word}: {told:?}");
        }
        assert!(
            has("Mutation.m gives a `I`, which is an input type"),
            "{told:?}"
        );
        assert!(
            reading.diagnostics.iter().all(|d| d.place.is_some()),
            "{:?}",
            reading.diagnostics
        );
        assert_eq!(reading.api.operations.len(), 2);
    }

    #[test]
    fn what_nobody_can_call_is_set_aside() {
        let reading = reading_of("type Query { a(x: X!): Int b: Int } input X { x: X! }");
        assert_eq!(reading.api.unusable[0].operation, "query a");
        assert_eq!(reading.api.operations.len(), 1);
        assert!(reading.diagnostics.iter().any(|d| d.level == Level::Error));
    }

    #[test]
    fn the_users_scalars_count_in_and_out() {
        let rule = ScalarRule {
            json: JsonKind::Integer,
            format: None,
            examples: vec![json!(42)],
        };
        let scalars = Scalars::from([("Odd".to_owned(), rule)]);
        let source = Source {
            name: "x.graphql".to_owned(),
            text: "scalar Odd type Query { q(x: Odd): Odd }".to_owned(),
        };
        let api = read_with(&source, &mut NoFetch, &scalars)
            .expect("read")
            .api;
        let shape = argument(&api, "query q", "x");
        assert_eq!(shape.examples, [json!(42)]);
        assert_eq!(shape.name.as_deref(), Some("Odd"));
        assert!(takes(&api, &json!({"x": 1})) && !takes(&api, &json!({"x": "1"})));
    }

    #[test]
    fn nothing_to_call_is_an_error_with_advice() {
        let source = |text: &str| Source {
            name: "x.graphql".to_owned(),
            text: text.to_owned(),
        };
        for (text, word) in [
            ("type Book { a: Int }", "no query type"),
            ("type Query", "no fields"),
            ("{ a }", "schema document must not contain"),
            ("hello there", "syntax error"),
            ("", "give a schema"),
        ] {
            let error = read(&source(text), &mut NoFetch).expect_err("refused");
            assert!(
                matches!(error, ReadError::NothingToCall { .. }),
                "{error:?}"
            );
            assert!(error.to_string().contains(word), "{error}");
        }
        let error = read_sdl(&[]).expect_err("refused");
        assert!(error.to_string().contains("0 files"), "{error}");
    }

    #[test]
    fn a_refusal_is_told_in_the_services_words() {
        let source = Source {
            name: "http://localhost/graphql".to_owned(),
            text: json!({"errors": [{"message": "Introspection is off"}]}).to_string(),
        };
        let error = read(&source, &mut NoFetch).expect_err("refused");
        assert!(
            matches!(error, ReadError::IntrospectionRefused { .. }),
            "{error:?}"
        );
        assert!(
            error.to_string().contains("Introspection is off"),
            "{error}"
        );
    }

    #[test]
    fn introspection_with_a_stray_comma_is_read() {
        let text = "{\"__schema\": {\"queryType\": {\"name\": \"Query\"}, \"types\": [{\"kind\": \
            \"OBJECT\", \"name\": \"Query\", \"fields\": [{\"name\": \"a\", \"type\": {\"kind\": \
            \"SCALAR\", \"name\": \"Int\"}},]}]}}";
        let source = Source {
            name: "x.json".to_owned(),
            text: text.to_owned(),
        };
        let api = read(&source, &mut NoFetch).expect("read").api;
        assert_eq!(api.operations.len(), 1);
    }
}
