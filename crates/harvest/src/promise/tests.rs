use fossick_ingest::{NoFetch, Source, read};
use fossick_validate::first_misfit;
use proptest::prelude::*;
use serde_json::json;

use super::*;

const FRONT: &str = "
    interface Node { id: ID! }
    enum VideoTypeEnum { ANIMATION LIVE_ACTION SCREENCAST }
    type Teaser { title: String! subTitle: String publishedOnSite: Boolean url: String! duration: Float }
    type Video implements Node { id: ID! title: String! url: String! videoType: VideoTypeEnum teaser: Teaser }
    type Query { video(id: ID!): Video teasers(first: Int!): [Teaser] }";

const SHOP: &str = "
    scalar Date scalar DateTime scalar UUID scalar Decimal scalar JSON
    enum Colour { RED BLUE }
    interface Named { name: String! }
    type Saw implements Named { name: String! teeth: Int! price: Decimal! }
    type Drill implements Named { name: String! watts: Float }
    type Glue { sticks: Boolean! }
    union Thing = Saw | Drill | Glue
    type Order { id: ID! on: Date at: DateTime key: UUID! notes: JSON colours: [Colour!]! grid: [[Int]!] first: Thing things: [Thing!]! named: Named! parent: Order }
    type Query { order: Order! maybe: Order }";

fn api(sdl: &str) -> Api {
    let source = Source {
        name: "schema.graphql".to_owned(),
        text: sdl.to_owned(),
    };
    read(&source, &mut NoFetch).expect("a schema").api
}

fn promise(sdl: &str, query: &str, variables: &Value) -> Promise {
    let document = fossick_query::read(query, None).expect("a query");
    let variables = variables.as_object().cloned().unwrap_or_default();
    let promise = Promise::of(&api(sdl), &document, &variables, Strictness::default());
    promise.expect("the schema has a query root")
}

/// Both ways of looking say the same; what they say.
fn verdict(promise: &Promise, body: &Value) -> Vec<String> {
    let flaws = promise.review(Some(body)).flaws;
    let misfit = first_misfit(&promise.schema(), body);
    assert_eq!(
        flaws.is_empty(),
        misfit.is_none(),
        "{flaws:?} {misfit:?} {body}"
    );
    let told = flaws.iter();
    told.map(|flaw| format!("{} {}", flaw.owner, flaw.constraint))
        .collect()
}

const ORDER: &str = "{ order { id on at key notes colours grid
    first { __typename ... on Saw { teeth price } ... on Named { name } ... on Glue { sticks } }
    things { ... on Saw { teeth } ... on Drill { watts } ... on Glue { sticks } }
    named { kind: __typename name } parent { id } } }";

fn order() -> Value {
    json!({ "data": { "order": {
        "id": "7", "on": "2024-02-29", "at": "2024-02-29T10:30:00Z",
        "key": "9f8e7d6c-1234-4a5b-8c7d-001122334455", "notes": [0, {}],
        "colours": ["RED", "BLUE"], "grid": [[0, null], []],
        "first": { "__typename": "Saw", "teeth": 0, "price": "1.50", "name": "" },
        "things": [{ "sticks": false }, { "watts": 0 }, { "teeth": -1 }],
        "named": { "kind": "Drill", "name": "x" }, "parent": null,
    } } })
}

#[test]
fn assertions_are_counted_as_the_paper_counts_them() {
    let query = "query GetTeasers($first: Int!) { teasers(first: $first) { title subTitle url __typename } }";
    let promise = promise(FRONT, query, &json!({ "first": 2 }));
    let teaser =
        |sub: Value| json!({ "title": "a", "subTitle": sub, "url": "u", "__typename": "Teaser" });
    let body = json!({ "data": { "teasers": [teaser(json!("b")), teaser(Value::Null)] } });
    assert_eq!(promise.count(Some(&body)), 22);
    assert_eq!(verdict(&promise, &body), [""; 0]);
}

#[test]
fn an_answer_as_promised_has_no_flaw() {
    assert_eq!(
        verdict(&promise(SHOP, ORDER, &json!({})), &order()),
        [""; 0]
    );
}

