//! Asking a GraphQL service for its schema.
//!
//! Servers differ in what they let themselves be asked: old ones refuse a question that names what
//! they do not know. So there are several questions, the newest first. Who asks is who tests: a
//! service that tells its schema only to somebody it knows gets the credentials of the run.

use std::time::Duration;

use anyhow::{Result, anyhow};
use bytes::Bytes;
use fossick_contract::Method;
use fossick_ingest::{Source, introspection_queries, introspection_refusal};
use fossick_trace::{Answer, Failure, Outcome, Request};
use fossick_transport::{Client, Settings};
use serde_json::{Value, json};

use crate::document::{Access, Document};
use crate::exit::Unreachable;
use crate::plan;

/// The largest known answer has some ten megabytes.
const MOST_BYTES: usize = 256 << 20;
const PATIENCE: Duration = Duration::from_mins(1);

/// What came of it.
pub(crate) enum Told {
    Schema(Box<Document>),
    /// It speaks GraphQL, but refuses introspection: how, in its own words.
    Refused(String),
    /// It answers with an error of another kind: a missing login, most often.
    Complained(String),
    /// What answered there is no GraphQL service, or hides it well.
    SomethingElse(String),
}

/// Whether a URL ends in the way GraphQL endpoints do.
pub(crate) fn looks_like_endpoint(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or("");
    ["graphql", "gql", "query"]
        .iter()
        .any(|word| last.eq_ignore_ascii_case(word))
}

/// Asks in every way there is, until one is answered.
pub(crate) fn ask(access: &Access<'_>, url: &str) -> Result<Told> {
    let client = client(access, url)?;
    let mut told = Told::SomethingElse(String::new());
    for query in introspection_queries() {
        let answer = match access.runtime.block_on(client.send(&request(query))) {
            Outcome::Answered(answer) => answer,
            Outcome::Failed(Failure::Unreachable(why)) => {
                return Err(Unreachable(format!("nothing answers at {url} ({why})")).into());
            }
            Outcome::Failed(failure) => return Ok(Told::SomethingElse(failure.to_string())),
        };
        if let Some(document) = schema(access, url, &answer)? {
            return Ok(Told::Schema(Box::new(document)));
        }
        told = understood(&answer, &client.secrets());
    }
    Ok(told)
}

/// What an answer says that is not a schema.
fn understood(answer: &Answer, secrets: &[String]) -> Told {
    let harmless = |words: &str| fossick_report::one_line(&fossick_report::redact(words, secrets));
    let text = String::from_utf8_lossy(&answer.body);
    if let Some(words) = introspection_refusal(&text) {
        return Told::Refused(harmless(&words));
    }
    let message = answer.value_at("/errors/0/message");
    match message.as_ref().and_then(Value::as_str) {
        Some(words) => Told::Complained(format!(
            "it answered {}: \"{}\"",
            answer.status,
            harmless(words)
        )),
        None => Told::SomethingElse(described(answer)),
    }
}

/// What to do where a service refuses introspection.
pub(crate) fn refusal(url: &str, words: &str) -> anyhow::Error {
    anyhow!(
        "{url}: {words}\n  fossick test schema.graphql --url {url}\n  if it tells its schema to some only: credentials go with --header"
    )
}

/// What to do where it answers with another error.
pub(crate) fn complaint(url: &str, words: &str) -> anyhow::Error {
    anyhow!(
        "{url} does not tell its schema: {words}\n  \
         credentials go with --header; or give the schema as a file: fossick test schema.graphql --url {url}"
    )
}

fn client(access: &Access<'_>, url: &str) -> Result<Client> {
    Ok(Client::new(Settings {
        timeout: PATIENCE,
        max_body: MOST_BYTES,
        connections: 1,
        headers: access.headers.to_vec(),
        users: access.users.to_vec(),
        insecure: access.insecure,
        ..Settings::new(plan::endpoint(url)?)
    })?)
}

fn request(query: &str) -> Request {
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Request {
        method: Method::Post,
        target: String::new(),
        headers: vec![
            header("content-type", "application/json"),
            header(
                "accept",
                "application/graphql-response+json, application/json",
            ),
        ],
        body: Bytes::from(json!({ "query": query }).to_string()),
        user: None,
        anonymous: false,
    }
}

/// The schema of an answer that has one. The error is about what stands in it.
fn schema(access: &Access<'_>, url: &str, answer: &Answer) -> Result<Option<Document>> {
    let read = access.parse(Source {
        name: url.to_owned(),
        text: String::from_utf8_lossy(&answer.body).into_owned(),
    });
    match read {
        Ok(document) if document.api.is_graphql() => Ok(Some(Document {
            endpoint: Some(url.to_owned()),
            ..document
        })),
        Err(error) if has_schema(answer) => Err(error),
        _ => Ok(None),
    }
}

fn has_schema(answer: &Answer) -> bool {
    let schema = answer.value_at("/data/__schema");
    schema.is_some_and(|schema| schema.is_object())
}

fn described(answer: &Answer) -> String {
    let status = answer.status;
    if let (300..400, Some(to)) = (status, answer.header("location")) {
        let to = fossick_report::one_line(to);
        return format!("it answered {status} and leads to {to}");
    }
    match answer.media_type() {
        Some("text/html") => format!("it answered {status} with HTML"),
        _ => format!("it answered {status}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_are_known_by_their_last_word() {
        for url in [
            "http://h/graphql",
            "http://h/api/GraphQL/",
            "http://h/v1/gql?x=1",
            "http://h/query#top",
        ] {
            assert!(looks_like_endpoint(url), "{url}");
        }
        for url in [
            "http://h/graphql/schema.json",
            "http://h",
            "http://h/jquery",
        ] {
            assert!(!looks_like_endpoint(url), "{url}");
        }
    }
}
