//! The check of a test that is the suspected fault itself.
//!
//! A finding says where in the answer it lies. The check of that place is the suspect; where there
//! is none, one is added, so that a mended service breaks the test. What lies at no one place is in
//! the data that a GraphQL service should not have given, or in the status.
//!
//! In a list that others fill as well, the fault is that of the test's own item, which is found by
//! what it carries. Where somebody else's item is wrong, nothing is marked: it may be gone tomorrow,
//! and another may stand in its place.
//!
//! Where no check would be broken by mending the fault, nothing is marked either: such a test tells
//! nothing of it.

use fossick_trace::{Answer, Finding, Location, Wrong};
use serde_json::Value;

use crate::own::{Own, lists};
use crate::place::{at, lacks};
use crate::volatile::Volatile;
use crate::{Check, Is, JsonKind, Key, What};

/// Answers that show a finding, one for each run, with what is known of them.
pub(crate) struct Shown<'s> {
    pub answers: &'s [&'s Answer],
    /// What changes in them.
    pub volatile: &'s [Volatile],
    pub own: &'s Own,
}

/// Marks the suspect among checks of the answer that shows a finding, or adds it, if there is one.
pub(crate) fn mark(finding: &Finding, shown: &Shown<'_>, checks: &mut Vec<Check>) {
    let answers = shown.answers;
    let found = match &finding.location {
        Location::Body { path, wrong } if !path.is_empty() => {
            let got = finding.evidence.got.as_ref();
            let place = shown.place(path, *wrong, got);
            place.map(|(path, is)| put(path, is, checks))
        }
        Location::Body { .. } => whole(answers, checks),
        Location::MediaType => position(checks, |what| matches!(what, What::MediaType(_))),
        // Headers are not asserted.
        Location::Header(_) => None,
        Location::State { path } => changed(path, checks),
        Location::List => position(checks, |what| {
            is_at(what, |_, is| matches!(is, Is::Size(_)))
        }),
        Location::Message => told(finding, checks).or_else(|| outcome(finding, checks)),
        Location::Outcome => outcome(finding, checks),
    };
    if let Some(at) = found {
        checks[at].suspect = true;
    }
}

/// Takes away what is expected of a place that is wrong because of some fault.
pub(crate) fn spare(location: &Location, checks: &mut Vec<Check>) {
    checks.retain(|check| match location {
        Location::Body { path, .. } => !is_within(&check.what, path),
        Location::State { path } => !is_within_thing(&check.what, path),
        // How many there are, and whether more follow, goes with the list.
        Location::List => !is_at(&check.what, |path, is| {
            !matches!(is, Is::Kind(_)) || path.iter().any(|key| key.name().is_none())
        }),
        Location::MediaType => !matches!(check.what, What::MediaType(_)),
        Location::Header(_) | Location::Outcome | Location::Message => true,
    });
}

/// Whether a check is about a place of the body, or what is in it or around it.
fn is_within(what: &What, pointer: &str) -> bool {
    let names = names(pointer).unwrap_or_default();
    match what {
        What::At { path, .. } => path
            .iter()
            .zip(&names)
            .all(|(key, name)| is_called(key, name)),
        What::NoBody | What::Text(_) => true,
        What::Status(_) | What::MediaType(_) | What::Schema(_) => false,
    }
}

/// Whether a check is about a place below the thing, wherever that is in the answer.
fn is_within_thing(what: &What, pointer: &str) -> bool {
    let names = names(pointer).unwrap_or_default();
    is_at(what, |path, _| names.is_empty() || leads_to(path, &names))
}

