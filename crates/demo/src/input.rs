//! What a request brings: its parameters, typed and checked, and its body, parsed.
//!
//! Whether a body meets its schema is the desk's to say, since a planted fault lives there.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::document::{Document, Operation, Parameter};
use crate::exchange::{Refusal, Request, decode, pairs};
use crate::schema::Checker;

pub(crate) fn parameters(
    operation: &Operation,
    request: &Request,
) -> Result<BTreeMap<String, Value>, Refusal> {
    let mut values = BTreeMap::new();
    for parameter in &operation.parameters {
        let texts = parameter_texts(operation, parameter, request)?;
        if let Some(value) = parameter_value(parameter, &texts)? {
            values.insert(parameter.name.clone(), value);
        }
    }
    Ok(values)
}

/// Every text that a request gives for a parameter.
fn parameter_texts(
    operation: &Operation,
    parameter: &Parameter,
    request: &Request,
) -> Result<Vec<String>, Refusal> {
    let undecodable = || bad_request("an escape in the URL is broken".to_owned());
    if parameter.in_path {
        let segment = operation.segment(&parameter.name, &request.path);
        return segment
            .map(|text| decode(text).ok_or_else(undecodable))
            .into_iter()
            .collect();
    }
    pairs(&request.query)
        .map(|pair| pair.ok_or_else(undecodable))
        .filter(|pair| !matches!(pair, Ok((name, _)) if *name != parameter.name))
        .map(|pair| pair.map(|(_, value)| value))
        .collect()
}

fn parameter_value(parameter: &Parameter, texts: &[String]) -> Result<Option<Value>, Refusal> {
    let name = &parameter.name;
    let value = match texts {
        [] if parameter.required => return Err(bad_request(format!("{name} is missing"))),
        [] => return Ok(parameter.schema.get("default").cloned()),
        [text] => typed(&parameter.schema, text),
        _ => return Err(bad_request(format!("{name} is given more than once"))),
    };
    match checker().problems(&parameter.schema, &value).first() {
        Some(problem) => Err(bad_request(format!("in {name}, {problem}"))),
        None => Ok(Some(value)),
    }
}

/// Reads the text of a parameter as its schema means it: `7` is a number where one is wanted.
fn typed(schema: &Value, text: &str) -> Value {
    let as_is = || Value::String(text.to_owned());
    if schema["type"] == "string" || text.contains(char::is_whitespace) {
        return as_is();
    }
    match serde_json::from_str(text) {
        Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
        _ => as_is(),
    }
}

pub(crate) fn read_body(operation: &Operation, request: &Request) -> Result<Value, Refusal> {
    if operation.body.is_none() {
        return Ok(Value::Null);
    }
    if request.body.is_empty() {
        return Err(bad_request("the body is missing".to_owned()));
    }
    if !is_json(request) {
        return Err(Refusal::Problem(415, "send application/json".to_owned()));
    }
    serde_json::from_slice(&request.body)
        .map_err(|error| bad_request(format!("the body is not JSON: {error}")))
}

pub(crate) fn is_json(request: &Request) -> bool {
    let media_type = request.content_type.as_deref().unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// Turns JSON that has been checked into one of our things.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Result<T, Refusal> {
    serde_json::from_value(value).map_err(|error| bad_request(error.to_string()))
}

/// A whole number however it is written: `3`, `3.0` or `3e0`.
pub(crate) fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().map(|n| n as u64))
}

pub(crate) fn checker() -> Checker<'static> {
    Checker {
        root: &Document::get().root,
    }
}

pub(crate) fn bad_request(detail: String) -> Refusal {
    Refusal::Problem(400, detail)
}

#[cfg(test)]
mod tests {
    use crate::desk::Desk;
    use crate::exchange::Request;
    use crate::faults::Faults;

    fn get(path: &str, query: &str) -> u16 {
        let request = Request {
            method: "GET".to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            ..Request::default()
        };
        let reply = Desk::new(Faults::None).answer(&request);
        reply.expect("the twin never hangs up").status
    }

    #[test]
    fn numbers_in_the_query_are_read_as_json_writes_them() {
        for good in [
            "limit=5",
            "limit=5.0",
            "limit=1e1",
            "",
            "other=1",
            "limit=%35",
        ] {
            assert_eq!(get("/tools", good), 200, "{good}");
        }
        for bad in [
            "limit=",
            "limit",
            "limit=x",
            "limit=0",
            "limit=101",
            "limit=5.5",
            "limit=+5",
            "limit=%205",
            "limit=05",
            "limit=true",
            "limit=1&limit=2",
            "limit=%zz",
            "limit=1e999",
        ] {
            assert_eq!(get("/tools", bad), 400, "{bad}");
        }
    }

    #[test]
    fn flags_and_words_in_the_query_are_held_to_their_schema() {
        for good in ["available=true", "available=false", "category=power"] {
            assert_eq!(get("/tools", good), 200, "{good}");
        }
        for bad in [
            "available=1",
            "available=TRUE",
            "category=",
            "category=Power",
        ] {
            assert_eq!(get("/tools", bad), 400, "{bad}");
        }
    }

    #[test]
    fn path_parameters_are_held_to_their_schema() {
        assert_eq!(get("/tools/1", ""), 404);
        assert_eq!(get("/tools/9223372036854775807", ""), 404);
        for bad in [
            "/tools/0",
            "/tools/x",
            "/tools/9223372036854775808",
            "/members/7",
        ] {
            assert_eq!(get(bad, ""), 400, "{bad}");
        }
    }
}
