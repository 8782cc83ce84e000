//! What the twin refuses, and in which words: requests, documents, variables, and single fields.

use fossick_demo::Faults;
use serde_json::{Value, json};

use crate::client::Bank;

/// The errors of an operation that is refused as a whole.
pub(crate) fn refused(bank: &Bank, query: &str, variables: &Value) -> Vec<Value> {
    let answer = bank.ask(query, variables);
    assert_eq!(answer.get("data"), None, "{query} {variables}");
    let errors = answer["errors"].as_array().expect("a list").clone();
    assert!(!errors.is_empty(), "{query}");
    for error in &errors {
        assert!(error["message"].as_str().is_some_and(|m| !m.is_empty()));
        assert_eq!(error.get("path"), None, "{error}");
    }
    errors
}

#[test]
fn invalid_documents_are_refused_with_locations() {
    let bank = Bank::open(Faults::None);
    for query in [
        "",
        "{",
        "{ nothing }",
        "{ variety { id } }",
        "{ variety(id: \"1\") { id } }",
        "{ variety(id: null) { id } }",
        "{ variety(id: 3000000000) { id } }",
        "{ variety(id: 1) }",
        "{ varieties(habit: SHRUB) { id } }",
        "{ varieties(habit: \"TREE\") { id } }",
        "{ latest { habit } }",
        "{ search(text: \"x\") { name } }",
        "{ search(text: \"x\") { ... on Trial { sown } } }",
        "{ latest { a: name a: addedAt } }",
        "{ lot(id: $id) { id } }",
        "query($id: Int!) { latest { name } }",
        "query($id: Int) { variety(id: $id) { id } }",
        "subscription { latest { name } }",
        "mutation { createKeeper(input: {name: \"A\", age: 7}) { id } }",
        "mutation { createKeeper(input: {name: \"A\", name: \"B\"}) { id } }",
        "query($q: Int) { lots(filter: {varietyId: $q, storage: [$q]}) { totalCount } }",
        "mutation($n: String) { createKeeper(input: {name: $n}) { id } }",
    ] {
        let errors = refused(&bank, query, &json!({"id": 1, "n": "x"}));
        let line = &errors[0]["locations"][0]["line"];
        assert!(line.is_u64() || query.is_empty(), "{query}: {errors:?}");
    }
}

#[test]
fn bad_values_of_custom_scalars_are_refused_wherever_they_stand() {
    let bank = Bank::open(Faults::None);
    for query in [
        "{ keeper(id: \"me\") { id } }",
        "{ keeper(id: 7) { id } }",
        "{ lots(filter: {collectedSince: \"2023-02-29\"}) { totalCount } }",
        "{ lots(filter: {collectedSince: {day: 1}}) { totalCount } }",
        "query { ...All } fragment All on Query { keeper(id: [\"x\"]) { id } }",
        "query($id: UUID = \"me\") { keeper(id: $id) { id } }",
    ] {
        refused(&bank, query, &json!({}));
    }
    let lots = "query($filter: LotFilter) { lots(filter: $filter) { totalCount } }";
    for since in [
        json!("yesterday"),
        json!(7),
        json!([]),
        json!({}),
        json!(""),
    ] {
        refused(&bank, lots, &json!({"filter": {"collectedSince": since}}));
    }
    let create = "mutation($from: DateTime) {
        createKeeper(input: {name: \"A\", availableFrom: $from}) { id }
    }";
    refused(&bank, create, &json!({"from": "2024-02-29"}));
    assert_eq!(
        bank.data("{ latest { name } }", &json!({}))["latest"],
        json!([])
    );
}

#[test]
fn variables_are_held_to_their_types() {
    let bank = Bank::open(Faults::None);
    let query = "query($id: Int!, $habit: Habit) {
        variety(id: $id) { id } varieties(habit: $habit) { id }
    }";
    for variables in [
        json!({}),
        json!({"id": null}),
        json!({"id": "1"}),
        json!({"id": 1.5}),
        json!({"id": 3_000_000_000_u64}),
        json!({"id": 1, "habit": "SHRUB"}),
        json!({"id": 1, "habit": 0}),
    ] {
        refused(&bank, query, &variables);
    }
    bank.data(query, &json!({"id": 1, "habit": null, "more": true}));
}

#[test]
fn an_operation_must_be_there_and_meant() {
    let bank = Bank::open(Faults::None);
    let query = "query A { latest { name } } query B { lots { totalCount } }";
    for (name, known) in [
        (json!("B"), true),
        (json!("C"), false),
        (Value::Null, false),
    ] {
        let body = json!({"query": query, "operationName": name});
        let answer = bank.post(&body).json();
        assert_eq!(answer["data"]["lots"]["totalCount"] == 0, known, "{name}");
        assert_eq!(answer.get("errors").is_none(), known, "{name}");
    }
}

#[test]
fn requests_that_are_no_graphql_have_a_status_of_their_own() {
    let bank = Bank::open(Faults::None);
    let json = "content-type: application/json";
    let good = "{\"query\": \"{ latest { name } }\"}";
    for (status, line, header, body) in [
        (
            200,
            "POST /graphql",
            "content-type: application/json; charset=utf-8",
            good,
        ),
        (404, "POST /", json, good),
        (405, "PUT /graphql", json, good),
        (415, "POST /graphql", "content-type: text/plain", good),
        (400, "POST /graphql", json, ""),
        (400, "POST /graphql", json, "{"),
        (400, "POST /graphql", json, "[]"),
        (400, "POST /graphql", json, "{\"query\": 7}"),
        (
            400,
            "POST /graphql",
            json,
            "{\"query\": \"{ latest { name } }\", \"variables\": []}",
        ),
        (
            400,
            "POST /graphql",
            json,
            "{\"query\": \"{ latest { name } }\", \"operationName\": 1}",
        ),
        (400, "GET /graphql", json, ""),
        (400, "GET /graphql?query=%zz", json, ""),
        (
            400,
            "GET /graphql?query=%7Blatest%7Bname%7D%7D&variables=x",
            json,
            "",
        ),
    ] {
        let answer = bank.raw(line, &[header], body);
        assert_eq!(answer.status, status, "{line} {header} {body}");
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let told = &answer.json()["errors"][0]["message"];
        assert_eq!(told.is_string(), status >= 400, "{line} {body}");
    }
}

