//! Rules that no schema tells: read from descriptions, names and refusals, kept when values are
//! made, and dropped when a call shows that they are none.

use fossick_search::{Search, Way};
use fossick_trace::Request;
use serde_json::{Value, json};

use crate::play::{Round, World, free, play};
use crate::workshop::Reply;

/// `POST /things` with these properties, all of them required where `required` is not said.
fn world(properties: &Value, required: Option<Value>, description: &str) -> World {
    let all = || {
        properties
            .as_object()
            .map(|map| map.keys().cloned().collect())
    };
    let required = required.or_else(all);
    let schema = json!({"type": "object", "required": required, "properties": properties});
    let body = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    let operation = json!({"description": description, "requestBody": body,
        "responses": {"201": {"description": ""}}});
    World::of(json!({"/things": {"post": operation}}), json!({}))
}

/// Plays so many rounds against a service that is a function of the body.
fn played(
    world: &World,
    seed: u64,
    rounds: usize,
    judge: impl Fn(&Value) -> Reply,
) -> (Search<'_>, Vec<Round>) {
    let mut search = world.search(free(seed));
    let service = |request: &Request| {
        let body = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        judge(&body)
    };
    let rounds = play(&mut search, rounds, service);
    (search, rounds)
}

fn told(search: &Search<'_>, world: &World) -> Vec<String> {
    search.rules(world.index("POST /things"))
}

fn refuse(why: &str) -> Reply {
    (422, json!({ "detail": why }))
}

fn days() -> Value {
    let day = json!({"type": "string", "format": "date"});
    json!({"arrives": day, "leaves": day})
}

#[test]
fn a_rule_between_two_dates_is_learned_from_a_refusal_and_kept() {
    let world = world(&days(), None, "");
    let judge = |body: &Value| match (body["arrives"].as_str(), body["leaves"].as_str()) {
        (Some(a), Some(b)) if a < b => (201, json!({})),
        (Some(_), Some(_)) => refuse("leaves must be after arrives"),
        _ => refuse("a date is missing"),
    };
    let mut refused = 0;
    for seed in 0..8 {
        let (search, rounds) = played(&world, seed, 3, judge);
        let first = rounds.iter().position(|round| round.statuses() == [201]);
        assert!(first.is_some_and(|at| at <= 1), "{first:?}");
        if first == Some(1) {
            refused += 1;
            assert_eq!(told(&search, &world), ["arrives before leaves"]);
        }
    }
    assert!(
        refused > 0,
        "of eight first attempts some are in the wrong order"
    );
}

#[test]
fn names_that_form_a_range_are_put_in_order_at_the_first_try() {
    let day = json!({"type": "string", "format": "date-time"});
    let number = json!({"type": "integer", "minimum": 0, "maximum": 9});
    let fields =
        json!({"valid_from": day, "valid_until": day, "minSize": number, "maxSize": number});
    let world = world(&fields, None, "");
    for seed in 0..20 {
        let (_, rounds) = played(&world, seed, 1, |body: &Value| {
            let (from, until) = (body["valid_from"].as_str(), body["valid_until"].as_str());
            let ordered = body["minSize"].as_i64() < body["maxSize"].as_i64() && from < until;
            if ordered {
                (201, json!({}))
            } else {
                refuse("no")
            }
        });
        assert_eq!(rounds[0].statuses(), [201], "seed {seed}");
    }
}

#[test]
fn rules_of_descriptions_are_kept_at_the_first_try() {
    let text = |words: &str| json!({"type": "string", "description": words});
    let fields = json!({
        "code": text("No more than 4 characters."),
        "order": text("Either `up` or `down`."),
        "amount": {"type": "integer", "description": "Must be a multiple of 25, at least 100"},
        "key": text("Must match the pattern ^[A-Z]{3}[0-9]$"),
    });
    let world = world(&fields, None, "");
    for seed in 0..10 {
        let (_, rounds) = played(&world, seed, 1, |body: &Value| {
            let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
            let amount = body["amount"].as_i64().unwrap_or(0);
            let good = text("code").chars().count() <= 4
                && ["up", "down"].contains(&text("order").as_str())
                && amount >= 100
                && amount % 25 == 0
                && text("key").len() == 4;
            if good { (201, json!({})) } else { refuse("no") }
        });
        assert_eq!(rounds[0].statuses(), [201], "seed {seed}");
    }
}

#[test]
fn a_bound_that_a_refusal_tells_is_kept_from_then_on() {
    let world = world(&json!({"stars": {"type": "integer"}}), None, "");
    let (search, rounds) = played(&world, 1, 40, |body: &Value| match body["stars"].as_i64() {
        Some(77..=79) => (201, json!({})),
        _ => (
            400,
            json!({"errors": {"stars": ["must be between 77 and 79"]}}),
        ),
    });
    let first = rounds.iter().position(|round| round.statuses() == [201]);
    assert_eq!(first, Some(1));
    assert_eq!(
        told(&search, &world),
        ["stars: at least 77", "stars: at most 79"]
    );
    let edges = rounds
        .iter()
        .filter(|round| matches!(round.proposal.way, Way::Edge { .. }));
    let values: Vec<Value> = edges
        .filter_map(|round| {
            round
                .main()
                .body
                .as_ref()?
                .gene
                .value()
                .get("stars")
                .cloned()
        })
        .collect();
    for told in [77, 79, 76, 80] {
        assert!(
            values.contains(&json!(told)),
            "{told} is a telling value: {values:?}"
        );
    }
}

