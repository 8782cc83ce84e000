//! Replaying a stored script: still there, gone, or not to be told.

use std::sync::atomic::{AtomicU32, Ordering};

use fossick_campaign::{Sought, Verdict, replay};
use fossick_contract::Method::{Get, Post};
use fossick_oracles::Judge;
use fossick_testkit::{Fake, FakeResponse, pure_crud, pure_document};
use fossick_trace::{Call, Heard, Role, Script, Text, fingerprint};
use serde_json::json;

use crate::desk::{Desk, around, call, capture, client, json_body, script, set_up, wait};

fn crash() -> Call {
    let target = Text::fixed("/samples?limit=42&stars=1");
    call(Get, "GET /samples", target)
}

fn creation(stars: u8) -> Call {
    let call = call(Post, "POST /notes", Text::fixed("/notes"));
    set_up(json_body(call, &json!({"text": "x", "stars": stars})))
}

/// What a replay of a script says against a service, looking for one finding.
fn verdict(url: &str, script: &Script, wanted: &str) -> Verdict {
    let desk = Desk::of(pure_document());
    let judge = Judge::new(&desk.api, &desk.validators);
    let client = client(url);
    wait(replay(&client, &judge, sought(script, wanted, &[]), 3)).0
}

fn sought<'s>(script: &'s Script, fingerprint: &'s str, heard: &'s [Heard]) -> Sought<'s> {
    Sought {
        script,
        fingerprint,
        shows: script.calls.len() - 1,
        involved: &[],
        heard,
    }
}

#[test]
fn a_call_that_did_otherwise_when_it_was_found_is_a_failed_set_up() {
    let desk = Desk::of(pure_document());
    let judge = Judge::new(&desk.api, &desk.validators);
    let fake = pure_crud(false);
    let absent = call(Get, "GET /notes/{id}", Text::fixed("/notes/77"));
    let script = script(vec![absent, crash()]);
    let worked = Heard {
        status: Some(200),
        worked: true,
    };
    let (verdict, _) = wait(replay(
        &client(&fake.url()),
        &judge,
        sought(&script, &of_crash(), &[worked, worked]),
        3,
    ));
    assert_eq!(
        verdict,
        Verdict::SetUpFailed {
            step: 1,
            why: "was refused with 404, and answered 200 when it was found".to_owned()
        }
    );
}

fn of_crash() -> String {
    fingerprint(&["F101", "GET /samples", "500  "])
}

#[test]
fn what_comes_back_is_still_there() {
    let fake = pure_crud(true);
    let told = verdict(&fake.url(), &script(vec![crash()]), &of_crash());
    assert_eq!(
        told,
        Verdict::StillThere {
            came_back: 3,
            of: 3
        }
    );
}

#[test]
fn what_does_not_come_back_is_gone() {
    let fake = pure_crud(false);
    let told = verdict(&fake.url(), &script(vec![crash()]), &of_crash());
    assert_eq!(told, Verdict::Gone);
}

#[test]
fn another_fault_is_not_the_one_that_is_looked_for() {
    let fake = pure_crud(true);
    let told = verdict(&fake.url(), &script(vec![crash()]), "0123456789abcdef");
    assert_eq!(told, Verdict::Gone);
}

#[test]
fn what_wavers_is_told_with_how_often() {
    let turn = AtomicU32::new(0);
    let fake = Fake::start(move |_| {
        let odd = turn.fetch_add(1, Ordering::Relaxed) % 2 == 1;
        FakeResponse::json(if odd { 500 } else { 200 }, json!([]))
    });
    let told = verdict(&fake.url(), &script(vec![crash()]), &of_crash());
    assert_eq!(
        told,
        Verdict::StillThere {
            came_back: 1,
            of: 3
        }
    );
}

/// Whoever can't set it up never says "gone".
#[test]
fn a_set_up_that_fails_proves_nothing() {
    let fake = pure_crud(false);
    let told = verdict(
        &fake.url(),
        &script(vec![creation(9), crash()]),
        &of_crash(),
    );
    let why = "answered 400".to_owned();
    assert_eq!(told, Verdict::SetUpFailed { step: 1, why });
    let dropping = Fake::start(|_| FakeResponse::drop_connection());
    let told = verdict(
        &dropping.url(),
        &script(vec![creation(1), crash()]),
        &of_crash(),
    );
    assert!(
        matches!(told, Verdict::SetUpFailed { step: 1, .. }),
        "{told:?}"
    );
}

#[test]
fn a_value_that_is_missing_is_a_failed_set_up() {
    let fake = pure_crud(false);
    let target = around("/notes/", capture(0, "/nothing"), "");
    let read = call(Get, "GET /notes/{noteId}", target);
    let told = verdict(&fake.url(), &script(vec![creation(1), read]), &of_crash());
    assert!(
        matches!(told, Verdict::SetUpFailed { step: 2, .. }),
        "{told:?}"
    );
}

#[test]
fn a_service_that_is_not_there_has_nothing_mended() {
    let fake = pure_crud(true);
    let url = fake.url();
    drop(fake);
    let told = verdict(&url, &script(vec![crash()]), &of_crash());
    assert!(matches!(told, Verdict::Unreachable(_)), "{told:?}");
}

#[test]
fn a_story_of_several_calls_is_replayed_whole() {
    let fake = pure_crud(true);
    let target = around("/notes/", capture(0, "/id"), "");
    let mut read = call(Get, "GET /notes/{noteId}", target);
    read.role = Role::Check;
    let mark = fingerprint(&["F201", "GET /notes/{noteId}", "2 /stars type"]);
    let told = verdict(&fake.url(), &script(vec![creation(5), read]), &mark);
    assert_eq!(
        told,
        Verdict::StillThere {
            came_back: 3,
            of: 3
        }
    );
}
