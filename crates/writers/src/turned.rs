//! Tests whose suspected fault is to fail.
//!
//! A suspect check is turned round by whoever writes it. What else is said of the same wrong
//! answer must go, or the test would fail on as it does today when the fault is mended: a tool
//! that is gone at last is `404`, and no longer JSON with the tool's name in it.

use std::borrow::Cow;

use fossick_suite::{Check, Fault, Key, Step, Test, What};
use fossick_trace::Extent;

use crate::Faults;

/// The test as it is to be written.
pub(crate) fn turned(test: &Test, faults: Faults) -> Cow<'_, Test> {
    if faults == Faults::Pass || !test.steps.iter().any(is_suspect) {
        return Cow::Borrowed(test);
    }
    let mut turned = test.clone();
    if let Some(last) = test.steps.iter().position(has_suspect_status) {
        turned.steps.truncate(last + 1);
    }
    let suspects = suspects(&turned.steps);
    for step in &mut turned.steps {
        if is_suspect(step) {
            keep_what_outlives_the_fault(step, test.fault.as_ref());
        } else {
            keep_what_is_said_elsewhere(step, &suspects, test.fault.as_ref());
        }
    }
    Cow::Owned(turned)
}

fn suspects(steps: &[Step]) -> Vec<What> {
    let checks = steps.iter().flat_map(|step| &step.checks);
    let suspects = checks.filter(|check| check.suspect);
    suspects.map(|check| check.what.clone()).collect()
}

/// Other answers may show the same fault: the list that grows shows in what PUT answers and in what
/// is read afterwards, and a service that invents things invents each of several.
fn keep_what_is_said_elsewhere(step: &mut Step, suspects: &[What], fault: Option<&Fault>) {
    if extent(fault) == Extent::Every {
        step.checks.clear();
    }
    let is_of_suspect = |what: &What| {
        let same = |suspect: &What| match (suspect, what) {
            (What::At { path, .. }, What::At { path: below, .. }) => is_below(below, path),
            _ => false,
        };
        suspects.iter().any(same)
    };
    step.checks.retain(|check| !is_of_suspect(&check.what));
}

fn is_suspect(step: &Step) -> bool {
    step.checks.iter().any(|check| check.suspect)
}

fn has_suspect_status(step: &Step) -> bool {
    let is_status = |check: &Check| check.suspect && matches!(check.what, What::Status(_));
    step.checks.iter().any(is_status)
}

fn keep_what_outlives_the_fault(step: &mut Step, fault: Option<&Fault>) {
    if has_suspect_status(step) {
        step.saves.clear();
        step.checks
            .retain(|check| check.suspect && matches!(check.what, What::Status(_)));
        return;
    }
    let suspects = suspects(std::slice::from_ref(step));
    step.checks.retain(|check| {
        check.suspect
            || !suspects
                .iter()
                .any(|suspect| mends(suspect, &check.what, fault))
    });
}

fn extent(fault: Option<&Fault>) -> Extent {
    fault.map_or_else(Extent::default, |fault| fault.extent)
}

/// Whether mending one check may well end what the other says.
fn mends(suspect: &What, other: &What, fault: Option<&Fault>) -> bool {
    // A GraphQL service that at last refuses what it did so far, or does what it refused, may do so
    // with another status, other data and other errors.
    if extent(fault) != Extent::Value && is_of_graphql(suspect) {
        return matches!(other, What::Status(_) | What::Schema(_)) || is_of_graphql(other);
    }
    match (suspect, other) {
        (What::At { path, .. }, What::At { path: below, .. }) => is_below(below, path),
        (What::At { .. } | What::Schema(_), _) | (_, What::Status(_)) => false,
        _ => true,
    }
}

/// Whether a place is below another, in whatever item of a list: what is wrong with one of them may
/// be wrong with all.
fn is_below(below: &[Key], path: &[Key]) -> bool {
    let same = |(one, other): (&Key, &Key)| match (one.name(), other.name()) {
        (None, None) => true,
        (one, other) => one == other,
    };
    below.len() >= path.len() && below.iter().zip(path).all(same)
}

