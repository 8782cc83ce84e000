//! The check of a test that is the suspected fault itself.
//!
//! A finding names the place in the answer that is wrong: `/fee` of a REST body, or
//! `lots/edges/*/node/quantity` below `data` of a GraphQL one, where `*` is any item. The
//! check of that place is the suspect; where there is none, one is added, so that a mended service
//! breaks the test. Faults of state are at the place that their title tells of, those of GraphQL
//! in the data that should not be there, others in the status.
//!
//! Where no check would be broken by mending the fault, nothing is marked: such a test tells
//! nothing of it.

use fossick_trace::{Answer, Finding};
use serde_json::Value;

use crate::expect::at;
use crate::{Check, Is, JsonKind, Key, What};

/// Marks the suspect among checks of the answer that shows a finding, or adds it, if there is one.
pub(crate) fn mark(finding: &Finding, answers: &[&Answer], checks: &mut Vec<Check>) {
    let found = match finding.code.as_str() {
        "F201" | "F208" | "F209" => match place(finding, answers) {
            Some((path, is)) => Some(put(path, is, checks)),
            // An answer that is no JSON at all has its fault in its text or its type.
            None if answers.iter().any(|answer| answer.json().is_some()) => None,
            None => position(checks, |what| {
                matches!(what, What::Text(_) | What::MediaType(_))
            }),
        },
        "F203" => position(checks, |what| matches!(what, What::MediaType(_))),
        // Headers are not asserted.
        "F204" => None,
        "F210" => silent(finding, answers).map(|path| put(path, Is::Absent, checks)),
        "F303" | "F304" | "F305" => changed(finding, checks),
        "F308" => position(checks, |what| {
            is_at(what, |_, is| matches!(is, Is::Size(_)))
        }),
        "F105" | "F402" => told(finding, checks).or_else(|| outcome(finding, checks)),
        _ => outcome(finding, checks),
    };
    if let Some(at) = found {
        checks[at].suspect = true;
    }
}

fn position(checks: &[Check], is_it: impl Fn(&What) -> bool) -> Option<usize> {
    checks.iter().position(|check| is_it(&check.what))
}

fn is_at(what: &What, is_it: impl Fn(&[Key], &Is) -> bool) -> bool {
    matches!(what, What::At { path, is } if is_it(path, is))
}

/// The check of a place, as telling as it must be: it is there, sharpened or added.
fn put(path: Vec<Key>, is: Is, checks: &mut Vec<Check>) -> usize {
    let known = position(checks, |what| is_at(what, |known, _| known == path));
    let at = known.unwrap_or(checks.len());
    let sharper = |what: &What| is_at(what, |_, known| matches!(known, Is::Kind(_)));
    if known.is_none() {
        checks.push(Check {
            what: What::At { path, is },
            suspect: false,
        });
    } else if matches!(is, Is::Equal(_)) && sharper(&checks[at].what) {
        checks[at].what = What::At { path, is };
    }
    at
}

/// The message of a GraphQL error, or the text that the title tells of.
fn told(finding: &Finding, checks: &[Check]) -> Option<usize> {
    /// Titles are cut off.
    const TOLD: usize = 24;
    let message = ["errors".into(), 0.into(), "message".into()];
    let in_graphql = position(checks, |what| is_at(what, |path, _| path == message));
    let is_told = |text: &str| {
        let start: String = text.trim().chars().take(TOLD).collect();
        !start.is_empty() && finding.title.contains(&start)
    };
    let is_text = |is: &Is| matches!(is, Is::Equal(Value::String(text)) if is_told(text));
    in_graphql
        .or_else(|| position(checks, |what| is_at(what, |_, is| is_text(is))))
        .or_else(|| position(checks, |what| matches!(what, What::Text(_))))
}

