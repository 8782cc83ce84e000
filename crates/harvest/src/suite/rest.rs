//! A REST call as a test: the status that it must have, and the schema that the document promises
//! for it.
//!
//! A record knows of answers only their classes. Where the document has one status of the only
//! class that was seen, that one is expected; where it has several, whatever it promises for any
//! of them may come.

use std::collections::BTreeSet;

use fossick_contract::{Api, Method, Operation, ResponseSpec, StatusPattern, is_json};
use fossick_suite::{Body, Group, Piece, Request, Step, Template, Test, What};
use fossick_validate::standalone;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::{Draft, Settings, Why, names, paths, plain};
use crate::tuples::Tuple;
use crate::{Call, Content, Record, RestCall, Statuses};

/// What a component of a query may hold as it is.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

pub(super) fn draft<'r>(
    api: &Api,
    record: &'r Record,
    settings: &Settings,
) -> Result<Draft<'r>, Why> {
    let Call::Rest(call) = &record.call else {
        return Err(Why::OtherKind);
    };
    let method = Method::parse(&call.method).ok_or(Why::Method)?;
    if !method.is_safe() && !settings.mutations {
        return Err(Why::Changes);
    }
    let resolved = paths::resolve(api, &call.method, &call.path).ok_or(Why::NoOperation)?;
    let operation = api.operation(resolved.operation);
    let seen = classes(record.statuses);
    let answers = answers(operation, &seen);
    let schema = schema(api, &answers);
    let name = names::of_path(&call.method, &operation.path.text);
    let succeeds = seen.iter().all(|class| *class == 2);
    Ok(Draft {
        record,
        test: Test {
            name: String::new(),
            group: if succeeds {
                Group::Successes
            } else {
                Group::Others
            },
            about: names::about(record),
            fault: None,
            fresh: Vec::new(),
            quiet: method.is_safe(),
            steps: vec![step(call, method, resolved.path, &answers, settings)?],
        },
        schema: schema.map(|schema| (format!("{name} answer"), schema)),
        name,
        promise: None,
        tuples: BTreeSet::from([Tuple {
            on: method.as_str().into(),
            field: operation.path.text.as_str().into(),
        }]),
    })
}

/// The classes of status that were seen; success where nobody looked.
fn classes(statuses: Statuses) -> Vec<u8> {
    let counts = [
        (1, statuses.informational),
        (2, statuses.successful),
        (3, statuses.redirected),
        (4, statuses.client_error),
        (5, statuses.server_error),
    ];
    let seen = counts.iter().filter(|(_, count)| *count > 0);
    let seen: Vec<u8> = seen.map(|(class, _)| *class).collect();
    if seen.is_empty() { vec![2] } else { seen }
}

/// What the document promises for these classes.
fn answers<'o>(operation: &'o Operation, seen: &[u8]) -> Vec<&'o ResponseSpec> {
    let of = |spec: &&ResponseSpec| match spec.status {
        StatusPattern::Exact(status) => seen.contains(&((status / 100) as u8)),
        StatusPattern::Class(class) => seen.contains(&class),
        StatusPattern::Default => false,
    };
    operation.responses.iter().filter(of).collect()
}

/// Any of the schemas of these answers; nothing where one of them promises nothing.
fn schema(api: &Api, answers: &[&ResponseSpec]) -> Option<Value> {
    let schemas = answers.iter().map(|answer| {
        let json = answer
            .contents
            .iter()
            .find(|content| is_json(&content.media_type));
        standalone(api, json?.shape?)
    });
    let mut schemas: Vec<Value> = schemas.collect::<Option<_>>()?;
    match schemas.len() {
        0 => None,
        1 => schemas.pop(),
        _ => Some(any_of(schemas)),
    }
}

/// Schemas of one document refer to each other by the same names, so these may stand together.
fn any_of(schemas: Vec<Value>) -> Value {
    let mut definitions = Map::new();
    let mut choices = Vec::new();
    for mut schema in schemas {
        if let Some(Value::Object(own)) = schema.get_mut("$defs").map(Value::take) {
            definitions.extend(own);
        }
        choices.push(json!({ "$ref": schema.get("$ref") }));
    }
    json!({ "anyOf": choices, "$defs": definitions })
}

fn step(
    call: &RestCall,
    method: Method,
    path: &str,
    answers: &[&ResponseSpec],
    settings: &Settings,
) -> Result<Step, Why> {
    let header = |(name, value): &(String, String)| {
        let pieces = vec![Piece::Fixed(value.clone())];
        (name.clone(), pieces)
    };
    let own = call
        .headers
        .iter()
        .filter(|(name, _)| !is_content_type(name));
    let body = body(&call.content)?;
    Ok(Step {
        about: None,
        request: Request {
            method,
            path: vec![Piece::Fixed(format!("{path}{}", query(&call.query)))],
            headers: settings.headers.iter().chain(own).map(header).collect(),
            body,
            user: (!settings.users.is_empty()).then_some(0),
        },
        saves: Vec::new(),
        checks: checks(answers).into_iter().map(plain).collect(),
    })
}

fn is_content_type(name: &str) -> bool {
    name.eq_ignore_ascii_case("content-type")
}

fn query(pairs: &[(String, String)]) -> String {
    let escaped = |text: &str| utf8_percent_encode(text, COMPONENT).to_string();
    let pairs = pairs.iter();
    let pairs: Vec<String> = pairs
        .map(|(name, value)| format!("{}={}", escaped(name), escaped(value)))
        .collect();
    if pairs.is_empty() {
        return String::new();
    }
    format!("?{}", pairs.join("&"))
}

fn body(content: &Content) -> Result<Body, Why> {
    let text = |media_type: &str, text: String| Body::Text {
        media_type: media_type.to_owned(),
        text: vec![Piece::Fixed(text)],
    };
    Ok(match content {
        Content::None => Body::None,
        Content::Json { media_type, value } => Body::Json {
            media_type: media_type.clone(),
            value: Template::Value(value.clone()),
        },
        Content::Form { fields } => {
            let fields = query(fields);
            let fields = fields.trim_start_matches('?').to_owned();
            text("application/x-www-form-urlencoded", fields)
        }
        Content::Text {
            media_type,
            text: told,
        } => text(media_type, told.clone()),
        Content::Opaque { .. } => return Err(Why::NoBody),
    })
}

/// The status and the media type, where only one can come.
fn checks(answers: &[&ResponseSpec]) -> Vec<What> {
    let mut checks = Vec::new();
    let [only] = answers else {
        return checks;
    };
    if let StatusPattern::Exact(status) = only.status {
        checks.push(What::Status(status));
    }
    if let [content] = only.contents.as_slice()
        && !content.media_type.contains('*')
    {
        let essence = content.media_type.split(';').next().unwrap_or("");
        checks.push(What::MediaType(essence.trim().to_ascii_lowercase()));
    }
    checks
}
