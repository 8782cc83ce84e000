//! GraphQL over HTTP: what a request asks for, and which status an answer has.
//!
//! Answers are `application/json`, so whatever reached the executor is a 200, errors or not; a
//! request that can't be read as one of GraphQL is a 4xx.

use std::sync::{Mutex, PoisonError};

use apollo_compiler::response::{JsonMap, JsonValue};
use serde_json::{Value, json};

use super::execute::{Ask, Failure, execute};
use super::faults::GraphqlFault;
use super::store::Store;
use crate::exchange::{Reply, Request, pairs};
use crate::faults::Faults;
use crate::input::is_json;

const PATH: &str = "/graphql";

#[derive(Debug)]
pub(crate) struct Bank {
    faults: Faults<GraphqlFault>,
    store: Mutex<Store>,
}

impl Bank {
    pub(crate) fn new(faults: Faults<GraphqlFault>) -> Self {
        Self {
            faults,
            store: Mutex::default(),
        }
    }

    pub(crate) fn answer(&self, request: &Request) -> Reply {
        match ask(request) {
            Ok(ask) => self.execute(&ask),
            Err(reply) => reply,
        }
    }

    fn execute(&self, ask: &Ask) -> Reply {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        match execute(&mut store, self.faults, ask) {
            Ok(answer) => Reply::json(200, answer),
            Err(Failure::Request(errors)) => Reply::json(200, json!({"errors": errors})),
            Err(Failure::MutationByGet) => {
                refusal(405, "a mutation is sent by POST").with("allow", "POST")
            }
            Err(Failure::Crash) => Reply {
                media_type: "text/plain",
                body: Some("Internal Server Error".to_owned()),
                ..Reply::empty(500)
            },
        }
    }
}

fn ask(request: &Request) -> Result<Ask, Reply> {
    match (request.path.as_str(), request.method.as_str()) {
        (PATH, "GET") => asked_by_get(request),
        (PATH, "POST") if !is_json(request) => Err(refusal(415, "send application/json")),
        (PATH, "POST") => {
            let body = serde_json::from_slice(&request.body);
            read(
                &body.map_err(|error| unreadable(&error.to_string()))?,
                false,
            )
        }
        (PATH, _) => Err(refusal(405, "ask by GET or POST").with("allow", "GET, POST")),
        _ => Err(refusal(404, "the endpoint is /graphql")),
    }
}

fn asked_by_get(request: &Request) -> Result<Ask, Reply> {
    let pairs: Option<Vec<_>> = pairs(&request.query).collect();
    let pairs = pairs.ok_or_else(|| unreadable("an escape in the URL is broken"))?;
    let mut asked = json!({});
    for (name, text) in pairs {
        asked[&name] = match name.as_str() {
            "variables" | "extensions" => serde_json::from_str(&text)
                .map_err(|error| unreadable(&format!("{name} is not JSON: {error}")))?,
            _ => Value::String(text),
        };
    }
    read(&asked, true)
}

fn read(asked: &Value, by_get: bool) -> Result<Ask, Reply> {
    let query = asked["query"].as_str();
    let map = |name| match &asked[name] {
        Value::Null => Ok(JsonMap::new()),
        Value::Object(_) => match JsonValue::from(asked[name].clone()) {
            JsonValue::Object(map) => Ok(map),
            _ => Ok(JsonMap::new()),
        },
        _ => Err(unreadable(&format!("{name} is no object"))),
    };
    map("extensions")?;
    Ok(Ask {
        query: query
            .ok_or_else(|| unreadable("query is missing"))?
            .to_owned(),
        variables: map("variables")?,
        operation_name: match &asked["operationName"] {
            Value::Null => None,
            Value::String(name) => Some(name.clone()),
            _ => return Err(unreadable("operationName is no text")),
        },
        by_get,
    })
}

fn unreadable(why: &str) -> Reply {
    refusal(400, why)
}

fn refusal(status: u16, message: &str) -> Reply {
    let error = json!({"message": message, "extensions": {"code": "BAD_REQUEST"}});
    Reply::json(status, json!({"errors": [error]}))
}
