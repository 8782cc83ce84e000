//! Whether a request is GraphQL, and what it asks for.
//!
//! A body with `query` may as well be somebody's search form. Away from the paths where GraphQL is
//! served, a text must read as an operation to be taken for one.

use fossick_query::NotReadable;
use serde_json::{Map, Value};

use super::persisted::Persisted;
use super::request::{Body, Request};
use super::target::value;
use super::{Skipped, media, multipart};

/// One operation as it was sent.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Ask {
    text: Option<String>,
    hash: Option<String>,
    id: Option<String>,
    pub name: Option<String>,
    pub variables: Map<String, Value>,
}

pub(super) struct Asks {
    pub list: Vec<Ask>,
    pub batched: bool,
}

pub(super) fn find(request: &Request<'_>, on_path: bool, persisted: &Persisted) -> Option<Asks> {
    let asks = match request.method.as_str() {
        "GET" => of_pairs(&request.query),
        "POST" => of_body(request).or_else(|| of_pairs(&request.query)),
        _ => None,
    }?;
    let sure = on_path || asks.list.iter().any(|ask| ask.is_sure(persisted));
    sure.then_some(asks)
}

fn of_body(request: &Request<'_>) -> Option<Asks> {
    match &request.body {
        Body::Json(value) => of_json(value),
        Body::Form(fields) => of_pairs(fields),
        Body::Text(text) if media::essence(&request.media_type) == "application/graphql" => {
            let mut ask = ask(&said(&request.query));
            ask.text = Some((*text).to_owned());
            Some(single(ask))
        }
        Body::Bytes if media::is_multipart(&request.media_type) => {
            let boundary = media::boundary(request.content_type())?;
            let operations = multipart::part(&request.seen.body, boundary, "operations")?;
            of_json(&serde_json::from_str(operations).ok()?)
        }
        _ => None,
    }
}

fn single(ask: Ask) -> Asks {
    Asks {
        list: vec![ask],
        batched: false,
    }
}

fn of_json(value: &Value) -> Option<Asks> {
    match value {
        Value::Object(fields) => Some(single(asked(fields)?)),
        Value::Array(items) if !items.is_empty() => {
            let asks = items.iter().map(|item| asked(item.as_object()?));
            Some(Asks {
                list: asks.collect::<Option<Vec<_>>>()?,
                batched: true,
            })
        }
        _ => None,
    }
}

/// `variables` and `extensions` are JSON in a text.
fn of_pairs(pairs: &[(String, String)]) -> Option<Asks> {
    Some(single(asked(&said(pairs))?))
}

fn said(pairs: &[(String, String)]) -> Map<String, Value> {
    let names = ["query", "operationName", "variables", "extensions"];
    let names = names.iter().chain(&IDS);
    let said = names.filter_map(|name| Some(((*name).to_owned(), value(pairs, name)?.into())));
    said.collect()
}

const IDS: [&str; 4] = ["documentId", "doc_id", "queryId", "id"];

fn asked(fields: &Map<String, Value>) -> Option<Ask> {
    let ask = ask(fields);
    (ask.text.is_some() || ask.hash.is_some() || ask.id.is_some()).then_some(ask)
}

fn ask(fields: &Map<String, Value>) -> Ask {
    let text = |name: &str| fields.get(name)?.as_str().filter(|text| !text.is_empty());
    let hash = object(fields.get("extensions"));
    let hash = hash
        .get("persistedQuery")
        .and_then(|query| query.get("sha256Hash"));
    Ask {
        text: text("query").map(str::to_owned),
        hash: hash.and_then(Value::as_str).map(str::to_owned),
        id: IDS.iter().find_map(|name| text(name)).map(str::to_owned),
        name: text("operationName").map(str::to_owned),
        variables: object(fields.get("variables")),
    }
}

/// An object, or one in a text.
fn object(value: Option<&Value>) -> Map<String, Value> {
    match value {
        Some(Value::Object(fields)) => fields.clone(),
        Some(Value::String(text)) => serde_json::from_str(text).unwrap_or_default(),
        _ => Map::new(),
    }
}

impl Ask {
    /// Nothing but GraphQL looks like this.
    fn is_sure(&self, persisted: &Persisted) -> bool {
        let listed = || self.id.as_ref().is_some_and(|id| persisted.is_listed(id));
        match &self.text {
            Some(text) => !matches!(
                fossick_query::read(text, self.name.as_deref()),
                Err(NotReadable::Syntax { .. } | NotReadable::NoOperation)
            ),
            None => self.hash.is_some() || listed(),
        }
    }

    /// The text, which may be known from before.
    pub(super) fn text(&self, persisted: &mut Persisted) -> Result<String, Skipped> {
        if let Some(text) = &self.text {
            if let Some(hash) = &self.hash {
                persisted.learn(hash, text);
            }
            return Ok(text.clone());
        }
        let known = self
            .hash
            .iter()
            .chain(&self.id)
            .find_map(|id| persisted.text(id));
        known.ok_or(Skipped::UnknownPersistedQuery)
    }
}
