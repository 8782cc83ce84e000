//! Requests without GraphQL.

use fossick_harvest::{Call, Content, RestCall, Seen, Skipped, Statuses, Taken};
use serde_json::{Value, json as value};

use super::{answered, intake, json, only, places, sent, with_header};

fn request(taken: Taken) -> RestCall {
    match only(taken).call {
        Call::Rest(call) => call,
        Call::GraphQl(call) => panic!("{call:?}"),
    }
}

#[test]
fn requests_that_mean_the_same_are_one_call() {
    let one = with_header(
        json(
            "/tasks?b=2&a=x+y&b=1",
            &value!({"n": {"y": 1, "x": 2}, "m": 3}),
        ),
        "Accept",
        "application/json",
    );
    let mut other = with_header(
        json(
            "http://host/tasks?a=x%20y&b=2&b=1",
            &value!({"m": 3, "n": {"x": 2, "y": 1}}),
        ),
        "accept",
        " application/json ",
    );
    other
        .headers
        .push(("User-Agent".to_owned(), "curl".to_owned()));
    let (one, other) = (only(intake().take(&one)), only(intake().take(&other)));
    assert_eq!(one.call, other.call);
    assert_eq!(one.key, other.key);
    let Call::Rest(call) = one.call else {
        panic!("GraphQL");
    };
    assert_eq!(
        call.headers,
        [("accept".to_owned(), "application/json".to_owned())]
    );
    assert_eq!(
        call.query
            .iter()
            .map(|(_, value)| value.as_str())
            .collect::<Vec<_>>(),
        ["x y", "2", "1"]
    );
}

#[test]
fn bodies_are_kept_by_their_kind() {
    let content = |media_type: &str, body: &str| {
        request(intake().take(&sent("PUT", "/x", media_type, body))).content
    };
    assert_eq!(content("", ""), Content::None);
    let fields = vec![
        ("a".to_owned(), "2".to_owned()),
        ("b".to_owned(), "1 x".to_owned()),
    ];
    assert_eq!(
        content("application/x-www-form-urlencoded", "b=1+x&a=2"),
        Content::Form { fields }
    );
    let (media_type, text) = ("application/xml".to_owned(), "<a/>".to_owned());
    assert_eq!(
        content("Application/XML; charset=utf-8", "<a/>"),
        Content::Text { media_type, text }
    );
    let media_type = "application/json".to_owned();
    assert_eq!(
        content("", " [1]"),
        Content::Json {
            media_type,
            value: value!([1])
        }
    );
    let Content::Opaque { size, digest, .. } = content("image/png", "\u{1}\u{2}") else {
        panic!("a picture is not text");
    };
    assert_eq!((size, digest.len()), (2, 64));
}

#[test]
fn uploads_do_not_depend_on_their_boundary() {
    let body = "--B\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nx\r\n--B--\r\n";
    let content = |boundary: &str| {
        let media_type = format!("multipart/form-data; boundary={boundary}");
        let body = body.replace("--B", &format!("--{boundary}"));
        request(intake().take(&sent("POST", "/up", &media_type, &body))).content
    };
    assert_eq!(content("x"), content("yy"));
    assert!(
        matches!(content("x"), Content::Opaque { media_type, .. } if media_type == "multipart/form-data")
    );
}

#[test]
fn answers_are_counted_by_class() {
    let class = |status| {
        only(intake().take(&answered(sent("GET", "/x", "", ""), status, &Value::Null))).statuses
    };
    assert_eq!(class(204).successful, 1);
    assert_eq!(class(302).redirected, 1);
    assert_eq!(class(404).client_error, 1);
    assert_eq!(class(503).server_error, 1);
    assert_eq!(class(0), Statuses::default());
    let mut seen = answered(sent("GET", "/x", "", ""), 200, &Value::Null);
    (seen.times, seen.last_at) = (5, 2000);
    let sighting = only(intake().take(&seen));
    assert_eq!((sighting.times, sighting.statuses.successful), (5, 5));
    assert_eq!((sighting.first_at, sighting.last_at), (1000, 2000));
    assert_eq!(
        (
            sighting.took.answers,
            sighting.took.total,
            sighting.took.most
        ),
        (5, 7500, 1500)
    );
}

#[test]
fn what_is_no_call_is_left_out() {
    let mut upgraded = Seen::once(0, "GET", "/live");
    upgraded
        .headers
        .push(("Upgrade".to_owned(), "websocket".to_owned()));
    for (seen, why) in [
        (Seen::once(0, "OPTIONS", "/x"), Skipped::Method),
        (Seen::once(0, "head", "/x"), Skipped::Method),
        (Seen::once(0, "GET", "/app/main.JS?v=1"), Skipped::Asset),
        (upgraded, Skipped::Upgrade),
        (
            Seen::once(0, "GET", &"/x".repeat(20_000)),
            Skipped::TooLarge,
        ),
    ] {
        assert_eq!(intake().take(&seen).skipped, Some(why));
    }
    assert_eq!(
        request(intake().take(&Seen::once(0, "POST", "/upload.js"))).path,
        "/upload.js"
    );
}

#[test]
fn what_was_changed_is_told() {
    let body = value!({
        "user": {"email": "ada@example.org", "age": 36, "active": true},
        "cards": [{"cardNumber": 4_111_111_111_111_111_u64}, {"cardNumber": null}],
        "headers": [{"name": "Authorization", "value": "secret words"}],
        "page_token": "abc",
    });
    let seen = json("/users/by-email/ada?api_key=k1&page=2", &body);
    let seen = with_header(
        with_header(seen, "Authorization", "Bearer x"),
        "Cookie",
        "sid=1",
    );
    let sighting = only(intake().take(&seen));
    assert_eq!(
        places(&sighting.redactions),
        [
            "body /cards/-/cardNumber",
            "body /headers/-/value",
            "body /user/email",
            "header authorization",
            "header cookie",
            "path 3",
            "query api_key",
        ]
    );
    let Call::Rest(RestCall {
        content: Content::Json { value, .. },
        ..
    }) = sighting.call
    else {
        panic!("no JSON");
    };
    assert_eq!(value["user"]["age"], 36);
    assert_eq!(value["page_token"], "abc");
    assert!(
        value["cards"][0]["cardNumber"]
            .as_u64()
            .is_some_and(|n| n.to_string().len() == 16)
    );
}
