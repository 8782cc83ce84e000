//! Every planted fault can be seen from outside, and the twin does not have it.
//!
//! Each fault is asked for alone, then together with all others, so that none hides another.

use fossick_demo::{Faults, GraphqlFault, PLANTED_GRAPHQL};
use serde_json::{Value, json};

use crate::client::{Bank, variety};

/// Whether a service shows a fault.
fn shows(fault: GraphqlFault, bank: &Bank) -> bool {
    match fault {
        GraphqlFault::ShareAmongNobody => share_among_nobody(bank),
        GraphqlFault::EmptySearch => empty_search(bank),
        GraphqlFault::SqlShown => sql_shown(bank),
        GraphqlFault::QuantityAsText => quantity_as_text(bank),
        GraphqlFault::HabitOutside => habit_outside(bank),
        GraphqlFault::MarkNull => mark_null(bank),
        GraphqlFault::SkillNull => skill_null(bank),
        GraphqlFault::PersonFound => person_found(bank),
        GraphqlFault::AltitudeMissing => altitude_missing(bank),
        GraphqlFault::DeletedServed => deleted_served(bank),
        GraphqlFault::StoryKept => story_kept(bank),
        GraphqlFault::TreesUnlisted => trees_unlisted(bank),
        GraphqlFault::GetMutates => get_mutates(bank),
        GraphqlFault::AnyStorage => any_storage(bank),
        GraphqlFault::SilentRefusal => silent_refusal(bank),
    }
}

fn share_among_nobody(bank: &Bank) -> bool {
    let lot = bank.lot(&json!({"quantity": 7}));
    let query = "query($id: ID!, $among: Int!) { lot(id: $id) { share(among: $among) } }";
    let data = bank.data(query, &json!({"id": lot, "among": 2}));
    assert_eq!(data["lot"]["share"], 3);
    let answer = bank.ask(query, &json!({"id": lot, "among": 0}));
    assert_eq!(answer["data"]["lot"]["share"], Value::Null);
    message(&answer).contains("panicked")
}

fn message(answer: &Value) -> &str {
    let message = &answer["errors"][0]["message"];
    message.as_str().unwrap_or_default()
}

fn empty_search(bank: &Bank) -> bool {
    let query = "query($text: String!) { search(text: $text) { __typename } }";
    bank.data(query, &json!({"text": "x"}));
    let answer = bank.post(&json!({"query": query, "variables": {"text": ""}}));
    answer.status == 500 && answer.header("content-type") == Some("text/plain")
}

fn sql_shown(bank: &Bank) -> bool {
    let query = "query($named: String) { varieties(named: $named) { id } }";
    bank.data(query, &json!({"named": "Bean"}));
    let answer = bank.ask(query, &json!({"named": "O'Brien"}));
    message(&answer).contains("SELECT * FROM") && message(&answer).contains(".rs:")
}

fn quantity_as_text(bank: &Bank) -> bool {
    bank.lot(&json!({"quantity": 999}));
    bank.lot(&json!({"quantity": 1000}));
    let data = bank.data("{ lots { edges { node { many: quantity } } } }", &json!({}));
    let many = |at: usize| &data["lots"]["edges"][at]["node"]["many"];
    assert_eq!(*many(1), 999);
    *many(0) == "1000"
}

fn habit_outside(bank: &Bank) -> bool {
    let query = "query($id: Int!) { variety(id: $id) { ...on Item { ...Habit } } }
                 fragment Habit on Variety { habit }";
    let data = bank.data(query, &json!({"id": bank.variety("ANNUAL")}));
    assert_eq!(data["variety"]["habit"], "ANNUAL");
    let data = bank.data(query, &json!({"id": bank.variety("BIENNIAL")}));
    data["variety"]["habit"] == "TWO_YEARS"
}

fn mark_null(bank: &Bank) -> bool {
    let query = "query($id: ID!) { lot(id: $id) { shelfMark } }";
    let mark = |storage: &str| {
        let lot = bank.lot(&json!({"quantity": 1, "storage": storage}));
        bank.data(query, &json!({"id": lot}))["lot"]["shelfMark"].clone()
    };
    assert!(mark("FRIDGE").is_string());
    mark("FREEZER").is_null()
}

fn skill_null(bank: &Bank) -> bool {
    let keeper = bank.keeper(&json!({"name": "Vavilov", "skills": ["drying", ""]}));
    let query = "query($id: UUID!) { keeper(id: $id) { skills } }";
    bank.data(query, &json!({"id": keeper}))["keeper"]["skills"] == json!(["drying", null])
}

fn person_found(bank: &Bank) -> bool {
    bank.variety("ANNUAL");
    bank.keeper(&json!({"name": "Podde"}));
    let query = "{ search(text: \"podde\") { __typename } }";
    let found = bank.data(query, &json!({}))["search"].clone();
    assert_eq!(found[1], json!({"__typename": "Variety"}));
    found[0] == json!({"__typename": "Person"})
}