#[test]
fn everything_that_breaks_the_schema_is_a_flaw() {
    let promise = promise(SHOP, ORDER, &json!({}));
    let at = |pointer: &str, value: Value| {
        let mut body = order();
        *body.pointer_mut(pointer).expect("it is there") = value;
        verdict(&promise, &body)
    };
    for (pointer, value, flaw) in [
        ("/data/order", Value::Null, "Query.order null"),
        ("/data/order", json!([]), "Query.order object"),
        ("/data/order/id", json!(7), "Order.id type"),
        ("/data/order/id", json!(7.5), "Order.id type"),
        ("/data/order/id", json!(0), "Order.id type"),
        ("/data/order/on", json!("29 Feb"), "Order.on format"),
        ("/data/order/on", json!(""), "Order.on format"),
        ("/data/order/at", json!(0), "Order.at type"),
        ("/data/order/at", json!("2024-02-29"), "Order.at format"),
        ("/data/order/key", json!("9f8e"), "Order.key format"),
        ("/data/order/colours", json!(false), "Order.colours list"),
        ("/data/order/colours/0", Value::Null, "Order.colours null"),
        (
            "/data/order/colours/0",
            json!("GREEN"),
            "Order.colours enum",
        ),
        ("/data/order/colours/0", json!(""), "Order.colours enum"),
        ("/data/order/grid/0", Value::Null, "Order.grid null"),
        ("/data/order/grid/0/0", json!("0"), "Order.grid type"),
        (
            "/data/order/grid/0/0",
            json!(2_147_483_648_i64),
            "Order.grid type",
        ),
        (
            "/data/order/first/__typename",
            json!("Nail"),
            "Saw.__typename typename",
        ),
        ("/data/order/first/teeth", json!(false), "Saw.teeth type"),
        ("/data/order/first/price", json!([]), "Saw.price type"),
        ("/data/order/things/0/sticks", json!(0), "Glue.sticks type"),
        ("/data/order/things/2/teeth", json!("1"), "Saw.teeth type"),
        (
            "/data/order/named/kind",
            json!("Glue"),
            "Named.__typename typename",
        ),
        ("/data/order/parent", json!({}), "Order.id missing"),
        (
            "/data/order/parent",
            json!({"id": "1", "x": 0}),
            "Order.x extra",
        ),
    ] {
        let told = at(pointer, value);
        assert!(told.contains(&flaw.to_owned()), "{pointer}: {told:?}");
    }
}

#[test]
fn errors_are_a_flaw_even_if_they_are_empty() {
    let promise = promise(SHOP, "{ maybe { id } }", &json!({}));
    let body = json!({ "data": { "maybe": null }, "errors": [] });
    assert_eq!(verdict(&promise, &body), ["answer errors"]);
    let fine = json!({ "data": { "maybe": null }, "extensions": { "took": 1 } });
    assert_eq!(verdict(&promise, &fine), [""; 0]);
    assert_eq!(
        verdict(&promise, &json!({ "data": null })),
        ["answer.data object"]
    );
    assert_eq!(promise.review(None).flaws[0].constraint, "json");
}

#[test]
fn what_is_skipped_may_not_be_there() {
    let query = "query($a: Boolean = false, $b: Boolean!) { order { id @skip(if: $a)
        ... @include(if: $b) { on } at @include(if: true) @skip(if: true) grid @client } }";
    let promise = promise(SHOP, query, &json!({ "b": false }));
    assert_eq!(
        verdict(&promise, &json!({"data": {"order": {"id": ""}}})),
        [""; 0]
    );
    assert_eq!(
        verdict(
            &promise,
            &json!({"data": {"order": {"id": "", "grid": null}}})
        ),
        [""; 0]
    );
    let on = json!({"data": {"order": {"id": "", "on": null}}});
    assert_eq!(verdict(&promise, &on), ["Order.on extra"]);
    let without = json!({"data": {"order": {}}});
    assert_eq!(verdict(&promise, &without), ["Order.id missing"]);
}

#[test]
fn fields_of_one_key_are_merged() {
    let query = "{ order { parent { id } ...A ...A } } fragment A on Order { parent { on } }";
    let promise = promise(SHOP, query, &json!({}));
    let body = json!({"data": {"order": {"parent": {"id": "1", "on": null}}}});
    assert_eq!(verdict(&promise, &body), [""; 0]);
    let short = json!({"data": {"order": {"parent": {"on": null}}}});
    assert_eq!(verdict(&promise, &short), ["Order.id missing"]);
}

#[test]
fn what_is_asked_for_in_many_types_stands_once() {
    let fields = "... on Saw { name } ... on Drill { name }";
    let query = format!("{{ order {{ first {{ {fields} }} things {{ {fields} }} }} }}");
    let text = promise(SHOP, &query, &json!({})).schema().to_string();
    assert_eq!(text.matches("\"name\"").count(), 4, "{text}");
}

