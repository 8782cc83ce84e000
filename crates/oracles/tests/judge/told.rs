//! F314: things that break an order which descriptions tell.

use fossick_ingest::{NoFetch, Source};
use fossick_trace::{Finding, Location, Wrong};
use fossick_validate::Validators;
use serde_json::{Value, json};

use crate::story::{Story, World, broken};

/// Bookings whose answer is described, or only what is sent.
fn world(told: &str, in_answer: bool) -> World {
    let moment = |said: &str| json!({"type": "string", "format": "date", "description": said});
    let booking = |said: &str| {
        json!({"type": "object", "properties": {
            "id": {"type": "integer"},
            "startsOn": moment(""),
            "dueOn": moment(said),
            "low": {"type": "number"},
            "high": {"type": "number", "description": said.replace("startsOn", "low")},
        }})
    };
    let content = |schema: Value| json!({"application/json": {"schema": schema}});
    let shown = booking(if in_answer { told } else { "" });
    let answers =
        |schema: Value| json!({"default": {"description": "", "content": content(schema)}});
    let one = || answers(shown.clone());
    let body = || json!({"content": content(booking(if in_answer { "" } else { told }))});
    let hole = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "string"}});
    let list = json!({"type": "array", "items": shown});
    World::of(json!({
        "/bookings": {
            "get": {"responses": answers(list)},
            "post": {"requestBody": body(), "responses": one()},
        },
        "/bookings/{id}": {
            "parameters": [hole],
            "get": {"responses": one()},
            "patch": {"requestBody": body(), "responses": one()},
        },
    }))
}

fn booked(starts: Value, due: Value) -> Value {
    json!({"id": 7, "startsOn": starts, "dueOn": due})
}

fn read(told: &str, thing: Value) -> Vec<Finding> {
    let world = world(told, true);
    world.story().get("/bookings/7", 200, thing).heard("F314")
}

const AFTER: &str = "Must be after startsOn.";

#[test]
fn a_thing_that_breaks_its_order_is_told() {
    let day = json!("2025-03-03");
    let found = read(AFTER, booked(day.clone(), day.clone()));
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].title,
        "dueOn \"2025-03-03\" is not after startsOn \"2025-03-03\", though \"Must be after startsOn\""
    );
    assert_eq!(found[0].operation, "GET /bookings/{id}");
    let path = "/dueOn".to_owned();
    let wrong = Wrong::Value;
    assert_eq!(found[0].location, Location::Body { path, wrong });
    let numbers = json!({"id": 7, "low": 5, "high": 3});
    let found = read("At least startsOn", numbers);
    assert_eq!(
        found[0].title,
        "high 3 is less than low 5, though \"At least low\""
    );
}

#[test]
fn many_ways_of_telling_are_understood() {
    for told in [
        "The last day. Must not be before startsOn.",
        "Can't be earlier than `startsOn`",
        "May not be before startsOn.",
        "Not before startsOn.",
        "must be later than startsOn",
    ] {
        let thing = booked(json!("2025-03-04"), json!("2025-03-03"));
        assert_eq!(read(told, thing).len(), 1, "{told}");
    }
}

#[test]
fn what_keeps_its_order_or_has_none_is_right() {
    for (starts, due) in [
        (json!("2025-03-03"), json!("2025-03-04")),
        (json!("2025-03-03"), json!(null)),
        (json!(null), json!("2025-03-03")),
        (
            json!("2025-03-03T10:00:00+02:00"),
            json!("2025-03-03T08:30:00Z"),
        ),
        (json!("2025-03-03T10:00:00Z"), json!("2025-03-03")),
        (json!("soon"), json!("now")),
    ] {
        assert_eq!(read(AFTER, booked(starts, due.clone())), [], "{due}");
    }
    assert_eq!(read(AFTER, json!({"id": 7, "dueOn": "2025-03-03"})), []);
    let same = booked(json!("2025-03-03"), json!("2025-03-03"));
    assert_eq!(read("Not before startsOn", same), []);
}

