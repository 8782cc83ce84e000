//! A test as a script, to be run without any framework.

use std::collections::BTreeMap;

use fossick_trace::{
    Call, Capture, Episode, Fill, Intent, Part, Payload, Role, Script, Take, Text, Unique,
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
    let fresh = test.fresh.iter();
    let names = fresh.map(|fresh| Unique::Text(fresh.like.clone()));
    Script {
        calls: calls.collect(),
        names: names.collect(),
        ..Script::default()
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
    let fresh = test.fresh.iter().zip(episode.script.text_names());
    let mut variables: BTreeMap<String, Value> = fresh
        .map(|(fresh, name)| (fresh.variable.clone(), Value::from(name)))
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
                    let below = format!("{at}/{}", fossick_contract::escape_token(key));
                    map.insert(key.clone(), self.value(inner, &below, fills));
                }
                Value::Object(map)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Check, Fresh, Group, Is, Key, Save, Service, Step, User, What};
    use bytes::Bytes;
    use fossick_contract::Method;
    use fossick_trace::{Answer, Exchange, Outcome};
    use serde_json::json;
    use std::sync::Arc;
    use std::time::Duration;

    fn suite(test: Test) -> Suite {
        Suite {
            version: Suite::VERSION,
            title: String::new(),
            origin: String::new(),
            base_url: String::new(),
            users: vec![User::default()],
            service: Service::default(),
            schemas: vec![],
            tests: vec![test],
        }
    }

    fn step(path: Vec<Piece>, body: Body, checks: Vec<What>) -> Step {
        let plain = |what| Check {
            what,
            suspect: false,
        };
        Step {
            about: None,
            request: Request {
                method: Method::Post,
                path,
                headers: vec![],
                body,
                user: Some(0),
            },
            saves: vec![],
            checks: checks.into_iter().map(plain).collect(),
        }
    }

    /// Makes a tool with a new name, then asks for it.
    fn test() -> Test {
        let name = || Template::Variable("name".to_owned());
        let body = Body::Json {
            media_type: "application/json".to_owned(),
            value: Template::Object(vec![("name".to_owned(), name())]),
        };
        let fixed = |text: &str| Piece::Fixed(text.to_owned());
        let mut made = step(vec![fixed("/tools")], body, vec![What::Status(201)]);
        made.saves.push(Save {
            variable: "tool_id".to_owned(),
            take: Take::Pointer("/id".to_owned()),
        });
        let same = What::At {
            path: vec![Key::Name("name".to_owned())],
            is: Is::Same("name".to_owned()),
        };
        let path = vec![fixed("/tools/"), Piece::Variable("tool_id".to_owned())];
        Test {
            name: "tool is read".to_owned(),
            group: Group::Successes,
            about: vec![],
            fault: None,
            fresh: vec![Fresh {
                variable: "name".to_owned(),
                like: "saw-12345".to_owned(),
            }],
            quiet: false,
            steps: vec![made, step(path, Body::None, vec![same])],
        }
    }

    fn episode(script: Script, answers: &[(u16, Value)]) -> Episode {
        let exchanges = answers.iter().map(|(status, body)| Exchange {
            request: fossick_trace::Request {
                method: Method::Post,
                target: String::new(),
                headers: vec![],
                body: Bytes::new(),
                user: None,
                anonymous: false,
            },
            outcome: Outcome::Answered(Answer::new(
                *status,
                vec![],
                Bytes::from(body.to_string()),
                false,
                Duration::ZERO,
            )),
        });
        Episode {
            exchanges: exchanges.collect(),
            script: Arc::new(script),
            inside: vec![],
            removed: Vec::new(),
        }
    }

    #[test]
    fn variables_become_captures_and_names_that_are_made_anew() {
        let suite = suite(test());
        let script = script(&suite, &suite.tests[0]);
        assert_eq!(script.text_names().collect::<Vec<_>>(), ["saw-12345"]);
        assert_eq!(script.calls[1].captures().next().map(|c| c.call), Some(0));
        let renamed = serde_json::to_string(&script.renamed(7)).expect("a script can be written");
        assert!(!renamed.contains("saw-12345"), "{renamed}");
    }

    #[test]
    fn a_test_holds_while_the_service_does_what_it_did() {
        let suite = suite(test());
        let script = script(&suite, &suite.tests[0]).renamed(7);
        let name = script.names[0].value();
        let fits = |_: usize, _: &Value| None;
        let good = [(201, json!({"id": 3})), (200, json!({"name": name}))];
        assert_eq!(
            judge(&suite.tests[0], &episode(script.clone(), &good), &fits),
            []
        );
        let bad = [(200, json!({"id": 3})), (200, json!({"name": "saw-12345"}))];
        let broken = judge(&suite.tests[0], &episode(script.clone(), &bad), &fits);
        assert_eq!(broken.len(), 2, "{broken:?}");
        assert!(broken[0].why.contains("200 and not 201"), "{broken:?}");
        let short = judge(&suite.tests[0], &episode(script, &good[..1]), &fits);
        assert!(short[0].why.contains("not sent"), "{short:?}");
    }

    #[test]
    fn nobody_sends_where_credentials_are_to_be_left_out() {
        let mut test = test();
        test.steps[1].request.user = None;
        let script = script(&suite(test.clone()), &test);
        assert!(matches!(
            script.calls[1].intent,
            Intent::Unauthenticated { .. }
        ));
        assert!(matches!(script.calls[0].intent, Intent::Valid));
    }
}
