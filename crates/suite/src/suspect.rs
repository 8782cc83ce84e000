//! The check of a test that is the suspected fault itself.
//!
//! A finding's mark names the place in the answer that is wrong: `2 /fee type` in a REST body,
//! `lots/edges/*/node/quantity type` below `data` of a GraphQL one, where `*` is any item. The
//! check of that place is the suspect; where there is none, one is added, so that a mended service
//! breaks the test. Faults without a place are in the status.

use fossick_trace::{Answer, Finding};
use serde_json::Value;

use crate::expect::at;
use crate::{Check, Is, JsonKind, Key, What};

/// Marks the suspect among checks of the answer that shows a finding, or adds it.
pub(crate) fn mark(finding: &Finding, answers: &[&Answer], checks: &mut Vec<Check>) {
    let named = answers
        .first()
        .and_then(|answer| place(finding, answer.json()?))
        .filter(|(path, is)| answers.iter().all(|answer| holds(answer, path, is)));
    let message = || message(finding, checks);
    if let Some((path, is)) = named {
        let known = checks.iter().position(|check| is_of(check, &path));
        let at = known.unwrap_or(checks.len());
        if known.is_none() {
            checks.push(Check {
                what: What::At { path, is },
                suspect: false,
            });
        }
        checks[at].suspect = true;
    } else if let Some(at) = message() {
        checks[at].suspect = true;
    } else if let Some(status) = checks.first_mut() {
        status.suspect = true;
    }
}

/// Whether it is so in an answer; a place in a list may be another thing's next time.
fn holds(answer: &Answer, path: &[Key], is: &Is) -> bool {
    let value = answer.json().and_then(|body| at(body, path));
    match is {
        Is::Absent => value.is_none(),
        Is::Kind(kind) => value.is_some_and(|value| JsonKind::of(value) == *kind),
        _ => false,
    }
}

/// The message of an error, for faults that are told there.
fn message(finding: &Finding, checks: &[Check]) -> Option<usize> {
    let path = ["errors".into(), 0.into(), "message".into()];
    let told = matches!(finding.code.as_str(), "F105" | "F402");
    let at = checks.iter().position(|check| is_of(check, &path));
    at.filter(|_| told)
}

fn is_of(check: &Check, path: &[Key]) -> bool {
    matches!(&check.what, What::At { path: known, .. } if known == path)
}

/// The place in a body that a finding's mark names, and what stands there.
fn place(finding: &Finding, body: &Value) -> Option<(Vec<Key>, Is)> {
    // Others name places in what was sent.
    if !finding.code.starts_with("F2") {
        return None;
    }
    let tokens: Vec<&str> = finding.mark.split(' ').collect();
    let named = tokens.iter().position(|token| token.starts_with('/'));
    let (pattern, constraint) = match tokens.get(named.unwrap_or(0)..)? {
        [pattern, constraint, ..] => (*pattern, *constraint),
        _ => return None,
    };
    let (start, pattern) = match pattern.strip_prefix('/') {
        Some(below) => (Vec::new(), below),
        None if body.get("data").is_some() => (vec![Key::from("data")], pattern),
        None => return None,
    };
    let names: Vec<String> = pattern
        .split('/')
        .map(fossick_contract::unescape_token)
        .collect();
    let missing = constraint == "missing" || constraint == "required";
    let (last, above) = names.split_last()?;
    let found = if missing {
        let parents = matches(body, start, above);
        let lacks = |path: &Vec<Key>| {
            let parent = at(body, path).and_then(Value::as_object);
            parent.is_some_and(|map| !map.contains_key(last))
        };
        let mut path = parents.into_iter().find(lacks)?;
        path.push(Key::from(last.as_str()));
        return Some((path, Is::Absent));
    } else {
        matches(body, start, &names)
    };
    let told = |path: &&Vec<Key>| {
        let value = at(body, path).filter(|value| !value.is_array() && !value.is_object());
        value.is_some_and(|value| finding.title.contains(&value.to_string()))
    };
    let path = found.iter().find(told).or_else(|| found.first())?.clone();
    let kind = JsonKind::of(at(body, &path)?);
    Some((path, Is::Kind(kind)))
}

/// Places that a pattern leads to; `*` is every item of a list.
fn matches(body: &Value, start: Vec<Key>, pattern: &[String]) -> Vec<Vec<Key>> {
    const MOST: usize = 200;
    let mut paths = vec![start];
    for name in pattern {
        let mut next = Vec::new();
        for path in paths {
            let keys = match (at(body, &path), name.as_str()) {
                (Some(Value::Array(items)), "*") => (0..items.len()).map(Key::from).collect(),
                (Some(Value::Array(_)), index) => {
                    index.parse().map(Key::Index).into_iter().collect()
                }
                (Some(Value::Object(map)), name) if map.contains_key(name) => vec![Key::from(name)],
                _ => Vec::new(),
            };
            next.extend(
                keys.into_iter()
                    .map(|key: Key| [path.clone(), vec![key]].concat()),
            );
        }
        next.truncate(MOST);
        paths = next;
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use fossick_trace::{Severity, Sureness};
    use serde_json::json;
    use std::time::Duration;

    fn finding(code: &str, mark: &str, title: &str) -> Finding {
        Finding {
            code: code.to_owned(),
            severity: Severity::High,
            sureness: Sureness::Sure,
            operation: String::new(),
            call: 0,
            title: title.to_owned(),
            why: String::new(),
            mark: mark.to_owned(),
            cause: String::new(),
        }
    }

    fn suspect(finding: &Finding, body: &Value) -> String {
        let body = Bytes::from(body.to_string());
        let answer = Answer::new(200, vec![], body, false, Duration::ZERO);
        let mut checks = vec![Check {
            what: What::Status(200),
            suspect: false,
        }];
        mark(finding, &[&answer], &mut checks);
        let marked: Vec<_> = checks.iter().filter(|check| check.suspect).collect();
        assert_eq!(marked.len(), 1);
        serde_json::to_string(&marked[0].what).expect("a check can be written")
    }

    #[test]
    fn a_place_in_a_list_is_the_item_that_the_title_tells_of() {
        let body = json!({"data": {"lots": [{"n": 1}, {"n": "65536"}]}});
        let found = finding("F208", "lots/*/n type", "lots/*/n: \"65536\" is not an Int");
        let text = suspect(&found, &body);
        assert_eq!(
            text,
            r#"{"at":{"path":["data","lots",1,"n"],"is":{"kind":"string"}}}"#
        );
    }

    #[test]
    fn what_is_missing_must_stay_missing() {
        let body = json!({"data": {"v": {"origin": {}}}});
        let text = suspect(&finding("F208", "v/origin/altitude missing", ""), &body);
        assert!(text.contains(r#""altitude"],"is":"absent""#), "{text}");
        let rest = suspect(&finding("F201", "2 /fee required", ""), &json!({"id": 1}));
        assert!(rest.contains(r#"["fee"],"is":"absent""#), "{rest}");
    }

    #[test]
    fn a_place_in_a_rest_body_is_known_by_its_slash() {
        let text = suspect(&finding("F201", "2 /fee type", ""), &json!({"fee": "750"}));
        assert_eq!(text, r#"{"at":{"path":["fee"],"is":{"kind":"string"}}}"#);
    }

    #[test]
    fn a_fault_without_a_place_is_in_the_status() {
        let text = suspect(
            &finding("F101", "500 body /limit Internal Server Error", ""),
            &json!({"limit": 1}),
        );
        assert_eq!(text, r#"{"status":200}"#);
    }
}
