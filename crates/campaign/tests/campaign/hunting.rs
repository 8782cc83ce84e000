//! A whole run over a service without a memory: its planted faults are found, and where there are
//! none, none is told.

use std::time::Duration;

use fossick_campaign::{Event, Hunt, Ignore, Outcome};
use fossick_testkit::{Fake, FakeResponse, document, pure_answer, pure_crud, pure_document};
use fossick_trace::Ending;
use serde_json::json;

use crate::desk::{Desk, client, settings, wait};

fn told(outcome: &Outcome) -> Vec<(&str, &str)> {
    let findings = outcome.findings.iter().map(|shown| &shown.finding);
    findings
        .map(|finding| (finding.code.as_str(), finding.operation.as_str()))
        .collect()
}

const CRASH: (&str, &str) = ("F101", "GET /samples");
const TYPE: (&str, &str) = ("F201", "GET /notes/{noteId}");
/// Where a reply is served under any note: under another one, or under none at all.
const PARENT: &str = "GET /notes/{noteId}/replies/{replyId}";

fn is_parent(finding: &(&str, &str)) -> bool {
    matches!(finding, ("F206" | "F307", operation) if *operation == PARENT)
}

#[test]
fn the_planted_faults_are_found_confirmed_and_shrunk() {
    let desk = Desk::of(pure_document());
    let fake = pure_crud(true);
    let outcome = desk.hunt(&fake.url(), 900);
    let found = told(&outcome);
    assert!(found.contains(&CRASH) && found.contains(&TYPE), "{found:?}");
    assert!(found.iter().any(is_parent), "{found:?}");
    let planted = |one: &(&str, &str)| *one == CRASH || *one == TYPE || is_parent(one);
    assert!(found.iter().all(planted), "and nothing else: {found:?}");
    assert!(
        outcome
            .findings
            .iter()
            .all(fossick_trace::Case::is_confirmed)
    );
    assert!(outcome.findings.iter().all(|shown| shown.replays == (3, 3)));
    let steps = |code: &str| {
        let shown = outcome.findings.iter().find(|s| s.finding.code == code);
        shown.map(|shown| shown.episode.script.calls.len())
    };
    assert_eq!((steps("F101"), steps("F201")), (Some(1), Some(2)));
    assert_eq!(outcome.ending, Ending::Finished);
    assert!(outcome.tallies.iter().all(fossick_trace::Tally::succeeded));
}

#[test]
fn a_service_that_keeps_its_word_is_not_accused() {
    let desk = Desk::of(pure_document());
    let fake = pure_crud(false);
    let outcome = desk.hunt(&fake.url(), 900);
    assert_eq!(told(&outcome), []);
    assert_eq!(outcome.notes, [""; 0]);
    assert!(outcome.requests >= 800, "{}", outcome.requests);
}

#[test]
fn what_the_user_knows_already_is_not_told_again() {
    let desk = Desk::of(pure_document());
    let fake = pure_crud(true);
    let outcome = desk.hunt_with(&fake.url(), 900, |settings| {
        settings.ignore = vec![Ignore {
            code: "f101".to_owned(),
            operation: Some("GET /samples".to_owned()),
        }];
        settings.silenced = vec!["F201".to_owned()];
    });
    let found = told(&outcome);
    assert!(
        !found.is_empty() && found.iter().all(is_parent),
        "{found:?}"
    );
}

#[test]
fn a_run_tells_what_it_does_while_it_does_it() {
    let desk = Desk::of(pure_document());
    let fake = pure_crud(true);
    let (mut states, mut found) = (Vec::new(), Vec::new());
    let mut listen = |event: Event<'_>| match event {
        Event::Progress(state) => states.push(state.requests),
        Event::Found(finding, name) => found.push((finding.code.clone(), name.to_owned())),
        Event::Note(_) => {}
    };
    let client = client(&fake.url());
    let hunt = Hunt::new(
        &desk.api,
        &desk.validators,
        client,
        settings(500),
        &mut listen,
    );
    let outcome = wait(hunt.run(std::future::pending()));
    assert!(states.len() > 3 && states.is_sorted());
    let confirmed = outcome.findings.iter().filter(|s| s.is_confirmed()).count();
    assert_eq!(found.len(), confirmed);
    assert!(found.contains(&("F101".to_owned(), "server error".to_owned())));
}

#[test]
fn an_interrupted_run_keeps_what_it_has() {
    let desk = Desk::of(pure_document());
    let fake = pure_crud(true);
    let mut quiet = |_: Event<'_>| {};
    let client = client(&fake.url());
    let settings = settings(1_000_000);
    let hunt = Hunt::new(&desk.api, &desk.validators, client, settings, &mut quiet);
    let outcome = wait(async {
        let soon = tokio::time::sleep(Duration::from_millis(300));
        Box::pin(hunt.run(soon)).await
    });
    assert_eq!(outcome.ending, Ending::Interrupted);
    assert!(outcome.requests > 0);
    assert!(outcome.elapsed < Duration::from_secs(5));
}

#[test]
fn operations_that_never_worked_say_why() {
    let operation =
        json!({"get": {"responses": {"200": {"description": ""}, "400": {"description": ""}}}});
    let desk = Desk::of(document(json!({"/shut": operation})));
    let fake = Fake::start(|_| FakeResponse::json(400, json!({"detail": "closed on Sundays"})));
    let outcome = desk.hunt(&fake.url(), 60);
    let tally = &outcome.tallies[0];
    assert!(!tally.succeeded());
    let why = tally.last_refusal.as_deref().unwrap_or_default();
    assert!(why.contains("closed on Sundays"), "{why}");
}

#[test]
fn an_operation_that_takes_long_holds_nobody_up() {
    const LONG: Duration = Duration::from_secs(3);
    let desk = Desk::of(pure_document());
    let fake = Fake::start(|request| {
        let answer = pure_answer(request, false);
        match request.segments().first() {
            Some(&"samples") => answer.after(LONG),
            _ => answer,
        }
    });
    let outcome = desk.hunt(&fake.url(), 600);
    // Waited for each time it is called, it would take minutes.
    assert!(outcome.elapsed < LONG * 12, "{:?}", outcome.elapsed);
    let slow = outcome.tallies.iter().find(|t| t.label == "GET /samples");
    assert!(slow.is_some_and(|tally| tally.requests > 0 && tally.succeeded()));
}
