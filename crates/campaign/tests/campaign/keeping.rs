//! Making a suite of a run: what is proposed is run, the service is reset, and time is kept.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use fossick_campaign::{Keeping, Outcome, Reset};
use fossick_suite::{Group, Limits};
use fossick_testkit::{pure_crud, pure_document};

use crate::desk::Desk;

fn kept(time: Duration, reset: Option<Reset>) -> Outcome {
    let desk = Desk::of(pure_document());
    let fake = pure_crud(true);
    desk.hunt_with(&fake.url(), 300, |settings| {
        settings.keep = Some(Keeping {
            limits: Limits::default(),
            time,
            reset,
            users: Vec::new(),
        });
    })
}

#[test]
fn a_run_becomes_a_suite_of_its_faults_and_of_what_works() {
    let outcome = kept(Duration::from_mins(1), None);
    let kept = outcome.kept.expect("a suite was asked for");
    let has = |group: Group| kept.tests.iter().any(|test| test.group == group);
    assert!(has(Group::Faults) && has(Group::Successes));
    assert!(kept.tests.len() < kept.before, "{} tests", kept.tests.len());
    assert!(!kept.hurried);
}

#[test]
fn the_service_is_reset_and_a_reset_that_fails_is_told() {
    let resets = Rc::new(Cell::new(0));
    let count = Rc::clone(&resets);
    let reset: Reset = Rc::new(move || {
        count.set(count.get() + 1);
        let failed = count.get() == 2;
        Box::pin(async move {
            if failed {
                Err("locked".to_owned())
            } else {
                Ok(())
            }
        })
    });
    let outcome = kept(Duration::from_mins(1), Some(reset));
    assert!(resets.get() > 10, "{} resets", resets.get());
    assert_eq!(outcome.notes, ["the service could not be reset: locked"]);
}

#[test]
fn what_there_is_no_time_for_is_told_and_not_kept() {
    let kept = kept(Duration::ZERO, None).kept;
    let kept = kept.expect("a suite was asked for");
    assert!(kept.hurried && kept.tests.is_empty() && !kept.wavering.is_empty());
}
