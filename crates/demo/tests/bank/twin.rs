//! What the corrected twin serves: things made, found, changed and gone again.

use fossick_demo::Faults;
use serde_json::{Value, json};

use crate::client::{Bank, variety};

fn twin() -> Bank {
    Bank::open(Faults::None)
}

#[test]
fn a_variety_comes_back_as_it_was_told() {
    let bank = twin();
    let query = "query($id: Int!) {
        variety(id: $id) { name habit story aliases seasons origin { place foundOn } addedAt id }
    }";
    let id = bank.variety("BIENNIAL");
    let mut expected = variety("BIENNIAL");
    expected["id"] = id.clone();
    expected["addedAt"] = json!("2024-01-01T00:00:01Z");
    assert_eq!(bank.data(query, &json!({"id": id}))["variety"], expected);
    let keys = bank.data(query, &json!({"id": id}))["variety"].to_string();
    assert!(
        keys.starts_with("{\"name\"") && keys.ends_with("\"id\":1}"),
        "{keys}"
    );
}

#[test]
fn an_update_replaces_a_variety_and_a_delete_takes_its_lots_along() {
    let bank = twin();
    let lot = bank.lot(&json!({"quantity": 3}));
    let data = bank.data(
        "mutation {
           updateVariety(id: 1, input: {name: \"Rowan\", habit: TREE, aliases: \"Ash\"}) {
             name story aliases seasons origin { place } lots { name }
           }
         }",
        &json!({}),
    );
    let expected = json!({"name": "Rowan", "story": null, "aliases": ["Ash"], "seasons": [],
                          "origin": null, "lots": [{"name": "Rowan, lot 1"}]});
    assert_eq!(data["updateVariety"], expected);
    let gone = bank.data("mutation { deleteVariety(id: 1) }", &json!({}));
    assert_eq!(gone["deleteVariety"], 1);
    let query = "query($id: ID!) { lot(id: $id) { id } variety(id: 1) { id } latest { name } }";
    let now = bank.data(query, &json!({"id": lot}));
    assert_eq!(now, json!({"lot": null, "variety": null, "latest": []}));
}

#[test]
fn a_lot_changes_only_where_it_is_told_to() {
    let bank = twin();
    let id = bank.lot(&json!({"quantity": 3, "storage": "FREEZER", "collectedOn": "2020-09-01"}));
    let change = "mutation($id: ID!, $quantity: Int, $on: Date) {
        updateLot(id: $id, input: {quantity: $quantity, collectedOn: $on}) {
          quantity storage collectedOn shelfMark
        }
    }";
    // A variable without a value inside of a literal is as good as nothing written.
    let answer = bank.data(change, &json!({"id": id, "quantity": 0}));
    let expected = json!({"quantity": 0, "storage": "FREEZER", "collectedOn": "2020-09-01",
                          "shelfMark": "X-1"});
    assert_eq!(answer["updateLot"], expected);
    let answer = bank.data(change, &json!({"id": id, "on": null}));
    assert_eq!(answer["updateLot"]["collectedOn"], Value::Null);
    assert_eq!(answer["updateLot"]["quantity"], 0);
}

#[test]
fn defaults_hold_for_variables_literals_and_inputs() {
    let bank = twin();
    bank.variety("TREE");
    let create = "mutation($input: LotInput = {quantity: 2, trials: {sown: 4, sprouted: 1}},
                           $storage: Storage) {
        a: createLot(varietyId: 1, input: $input) { ...Lot }
        b: createLot(varietyId: 1, input: {quantity: 1, storage: $storage}) { ...Lot }
    }
    fragment Lot on LotPayload { lot { storage trials { rate } } }";
    let input = "$input: LotInput =";
    let create = create.replace(input, "$input: LotInput! =");
    let data = bank.data(&create, &json!({}));
    assert_eq!(
        data["a"]["lot"],
        json!({"storage": "SHELF", "trials": [{"rate": 0.25}]})
    );
    assert_eq!(data["b"]["lot"], json!({"storage": "SHELF", "trials": []}));
}

