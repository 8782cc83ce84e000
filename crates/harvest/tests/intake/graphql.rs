//! Operations in every form in which they are sent.

use fossick_harvest::{Call, GraphQlCall, Skipped, Taken};
use serde_json::{Value, json as value};

use super::{answered, intake, json, only, sent};

fn operation(taken: Taken) -> GraphQlCall {
    match only(taken).call {
        Call::GraphQl(call) => call,
        Call::Rest(call) => panic!("{call:?}"),
    }
}

fn hash(text: &str) -> String {
    use sha2::Digest as _;
    sha2::Sha256::digest(text)
        .iter()
        .fold(String::new(), |all, byte| format!("{all}{byte:02x}"))
}

fn persisted(hash: &str, query: Option<&str>) -> Value {
    let mut body = value!({"extensions": {"persistedQuery": {"version": 1, "sha256Hash": hash}}});
    if let Some(query) = query {
        body["query"] = query.into();
    }
    body
}

#[test]
fn every_way_of_sending_an_operation_is_the_same_call() {
    let text = "query Q($id: ID!) {\n  project(id: $id) { name }\n}";
    let body = value!({"query": text, "operationName": "Q", "variables": {"id": "p1", "other": 1}});
    let parameters = "query=query%20Q(%24id:ID!)%7Bproject(id:%24id)%7Bname%7D%7D&variables=%7B%22id%22:%22p1%22%7D";
    let multipart = format!(
        "--b\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n{body}\r\n--b--\r\n"
    );
    let seen = [
        json("/graphql", &body),
        json(
            "/graphql?x=1",
            &value!({"query": text, "variables": "{\"id\":\"p1\"}"}),
        ),
        sent("POST", "/graphql", "text/plain", &body.to_string()),
        sent("GET", &format!("/graphql?{parameters}"), "", ""),
        sent(
            "POST",
            "/graphql",
            "application/x-www-form-urlencoded",
            parameters,
        ),
        sent(
            "POST",
            "/graphql?variables=%7B%22id%22:%22p1%22%7D",
            "application/graphql",
            text,
        ),
        sent(
            "POST",
            "/graphql",
            "multipart/form-data; boundary=b",
            &multipart,
        ),
    ];
    let calls: Vec<_> = seen
        .iter()
        .map(|seen| operation(intake().take(seen)))
        .collect();
    assert_eq!(calls[0].query, "query Q($id:ID!){project(id:$id){name}}");
    assert_eq!(calls[0].operation_name.as_deref(), Some("Q"));
    assert_eq!(
        Value::from(calls[0].variables.clone()),
        value!({"id": "p1"})
    );
    assert!(calls.iter().all(|call| *call == calls[0]), "{calls:#?}");
}

#[test]
fn members_of_a_batch_are_taken_apart_with_their_answers() {
    let body = value!([
        {"query": "{a}"},
        {"query": "mutation M{b}", "operationName": "M"},
        {"query": "{__schema{types{name}}}"}
    ]);
    let answer = value!([
        {"data": {"a": 1}},
        {"data": null, "errors": [{"message": "no"}]},
        {"data": {}}
    ]);
    let taken = intake().take(&answered(json("/graphql", &body), 200, &answer));
    assert_eq!(taken.skipped, Some(Skipped::Introspection));
    let classes: Vec<_> = taken
        .sightings
        .iter()
        .map(|sighting| (sighting.statuses.successful, sighting.statuses.with_errors))
        .collect();
    assert_eq!(classes, [(1, 0), (0, 1)]);
    assert_eq!(taken.sightings[0].took.total, 1500);
}

#[test]
fn keys_of_variables_are_sorted_at_every_level() {
    let query = "query($f:F,$a:[A]){x(f:$f,a:$a)}";
    let sent = value!({"query": query, "variables": {"f": {"b": 1, "a": {"d": 1, "c": 2}}, "a": [{"z": 1, "y": 2}]}});
    let call = operation(intake().take(&json("/graphql", &sent)));
    let text = serde_json::to_string(&call.variables).expect("JSON");
    assert_eq!(
        text,
        r#"{"a":[{"y":2,"z":1}],"f":{"a":{"c":2,"d":1},"b":1}}"#
    );
}