/// An answer that is no JSON at all has its fault in its text or its type.
fn whole(answers: &[&Answer], checks: &[Check]) -> Option<usize> {
    if answers.iter().any(|answer| answer.json().is_some()) {
        return None;
    }
    position(checks, |what| {
        matches!(what, What::Text(_) | What::MediaType(_))
    })
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

/// The message of a GraphQL error, or the text that the finding tells of.
fn told(finding: &Finding, checks: &[Check]) -> Option<usize> {
    let message = ["errors".into(), 0.into(), "message".into()];
    let in_graphql = position(checks, |what| is_at(what, |path, _| path == message));
    let got = finding.evidence.got.as_ref().and_then(Value::as_str);
    let is_told = |text: &str| got.is_some_and(|got| starts_alike(text, got));
    let is_text = |is: &Is| matches!(is, Is::Equal(Value::String(text)) if is_told(text));
    // Of errors that are others each time it is told only that there are any.
    let any = |what: &What| is_at(what, |path, _| path == ["errors".into()]);
    in_graphql
        .or_else(|| position(checks, any))
        .or_else(|| position(checks, |what| is_at(what, |_, is| is_text(is))))
        .or_else(|| position(checks, |what| matches!(what, What::Text(_))))
}

/// What is told of a long text is its beginning.
fn starts_alike(text: &str, told: &str) -> bool {
    const ENOUGH: usize = 24;
    let start: String = text.trim().chars().take(ENOUGH).collect();
    !start.is_empty() && told.contains(&start)
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

/// The check of a place below the thing, which may lie deeper in the answer: `data`, `item`.
fn changed(pointer: &str, checks: &[Check]) -> Option<usize> {
    let names = names(pointer)?;
    position(checks, |what| {
        is_at(what, |path, is| leads_to(path, &names) && tells(is))
    })
}

fn leads_to(path: &[Key], names: &[String]) -> bool {
    let mut windows = path.windows(names.len());
    windows.any(|window| {
        let mut pairs = window.iter().zip(names);
        pairs.all(|(key, name)| is_called(key, name))
    })
}

/// The names of a pointer that leads somewhere.
fn names(pointer: &str) -> Option<Vec<String>> {
    let below = pointer.strip_prefix('/')?;
    let names = below.split('/').map(fossick_contract::unescape_token);
    Some(names.collect())
}

fn is_called(key: &Key, name: &str) -> bool {
    match key {
        Key::Name(known) => known == name,
        Key::Index(index) => name == "*" || index.to_string() == name,
        Key::Item(_) => name == "*",
    }
}

impl Shown<'_> {
    /// The place in a body that a pattern leads to and what stands there, if that is so in every
    /// answer; a place in a list may be another thing's next time.
    fn place(&self, pattern: &str, wrong: Wrong, got: Option<&Value>) -> Option<(Vec<Key>, Is)> {
        let (path, is) = self.located(&names(pattern)?, wrong, got)?;
        let holds = |run: usize| match &is {
            Is::Absent => self
                .body(run)
                .is_some_and(|body| lacks(body, &path, &|name| self.held(name, run))),
            Is::Kind(kind) => self
                .at(run, &path)
                .is_some_and(|value| JsonKind::of(value) == *kind),
            Is::Equal(wanted) => self.at(run, &path) == Some(wanted),
            _ => false,
        };
        (0..self.answers.len()).all(holds).then_some((path, is))
    }

    fn body(&self, run: usize) -> Option<&Value> {
        self.answers.get(run)?.json()
    }

    fn held(&self, variable: &str, run: usize) -> Option<&Value> {
        self.own.known.get(variable)?.get(run)
    }

    fn at(&self, run: usize, path: &[Key]) -> Option<&Value> {
        at(self.body(run)?, path, &|name| self.held(name, run))
    }

    fn located(
        &self,
        names: &[String],
        wrong: Wrong,
        got: Option<&Value>,
    ) -> Option<(Vec<Key>, Is)> {
        if wrong == Wrong::Missing {
            return Some((self.lacking(names)?, Is::Absent));
        }
        let found = self.matches(names);
        let is_told = |path: &&Vec<Key>| self.at(0, path) == got;
        let may_be = |path: &&Vec<Key>| self.may_be_told(path, wrong, got);
        let path = found.iter().find(is_told);
        let path = path.or_else(|| found.iter().find(may_be))?;
        let value = self.at(0, path)?;
        let is = match value {
            // Of the right type and wrong all the same: only the value itself shows that.
            Value::Bool(_) | Value::Number(_) | Value::String(_) if wrong == Wrong::Value => {
                Is::Equal(value.clone())
            }
            _ => Is::Kind(JsonKind::of(value)),
        };
        Some((path.clone(), is))
    }

    /// Whether a finding may be about a place although it tells another value: that of the first
    /// that is wrong. Among others' items the test's own may well be right.
    fn may_be_told(&self, path: &[Key], wrong: Wrong, got: Option<&Value>) -> bool {
        let is_item = |key: &Key| matches!(key, Key::Item(_));
        let kind = |value: Option<&Value>| value.map(JsonKind::of);
        !path.iter().any(is_item) || wrong == Wrong::Type && kind(self.at(0, path)) == kind(got)
    }

    /// Where the last of some names is missing.
    fn lacking(&self, names: &[String]) -> Option<Vec<Key>> {
        let (last, above) = names.split_last()?;
        let lacks = |path: &Vec<Key>| {
            let parent = self.at(0, path).and_then(Value::as_object);
            parent.is_some_and(|map| !map.contains_key(last))
        };
        let mut path = self.matches(above).into_iter().find(lacks)?;
        path.push(Key::from(last.as_str()));
        Some(path)
    }

    /// Places that a pattern leads to; `*` is every item of a list.
    fn matches(&self, pattern: &[String]) -> Vec<Vec<Key>> {
        const MOST: usize = 200;
        let mut paths = vec![Vec::new()];
        for name in pattern {
            let mut next = Vec::new();
            for path in paths {
                let keys = self.keys(&path, name).into_iter();
                next.extend(keys.map(|key| [path.clone(), vec![key]].concat()));
            }
            next.truncate(MOST);
            paths = next;
        }
        paths
    }

    /// The keys that a name of a pattern stands for, below a path.
    fn keys(&self, path: &[Key], name: &str) -> Vec<Key> {
        match self.at(0, path) {
            Some(Value::Array(items)) => {
                let wanted = |at: &usize| name == "*" || name.parse() == Ok(*at);
                let items = self.items(path, items.len()).into_iter();
                items
                    .filter(|(at, _)| wanted(at))
                    .map(|(_, key)| key)
                    .collect()
            }
            Some(Value::Object(map)) if map.contains_key(name) => vec![Key::from(name)],
            _ => Vec::new(),
        }
    }

    /// The items of a list, each with its place: all, or those that can be named where places
    /// change.
    fn items(&self, path: &[Key], size: usize) -> Vec<(usize, Key)> {
        if !self.volatile.iter().any(|volatile| volatile.path == path) {
            return (0..size).map(|at| (at, Key::Index(at))).collect();
        }
        let runs = (0..self.answers.len()).map(|run| self.at(run, path));
        let values: Option<Vec<&Value>> = runs.collect();
        let lists = values.and_then(|values| lists(&values)).unwrap_or_default();
        let items = self.own.items(&lists).into_iter();
        items
            .map(|named| (named.at, Key::Item(named.key)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volatile::volatile;
    use bytes::Bytes;
    use fossick_trace::{Evidence, Severity, Sureness};
    use serde_json::json;
    use std::time::Duration;

    fn finding(operation: &str, location: Location, got: Option<Value>) -> Finding {
        Finding {
            code: "F999".to_owned(),
            severity: Severity::High,
            sureness: Sureness::Sure,
            operation: operation.to_owned(),
            call: 0,
            location,
            evidence: Evidence {
                got,
                ..Evidence::default()
            },
            title: "whatever people call it".to_owned(),
            why: String::new(),
            mark: String::new(),
            cause: String::new(),
        }
    }

    fn found(location: Location) -> Finding {
        finding("GET /lots", location, None)
    }

    fn wrong(path: &str, wrong: Wrong, got: Value) -> Finding {
        let path = path.to_owned();
        finding("GET /lots", Location::Body { path, wrong }, Some(got))
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
    fn among(finding: &Finding, bodies: &[Value], checks: Vec<Check>) -> String {
        let own = Own {
            sent: ["mine".to_owned()].into(),
            ..Own::default().asked()
        };
        with(&own, finding, bodies, checks)
    }

    fn with(own: &Own, finding: &Finding, bodies: &[Value], mut checks: Vec<Check>) -> String {
        let answers: Vec<Answer> = bodies
            .iter()
            .map(|body| {
                let body = Bytes::from(body.to_string());
                Answer::new(200, vec![], body, false, Duration::ZERO)
            })
            .collect();
        checks.insert(0, plain(What::Status(200)));
        let bodies: Vec<&Value> = bodies.iter().collect();
        let shown = Shown {
            answers: &answers.iter().collect::<Vec<_>>(),
            volatile: &volatile(&bodies, own),
            own,
        };
        mark(finding, &shown, &mut checks);
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
    fn a_place_in_a_list_is_the_item_that_is_wrong() {
        let lot = |n: Value| json!({"by": "mine", "n": n});
        let body = json!({"data": {"lots": [lot(json!(1)), lot(json!("65536"))]}});
        let found = wrong("/data/lots/*/n", Wrong::Type, json!("65536"));
        let text = suspect(&found, &body);
        assert_eq!(
            text,
            r#"{"at":{"path":["data","lots",1,"n"],"is":{"kind":"string"}}}"#
        );
    }

    fn lots(first: (u8, Value), second: (u8, Value)) -> Value {
        let lot = |(id, n): (u8, Value)| json!({"node": {"id": id, "n": n}});
        json!({"lots": [lot(first), lot(second)]})
    }

    #[test]
    fn an_own_item_of_a_list_that_others_fill_is_found_by_what_it_carries() {
        let own = Own::of(&[("lot_id", &[json!(7), json!(9)])]);
        let bodies = [
            lots((7, json!("5")), (1, json!("8"))),
            lots((1, json!("8")), (9, json!("5"))),
        ];
        // The finding may tell of another one that is wrong in the same way.
        for got in ["5", "8"] {
            let found = wrong("/lots/*/node/n", Wrong::Type, json!(got));
            assert_eq!(
                with(&own, &found, &bodies, Vec::new()),
                r#"{"at":{"path":["lots",{"where":["node","id"],"is":"lot_id"},"node","n"],"is":{"kind":"string"}}}"#
            );
        }
        let missing = wrong("/lots/*/node/fee", Wrong::Missing, Value::Null);
        let text = with(&own, &missing, &bodies, Vec::new());
        assert!(
            text.contains(r#""is":"lot_id"},"node","fee"],"is":"absent""#),
            "{text}"
        );
    }

    #[test]
    fn what_is_wrong_with_somebody_elses_item_is_no_suspect() {
        let own = Own::of(&[("lot_id", &[json!(7), json!(9)])]);
        let bodies = [
            lots((7, json!(5)), (1, json!("8"))),
            lots((1, json!("8")), (9, json!(5))),
        ];
        for kind in [Wrong::Type, Wrong::Value] {
            let found = wrong("/lots/*/node/n", kind, json!("8"));
            assert_eq!(with(&own, &found, &bodies, Vec::new()), "");
            assert_eq!(with(&Own::default(), &found, &bodies, Vec::new()), "");
        }
    }

    #[test]
    fn a_place_that_moves_is_none() {
        let lot = |n: Value| json!({"lots": [{"by": "mine", "n": n}]});
        let bodies = [lot(json!("1")), lot(json!(1))];
        let found = wrong("/lots/*/n", Wrong::Type, json!("1"));
        assert_eq!(among(&found, &bodies, Vec::new()), "");
    }

    #[test]
    fn a_value_of_the_right_type_is_told_by_itself() {
        let body = json!({"data": {"found": {"__typename": "Person"}}});
        let found = wrong("/data/found/__typename", Wrong::Value, json!("Person"));
        let loose = value(&["data", "found", "__typename"], Is::Kind(JsonKind::String));
        let text = among(&found, &[body], vec![loose]);
        assert!(text.contains(r#""is":{"equal":"Person"}"#), "{text}");
    }

    #[test]
    fn what_is_missing_must_stay_missing() {
        let body = json!({"data": {"v": {"origin": {}}}});
        let missing = wrong("/data/v/origin/altitude", Wrong::Missing, Value::Null);
        let text = suspect(&missing, &body);
        assert!(text.contains(r#""altitude"],"is":"absent""#), "{text}");
        let rest = suspect(
            &wrong("/fee", Wrong::Missing, Value::Null),
            &json!({"id": 1}),
        );
        assert!(rest.contains(r#"["fee"],"is":"absent""#), "{rest}");
    }

    #[test]
    fn an_error_without_a_message_must_stay_without() {
        let body = json!({"errors": [{"path": ["entrustLot"]}], "data": null});
        let text = suspect(
            &wrong("/errors/*/message", Wrong::Missing, Value::Null),
            &body,
        );
        assert!(
            text.contains(r#"["errors",0,"message"],"is":"absent""#),
            "{text}"
        );
        let whole = wrong("", Wrong::Value, Value::Null);
        assert_eq!(suspect(&whole, &body), "");
    }

    #[test]
    fn a_place_in_a_rest_body_is_held_to_its_kind() {
        let text = suspect(
            &wrong("/fee", Wrong::Type, json!("750")),
            &json!({"fee": "750"}),
        );
        assert_eq!(text, r#"{"at":{"path":["fee"],"is":{"kind":"string"}}}"#);
    }

    #[test]
    fn a_fault_without_a_place_is_in_the_status() {
        let text = suspect(&found(Location::Outcome), &json!({"limit": 1}));
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
        let state = |path: &str| {
            found(Location::State {
                path: path.to_owned(),
            })
        };
        let text = among(&state("/name"), &[], checks());
        assert!(text.contains(r#"["item","name"]"#), "{text}");
        let text = among(&state("/deposit"), &[], checks());
        assert!(text.contains(r#"["item","deposit"]"#), "{text}");
        assert_eq!(among(&state("/size"), &[], checks()), "");
        assert_eq!(among(&state(""), &[], checks()), "");
    }

    #[test]
    fn internals_are_in_the_text_that_tells_them() {
        let checks = vec![
            value(&["title"], Is::Equal(json!("Internal error"))),
            value(&["detail"], Is::Equal(json!("near SELECT * FROM members"))),
        ];
        let told = Some(json!("near SELECT * FROM members"));
        let text = among(&finding("GET /lots", Location::Message, told), &[], checks);
        assert!(text.contains(r#"["detail"]"#), "{text}");
    }

    #[test]
    fn a_list_that_lacks_an_item_is_too_short() {
        let lacks = found(Location::List);
        let text = among(&lacks, &[], vec![value(&[], Is::Size(0))]);
        assert!(text.contains(r#""is":{"size":0}"#), "{text}");
        let any = vec![value(&[], Is::Kind(JsonKind::Array))];
        assert_eq!(among(&lacks, &[], any), "");
    }

    #[test]
    fn what_graphql_should_not_have_done_is_in_its_data() {
        let served = finding("query lot", Location::Outcome, None);
        let checks = vec![
            value(&["data", "lot"], Is::Kind(JsonKind::Object)),
            value(&["data", "lot", "id"], Is::Same("id".to_owned())),
        ];
        let text = among(&served, &[], checks);
        assert!(text.contains(r#"["data","lot","id"]"#), "{text}");
    }

    #[test]
    fn nothing_is_expected_of_a_place_that_another_fault_makes_wrong() {
        let spared = |location: Location| {
            let mut checks = vec![
                plain(What::Status(200)),
                value(&["fee"], Is::Equal(json!("7"))),
                value(&["item", "name"], Is::Equal(json!("saw"))),
            ];
            spare(&location, &mut checks);
            checks.len()
        };
        let body = |path: &str| Location::Body {
            path: path.to_owned(),
            wrong: Wrong::Type,
        };
        let state = |path: &str| Location::State {
            path: path.to_owned(),
        };
        assert_eq!(spared(body("/fee")), 2);
        assert_eq!(spared(body("/fees")), 3);
        assert_eq!(spared(body("")), 1);
        assert_eq!(spared(state("/name")), 2);
        assert_eq!(spared(Location::MediaType), 3);
    }

    #[test]
    fn errors_of_which_nothing_stays_are_the_fault_themselves() {
        let checks = vec![
            value(&["errors"], Is::Kind(JsonKind::Array)),
            value(&["data", "latest"], Is::Kind(JsonKind::Array)),
        ];
        let failed = finding("query latest", Location::Message, Some(json!("no share")));
        let text = among(&failed, &[], checks);
        assert!(
            text.contains(r#"["errors"],"is":{"kind":"array"}"#),
            "{text}"
        );
    }
}
