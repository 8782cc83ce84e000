//! A test as a script, to be run without any framework.

use std::collections::BTreeMap;

use fossick_trace::{
    Call, Capture, Episode, Fill, Intent, Part, Payload, Role, Script, Take, Text,
};
use serde_json::{Map, Value};

use crate::verdict::{Ground, broken};
use crate::{Body, Piece, Request, Suite, Template, Test};

/// The script of a test. Names that must be new are marked as such: whoever runs it renames it.
pub fn script(suite: &Suite, test: &Test) -> Script {
    let sources = Sources::of(test);
    let calls = test.steps.iter().map(|step| {
        let request = &step.request;
        let user = request.user.and_then(|at| suite.users.get(at));
        Call {
            operation: format!("{} {}", request.method, shown(&request.path)).into(),
            method: request.method,
            target: sources.text(&request.path),
            headers: request
                .headers
                .iter()
                .map(|(name, pieces)| (name.clone(), sources.text(pieces)))
                .collect(),
            payload: sources.payload(&request.body),
            user: user.and_then(|user| user.name.clone()),
            role: Role::Main,
            intent: intent(suite, request),
            graphql: None,
        }
    });
    Script {
        calls: calls.collect(),
        names: test.fresh.iter().map(|fresh| fresh.like.clone()).collect(),
    }
}

fn intent(suite: &Suite, request: &Request) -> Intent {
    if request.user.is_none() && !suite.users.is_empty() {
        return Intent::Unauthenticated {
            how: "left out".to_owned(),
        };
    }
    Intent::Valid
}

/// A check of a test that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Counted from one.
    pub step: usize,
    pub why: String,
    /// It is the suspected fault that is gone, and not something that should have stayed.
    pub suspect: bool,
}

/// Everything in an episode that is not as the test expects.
pub fn judge(
    test: &Test,
    episode: &Episode,
    misfit: &dyn Fn(usize, &Value) -> Option<String>,
) -> Vec<Broken> {
    let variables = variables(test, episode);
    let ground = Ground {
        variables: &variables,
        misfit,
    };
    let mut found = Vec::new();
    for (at, step) in test.steps.iter().enumerate() {
        let Some(exchange) = episode.exchanges.get(at) else {
            found.push(not_sent(at));
            break;
        };
        let Some(answer) = exchange.outcome.answer() else {
            found.push(Broken {
                step: at + 1,
                why: "no answer came".to_owned(),
                suspect: false,
            });
            break;
        };
        for check in &step.checks {
            if let Some(why) = broken(check, answer, &ground) {
                found.push(Broken {
                    step: at + 1,
                    why,
                    suspect: check.suspect,
                });
            }
        }
    }
    found
}

fn not_sent(at: usize) -> Broken {
    Broken {
        step: at + 1,
        why: "it was not sent: an earlier answer lacks what it needs".to_owned(),
        suspect: false,
    }
}

/// The values that the test's variables had in an episode.
fn variables(test: &Test, episode: &Episode) -> BTreeMap<String, Value> {
    let names = episode.script.names.iter();
    let fresh = test.fresh.iter().zip(names);
    let mut variables: BTreeMap<String, Value> = fresh
        .map(|(fresh, name)| (fresh.variable.clone(), Value::from(name.as_str())))
        .collect();
    for (at, step) in test.steps.iter().enumerate() {
        let Some(answer) = episode.answer(at) else {
            continue;
        };
        let taken = step
            .saves
            .iter()
            .filter_map(|save| Some((save.variable.clone(), save.take.from(answer)?)));
        variables.extend(taken);
    }
    variables
}

/// For people: variables in braces.
fn shown(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Fixed(fixed) => fixed.clone(),
            Piece::Variable(name) => format!("{{{name}}}"),
        })
        .collect()
}

/// Where the values of variables come from.
struct Sources<'t> {
    captured: BTreeMap<&'t str, (usize, &'t Take)>,
    fresh: BTreeMap<&'t str, &'t str>,
}

impl<'t> Sources<'t> {
    fn of(test: &'t Test) -> Self {
        let steps = test.steps.iter().enumerate();
        let saves = steps.flat_map(|(at, step)| step.saves.iter().map(move |save| (at, save)));
        let fresh = test.fresh.iter();
        Self {
            captured: saves
                .map(|(at, save)| (save.variable.as_str(), (at, &save.take)))
                .collect(),
            fresh: fresh
                .map(|fresh| (fresh.variable.as_str(), fresh.like.as_str()))
                .collect(),
        }
    }

    fn capture(&self, variable: &str) -> Option<Capture> {
        let (call, take) = self.captured.get(variable)?;
        Some(Capture {
            call: *call,
            take: (*take).clone(),
        })
    }

    fn text(&self, pieces: &[Piece]) -> Text {
        let mut text = Text::default();
        for piece in pieces {
            match piece {
                Piece::Fixed(fixed) => text.push_str(fixed),
                Piece::Variable(name) => match (self.capture(name), self.fresh.get(&**name)) {
                    (Some(capture), _) => text.push_capture(capture),
                    (None, Some(like)) => text.push_str(like),
                    (None, None) => {}
                },
            }
        }
        text
    }

    fn payload(&self, body: &Body) -> Payload {
        match body {
            Body::None => Payload::None,
            Body::Json { media_type, value } => {
                let mut fills = Vec::new();
                let value = self.value(value, "", &mut fills);
                Payload::Json {
                    media_type: media_type.clone(),
                    value,
                    fills,
                }
            }
            Body::Text { media_type, text } => Payload::Bytes {
                media_type: media_type.clone(),
                bytes: self.fixed(text).into_bytes().into(),
            },
            Body::Bytes { media_type, bytes } => Payload::Bytes {
                media_type: media_type.clone(),
                bytes: bytes.clone().into(),
            },
        }
    }

    /// Text of a body, which holds no captured values.
    fn fixed(&self, pieces: &[Piece]) -> String {
        let parts = self.text(pieces).0.into_iter();
        parts
            .filter_map(|part| match part {
                Part::Fixed(text) => Some(text),
                Part::Captured(_) => None,
            })
            .collect()
    }

    fn value(&self, template: &Template, at: &str, fills: &mut Vec<Fill>) -> Value {
        match template {
            Template::Value(value) => value.clone(),
            Template::Text(pieces) => Value::String(self.fixed(pieces)),
            Template::Variable(name) => {
                if let Some(capture) = self.capture(name) {
                    fills.push((at.to_owned(), capture));
                    return Value::Null;
                }
                self.fresh
                    .get(&**name)
                    .map_or(Value::Null, |like| Value::from(*like))
            }
            Template::List(items) => items
                .iter()
                .enumerate()
                .map(|(index, item)| self.value(item, &format!("{at}/{index}"), fills))
                .collect(),
            Template::Object(entries) => {
                let mut map = Map::new();
                for (key, inner) in entries {
                    let below = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                    map.insert(key.clone(), self.value(inner, &below, fills));
                }
                Value::Object(map)
            }
        }
    }
}
