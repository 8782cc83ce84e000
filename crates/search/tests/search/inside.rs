//! Comparisons that a probe shows are followed until they come out the other way.

use std::sync::Arc;

use fossick_search::Way;
use fossick_trace::{Insight, Matching, Observation, Observed, ReadFrom, Request, Scalar};
use serde_json::{Value, json};

use crate::play::{World, free, run};
use crate::workshop::Reply;

/// What a service with a probe inside says of one call: each condition has two targets.
#[derive(Default)]
struct Probe(Insight);

impl Probe {
    /// A condition that was decided; for the side that was not taken, how near it was.
    fn branch(&mut self, number: u32, holds: bool, distance: f64, what: Observed) -> bool {
        let near = 1.0 / (1.0 + distance);
        let (taken, other) = if holds { (0, 1) } else { (1, 0) };
        self.0.reached.push((number * 2 + taken, 1.0));
        self.0.reached.push((number * 2 + other, near.min(0.99)));
        self.0.observations.push(Observation {
            target: Some(number * 2),
            what,
        });
        holds
    }

    fn equal(&mut self, number: u32, left: &str, right: &str) -> bool {
        let what = Observed::Equal(text(left), text(right));
        self.branch(number, left == right, 1.0, what)
    }

    fn number(&mut self, number: u32, left: i64, right: i64) -> bool {
        let what = Observed::Equal(Scalar::Whole(left), Scalar::Whole(right));
        let distance = left.abs_diff(right) as f64;
        self.branch(number, left == right, distance, what)
    }

    fn read(&mut self, from: ReadFrom, name: &str, found: bool, beside: Vec<String>) {
        self.0.observations.push(Observation {
            target: None,
            what: Observed::Read {
                from,
                name: name.to_owned(),
                found,
                beside,
            },
        });
    }
}

fn text(text: &str) -> Scalar {
    Scalar::Text(text.to_owned())
}

/// Plays so many calls; tells whether a gate was opened, which answers 299.
fn opens(paths: Value, calls: usize, gate: impl Fn(&Request, &mut Probe) -> bool) -> bool {
    let world = World::of(paths, json!({}));
    let mut search = world.search(free(3));
    for _ in 0..calls {
        let proposal = search.propose().expect("there is always something to try");
        let script = Arc::new(search.render(&proposal.plan));
        let mut inside = Vec::new();
        let mut opened = false;
        let mut answer = |request: &Request| -> Reply {
            let mut probe = Probe::default();
            opened |= gate(request, &mut probe);
            inside.push(probe.0);
            (200, json!({"done": true}))
        };
        let mut episode = run(&script, &mut answer);
        episode.inside = inside;
        if opened {
            return true;
        }
        search.learn(&proposal, &episode, &[]);
    }
    false
}

fn post(schema: &Value) -> Value {
    json!({"/orders": {"post": {
        "requestBody": {"required": true, "content": {"application/json": {"schema": schema}}},
        "responses": {"200": {"description": "fine"}},
    }}})
}

fn get(parameters: &[&str], kind: &str) -> Value {
    let parameter = |name: &&str| json!({"name": name, "in": "query", "required": true, "schema": {"type": kind}});
    let parameters: Vec<Value> = parameters.iter().map(parameter).collect();
    json!({"/orders": {"get": {
        "parameters": parameters,
        "responses": {"200": {"description": "fine"}},
    }}})
}

fn body(request: &Request) -> Value {
    serde_json::from_slice(&request.body).unwrap_or_default()
}

fn query(request: &Request, name: &str) -> Option<String> {
    let (_, query) = request.target.split_once('?')?;
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(key, _)| *key == name)?;
    Some(value.replace("%2D", "-"))
}

#[test]
fn conditions_behind_one_another_open_one_by_one() {
    let schema = json!({"type": "object", "required": ["code", "kind"], "properties": {
        "code": {"type": "string"}, "kind": {"type": "string"}, "note": {"type": "string"},
    }});
    let opened = opens(post(&schema), 300, |request, probe| {
        let body = body(request);
        let field = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        let lower = field("code").trim().to_lowercase();
        probe.equal(0, &lower, "let-me-in")
            && {
                let note: String = field("note").chars().take(3).collect();
                probe.equal(1, &note, "abc")
            }
            && probe.branch(
                2,
                is_plate(&field("kind")),
                1.0,
                Observed::Pattern {
                    text: field("kind"),
                    pattern: "[A-Z]{2}-[0-9]{4}".to_owned(),
                    flags: String::new(),
                    how: Matching::Whole,
                },
            )
    });
    assert!(opened);
}