/// Faults that are in what came of the call: the data that a GraphQL service should not have given
/// or the error that it should not have, and in REST the status.
fn outcome(finding: &Finding, checks: &[Check]) -> Option<usize> {
    let is_graphql = ["query ", "mutation "]
        .iter()
        .any(|kind| finding.operation.starts_with(kind));
    let succeeded = position(checks, |what| matches!(what, What::Status(200..300)));
    if !is_graphql || succeeded.is_none() {
        return position(checks, |what| matches!(what, What::Status(_)));
    }
    let below = |root: &'static str| {
        move |what: &What| {
            let starts = |path: &[Key]| path.first().and_then(Key::name) == Some(root);
            // What is only a list or an object may be one when the fault is mended.
            is_at(what, |path, is| starts(path) && tells(is))
        }
    };
    let errors = position(checks, below("errors"));
    errors.or_else(|| position(checks, below("data")))
}

fn tells(is: &Is) -> bool {
    !matches!(is, Is::Kind(JsonKind::Array | JsonKind::Object))
}

/// The check of the place that the title tells of: `PUT changed /name although it answered 400`,
/// `deposit is still 0 after PATCH of 86`. It may lie deeper in the answer: `data`, `item`.
fn changed(finding: &Finding, checks: &[Check]) -> Option<usize> {
    let named = match finding.mark.strip_prefix("not visible ") {
        Some(name) => name,
        None => finding
            .title
            .split(' ')
            .find(|word| word.starts_with('/'))?,
    };
    let names: Vec<String> = named
        .trim_start_matches('/')
        .split('/')
        .map(fossick_contract::unescape_token)
        .collect();
    let leads_there = |path: &[Key]| {
        let mut windows = path.windows(names.len());
        windows.any(|window| {
            window
                .iter()
                .zip(&names)
                .all(|(key, name)| is_called(key, name))
        })
    };
    position(checks, |what| {
        is_at(what, |path, is| leads_there(path) && tells(is))
    })
}

fn is_called(key: &Key, name: &str) -> bool {
    match key {
        Key::Name(known) => known == name,
        Key::Index(index) => name == "*" || index.to_string() == name,
    }
}

/// The place in a body that a finding's mark names and what stands there, if that is so in every
/// answer; a place in a list may be another thing's next time.
fn place(finding: &Finding, answers: &[&Answer]) -> Option<(Vec<Key>, Is)> {
    let (path, is) = named(finding, answers.first()?.json()?)?;
    let holds = |answer: &&Answer| {
        let value = answer.json().and_then(|body| at(body, &path));
        match &is {
            Is::Absent => value.is_none(),
            Is::Kind(kind) => value.is_some_and(|value| JsonKind::of(value) == *kind),
            Is::Equal(wanted) => value == Some(wanted),
            _ => false,
        }
    };
    answers.iter().all(holds).then_some((path, is))
}

/// Where a finding's place begins, the names that lead there, and what is broken: `/fee` and `type`
/// of the mark `2 /fee type` in REST; in GraphQL the title begins with the place below `data`, and
/// the mark ends with what is broken.
fn pattern(finding: &Finding) -> Option<(Vec<Key>, &str, &str)> {
    let tokens: Vec<&str> = finding.mark.split(' ').collect();
    if let Some(at) = tokens.iter().position(|token| token.starts_with('/')) {
        let below = tokens[at].strip_prefix('/')?;
        return Some((Vec::new(), below, tokens.get(at + 1)?));
    }
    let (place, _) = finding.title.split_once(": ")?;
    let is_graphql = matches!(finding.code.as_str(), "F208" | "F209");
    is_graphql.then_some((vec![Key::from("data")], place, tokens.last()?))
}

fn named(finding: &Finding, body: &Value) -> Option<(Vec<Key>, Is)> {
    let (start, pattern, constraint) = pattern(finding)?;
    let names: Vec<String> = pattern
        .split('/')
        .map(fossick_contract::unescape_token)
        .collect();
    if constraint == "missing" || constraint == "required" {
        return Some((lacking(body, start, &names)?, Is::Absent));
    }
    let found = matches(body, start, &names);
    let is_told = |path: &&Vec<Key>| {
        let value = at(body, path).filter(|value| !value.is_array() && !value.is_object());
        value.is_some_and(|value| finding.title.contains(&value.to_string()))
    };
    let path = found.iter().find(is_told).or_else(|| found.first())?;
    let value = at(body, path)?;
    let is = match value {
        // Of the right type and wrong all the same: only the value itself shows that.
        Value::Bool(_) | Value::Number(_) | Value::String(_) if constraint != "type" => {
            Is::Equal(value.clone())
        }
        _ => Is::Kind(JsonKind::of(value)),
    };
    Some((path.clone(), is))
}