#[test]
fn which_fields_may_be_given_together_is_learned() {
    let text = json!({"type": "string"});
    let fields = json!({"phone": text, "email": text, "fax": text});
    let world = world(&fields, Some(json!([])), "");
    let judge = |body: &Value| {
        let given = |name: &str| body.get(name).is_some();
        match () {
            () if !given("phone") && !given("email") => {
                refuse("either phone or email must be given")
            }
            () if given("phone") && given("fax") => refuse("phone and fax can't be used together"),
            () if given("email") && !given("fax") => refuse("email requires fax"),
            () => (201, json!({})),
        }
    };
    for seed in 0..6 {
        let (search, rounds) = played(&world, seed, 8, judge);
        let first = rounds.iter().position(|round| round.statuses() == [201]);
        assert!(first.is_some_and(|at| at <= 3), "seed {seed}: {first:?}");
        let told = told(&search, &world);
        assert!(
            told.contains(&"at least one of phone, email".to_owned()),
            "{told:?}"
        );
    }
}

#[test]
fn a_field_that_goes_with_one_value_of_another_is_learned() {
    let fields = json!({"status": {"type": "string", "enum": ["open", "cancelled"]},
        "reason": {"type": "string"}});
    let world = world(&fields, Some(json!(["status"])), "");
    let judge = |body: &Value| {
        let cancelled = body["status"] == "cancelled";
        if cancelled == body.get("reason").is_some() {
            (201, json!({}))
        } else {
            refuse("a reason must be given when the status is cancelled, and only then")
        }
    };
    let mut cancelled = 0;
    for seed in 0..8 {
        let (search, rounds) = played(&world, seed, 12, judge);
        let plain = rounds
            .iter()
            .filter(|round| round.proposal.way == Way::Plain);
        let refused = plain.filter(|round| round.statuses() == [422]).count();
        assert!(refused <= 1, "seed {seed}: it is told once");
        let rule = "reason given when status is cancelled, and only then";
        cancelled += usize::from(told(&search, &world) == [rule]);
    }
    assert!(cancelled > 0, "of eight runs some are told");
}

/// What must be new each time moves along with what it must not pass.
#[test]
fn days_that_must_be_unique_keep_their_order() {
    let world = world(&days(), None, "");
    let taken = std::cell::RefCell::new(std::collections::BTreeSet::new());
    let judge = |body: &Value| match (body["arrives"].as_str(), body["leaves"].as_str()) {
        (Some(a), Some(b)) if a > b => refuse("leaves is before arrives"),
        (Some(a), Some(_)) if !taken.borrow_mut().insert(a.to_owned()) => {
            (409, json!({"detail": format!("arrives {a} is taken")}))
        }
        _ => (201, json!({})),
    };
    let (_, rounds) = played(&world, 3, 200, judge);
    let valid = rounds.iter().filter(|round| round.main().intent.is_valid());
    // Telling values and those of chance are sent whatever the rules say.
    let free = |way: &Way| matches!(way, Way::Edge { .. } | Way::Varied | Way::Sequence);
    let late = valid.skip(20).filter(|round| round.statuses() == [422]);
    let ways = late.map(|round| &round.proposal.way);
    let ways: Vec<&Way> = ways.filter(|way| !free(way)).collect();
    assert!(ways.len() <= 2, "days stay in order once told: {ways:?}");
}

#[test]
fn what_a_successful_call_breaks_is_no_rule() {
    let fields = json!({"size": {"type": "integer", "minimum": 1, "maximum": 100,
        "description": "Must be at most 5."}});
    let world = world(&fields, None, "");
    let (mut search, _) = played(&world, 1, 0, |_| (201, json!({})));
    let index = world.index("POST /things");
    assert_eq!(search.document_rules(index), ["size: at most 5"]);
    let (search, _) = played(&world, 1, 60, |_| (201, json!({})));
    assert_eq!(told(&search, &world), [] as [String; 0]);
}

/// The example of a document knows better than a sentence that may be misread.
#[test]
fn an_example_is_sent_as_it_is() {
    let fields = json!({"size": {"type": "integer", "example": 50, "description": "At most 5."}});
    let world = world(&fields, None, "");
    let (_, rounds) = played(&world, 1, 1, |body: &Value| match body["size"].as_i64() {
        Some(50) => (201, json!({})),
        _ => refuse("no"),
    });
    assert_eq!(rounds[0].statuses(), [201]);
}

/// The largest quantity is refused where it exceeds the capacity, and welcome where it does not.
#[test]
fn a_refused_bound_is_sent_in_other_company() {
    let number = json!({"type": "integer", "minimum": 1, "maximum": 50});
    let world = world(&json!({"quantity": number, "room": number}), None, "");
    let (_, rounds) = played(&world, 3, 200, |body: &Value| {
        match (body["quantity"].as_i64(), body["room"].as_i64()) {
            (Some(quantity), Some(room)) if quantity <= room => (201, json!({})),
            _ => (422, json!({"detail": "does not fit"})),
        }
    });
    let contrasts = rounds
        .iter()
        .filter(|round| round.proposal.way == Way::Contrast);
    let mut accepted = 0;
    for round in contrasts {
        let calls = round.episode.script.calls.iter();
        let places: Vec<_> = calls.filter_map(|call| call.intent.place()).collect();
        assert_eq!(
            places.len(),
            3,
            "twice in other company, once as it was: {places:?}"
        );
        accepted += usize::from(round.statuses().iter().filter(|s| **s == 201).count() > 1);
    }
    assert!(accepted > 0, "in other company it is welcome");
}