#[test]
fn a_persisted_query_is_known_once_its_text_went_by() {
    let (mut intake, text) = (intake(), "{ a }");
    let bare = json("/graphql", &persisted(&hash(text), None));
    assert_eq!(
        intake.take(&bare).skipped,
        Some(Skipped::UnknownPersistedQuery)
    );
    let wrong = json("/graphql", &persisted(&hash(text), Some("{ b }")));
    assert_eq!(operation(intake.take(&wrong)).query, "{b}");
    assert_eq!(
        intake.take(&bare).skipped,
        Some(Skipped::UnknownPersistedQuery)
    );
    intake.take(&json("/graphql", &persisted(&hash(text), Some(text))));
    assert_eq!(operation(intake.take(&bare)).query, "{a}");
    let extensions = "%7B%22persistedQuery%22:%7B%22sha256Hash%22:%22";
    let target = format!("/anywhere?extensions={extensions}{}%22%7D%7D", hash(text));
    assert_eq!(
        operation(intake.take(&sent("GET", &target, "", ""))).query,
        "{a}"
    );
    assert_eq!(
        intake.skipped().get(&Skipped::UnknownPersistedQuery),
        Some(&2)
    );
}

#[test]
fn ids_have_a_manifest() {
    let mut settings = fossick_harvest::IntakeSettings::new(fossick_harvest::Privacy::new([1; 32]));
    settings.manifest = fossick_harvest::read_manifest(r#"{"d1": "query Q{a}"}"#).expect("sound");
    let mut intake = fossick_harvest::Intake::new(settings);
    for name in ["id", "documentId", "doc_id", "queryId"] {
        let seen = json("/api", &value!({name: "d1", "variables": {}}));
        assert_eq!(operation(intake.take(&seen)).query, "query Q{a}", "{name}");
    }
    let unknown = json("/graphql", &value!({"documentId": "d2"}));
    assert_eq!(
        intake.take(&unknown).skipped,
        Some(Skipped::UnknownPersistedQuery)
    );
}

#[test]
fn what_is_no_operation_is_left_out_where_graphql_is_served() {
    for (body, why) in [
        (value!({"query": "{__typename}"}), Skipped::Introspection),
        (
            value!({"query": "{__schema{queryType{name}} ...on Query{__type(name:\"A\"){name}}}"}),
            Skipped::Introspection,
        ),
        (value!({"query": "subscription{a}"}), Skipped::Subscription),
        (value!({"query": "{a"}), Skipped::NotReadable),
        (
            value!({"query": "query A{a} query B{b}"}),
            Skipped::NotReadable,
        ),
        (
            value!({"query": "{a}", "operationName": "B"}),
            Skipped::NotReadable,
        ),
        (value!({"unknown": 1}), Skipped::NotReadable),
        (value!([]), Skipped::NotReadable),
        (value!(7), Skipped::NotReadable),
    ] {
        let taken = intake().take(&json("/api/graphql/", &body));
        assert_eq!(
            (taken.skipped, taken.sightings.len()),
            (Some(why), 0),
            "{body}"
        );
    }
    let page = sent("GET", "/graphql", "", "");
    assert_eq!(intake().take(&page).skipped, Some(Skipped::NotReadable));
}

#[test]
fn elsewhere_a_search_form_is_a_search_form() {
    for body in [
        value!({"query": "red shoes"}),
        value!({"query": {"match": 1}}),
        value!({"id": "x"}),
    ] {
        let sighting = only(intake().take(&json("/search", &body)));
        assert!(matches!(sighting.call, Call::Rest(_)), "{body}");
    }
    let call = operation(intake().take(&json("/anywhere", &value!({"query": "{a{b}}"}))));
    assert_eq!(call.path, "/anywhere");
}

#[test]
fn a_large_batch_is_left_out() {
    let body = vec![value!({"query": "{a}"}); 101];
    let taken = intake().take(&json("/graphql", &body.into()));
    assert_eq!(taken.skipped, Some(Skipped::TooLarge));
}

#[test]
fn variables_that_an_operation_lacks_are_kept_on_request_only() {
    let mut settings = fossick_harvest::IntakeSettings::new(fossick_harvest::Privacy::new([1; 32]));
    let body =
        value!({"query": "query($a:Int){x(a:$a)}", "variables": {"password": "hunter2", "a": 1}});
    let dropped =
        operation(fossick_harvest::Intake::new(settings.clone()).take(&json("/graphql", &body)));
    assert_eq!(Value::from(dropped.variables), value!({"a": 1}));
    settings.keep_undeclared = true;
    let kept = operation(fossick_harvest::Intake::new(settings).take(&json("/graphql", &body)));
    assert_eq!(
        (
            kept.variables.len(),
            kept.variables["password"] == "hunter2"
        ),
        (2, false)
    );
}