/// The message that an error lacks in every answer. Other forms of malformed answers are at no one
/// place.
fn silent(finding: &Finding, answers: &[&Answer]) -> Option<Vec<Key>> {
    let names = ["*", "message"].map(str::to_owned);
    let body = answers
        .first()?
        .json()
        .filter(|_| finding.mark == "no message")?;
    let path = lacking(body, vec![Key::from("errors")], &names)?;
    let lacks = |answer: &&Answer| answer.json().is_some_and(|body| at(body, &path).is_none());
    answers.iter().all(lacks).then_some(path)
}

/// Where the last of some names is missing.
fn lacking(body: &Value, start: Vec<Key>, names: &[String]) -> Option<Vec<Key>> {
    let (last, above) = names.split_last()?;
    let lacks = |path: &Vec<Key>| {
        let parent = at(body, path).and_then(Value::as_object);
        parent.is_some_and(|map| !map.contains_key(last))
    };
    let mut path = matches(body, start, above).into_iter().find(lacks)?;
    path.push(Key::from(last.as_str()));
    Some(path)
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

    fn finding(code: &str, operation: &str, mark: &str, title: &str) -> Finding {
        Finding {
            code: code.to_owned(),
            severity: Severity::High,
            sureness: Sureness::Sure,
            operation: operation.to_owned(),
            call: 0,
            title: title.to_owned(),
            why: String::new(),
            mark: mark.to_owned(),
            cause: String::new(),
        }
    }

    fn found(code: &str, mark: &str, title: &str) -> Finding {
        finding(code, "GET /lots", mark, title)
    }

    fn plain(what: What) -> Check {
        Check {
            what,
            suspect: false,
        }
    }

    fn value(path: &[&str], is: Is) -> Check {
        let path = path.iter().map(|name| Key::from(*name)).collect();
        plain(What::At { path, is })
    }

    /// The suspect of a finding among some checks, as text; empty where there is none.
    fn among(finding: &Finding, bodies: &[Value], mut checks: Vec<Check>) -> String {
        let answers: Vec<Answer> = bodies
            .iter()
            .map(|body| {
                let body = Bytes::from(body.to_string());
                Answer::new(200, vec![], body, false, Duration::ZERO)
            })
            .collect();
        checks.insert(0, plain(What::Status(200)));
        mark(finding, &answers.iter().collect::<Vec<_>>(), &mut checks);
        let marked: Vec<_> = checks.iter().filter(|check| check.suspect).collect();
        assert!(marked.len() < 2, "{marked:?}");
        marked.first().map_or(String::new(), |check| {
            serde_json::to_string(&check.what).expect("a check can be written")
        })
    }

    fn suspect(finding: &Finding, body: &Value) -> String {
        among(finding, std::slice::from_ref(body), Vec::new())
    }

    #[test]
    fn a_place_in_a_list_is_the_item_that_the_title_tells_of() {
        let body = json!({"data": {"lots": [{"n": 1}, {"n": "65536"}]}});
        let found = found("F208", "Lot.n type", "lots/*/n: \"65536\" is not an Int");
        let text = suspect(&found, &body);
        assert_eq!(
            text,
            r#"{"at":{"path":["data","lots",1,"n"],"is":{"kind":"string"}}}"#
        );
    }

    #[test]
    fn a_place_that_moves_is_none() {
        let bodies = [json!({"lots": [{"n": "1"}]}), json!({"lots": [{"n": 1}]})];
        let found = found("F201", "2 /lots/*/n type", "\"1\" is not of type integer");
        assert_eq!(among(&found, &bodies, Vec::new()), "");
    }

    #[test]
    fn a_value_of_the_right_type_is_told_by_itself() {
        let body = json!({"data": {"found": {"__typename": "Person"}}});
        let title = "found/__typename: \"Person\" is no type of Found";
        let found = found("F208", "Query.found abstract", title);
        let loose = value(&["data", "found", "__typename"], Is::Kind(JsonKind::String));
        let text = among(&found, &[body], vec![loose]);
        assert!(text.contains(r#""is":{"equal":"Person"}"#), "{text}");
    }

    #[test]
    fn what_is_missing_must_stay_missing() {
        let body = json!({"data": {"v": {"origin": {}}}});
        let text = suspect(
            &found(
                "F208",
                "Origin.altitude missing",
                "v/origin/altitude: is missing",
            ),
            &body,
        );
        assert!(text.contains(r#""altitude"],"is":"absent""#), "{text}");
        let rest = suspect(&found("F201", "2 /fee required", ""), &json!({"id": 1}));
        assert!(rest.contains(r#"["fee"],"is":"absent""#), "{rest}");
    }

    #[test]
    fn an_error_without_a_message_must_stay_without() {
        let body = json!({"errors": [{"path": ["entrustLot"]}], "data": null});
        let text = suspect(&found("F210", "no message", ""), &body);
        assert!(
            text.contains(r#"["errors",0,"message"],"is":"absent""#),
            "{text}"
        );
        assert_eq!(suspect(&found("F210", "path form", ""), &body), "");
    }

    #[test]
    fn a_place_in_a_rest_body_is_known_by_its_slash() {
        let text = suspect(&found("F201", "2 /fee type", ""), &json!({"fee": "750"}));
        assert_eq!(text, r#"{"at":{"path":["fee"],"is":{"kind":"string"}}}"#);
    }

    #[test]
    fn a_fault_without_a_place_is_in_the_status() {
        let text = suspect(
            &found("F101", "500 body /limit Internal Server Error", ""),
            &json!({"limit": 1}),
        );
        assert_eq!(text, r#"{"status":200}"#);
    }

    #[test]
    fn a_fault_of_state_is_the_value_that_changed_or_did_not() {
        let checks = || {
            vec![
                value(&["item"], Is::Kind(JsonKind::Object)),
                value(&["item", "name"], Is::Equal(json!("b"))),
                value(&["item", "deposit"], Is::Equal(json!(0))),
            ]
        };
        let title = "PUT changed /name although it answered 400";
        let text = among(&found("F303", "failed write", title), &[], checks());
        assert!(text.contains(r#"["item","name"]"#), "{text}");
        let stale = found("F304", "not visible deposit", "deposit is still 0");
        let text = among(&stale, &[], checks());
        assert!(text.contains(r#"["item","deposit"]"#), "{text}");
        let unknown = found("F304", "not visible size", "size is still 0");
        assert_eq!(among(&unknown, &[], checks()), "");
    }

    #[test]
    fn internals_are_in_the_text_that_tells_them() {
        let checks = vec![
            value(&["title"], Is::Equal(json!("Internal error"))),
            value(&["detail"], Is::Equal(json!("near SELECT * FROM members"))),
        ];
        let title = "an error tells SQL: near SELECT * FROM members";
        let text = among(&found("F402", "SQL", title), &[], checks);
        assert!(text.contains(r#"["detail"]"#), "{text}");
    }

    #[test]
    fn a_list_that_lacks_an_item_is_too_short() {
        let lacks = found("F308", "list lacks", "lacks 1");
        let text = among(&lacks, &[], vec![value(&[], Is::Size(0))]);
        assert!(text.contains(r#""is":{"size":0}"#), "{text}");
        let any = vec![value(&[], Is::Kind(JsonKind::Array))];
        assert_eq!(among(&lacks, &[], any), "");
    }

    #[test]
    fn what_graphql_should_not_have_done_is_in_its_data() {
        let served = finding("F301", "query lot", "served after delete", "still there");
        let checks = vec![
            value(&["data", "lot"], Is::Kind(JsonKind::Object)),
            value(&["data", "lot", "id"], Is::Same("id".to_owned())),
        ];
        let text = among(&served, &[], checks);
        assert!(text.contains(r#"["data","lot","id"]"#), "{text}");
    }
}