const UPDATE: &str = "mutation($id: Int!, $input: VarietyInput!) {
    updateVariety(id: $id, input: $input) { name story origin { place altitude } }
}";

fn altitude_missing(bank: &Bank) -> bool {
    let mut input = variety("ANNUAL");
    let id = bank.variety("ANNUAL");
    let told = bank.data(UPDATE, &json!({"id": id, "input": input}));
    let missing = told["updateVariety"]["origin"] == json!({"place": "Hill"});
    input["origin"]["altitude"] = json!(300);
    let told = bank.data(UPDATE, &json!({"id": id, "input": input}));
    assert_eq!(told["updateVariety"]["origin"]["altitude"], 300);
    missing
}

fn deleted_served(bank: &Bank) -> bool {
    let lot = json!({"id": bank.lot(&json!({"quantity": 1}))});
    let delete = "mutation($id: ID!) { deleteLot(id: $id) }";
    assert_eq!(bank.data(delete, &lot)["deleteLot"], lot["id"]);
    let again = bank.ask(delete, &lot);
    assert_eq!(again["errors"][0]["extensions"]["code"], "NOT_FOUND");
    let listed = bank.data("{ lots { totalCount } }", &json!({}));
    assert_eq!(listed["lots"]["totalCount"], 0);
    let data = bank.data("query($id: ID!) { lot(id: $id) { id } }", &lot);
    data["lot"].is_object()
}

fn story_kept(bank: &Bank) -> bool {
    let mut input = variety("ANNUAL");
    let id = bank.variety("ANNUAL");
    input["story"] = json!("From a chest");
    input["name"] = json!("Crimson Flowered");
    let told = bank.data(UPDATE, &json!({"id": id, "input": input}));
    assert_eq!(told["updateVariety"]["story"], "From a chest");
    let query = "query($id: Int!) { variety(id: $id) { name story } }";
    let now = bank.data(query, &json!({"id": id}))["variety"].clone();
    assert_eq!(now["name"], "Crimson Flowered");
    now["story"] == "From a jar"
}

fn trees_unlisted(bank: &Bank) -> bool {
    let before = listed(bank);
    bank.variety("PERENNIAL");
    assert_eq!(listed(bank), before + 1);
    bank.variety("TREE");
    listed(bank) == before + 1
}

fn listed(bank: &Bank) -> usize {
    let data = bank.data("{ varieties { id } }", &json!({}));
    data["varieties"].as_array().map_or(0, Vec::len)
}

fn get_mutates(bank: &Bank) -> bool {
    let query = "mutation { createKeeper(input: {name: \"Robin\"}) { name } }";
    let answer = bank.get(&[("query", query)]);
    answer.status == 200 && answer.json()["data"]["createKeeper"]["name"] == "Robin"
}

fn any_storage(bank: &Bank) -> bool {
    let lot = bank.lot(&json!({"quantity": 1}));
    let update = "mutation($id: ID!, $input: LotChange!) {
        updateLot(id: $id, input: $input) { storage }
    }";
    let storage = |word: &str| bank.ask(update, &json!({"id": lot, "input": {"storage": word}}));
    assert_eq!(storage("FRIDGE")["data"]["updateLot"]["storage"], "FRIDGE");
    storage("ATTIC").get("errors").is_none()
}

fn silent_refusal(bank: &Bank) -> bool {
    let answer = bank.ask(
        "mutation($lot: ID!, $keeper: UUID!) {
           entrustLot(lotId: $lot, keeperId: $keeper) { id }
         }",
        &json!({"lot": bank.lot(&json!({"quantity": 1})),
                "keeper": "7c9e6679-7425-40de-944b-e07fc1f90ae7"}),
    );
    let error = &answer["errors"][0];
    assert_eq!(error["path"], json!(["entrustLot"]));
    assert_eq!(answer["data"], json!({"entrustLot": null}));
    error.get("message").is_none()
}

#[test]
fn every_planted_fault_shows() {
    for plant in PLANTED_GRAPHQL {
        let bank = Bank::open(Faults::Planted);
        assert!(shows(plant.fault, &bank), "{:?}", plant.fault);
    }
}

#[test]
fn a_fault_that_is_planted_alone_shows_alone() {
    for planted in PLANTED_GRAPHQL {
        for asked in PLANTED_GRAPHQL {
            let bank = Bank::open(Faults::Only(planted.fault));
            let shown = shows(asked.fault, &bank);
            let expected = asked.fault == planted.fault;
            assert_eq!(shown, expected, "{:?} of {:?}", asked.fault, planted.fault);
        }
    }
}

#[test]
fn the_twin_shows_none() {
    for plant in PLANTED_GRAPHQL {
        let bank = Bank::open(Faults::None);
        assert!(!shows(plant.fault, &bank), "{:?}", plant.fault);
    }
}
