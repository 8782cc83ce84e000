//! Shed: what is refused, and the rest.
//! Made by fossick: fossick test openapi.json --seed 1

use crate::support::*;

#[tokio::test]
async fn tool_without_a_code_is_refused() {
    let alice = alice().await;
    let name = fresh("amber-x6fch");

    let body = json!({"name": name});
    let answer = send(alice.post("/tools").json(&body)).await;
    assert_eq!(answer.status(), 400, "{answer}");
    assert_eq!(answer.media_type(), "application/problem+json", "{answer}");
    assert_eq!(answer.at("/status"), 400, "{answer}");
    assert_eq!(answer.kind("/detail"), "string", "{answer}");

    // Sends JSON that breaks off.
    let request = alice
        .post("/tools")
        .header("Content-Type", "application/json")
        .body(format!("{{\"name\": \"{}\", ", text(&name)));
    let answer = send(request).await;
    assert_eq!(answer.status(), 400, "{answer}");
}

#[tokio::test]
async fn loans_need_a_token() {
    let nobody = nobody().await;
    let alice = alice().await;
    let bob = bob().await;

    let answer = send(nobody.get("/staff/loans")).await;
    assert_eq!(answer.status(), 401, "{answer}");
    assert_eq!(answer.media_type(), "application/problem+json", "{answer}");
    assert!(answer.lacks("/loans"), "{answer}");
    let scheme = answer.header("WWW-Authenticate");

    let body = json!({"scheme": scheme});
    let answer = send(nobody.post("/measure").json(&body)).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.kind("/size"), "integer", "{answer}");

    let answer = send(alice.get("/staff/loans")).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.at("/by"), "demo", "{answer}");
    assert_eq!(answer.size("/loans"), Some(0), "{answer}");

    let answer = send(bob.get("/staff/loans")).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.at("/by"), "-bob", "{answer}");
}

#[tokio::test]
async fn tool_that_nobody_has_is_not_found() {
    let alice = alice().await;

    let answer = send(alice.get("/tools/999999999")).await;
    assert_eq!(answer.status(), 404, "{answer}");
    assert_eq!(answer.media_type(), "application/problem+json", "{answer}");
    assert_eq!(answer.at("/detail"), "there is no such tool", "{answer}");
}
