//! A script as steps with named variables.
//!
//! A script says "what the answer of call 2 has at /id" and holds texts that must be new each
//! time. People read names: a captured value is called after what it is of and what it is
//! (`project_id`), a new text after the property that it goes into (`name`).

use std::collections::{BTreeMap, BTreeSet};

use fossick_trace::{Call, Capture, Intent, Part, Payload, Script, Take, Text};
use serde_json::Value;

use crate::words::{singular, unique, words};
use crate::{Body, Fresh, Piece, Request, Save, Template};

/// The variables of a script.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    pub fresh: Vec<Fresh>,
    captured: BTreeMap<(usize, String), (Take, String)>,
}

impl Variables {
    pub(crate) fn of(script: &Script) -> Self {
        let mut taken = BTreeSet::new();
        let fresh = script
            .text_names()
            .map(|name| Fresh {
                variable: unique(&property_of(script, name), "_", &mut taken),
                like: name.to_owned(),
            })
            .collect();
        let mut captured = BTreeMap::new();
        for capture in script.calls.iter().flat_map(Call::captures) {
            let key = (capture.call, take_key(&capture.take));
            if captured.contains_key(&key) {
                continue;
            }
            let call = script.calls.get(capture.call);
            let wanted = call.map_or_else(|| "value".to_owned(), |c| value_name(c, &capture.take));
            let name = unique(&wanted, "_", &mut taken);
            captured.insert(key, (capture.take.clone(), name));
        }
        Self { fresh, captured }
    }

    /// What is kept of the answer of a call.
    pub(crate) fn saves(&self, call: usize) -> Vec<Save> {
        self.captured
            .iter()
            .filter(|((from, _), _)| *from == call)
            .map(|(_, (take, variable))| Save {
                variable: variable.clone(),
                take: take.clone(),
            })
            .collect()
    }

    /// Captured variables, each with the call and place that it comes from.
    pub(crate) fn captured(&self) -> impl Iterator<Item = (&str, usize, &Take)> {
        self.captured
            .iter()
            .map(|((call, _), (take, name))| (name.as_str(), *call, take))
    }

    fn name(&self, capture: &Capture) -> Piece {
        let key = (capture.call, take_key(&capture.take));
        let name = self.captured.get(&key).map(|(_, name)| name.clone());
        Piece::Variable(name.unwrap_or_else(|| "value".to_owned()))
    }

    /// A text with the new names in it told apart.
    fn pieces(&self, text: &str) -> Vec<Piece> {
        let mut pieces = vec![Piece::Fixed(text.to_owned())];
        for fresh in self.fresh.iter().filter(|fresh| !fresh.like.is_empty()) {
            pieces = pieces
                .into_iter()
                .flat_map(|piece| split(piece, fresh))
                .collect();
        }
        pieces
    }

    fn text(&self, text: &Text) -> Vec<Piece> {
        let pieces = text.0.iter().flat_map(|part| match part {
            Part::Fixed(fixed) => self.pieces(fixed),
            Part::Captured(capture) => vec![self.name(capture)],
        });
        pieces.collect()
    }

    /// The request of a call. `user` is its place among the suite's users.
    pub(crate) fn request(&self, call: &Call, user: Option<usize>) -> Request {
        let anonymous = matches!(call.intent, Intent::Unauthenticated { .. });
        Request {
            method: call.method,
            path: self.text(&call.target),
            headers: call
                .headers
                .iter()
                .map(|(name, text)| (name.clone(), self.text(text)))
                .collect(),
            body: self.body(&call.payload),
            user: user.filter(|_| !anonymous),
        }
    }

    fn body(&self, payload: &Payload) -> Body {
        match payload {
            Payload::None => Body::None,
            Payload::Json {
                media_type,
                value,
                fills,
            } => Body::Json {
                media_type: media_type.clone(),
                value: self.template(value, "", fills),
            },
            Payload::Bytes { media_type, bytes } => self.bytes(media_type, bytes),
        }
    }

    /// JSON that would go out the same when it is written anew is a value; anything else stays as
    /// it is, byte for byte.
    fn bytes(&self, media_type: &str, bytes: &[u8]) -> Body {
        let media_type = media_type.to_owned();
        let is_json = fossick_contract::is_json(&media_type);
        let parsed: Option<Value> = serde_json::from_slice(bytes).ok().filter(|_| is_json);
        match (parsed, std::str::from_utf8(bytes)) {
            (Some(value), _) if value.to_string().as_bytes() == bytes => Body::Json {
                media_type,
                value: self.template(&value, "", &[]),
            },
            (_, Ok(text)) => Body::Text {
                media_type,
                text: self.pieces(text),
            },
            _ => Body::Bytes {
                media_type,
                bytes: bytes.to_vec(),
            },
        }
    }