#[test]
fn a_keeper_is_given_a_lot() {
    let bank = twin();
    let lot = bank.lot(&json!({"quantity": 3}));
    let keeper =
        bank.keeper(&json!({"name": "Vavilov", "availableFrom": "1926-01-01T08:00:00+03:00"}));
    let entrust = "mutation($lot: ID!, $keeper: UUID!) {
        entrustLot(lotId: $lot, keeperId: $keeper) {
          keeper { id name availableFrom skills lots { id } }
        }
    }";
    let data = bank.data(entrust, &json!({"lot": lot, "keeper": keeper}));
    let expected = json!({"id": keeper, "name": "Vavilov", "skills": [],
                          "availableFrom": "1926-01-01T08:00:00+03:00", "lots": [{"id": lot}]});
    assert_eq!(data["entrustLot"]["keeper"], expected);
}

#[test]
fn lots_come_in_pages() {
    let bank = twin();
    for quantity in 1..=5 {
        bank.lot(
            &json!({"quantity": quantity, "storage": if quantity == 3 { "FRIDGE" } else { "SHELF" },
                         "collectedOn": format!("2020-01-0{quantity}")}),
        );
    }
    let query = "query($filter: LotFilter, $after: String) {
        lots(filter: $filter, first: 2, after: $after) {
          totalCount
          edges { node { quantity } }
          pageInfo { hasNextPage hasPreviousPage endCursor startCursor }
        }
    }";
    let (mut after, mut seen) = (Value::Null, Vec::new());
    let filter = json!({"storage": "SHELF", "collectedSince": "2020-01-02"});
    loop {
        let page = bank.data(query, &json!({"filter": filter, "after": after}))["lots"].clone();
        assert_eq!(page["totalCount"], 3);
        assert_eq!(page["pageInfo"]["hasPreviousPage"], !after.is_null());
        let edges = page["edges"].as_array().expect("a list");
        seen.extend(edges.iter().map(|edge| edge["node"]["quantity"].clone()));
        if page["pageInfo"]["hasNextPage"] == false {
            break;
        }
        after = page["pageInfo"]["endCursor"].clone();
    }
    assert_eq!(seen, [json!(5), json!(4), json!(2)]);
    let other = bank.ask(query, &json!({"after": "elsewhere"}));
    assert_eq!(other["errors"][0]["path"], json!(["lots"]));
}

#[test]
fn abstract_types_are_told_apart() {
    let bank = twin();
    bank.lot(&json!({"quantity": 8, "trials": [{"sown": 0, "sprouted": 0}]}));
    bank.keeper(&json!({"name": "Podd"}));
    let query = "query($deep: Boolean!) {
        search(text: \"PODD\") {
          kind: __typename
          ... on Item { name }
          ... on Lot { share(among: 3) trials { rate } }
          ... on Variety @include(if: $deep) { lots(storage: SHELF) { id } }
        }
        latest(first: 1) { name ... on Keeper { skills @skip(if: $deep) } }
    }";
    let data = bank.data(query, &json!({"deep": true}));
    let expected = json!([
        {"kind": "Keeper", "name": "Podd"},
        {"kind": "Variety", "name": "Purple Podded", "lots": [{"id": "lot-1"}]},
        {"kind": "Lot", "name": "Purple Podded, lot 1", "share": 2, "trials": [{"rate": null}]},
    ]);
    assert_eq!(data["search"], expected);
    assert_eq!(data["latest"], json!([{"name": "Podd"}]));
    let data = bank.data(query, &json!({"deep": false}));
    assert_eq!(data["latest"], json!([{"name": "Podd", "skills": []}]));
    assert_eq!(data["search"][1].get("lots"), None);
}

#[test]
fn mutations_of_one_operation_happen_one_after_the_other() {
    let bank = twin();
    let data = bank.data(
        "mutation {
           made: createVariety(input: {name: \"Oak\", habit: TREE}) { id lots { id } }
           lot: createLot(varietyId: 1, input: {quantity: 1}) { lot { variety { name } } }
           gone: deleteVariety(id: 1)
         }",
        &json!({}),
    );
    assert_eq!(data["lot"]["lot"]["variety"]["name"], "Oak");
    assert_eq!(data["made"], json!({"id": 1, "lots": []}));
    assert_eq!(data["gone"], 1);
}
