//! What a GraphQL call asked: its operation, with the variables that were sent.
//!
//! It is read back from the request as it went out, not from the plan, so that any episode can be
//! judged: one that was stored, edited by hand or recorded elsewhere.

use std::cell::OnceCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use fossick_contract::Method;
use fossick_query::{Asked, Directive, Document, Literal, Pick};
use fossick_trace::Request;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::library::Library;
use super::review::Review;

/// Values written into an operation are read to this depth.
const DEPTH: usize = 32;

#[derive(Debug)]
pub(crate) struct Inquiry {
    /// None where the text is not one operation of GraphQL.
    pub(crate) document: Option<Arc<Document>>,
    pub(crate) variables: Map<String, Value>,
    /// The same for inquiries that ask for the same.
    pub(crate) identity: u64,
    pub(super) review: OnceCell<Review>,
}

/// The parameters of GraphQL over HTTP.
#[derive(Debug, Default, Deserialize)]
struct Sent {
    #[serde(default)]
    query: Option<String>,
    #[serde(default)]
    variables: Option<Value>,
    #[serde(default, rename = "operationName")]
    operation_name: Option<String>,
}

impl Inquiry {
    pub(crate) fn read(request: &Request, library: &Library) -> Self {
        let sent = match request.method {
            Method::Get => from_target(&request.target),
            _ => serde_json::from_slice(&request.body).unwrap_or_default(),
        };
        let variables = match sent.variables {
            Some(Value::Object(map)) => map,
            _ => Map::new(),
        };
        let text = sent.query.unwrap_or_default();
        let (document, hash) = library.document(&text, sent.operation_name.as_deref());
        let identity = match &document {
            Some(document) if depends_on_variables(&document.picks, 0) => {
                mixed(hash, &Value::Object(variables.clone()).to_string())
            }
            _ => hash,
        };
        Self {
            document,
            variables,
            identity,
            review: OnceCell::new(),
        }
    }

    /// What the field under a key of `data` was given.
    pub(crate) fn arguments(&self, key: &str) -> Map<String, Value> {
        let Some(document) = &self.document else {
            return self.variables.clone();
        };
        let Some(asked) = find(&document.picks, |asked| asked.key() == key, 0) else {
            return Map::new();
        };
        let pairs = asked.arguments.iter().filter_map(|(name, literal)| {
            let value = self.value(literal, 0)?;
            Some((name.clone(), value))
        });
        pairs.collect()
    }

    /// A literal as JSON; nothing for a variable that was not sent.
    fn value(&self, literal: &Literal, depth: usize) -> Option<Value> {
        if depth > DEPTH {
            return None;
        }
        Some(match literal {
            Literal::Variable(name) => return self.variables.get(name).cloned(),
            Literal::Null => Value::Null,
            Literal::Boolean(flag) => Value::Bool(*flag),
            Literal::Number(digits) => serde_json::from_str(digits).ok()?,
            Literal::Text(text) | Literal::Enum(text) => Value::String(text.clone()),
            Literal::List(items) => items
                .iter()
                .filter_map(|item| self.value(item, depth + 1))
                .collect(),
            Literal::Object(fields) => fields
                .iter()
                .filter_map(|(name, field)| Some((name.clone(), self.value(field, depth + 1)?)))
                .collect(),
        })
    }
}

/// The first field, in the selection itself or in its parts.
pub(crate) fn find(
    picks: &[Pick],
    wanted: impl Fn(&Asked) -> bool + Copy,
    depth: usize,
) -> Option<&Asked> {
    if depth > DEPTH {
        return None;
    }
    picks.iter().find_map(|pick| match pick {
        Pick::Field(asked) => wanted(asked).then_some(asked),
        Pick::Part(part) => find(&part.picks, wanted, depth + 1),
    })
}

fn from_target(target: &str) -> Sent {
    let mut sent = Sent::default();
    let query = target.split_once('?').map_or("", |(_, query)| query);
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let plain = value.replace('+', " ");
        let Ok(text) = percent_decode_str(&plain).decode_utf8() else {
            continue;
        };
        match name {
            "query" => sent.query = Some(text.into_owned()),
            "variables" => sent.variables = serde_json::from_str(&text).ok(),
            "operationName" => sent.operation_name = Some(text.into_owned()),
            _ => {}
        }
    }
    sent
}

/// Whether `@skip(if: $variable)` or the like stands anywhere.
fn depends_on_variables(picks: &[Pick], depth: usize) -> bool {
    let by_variable = |directives: &[Directive]| {
        directives.iter().any(|directive| {
            let mut values = directive.arguments.iter().map(|(_, literal)| literal);
            values.any(|literal| matches!(literal, Literal::Variable(_)))
        })
    };
    // What lies deeper than anybody writes is taken to depend on them.
    depth > DEPTH
        || picks.iter().any(|pick| {
            let (directives, inner) = match pick {
                Pick::Field(asked) => (&asked.directives, &asked.picks),
                Pick::Part(part) => (&part.directives, &part.picks),
            };
            by_variable(directives) || depends_on_variables(inner, depth + 1)
        })
}

fn mixed(hash: u64, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (hash, text).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use serde_json::json;

    fn request(method: Method, target: &str, body: &Value) -> Request {
        Request {
            method,
            target: target.to_owned(),
            headers: vec![],
            body: Bytes::from(body.to_string()),
            user: None,
            anonymous: false,
        }
    }

    #[test]
    fn arguments_are_the_same_as_variables_and_in_the_text() {
        let library = Library::default();
        let by_variable = json!({
            "query": "query($id: ID!, $n: Int) { it: book(id: $id, first: $n, tags: [\"a\"]) { id } }",
            "variables": {"id": 7},
        });
        let inline = json!({"query": "{ it: book(id: 7, tags: [\"a\"]) { id } }"});
        for body in [by_variable, inline] {
            let inquiry = Inquiry::read(&request(Method::Post, "", &body), &library);
            let arguments = Value::Object(inquiry.arguments("it"));
            assert_eq!(arguments, json!({"id": 7, "tags": ["a"]}));
            assert_eq!(inquiry.arguments("other"), Map::new());
        }
    }

    #[test]
    fn what_was_asked_with_get_is_read_from_the_target() {
        let library = Library::default();
        let target = "?query=query(%24id%3A+ID!)%7Bbook(id%3A%24id)%7Bid%7D%7D&variables=%7B%22id%22%3A%22x%22%7D";
        let inquiry = Inquiry::read(&request(Method::Get, target, &Value::Null), &library);
        assert!(inquiry.document.is_some());
        assert_eq!(Value::Object(inquiry.arguments("book")), json!({"id": "x"}));
    }

    #[test]
    fn what_is_no_operation_asks_for_nothing() {
        let library = Library::default();
        for body in [json!({"query": "{ book("}), json!([1]), json!({"query": 7})] {
            let inquiry = Inquiry::read(&request(Method::Post, "", &body), &library);
            assert!(inquiry.document.is_none(), "{body}");
        }
    }

    /// Variables that only fill arguments do not change what is asked for.
    #[test]
    fn variables_count_where_they_decide_what_is_asked_for() {
        let library = Library::default();
        let identity = |query: &str, flag: bool| {
            let body = json!({"query": query, "variables": {"flag": flag}});
            Inquiry::read(&request(Method::Post, "", &body), &library).identity
        };
        let plain = "query($flag: Boolean) { books(old: $flag) { id } }";
        assert_eq!(identity(plain, true), identity(plain, false));
        let skipping = "query($flag: Boolean!) { books { id title @skip(if: $flag) } }";
        assert_ne!(identity(skipping, true), identity(skipping, false));
    }
}
