//! Shed: suspected faults.
//! Made by fossick: fossick test openapi.json --seed 1

use crate::support::*;

/// A repair is made and deleted; then somebody looks for it.
/// It should be gone: 404 or 410.
/// Suspected fault F301: still served after it was deleted.
/// DELETE answered 204, and the same path answers 200 afterwards with the repair as it was before
/// it was deleted.
/// The test shows the behaviour as it is, and passes.
#[tokio::test]
async fn deleted_repair_is_still_served() {
    let alice = alice().await;
    let name = fresh("spirit level x6fch");

    // Makes a tool.
    let body = json!({"name": name, "code": "ME-0042", "tags": ["level", "blue"]});
    let answer = send(alice.post("/tools").json(&body)).await;
    assert_eq!(answer.status(), 201, "{answer}");
    assert_eq!(answer.media_type(), "application/json", "{answer}");
    let tool_id = answer.location();

    // Makes a repair.
    let body = json!({"note": "New handle", "hours": 1.5, "urgent": false});
    let path = format!("/tools/{}/repairs", segment(&tool_id));
    let answer = send(alice.post(&path).json(&body)).await;
    assert_eq!(answer.status(), 201, "{answer}");
    let repair_id = answer.at("/id");

    let path = format!(
        "/tools/{}/repairs/{}",
        segment(&tool_id),
        segment(&repair_id)
    );
    let answer = send(alice.delete(&path)).await;
    assert_eq!(answer.status(), 204, "{answer}");
    assert_eq!(answer.text(), "", "{answer}");

    // Looks at what is gone.
    let path = format!(
        "/tools/{}/repairs/{}",
        segment(&tool_id),
        segment(&repair_id)
    );
    let answer = send(alice.get(&path)).await;
    // This is the suspected fault F301.
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.media_type(), "application/json", "{answer}");
    assert_eq!(answer.at("/id"), repair_id, "{answer}");
    assert_eq!(answer.kind("/tool"), "integer", "{answer}");
    assert_eq!(answer.at("/note"), "New handle", "{answer}");
    assert_eq!(answer.at("/hours"), 1.5, "{answer}");
    assert_eq!(answer.at("/urgent"), false, "{answer}");
}

/// Suspected fault F401: authentication ignored.
/// The contract asks for a token; the request had none.
/// The test shows the behaviour as it is, and passes.
#[tokio::test]
async fn ledger_is_shown_to_anybody() {
    let alice = alice().await;
    let nobody = nobody().await;

    // Somebody of the staff may see it.
    let answer = send(alice.get("/staff/ledger")).await;
    assert_eq!(answer.status(), 200, "{answer}");

    // So may everybody else.
    let answer = send(nobody.get("/staff/ledger")).await;
    // This is the suspected fault F401.
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.size("/loans"), Some(0), "{answer}");
}

/// Suspected fault F201: answer breaks its schema.
/// /fee is a string where a number is promised. * / ? > -- > ''' """ \ #.
/// The test shows the behaviour as it is, and passes.
#[tokio::test]
async fn fee_of_the_ledger_is_a_text() {
    let bob = bob().await;

    let answer = send(bob.get("/staff/ledger")).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.media_type(), "application/json", "{answer}");
    // This is the suspected fault F201.
    assert_eq!(answer.kind("/fee"), "string", "{answer}");
    assert_eq!(answer.at("/fee"), "12", "{answer}");
}

/// Suspected fault F201: answer breaks its schema.
/// Size is a string where a number is promised.
/// The test shows the behaviour as it is, and passes.
#[tokio::test]
async fn size_of_a_listed_tool_is_a_text() {
    let alice = alice().await;
    let name = fresh("plane-k3x9q");

    // Makes a tool.
    let body = json!({"name": name, "code": "LI-0007", "size": 3});
    let answer = send(alice.post("/tools").json(&body)).await;
    assert_eq!(answer.status(), 201, "{answer}");
    assert_eq!(answer.kind("/id"), "integer", "{answer}");
    let tool_id = answer.at("/id");

    let answer = send(alice.get("/tools")).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.media_type(), "application/json", "{answer}");
    assert_eq!(answer.kind(""), "array", "{answer}");
    let item = answer.item("", "/id", &tool_id);
    assert_eq!(item.at("/name"), name, "{item}");
    // This is the suspected fault F201.
    assert_eq!(item.kind("/size"), "string", "{item}");
}

/// Any other limit is served.
/// Suspected fault F101: server error.
/// The service answered 500 to a request that the contract allows.
/// The test shows the behaviour as it is, and passes.
#[tokio::test]
async fn limit_of_73_ends_in_a_crash() {
    let alice = alice().await;

    let answer = send(alice.get("/tools?limit=73&available=true")).await;
    // This is the suspected fault F101.
    assert_eq!(answer.status(), 500, "{answer}");
    assert_eq!(answer.media_type(), "application/problem+json", "{answer}");
    assert_eq!(
        answer.at("/detail"),
        "something went wrong in here",
        "{answer}"
    );
}