    fn template(&self, value: &Value, at: &str, fills: &[(String, Capture)]) -> Template {
        if let Some((_, capture)) = fills.iter().find(|(pointer, _)| pointer == at)
            && let Piece::Variable(name) = self.name(capture)
        {
            return Template::Variable(name);
        }
        match value {
            Value::Object(map) => {
                let entries = map.iter().map(|(key, inner)| {
                    let below = format!("{at}/{}", fossick_contract::escape_token(key));
                    (key.clone(), self.template(inner, &below, fills))
                });
                whole(value, entries.collect(), Template::Object)
            }
            Value::Array(items) => {
                let items = items.iter().enumerate().map(|(index, inner)| {
                    let inner = self.template(inner, &format!("{at}/{index}"), fills);
                    (String::new(), inner)
                });
                let listed = |items: Vec<(String, Template)>| {
                    Template::List(items.into_iter().map(|(_, item)| item).collect())
                };
                whole(value, items.collect(), listed)
            }
            Value::String(text) => match self.pieces(text).as_slice() {
                [Piece::Fixed(_)] | [] => Template::Value(value.clone()),
                [Piece::Variable(name)] => Template::Variable(name.clone()),
                several => Template::Text(several.to_vec()),
            },
            scalar => Template::Value(scalar.clone()),
        }
    }
}

/// A collection without holes is a value; one with holes is taken apart.
fn whole(
    value: &Value,
    parts: Vec<(String, Template)>,
    build: impl Fn(Vec<(String, Template)>) -> Template,
) -> Template {
    let fixed = |part: &(String, Template)| matches!(part.1, Template::Value(_));
    if parts.iter().all(fixed) {
        return Template::Value(value.clone());
    }
    build(parts)
}

fn split(piece: Piece, fresh: &Fresh) -> Vec<Piece> {
    let Piece::Fixed(text) = &piece else {
        return vec![piece];
    };
    let mut pieces = Vec::new();
    for (at, part) in text.split(fresh.like.as_str()).enumerate() {
        if at > 0 {
            pieces.push(Piece::Variable(fresh.variable.clone()));
        }
        if !part.is_empty() {
            pieces.push(Piece::Fixed(part.to_owned()));
        }
    }
    if pieces.is_empty() {
        pieces.push(piece);
    }
    pieces
}

/// The property whose value a name is somewhere in the script.
fn property_of(script: &Script, name: &str) -> String {
    let bodies = script.calls.iter().filter_map(|call| match &call.payload {
        Payload::Json { value, .. } => Some(value.clone()),
        Payload::Bytes { bytes, .. } => serde_json::from_slice(bytes).ok(),
        Payload::None => None,
    });
    let found = bodies
        .into_iter()
        .find_map(|body| holder(&body, name, DEEPEST));
    snake(&found.unwrap_or_else(|| "name".to_owned()))
}

const DEEPEST: usize = 24;

fn holder(value: &Value, name: &str, depth: usize) -> Option<String> {
    match value {
        _ if depth == 0 => None,
        Value::Object(map) => map.iter().find_map(|(key, inner)| match inner.as_str() {
            Some(text) if text.contains(name) => Some(key.clone()),
            _ => holder(inner, name, depth - 1),
        }),
        Value::Array(items) => items.iter().find_map(|item| holder(item, name, depth - 1)),
        _ => None,
    }
}

fn take_key(take: &Take) -> String {
    match take {
        Take::Location => "location".to_owned(),
        Take::Header(name) => format!("header {}", name.to_ascii_lowercase()),
        Take::Pointer(pointer) => format!("body {pointer}"),
    }
}

/// What a captured value is called: `project_id` for the `id` of what `POST /projects` made.
fn value_name(call: &Call, take: &Take) -> String {
    let field = match take {
        Take::Location => "id".to_owned(),
        Take::Header(name) => snake(name),
        Take::Pointer(pointer) => {
            let mut names = pointer.split('/').rev();
            let name = names.find(|name| !name.is_empty() && name.parse::<usize>().is_err());
            snake(name.unwrap_or("value"))
        }
    };
    let thing = thing_of(&call.operation);
    if thing.is_empty() || field.starts_with(&thing) {
        return field;
    }
    format!("{thing}_{field}")
}

/// `project` for `POST /projects`, `add_book` for `mutation addBook`.
fn thing_of(label: &str) -> String {
    let path = label.split_once(' ').map_or(label, |(_, path)| path);
    let last = path
        .rsplit('/')
        .find(|part| !part.is_empty() && !part.starts_with('{'));
    let words = words(last.unwrap_or(""));
    let Some((end, before)) = words.split_last() else {
        return String::new();
    };
    let mut words = before.to_vec();
    words.push(singular(end));
    snake(&words.join(" "))
}

