//! Queries that ask for more than anybody needs: each is answered soon, and the service lives on.

use fossick_demo::Faults;
use serde_json::json;

use crate::client::Bank;
use crate::refusals::refused;

#[test]
fn monstrous_queries_are_refused_and_the_service_lives_on() {
    let bank = Bank::open(Faults::None);
    bank.lot(&json!({"quantity": 1}));
    let deep = |levels: usize| {
        let down = "variety { lots { ".repeat(levels);
        format!(
            "{{ lot(id: \"lot-1\") {{ {down} id {} }} }}",
            "} }".repeat(levels)
        )
    };
    bank.data(&deep(25), &json!({}));
    refused(&bank, &deep(100), &json!({}));
    refused(&bank, &"{".repeat(100_000), &json!({}));
    let value = format!(
        "{{ lots(filter: {{storage: {}}}) {{ totalCount }} }}",
        "[".repeat(10_000)
    );
    refused(&bank, &value, &json!({}));
    let schema =
        "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }";
    refused(&bank, schema, &json!({}));
}

#[test]
fn fragments_that_double_again_and_again_take_no_time() {
    let fragments = (0..60).map(|n| {
        let next = n + 1;
        format!("fragment F{n} on Query {{ ...F{next} ...F{next} }}")
    });
    let fragments: Vec<_> = fragments.collect();
    let fragments = fragments.join(" ");
    let query = format!("{{ ...F0 }} {fragments} fragment F60 on Query {{ latest {{ name }} }}");
    for faults in [Faults::None, Faults::Planted] {
        let data = Bank::open(faults).data(&query, &json!({}));
        assert_eq!(data, json!({"latest": []}));
    }
}

#[test]
fn a_query_that_asks_for_too_much_is_an_error_of_the_caller() {
    let bank = Bank::open(Faults::None);
    let of = bank.variety("TREE");
    let create =
        "mutation($of: Int!) { createLot(varietyId: $of, input: {quantity: 1}) { lot { id } } }";
    for _ in 0..10 {
        bank.data(create, &json!({"of": of}));
    }
    let down = "lots { variety { ".repeat(8);
    let query = format!("{{ variety(id: 1) {{ {down} id {} }} }}", "} }".repeat(8));
    let answer = bank.ask(&query, &json!({}));
    assert_eq!(answer["data"], json!({"variety": null}));
    assert_eq!(answer["errors"][0]["extensions"]["code"], "BAD_USER_INPUT");
}