#[test]
fn prose_that_only_leans_that_way_is_no_rule() {
    for told in [
        "",
        "The day that it is due, usually after startsOn.",
        "Must be after startsOn unless it is paid.",
        "If recurring, must be after startsOn.",
        "Should be after startsOn.",
        "Related to startsOn.",
        "Reminders are sent the day before startsOn",
        "Must be after the day of the order.",
    ] {
        let thing = booked(json!("2025-03-04"), json!("2025-03-03"));
        assert_eq!(read(told, thing), [], "{told}");
    }
}

fn creates(world: &World) -> Story<'_> {
    let thing = booked(json!("2025-03-04"), json!("2025-03-03"));
    world
        .story()
        .call("POST", "/bookings", thing.clone(), 201, thing)
}

#[test]
fn what_requests_are_told_holds_for_answers() {
    let world = world(AFTER, false);
    let found = creates(&world).one("F314");
    assert_eq!(
        (found.operation.as_str(), found.call),
        ("POST /bookings", 0)
    );
    let listed = json!([booked(json!("2025-03-04"), json!("2025-03-03"))]);
    let found = world.story().get("/bookings", 200, listed).one("F314");
    assert_eq!(found.operation, "GET /bookings");
}

#[test]
fn the_write_that_made_it_so_is_to_blame() {
    let world = world(AFTER, true);
    let good = booked(json!("2025-03-01"), json!("2025-03-03"));
    let bad = booked(json!("2025-03-04"), json!("2025-03-03"));
    let found = world
        .story()
        .call("POST", "/bookings", good.clone(), 201, good)
        .call(
            "PATCH",
            "/bookings/7",
            json!({"startsOn": "2025-03-04"}),
            204,
            Value::Null,
        )
        .get("/bookings/7", 200, bad.clone())
        .get("/bookings", 200, json!([bad]))
        .one("F314");
    assert_eq!(found.operation, "PATCH /bookings/{id}");
    assert_eq!((found.call, found.evidence.calls), (2, vec![1]));
}

/// Another oracle tells that it was accepted.
#[test]
fn what_was_broken_on_purpose_is_not_told_twice() {
    let world = world(AFTER, true);
    creates(&world)
        .meaning(broken("body /dueOn", "order"))
        .silent("F314");
}

#[test]
fn refusals_show_no_things() {
    let world = world(AFTER, true);
    let thing = booked(json!("2025-03-04"), json!("2025-03-03"));
    world
        .story()
        .call("POST", "/bookings", thing.clone(), 400, thing)
        .silent("F314");
}

/// Types of GraphQL are described by what their mutations take.
#[test]
fn things_of_graphql_keep_what_their_inputs_tell() {
    let text = "
        type Trip { id: ID!  first: String  last: String }
        input TripInput { first: String!  \"Not before first.\" last: String! }
        type Query { trip(id: ID!): Trip }
        type Mutation { addTrip(input: TripInput!): Trip! }
    ";
    let source = Source {
        name: "schema.graphql".to_owned(),
        text: text.to_owned(),
    };
    let api = fossick_ingest::read(&source, &mut NoFetch)
        .expect("it can be read")
        .api;
    let validators = Validators::new(&api);
    let world = World { api, validators };
    let add = "mutation($input: TripInput!) { addTrip(input: $input) { id first last } }";
    let adds = |first: &str, last: &str| {
        let trip = json!({"id": "7", "first": first, "last": last});
        let input = json!({"input": {"first": first, "last": last}});
        world
            .story()
            .ask(add, input, json!({"data": {"addTrip": trip}}))
    };
    let found = adds("2025-03-04", "2025-03-03").one("F314");
    assert_eq!(found.operation, "mutation addTrip");
    adds("2025-03-03", "2025-03-03").silent("F314");
}