#[test]
fn get_serves_queries_and_sends_mutations_away() {
    let bank = Bank::open(Faults::None);
    let id = bank.variety("TREE");
    let query = "query A($id: Int!) { variety(id: $id) { habit } } query B { __typename }";
    let variables = json!({"id": id}).to_string();
    let parameters = [
        ("query", query),
        ("variables", &variables),
        ("operationName", "A"),
    ];
    assert_eq!(
        bank.get(&parameters).json()["data"]["variety"]["habit"],
        "TREE"
    );
    let both = "query Q { __typename } mutation M { deleteVariety(id: 1) }";
    let answer = bank.get(&[("query", both), ("operationName", "M")]);
    assert_eq!((answer.status, answer.header("allow")), (405, Some("POST")));
    let answer = bank.get(&[("query", both), ("operationName", "Q")]);
    assert_eq!(
        (
            answer.status,
            answer.json()["data"]["__typename"] == "Query"
        ),
        (200, true)
    );
    assert!(bank.data("{ variety(id: 1) { id } }", &json!({}))["variety"].is_object());
}

#[test]
fn an_error_makes_the_nearest_nullable_place_null() {
    let bank = Bank::open(Faults::None);
    bank.lot(&json!({"quantity": 1}));
    for (query, path, data) in [
        // The list is non-null: nothing is left.
        (
            "{ lots(first: -1) { totalCount } latest { name } }",
            json!(["lots"]),
            Value::Null,
        ),
        // The list is non-null, the variety above it is not.
        (
            "{ v: variety(id: 1) { l: lots(first: -1) { id } } lots { totalCount } }",
            json!(["v", "l"]),
            json!({"v": null, "lots": {"totalCount": 1}}),
        ),
        // Neither the list of varieties nor its items may be null.
        (
            "{ varieties { lots(first: -1) { id } } }",
            json!(["varieties", 0, "lots"]),
            Value::Null,
        ),
        // A mutation's field is nullable.
        (
            "mutation { deleteVariety(id: 9) }",
            json!(["deleteVariety"]),
            json!({"deleteVariety": null}),
        ),
    ] {
        let answer = bank.ask(query, &json!({}));
        assert_eq!(answer["data"], data, "{query}");
        assert_eq!(answer["errors"][0]["path"], path, "{query}");
        assert_eq!(answer["errors"][0]["locations"][0]["line"], 1, "{query}");
        assert_eq!(
            answer["errors"].as_array().map(Vec::len),
            Some(1),
            "{query}"
        );
    }
}

#[test]
fn callers_mistakes_have_a_code_and_change_nothing() {
    let bank = Bank::open(Faults::None);
    let lot = bank.lot(&json!({"quantity": 5}));
    for (code, mutation) in [
        (
            "BAD_USER_INPUT",
            "createVariety(input: {name: \" \", habit: TREE}) { id }",
        ),
        (
            "NOT_FOUND",
            "updateVariety(id: 99, input: {name: \"A\", habit: TREE}) { id }",
        ),
        ("NOT_FOUND", "deleteLot(id: \"lot-99\")"),
        ("NOT_FOUND", "deleteLot(id: 1)"),
        (
            "BAD_USER_INPUT",
            "updateLot(id: \"lot-1\", input: {quantity: -1}) { id }",
        ),
        (
            "BAD_USER_INPUT",
            "updateLot(id: \"lot-1\", input: {storage: null}) { id }",
        ),
        (
            "NOT_FOUND",
            "entrustLot(lotId: \"lot-1\", keeperId: \"7c9e6679-7425-40de-944b-e07fc1f90ae7\") { id }",
        ),
    ] {
        let answer = bank.ask(&format!("mutation {{ {mutation} }}"), &json!({}));
        assert_eq!(
            answer["errors"][0]["extensions"]["code"], code,
            "{mutation}"
        );
        let nothing = answer["data"]
            .as_object()
            .into_iter()
            .flatten()
            .all(|(_, v)| v.is_null());
        assert!(nothing, "{mutation}");
    }
    let now = "query($id: ID!) { lot(id: $id) { quantity storage keeper { id } } latest { name } }";
    let now = bank.data(now, &json!({"id": lot}));
    assert_eq!(
        now["lot"],
        json!({"quantity": 5, "storage": "SHELF", "keeper": null})
    );
    assert_eq!(now["latest"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_lot_that_can_not_be_made_is_told_as_user_errors() {
    let bank = Bank::open(Faults::None);
    let data = bank.data(
        "mutation { createLot(varietyId: 7, input: {quantity: -1, trials: {sown: 1, sprouted: -2}}) {
           lot { id } userErrors { field message }
         } }",
        &json!({}),
    );
    assert_eq!(data["createLot"]["lot"], Value::Null);
    let errors = data["createLot"]["userErrors"].as_array().expect("a list");
    let fields: Vec<_> = errors.iter().map(|error| error["field"].clone()).collect();
    let expected = [
        json!(["input", "quantity"]),
        json!(["input", "trials", "0", "sprouted"]),
        json!(["varietyId"]),
    ];
    assert_eq!(fields, expected);
}