/// Lower-case words with underscores; never empty, never beginning with a digit.
pub(crate) fn snake(text: &str) -> String {
    let name = words(text).join("_");
    match name.chars().next() {
        None => "value".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{name}"),
        Some(_) => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use fossick_contract::Method;
    use fossick_trace::Role;
    use serde_json::json;

    fn call(label: &str, target: Text, payload: Payload) -> Call {
        Call {
            operation: label.into(),
            method: Method::Post,
            target,
            headers: vec![],
            payload,
            user: None,
            role: Role::Main,
            intent: Intent::Valid,
            graphql: None,
        }
    }

    fn bytes(media_type: &str, text: &str) -> Payload {
        Payload::Bytes {
            media_type: media_type.to_owned(),
            bytes: Bytes::from(text.to_owned()),
        }
    }

    fn taken(call: usize, pointer: &str) -> Capture {
        Capture {
            call,
            take: Take::Pointer(pointer.to_owned()),
        }
    }

    #[test]
    fn captured_values_are_called_after_what_they_are_of() {
        let mut target = Text::fixed("/projects/");
        target.push_capture(taken(0, "/id"));
        target.push_str("/owner/");
        target.push_capture(taken(0, "/owner/name"));
        let script = Script {
            calls: vec![
                call("POST /projects", Text::fixed("/projects"), Payload::None),
                call("GET /projects/{id}", target, Payload::None),
            ],
            names: vec![],
            ..Script::default()
        };
        let variables = Variables::of(&script);
        let names: Vec<_> = variables.saves(0).into_iter().map(|s| s.variable).collect();
        assert_eq!(names, ["project_id", "project_name"]);
        let path = variables.request(&script.calls[1], None).path;
        assert_eq!(path[1], Piece::Variable("project_id".to_owned()));
    }

    #[test]
    fn a_new_name_is_called_after_the_property_that_holds_it() {
        let script = Script {
            calls: vec![call(
                "POST /users",
                Text::fixed("/users?like=ada-1"),
                bytes(
                    "application/json",
                    r#"{"nickName":"ada-1","tags":["x ada-1 y"]}"#,
                ),
            )],
            names: vec![fossick_trace::Unique::Text("ada-1".to_owned())],
            ..Script::default()
        };
        let variables = Variables::of(&script);
        assert_eq!(variables.fresh[0].variable, "nick_name");
        let request = variables.request(&script.calls[0], Some(0));
        assert_eq!(request.user, Some(0));
        assert_eq!(request.path.len(), 2);
        let Body::Json { value, .. } = request.body else {
            panic!("{:?}", request.body);
        };
        let text = serde_json::to_string(&value).expect("a template can be written");
        assert!(
            text.contains(r#"["nickName",{"variable":"nick_name"}]"#),
            "{text}"
        );
        assert!(text.contains(r#"{"fixed":" y"}"#), "{text}");
    }

    #[test]
    fn a_body_that_would_change_by_writing_it_anew_stays_text() {
        let variables = Variables::default();
        for (media_type, text) in [
            ("application/json", "{\"a\": 1}"),
            ("application/json", "{broken"),
            ("application/x-www-form-urlencoded", "a=1"),
        ] {
            let body = variables.body(&bytes(media_type, text));
            assert!(matches!(body, Body::Text { .. }), "{text}: {body:?}");
        }
        let whole = variables.body(&bytes("application/json", r#"{"a":1}"#));
        assert!(matches!(whole, Body::Json { .. }), "{whole:?}");
    }

    #[test]
    fn filled_places_become_variables_and_the_rest_stays_whole() {
        let payload = Payload::Json {
            media_type: "application/json".to_owned(),
            value: json!({"owner": null, "deep": {"list": [1, 2]}}),
            fills: vec![("/owner".to_owned(), taken(0, "/id"))],
        };
        let script = Script {
            calls: vec![
                call("mutation addBook", Text::fixed(""), Payload::None),
                call("POST /loans", Text::fixed("/loans"), payload),
            ],
            names: vec![],
            ..Script::default()
        };
        let variables = Variables::of(&script);
        let Body::Json { value, .. } = variables.request(&script.calls[1], None).body else {
            panic!("a JSON body");
        };
        let Template::Object(entries) = value else {
            panic!("{value:?}");
        };
        assert_eq!(entries[0].1, Template::Variable("add_book_id".to_owned()));
        assert_eq!(entries[1].1, Template::Value(json!({"list": [1, 2]})));
    }
}