fn is_of_graphql(what: &What) -> bool {
    let root = match what {
        What::At { path, .. } => path.first().and_then(Key::name),
        _ => None,
    };
    matches!(root, Some("data" | "errors"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn test(checks: &serde_json::Value) -> Test {
        let step = json!({"request": {"method": "GET", "path": []}, "checks": checks});
        let after = json!({"request": {"method": "GET", "path": []}, "checks": [{"status": 200}]});
        let test = json!({"name": "a", "group": "faults", "steps": [step, after]});
        serde_json::from_value(test).expect("a test")
    }

    fn checks(test: &Test) -> Vec<usize> {
        test.steps.iter().map(|step| step.checks.len()).collect()
    }

    #[test]
    fn a_fault_that_may_pass_leaves_the_test_as_it_is() {
        let test = test(&json!([{"status": 200, "suspect": true}]));
        assert_eq!(*turned(&test, Faults::Pass), test);
    }

    #[test]
    fn a_suspect_status_is_the_end_of_its_test() {
        let test = test(&json!([
            {"status": 200, "suspect": true},
            {"media_type": "application/json"},
            {"at": {"path": ["id"], "is": {"equal": 1}}}
        ]));
        assert_eq!(checks(&turned(&test, Faults::Fail)), [1]);
    }

    #[test]
    fn what_stands_below_a_suspect_place_goes() {
        let test = test(&json!([
            {"status": 200},
            {"at": {"path": ["fee"], "is": {"kind": "string"}}, "suspect": true},
            {"at": {"path": ["fee"], "is": {"equal": "12"}}},
            {"at": {"path": ["fee", 0], "is": "absent"}},
            {"at": {"path": ["id"], "is": {"equal": 1}}},
            {"schema": 0}
        ]));
        assert_eq!(checks(&turned(&test, Faults::Fail)), [4, 1]);
    }

    #[test]
    fn what_is_wrong_with_one_item_of_a_list_may_be_wrong_with_all() {
        let fee = |item: &serde_json::Value| json!({"path": ["lots", item, "fee"], "is": {"kind": "string"}});
        let mine = json!({"where": ["id"], "is": "lot_id"});
        let test = test(&json!([
            {"status": 200},
            {"at": fee(&mine), "suspect": true},
            {"at": fee(&json!({"where": ["id"], "is": "other_id"}))},
            {"at": fee(&json!(0))},
            {"at": {"path": ["lots", mine, "id"], "is": {"same": "lot_id"}}},
        ]));
        assert_eq!(checks(&turned(&test, Faults::Fail)), [3, 1]);
    }

    #[test]
    fn what_graphql_refuses_at_last_may_come_with_another_status() {
        let mut test = test(&json!([
            {"status": 200},
            {"at": {"path": ["data"], "is": {"kind": "object"}}},
            {"at": {"path": ["data", "lot", "id"], "is": {"equal": 1}}, "suspect": true},
            {"at": {"path": ["data", "lot", "name"], "is": {"equal": "a"}}}
        ]));
        let fault = json!({"code": "F301", "title": "", "why": ""});
        test.fault = serde_json::from_value(fault).expect("a fault");
        assert_eq!(checks(&turned(&test, Faults::Fail)), [1, 1]);
    }

    #[test]
    fn a_fault_may_show_in_several_answers() {
        let grown = json!({"at": {"path": ["wishes"], "is": {"size": 2}}, "suspect": true});
        let mut test = test(&json!([{"status": 200}, grown]));
        test.steps[1].checks = serde_json::from_value(json!([
            {"status": 200},
            {"at": {"path": ["wishes"], "is": {"size": 2}}},
            {"at": {"path": ["wishes", 0], "is": {"equal": "a"}}},
            {"at": {"path": ["name"], "is": {"equal": "b"}}}
        ]))
        .expect("checks");
        assert_eq!(checks(&turned(&test, Faults::Fail)), [2, 2]);
    }

    #[test]
    fn a_suspect_media_type_takes_the_body_along() {
        let test = test(&json!([
            {"status": 200},
            {"media_type": "text/html", "suspect": true},
            {"text": "<p>"}
        ]));
        assert_eq!(checks(&turned(&test, Faults::Fail)), [2, 1]);
    }
}
