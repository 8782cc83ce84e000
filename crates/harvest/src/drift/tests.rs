use fossick_ingest::{NoFetch, Source, read};
use serde_json::{Value, json};

use super::*;
use crate::{Content, RestCall, Statuses, Took};

const OLD: &str = "enum Sort { NAME AGE }
    input Filter { name: String colour: String tags: [String!] }
    type Guide { name: String! phone: String }
    type Room { id: ID! name: String! colour: String guide: Guide old: Int @deprecated(reason: \"Use floor.\") }
    type Hall { id: ID! name: String! seats: Int }
    union Place = Room | Hall
    type Query { rooms(filter: Filter, sort: Sort, first: Int): [Room!]! room(id: ID!): Room
        places: [Place!]! count: Int! }
    type Mutation { drop(id: ID!): Boolean! }";

fn api(text: &str) -> Api {
    let source = Source {
        name: "schema".to_owned(),
        text: text.to_owned(),
    };
    read(&source, &mut NoFetch).expect("it can be read").api
}

fn asked(query: &str, variables: &Value) -> Record {
    let document = fossick_query::read(query, None).expect("an operation");
    record(Call::GraphQl(GraphQlCall {
        path: "/graphql".to_owned(),
        root: document.kind,
        query: write_compact(&document),
        operation_name: document.name,
        variables: variables.as_object().cloned().unwrap_or_default(),
    }))
}

fn record(call: Call) -> Record {
    Record {
        key: call.key(),
        call,
        created_at: 1,
        updated_at: 2,
        times_called: 3,
        statuses: Statuses::default(),
        took: Took::default(),
        redactions: Vec::new(),
    }
}

/// The one drift of a call, with the new schema made from the old one by exchanging texts.
fn one(changes: &[(&str, &str)], query: &str, variables: &Value) -> Option<Drift> {
    let mut new = OLD.to_owned();
    for (before, after) in changes {
        assert!(new.contains(before), "{before}");
        new = new.replace(before, after);
    }
    let record = asked(query, variables);
    let old = api(OLD);
    assert_eq!(
        drift(&old, None, std::slice::from_ref(&record)),
        [],
        "it fits the old one"
    );
    let mut found = drift(&api(&new), Some(&old), std::slice::from_ref(&record));
    for drift in &found {
        if let Repair::Done { call, .. } = &drift.repair {
            let again = super::drift(&api(&new), None, &[self::record(call.clone())]);
            assert_eq!(again, [], "what is repaired fits");
        }
    }
    found.pop()
}

fn kinds(drift: &Drift) -> Vec<Kind> {
    drift.breaks.iter().map(|found| found.kind).collect()
}

fn repaired(drift: &Drift) -> (&str, Value, Vec<&str>) {
    match &drift.repair {
        Repair::Done {
            call: Call::GraphQl(call),
            changes,
        } => (
            &call.query,
            Value::Object(call.variables.clone()),
            changes.iter().map(String::as_str).collect(),
        ),
        other => panic!("{other:?}"),
    }
}

fn impossible(drift: &Drift) -> String {
    match &drift.repair {
        Repair::Impossible { why } => why.join("; "),
        Repair::Done { .. } => panic!("{drift:?}"),
    }
}

#[test]
fn what_still_fits_and_what_only_answers_feel_is_no_break() {
    let changes = [
        ("colour: String guide", "colour: String! guide"),
        ("rooms(filter: Filter,", "rooms(more: Int, filter: Filter,"),
    ];
    let drift = one(
        &changes,
        "query($f: Filter) { rooms(filter: $f) { colour } }",
        &json!({"f": {"name": "a"}}),
    );
    assert_eq!(drift, None);
}

#[test]
fn a_field_that_is_gone_is_left_out_with_what_was_only_for_it() {
    let query =
        "query R($id: ID!, $s: Boolean!) { count room(id: $id) { guide { phone @skip(if: $s) } } }";
    let drift = one(
        &[(" phone: String", "")],
        query,
        &json!({"id": "1", "s": false}),
    )
    .expect("it breaks");
    assert_eq!(kinds(&drift), [Kind::NoField]);
    assert_eq!(drift.breaks[0].place, "room.guide.phone");
    let (query, variables, changes) = repaired(&drift);
    assert_eq!(query, "query R{count}");
    assert_eq!(variables, json!({}));
    assert_eq!(changes.len(), 3, "{changes:?}");
}

#[test]
fn a_new_name_is_followed_where_only_one_fits_and_answers_keep_their_key() {
    let drift = one(
        &[("colour: String guide", "color: String guide")],
        "{ rooms { colour } }",
        &json!({}),
    )
    .expect("it breaks");
    assert_eq!(repaired(&drift).0, "{rooms{colour:color}}");
    let several = [(
        "colour: String guide",
        "colours: String colour2: String guide",
    )];
    let drift = one(&several, "{ rooms { id colour } }", &json!({})).expect("it breaks");
    assert_eq!(repaired(&drift).0, "{rooms{id}}");
    let typed = [("colour: String guide", "colours: [String] guide")];
    let drift = one(&typed, "{ rooms { id colour } }", &json!({})).expect("it breaks");
    assert_eq!(repaired(&drift).0, "{rooms{id}}");
}

#[test]
fn what_a_field_was_deprecated_for_is_followed() {
    let changes = [("old: Int @deprecated(reason: \"Use floor.\")", "floor: Int")];
    let drift = one(&changes, "{ rooms { old } }", &json!({})).expect("it breaks");
    assert_eq!(repaired(&drift).0, "{rooms{old:floor}}");
}

#[test]
fn arguments_are_dropped_followed_and_declared_anew() {
    let query = "query($n: Int, $id: ID!) { rooms(first: $n) { id } room(id: $id) { id } }";
    let variables = json!({"n": 2, "id": "1"});
    let dropped = one(&[(", first: Int)", ")")], query, &variables).expect("it breaks");
    assert_eq!(kinds(&dropped), [Kind::NoArgument]);
    assert_eq!(
        repaired(&dropped).0,
        "query($id:ID!){rooms{id}room(id:$id){id}}"
    );
    let followed = one(&[("first: Int", "firsts: Int")], query, &variables).expect("it breaks");
    assert!(repaired(&followed).0.contains("rooms(firsts:$n)"));
    let anew = one(&[("first: Int", "first: Int!")], query, &variables).expect("it breaks");
    assert_eq!(kinds(&anew), [Kind::ArgumentType]);
    assert!(repaired(&anew).0.starts_with("query($n:Int!,"), "{anew:?}");
    let other = one(&[("first: Int", "first: Sort")], query, &variables).expect("it breaks");
    assert!(impossible(&other).contains("rooms(first)"), "{other:?}");
}

#[test]
fn a_variable_that_two_places_take_as_different_types_is_beyond_repair() {
    let query = "query($n: Int) { rooms(first: $n) { id } more: rooms(first: $n) { id } }";
    let same = one(&[("first: Int", "first: Int!")], query, &json!({"n": 2}));
    assert_eq!(
        repaired(&same.expect("it breaks")).2,
        ["$n is declared as Int!"]
    );
    let changes = [
        ("room(id: ID!)", "room(id: String!)"),
        ("drop(id: ID!)", "drop(id: String!)"),
    ];
    let query = "query($id: ID!) { room(id: $id) { id } }";
    let other = one(&changes, query, &json!({"id": "1"})).expect("it breaks");
    assert_eq!(repaired(&other).0, "query($id:String!){room(id:$id){id}}");
    let changes = [(
        "sort: Sort, first: Int",
        "sort: Sort, first: Int!, last: Float!",
    )];
    let old = "query($n: Int) { rooms(first: $n) { id } }";
    let needed = one(&changes, old, &json!({"n": 2})).expect("it breaks");
    assert!(impossible(&needed).contains("rooms(last)"), "{needed:?}");
}

#[test]
fn what_nobody_can_know_is_said() {
    let needed = one(
        &[("room(id: ID!)", "room(id: ID!, floor: Int!)")],
        "{ room(id: 1) { id } }",
        &json!({}),
    )
    .expect("it breaks");
    assert_eq!(kinds(&needed), [Kind::RequiredArgument]);
    assert!(impossible(&needed).contains("room(floor)"));
    let query = "query($s: Sort) { rooms(sort: $s) { id } }";
    let member = one(&[("NAME AGE", "NAME")], query, &json!({"s": "AGE"})).expect("it breaks");
    assert_eq!(kinds(&member), [Kind::NoMember]);
    assert_eq!(
        one(&[("NAME AGE", "NAME")], query, &json!({"s": "NAME"})),
        None
    );
    let literal = one(
        &[("NAME AGE", "NAME")],
        "{ rooms(sort: AGE) { id } }",
        &json!({}),
    )
    .expect("it breaks");
    assert_eq!(kinds(&literal), [Kind::NoMember]);
    let nothing = one(&[(" count: Int!", "")], "{ count }", &json!({})).expect("it breaks");
    assert_eq!(impossible(&nothing), "nothing is left of it");
    let root = one(
        &[("type Mutation { drop(id: ID!): Boolean! }", "")],
        "mutation { drop(id: 1) }",
        &json!({}),
    );
    assert_eq!(kinds(&root.expect("it breaks")), [Kind::Unreadable]);
}

#[test]
fn input_fields_are_dropped_followed_and_missed() {
    let query = "query($f: Filter) { rooms(filter: $f) { id } }";
    let variables = json!({"f": {"colour": "red", "tags": "one"}});
    let dropped = one(&[("colour: String tags", "tags")], query, &variables).expect("it breaks");
    assert_eq!(kinds(&dropped), [Kind::NoInputField]);
    assert_eq!(repaired(&dropped).1, json!({"f": {"tags": "one"}}));
    let followed = one(
        &[("colour: String tags", "color: String tags")],
        query,
        &variables,
    )
    .expect("it breaks");
    assert_eq!(
        repaired(&followed).1,
        json!({"f": {"color": "red", "tags": "one"}})
    );
    let needed = one(
        &[(
            "input Filter { name: String ",
            "input Filter { name: String! ",
        )],
        query,
        &variables,
    )
    .expect("it breaks");
    assert_eq!(kinds(&needed), [Kind::RequiredInputField]);
    let literal = "{ rooms(filter: {colour: \"red\", name: null}) { id } }";
    let drift = one(&[("colour: String tags", "tags")], literal, &json!({})).expect("it breaks");
    assert_eq!(repaired(&drift).0, "{rooms(filter:{name:null}){id}}");
}

#[test]
fn parts_on_types_that_cannot_be_are_left_out() {
    let query = "{ places { __typename ... on Hall { seats } ... on Room { id } } }";
    let gone = one(
        &[
            ("type Hall { id: ID! name: String! seats: Int }", ""),
            ("Room | Hall", "Room"),
        ],
        query,
        &json!({}),
    )
    .expect("it breaks");
    assert_eq!(kinds(&gone), [Kind::NoType]);
    assert_eq!(repaired(&gone).0, "{places{__typename ...on Room{id}}}");
    let never = one(&[("Room | Hall", "Room")], query, &json!({})).expect("it breaks");
    assert_eq!(kinds(&never), [Kind::NeverThere]);
}

#[test]
fn what_lost_or_won_parts_is_asked_for_otherwise() {
    let lost = one(
        &[("guide: Guide", "guide: String")],
        "{ rooms { guide { name } } }",
        &json!({}),
    )
    .expect("it breaks");
    assert_eq!(repaired(&lost).0, "{rooms{guide}}");
    let won = one(
        &[("count: Int!", "count: Guide")],
        "{ count rooms { id } }",
        &json!({}),
    )
    .expect("it breaks");
    assert_eq!(repaired(&won).0, "{rooms{id}}");
}

const TOOLS: &str = r#"{"openapi": "3.1.0", "info": {"title": "Tools", "version": "1"}, "paths": {
    "/tools/{id}": {"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
        "get": {"responses": {}}},
    "/tools": {"get": {"parameters": [
            {"name": "colour", "in": "query", "schema": {"enum": ["red", "blue"]}},
            {"name": "size", "in": "query", "schema": {"type": "integer"}}], "responses": {}},
        "post": {"requestBody": {"content": {"application/json": {"schema": {"type": "object", "additionalProperties": false,
            "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}}}}, "responses": {}}}}}"#;

fn sent(method: &str, path: &str, query: &[(&str, &str)], body: Option<Value>) -> Record {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    record(Call::Rest(RestCall {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.iter().map(pair).collect(),
        headers: Vec::new(),
        content: body.map_or(Content::None, |value| Content::Json {
            media_type: "application/json".to_owned(),
            value,
        }),
    }))
}

fn rest(changes: &[(&str, &str)], record: Record) -> Option<Drift> {
    let mut new = TOOLS.to_owned();
    for (before, after) in changes {
        assert!(new.contains(before), "{before}");
        new = new.replace(before, after);
    }
    let records = [record];
    assert_eq!(
        drift(&api(TOOLS), None, &records),
        [],
        "it fits the old one"
    );
    drift(&api(&new), None, &records).pop()
}

#[test]
fn rest_calls_lose_operations_and_parameters() {
    let get = || sent("GET", "/tools", &[("colour", "red"), ("size", "3")], None);
    assert_eq!(rest(&[], get()), None);
    let gone = rest(
        &[("\"/tools/{id}\"", "\"/things/{id}\"")],
        sent("GET", "/tools/7", &[], None),
    )
    .expect("it breaks");
    assert_eq!(kinds(&gone), [Kind::NoOperation]);
    let dropped =
        rest(&[("{\"name\": \"size\"", "{\"name\": \"pages\"")], get()).expect("it breaks");
    assert_eq!(kinds(&dropped), [Kind::NoParameter]);
    let followed =
        rest(&[("\"name\": \"colour\"", "\"name\": \"color\"")], get()).expect("it breaks");
    let Repair::Done {
        call: Call::Rest(call),
        ..
    } = &followed.repair
    else {
        panic!("{followed:?}");
    };
    assert_eq!(call.query[0], ("color".to_owned(), "red".to_owned()));
    let value = rest(&[("[\"red\", \"blue\"]", "[\"blue\"]")], get()).expect("it breaks");
    assert_eq!(kinds(&value), [Kind::Value]);
    let needed = rest(
        &[(
            "{\"name\": \"size\"",
            "{\"name\": \"x\", \"in\": \"query\", \"required\": true, \"schema\": {}}, {\"name\": \"size\"",
        )],
        get(),
    );
    assert_eq!(
        kinds(&needed.expect("it breaks")),
        [Kind::RequiredParameter]
    );
}

#[test]
fn rest_bodies_are_mended_or_not() {
    let post = || {
        sent(
            "POST",
            "/tools",
            &[],
            Some(json!({"name": "saw", "price": 2})),
        )
    };
    let dropped = rest(&[(", \"price\": {\"type\": \"number\"}", "")], post()).expect("it breaks");
    let Repair::Done {
        call: Call::Rest(call),
        ..
    } = &dropped.repair
    else {
        panic!("{dropped:?}");
    };
    assert!(
        matches!(&call.content, Content::Json { value, .. } if *value == json!({"name": "saw"}))
    );
    let wrong = rest(
        &[(
            "\"price\": {\"type\": \"number\"}",
            "\"price\": {\"type\": \"string\"}",
        )],
        post(),
    );
    assert_eq!(kinds(&wrong.expect("it breaks")), [Kind::Value]);
    let needed = rest(
        &[(
            "\"additionalProperties\"",
            "\"required\": [\"kind\"], \"additionalProperties\"",
        )],
        post(),
    );
    assert!(kinds(&needed.expect("it breaks")).contains(&Kind::RequiredInputField));
}

#[test]
fn the_only_new_field_of_a_type_is_followed_whatever_its_name() {
    let query = "{ rooms { guide { name } } }";
    let become_these = |fields: &str| {
        let changes = [("type Guide { name: String!", fields)];
        one(&changes, query, &Value::Null).expect("it breaks")
    };
    let drift = become_these("type Guide { title: String!");
    assert_eq!(repaired(&drift).2, ["rooms.guide.name is now title"]);
    // With two new ones nobody can tell.
    let drift = become_these("type Guide { title: String! label: String!");
    assert_eq!(impossible(&drift), "nothing is left of it");
}