#[test]
fn identifiers_may_be_numbers_where_somebody_says_so() {
    let document = fossick_query::read("{ order { id } }", None).expect("a query");
    let strictness = Strictness { integer_ids: true };
    let promise = Promise::of(&api(SHOP), &document, &Map::new(), strictness).expect("a promise");
    let body = |id: Value| json!({"data": {"order": {"id": id}}});
    assert_eq!(verdict(&promise, &body(json!(7))), [""; 0]);
    assert_eq!(verdict(&promise, &body(json!(7.5))), ["Order.id type"]);
}

#[test]
fn of_a_type_that_is_cut_off_only_the_outermost_level_is_held() {
    let cut = |kind: &str| json!({"kind": kind, "name": null});
    let fields = json!([
        {"name": "a", "type": cut("NON_NULL")}, {"name": "b", "type": cut("LIST")},
        {"name": "c", "type": {"kind": "SCALAR", "name": "Int"}}]);
    let schema = json!({"__schema": {"queryType": {"name": "Query"}, "types": [
        {"kind": "OBJECT", "name": "Query", "fields": fields}]}});
    let promise = promise(&schema.to_string(), "{ a { x } b c }", &json!({}));
    let body = |a: Value, b: Value| json!({"data": {"a": a, "b": b, "c": 0}});
    assert_eq!(verdict(&promise, &body(json!(0), json!(null))), [""; 0]);
    assert_eq!(verdict(&promise, &body(json!([]), json!([1]))), [""; 0]);
    let wrong = body(json!(null), json!("x"));
    assert_eq!(verdict(&promise, &wrong), ["Query.a null", "Query.b list"]);
}

#[test]
fn patterns_and_rules_of_formats_agree() {
    for (format, right, wrong) in [
        ("date", "2024-02-29", "2024-13-01"),
        ("time", "10:30:00.5Z", "half past ten"),
        (
            "date-time",
            "2024-05-17T10:30:00.123456+02:00",
            "Fri May 17 2024 10:30:00 GMT+0200",
        ),
        ("date-time", "2024-05-17 10:30:00", "2024-05-17"),
        ("uuid", "9F8E7D6C-1234-4a5b-8c7d-001122334455", "17"),
        ("email", "ada@example.org", "ada"),
        ("uri", "https://example.org/a?b=c", "no uri"),
    ] {
        let pattern = fossick_contract::format_pattern(format).expect("a pattern");
        let schema = json!({ "pattern": pattern });
        for (text, fits) in [(right, true), (wrong, false), ("", false)] {
            assert_eq!(
                first_misfit(&schema, &json!(text)).is_none(),
                fits,
                "{format} {text}"
            );
            assert_eq!(
                fossick_contract::fits_format(format, text),
                fits,
                "{format} {text}"
            );
        }
    }
}

/// The places of a value, as pointers.
fn places(value: &Value, at: &str, into: &mut Vec<String>) {
    into.push(at.to_owned());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{at}/{index}"), into);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                places(item, &format!("{at}/{key}"), into);
            }
        }
        _ => {}
    }
}

fn strange() -> impl Strategy<Value = Value> {
    let values = [
        json!(null),
        json!(0),
        json!(""),
        json!(false),
        json!([]),
        json!({}),
        json!(1.5),
        json!("RED"),
        json!("Saw"),
        json!("Glue"),
        json!([0]),
        json!(-3),
        json!([null]),
        json!({"id": "1"}),
        json!({"sticks": true}),
        json!({"teeth": 1}),
        json!("2024-01-01"),
    ];
    prop::sample::select(values.to_vec())
}

proptest! {
    #[test]
    fn the_schema_and_the_review_always_agree(
        changes in prop::collection::vec((any::<prop::sample::Index>(), strange(), 0_u8..3), 0..4)
    ) {
        let promise = promise(SHOP, ORDER, &json!({}));
        let mut body = order();
        for (place, value, how) in changes {
            let mut all = Vec::new();
            places(&body, "", &mut all);
            let at = body.pointer_mut(&all[place.index(all.len())]).expect("a place of it");
            match (how, at) {
                (0, Value::Object(map)) => { map.shift_remove("id").or_else(|| map.shift_remove("teeth")); }
                (1, Value::Object(map)) => { map.insert("more".to_owned(), value); }
                (_, at) => *at = value,
            }
        }
        verdict(&promise, &body);
    }
}