fn is_plate(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 7
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[2] == b'-'
        && bytes[3..].iter().all(u8::is_ascii_digit)
}

#[test]
fn headers_and_fields_that_nobody_documents_are_sent() {
    let schema = json!({"type": "object", "required": ["id"], "properties": {
        "id": {"type": "integer"},
    }});
    let opened = opens(post(&schema), 300, |request, probe| {
        let header = request.headers.iter().find(|(name, _)| name == "x-secret");
        let value = header.map_or("", |(_, value)| value);
        probe.read(ReadFrom::Header, "x-secret", header.is_some(), vec![]);
        if !probe.equal(0, value, "open") {
            return false;
        }
        let body = body(request);
        let names = body.as_object().map(|map| map.keys().cloned().collect());
        let role = body["role"].as_str();
        probe.read(
            ReadFrom::Key,
            "role",
            role.is_some(),
            names.unwrap_or_default(),
        );
        probe.equal(1, role.unwrap_or_default(), "admin")
    });
    assert!(opened);
}

#[test]
fn sums_in_which_no_input_can_be_seen_are_met_by_their_slope() {
    let opened = opens(get(&["a", "b"], "integer"), 400, |request, probe| {
        let number = |name| query(request, name).and_then(|text| text.parse::<i64>().ok());
        let (Some(a), Some(b)) = (number("a"), number("b")) else {
            return false;
        };
        let sum = a.saturating_mul(3).saturating_add(b).saturating_sub(17);
        probe.number(0, sum, 904_211)
    });
    assert!(opened);
}

/// The second comparison is only there where the first one holds, and each value alone takes that
/// away.
#[test]
fn values_are_moved_together_where_an_earlier_comparison_must_hold() {
    let opened = opens(
        get(&["width", "height"], "integer"),
        1500,
        |request, probe| {
            let number = |name| query(request, name).and_then(|text| text.parse::<i64>().ok());
            let (Some(width), Some(height)) = (number("width"), number("height")) else {
                return false;
            };
            probe.number(0, width.saturating_mul(height), 7387)
                && probe.number(1, width.saturating_add(height), 172)
        },
    );
    assert!(opened);
}

#[test]
fn inputs_that_must_agree_are_made_to() {
    let opened = opens(
        get(&["first", "second"], "string"),
        300,
        |request, probe| {
            let (Some(first), Some(second)) = (query(request, "first"), query(request, "second"))
            else {
                return false;
            };
            let turned: String = first.chars().rev().collect();
            first.len() > 3 && probe.equal(0, &turned, &second)
        },
    );
    assert!(opened);
}

/// A state that one call brings about is compared in another.
#[test]
fn a_value_of_an_earlier_call_is_changed_for_a_later_one() {
    use std::cell::RefCell;

    let paths = json!({
        "/mode": {"put": {
            "requestBody": {"required": true, "content": {"application/json": {"schema": {
                "type": "object", "required": ["mode"], "properties": {"mode": {"type": "string"}},
            }}}},
            "responses": {"200": {"description": "fine"}},
        }},
        "/doors": {"get": {"responses": {"200": {"description": "fine"}}}},
    });
    let mode = RefCell::new("idle".to_owned());
    let opened = opens(paths, 400, |request, probe| {
        if request.target.starts_with("/mode") {
            if let Some(text) = body(request)["mode"].as_str() {
                text.clone_into(&mut mode.borrow_mut());
            }
            probe.0.reached.push((100, 1.0));
            return false;
        }
        probe.equal(0, &mode.borrow(), "maintenance")
    });
    assert!(opened);
}

#[test]
fn without_a_probe_nothing_is_followed() {
    let world = World::of(get(&["a"], "string"), json!({}));
    let rounds = crate::play::play(&mut world.search(free(1)), 60, |_| (200, json!({})));
    let followed = rounds
        .iter()
        .filter(|round| round.proposal.way == Way::Inside);
    assert_eq!(followed.count(), 0);
}
