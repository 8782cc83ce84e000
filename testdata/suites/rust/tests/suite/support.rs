//! Shed.
//! Made by fossick: fossick test openapi.json --seed 1
//!
//! What the tests share.

#![allow(dead_code, reason = "not every suite needs all of it")]

use std::env;
use std::fmt;
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;
use tokio::sync::OnceCell;

pub use serde_json::json;

/// What may stand in a path or a query as it is.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Somebody who sends requests.
pub struct Sender {
    client: Client,
    base_url: String,
}

impl Sender {
    async fn new(headers: &[(&str, String)]) -> Self {
        ready().await;
        let client = Client::builder()
            .default_headers(header_map(headers))
            .redirect(Policy::none())
            .timeout(Duration::from_secs(30))
            .build()
            .expect("a client");
        let base_url = base_url();
        Self { client, base_url }
    }

    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        self.client
            .request(method, format!("{}{path}", self.base_url))
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.request("GET", path)
    }

    pub fn post(&self, path: &str) -> RequestBuilder {
        self.request("POST", path)
    }

    pub fn put(&self, path: &str) -> RequestBuilder {
        self.request("PUT", path)
    }

    pub fn patch(&self, path: &str) -> RequestBuilder {
        self.request("PATCH", path)
    }

    pub fn delete(&self, path: &str) -> RequestBuilder {
        self.request("DELETE", path)
    }

    pub fn head(&self, path: &str) -> RequestBuilder {
        self.request("HEAD", path)
    }
}

fn header_map(headers: &[(&str, String)]) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_bytes()).expect("a header's name");
        let mut value = HeaderValue::from_bytes(value.as_bytes()).expect("a header's value");
        value.set_sensitive(true);
        map.append(name, value);
    }
    map
}

/// Credentials come from the environment.
fn secret(variable: &str) -> String {
    env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set in the environment"))
}

pub async fn send(request: RequestBuilder) -> Answer {
    let (client, request) = request.build_split();
    let request = request.expect("a request that can be sent");
    let asked = format!("{} {}", request.method(), request.url());
    let response = match client.execute(request).await {
        Ok(response) => response,
        Err(error) => panic!("{asked} had no answer: {error:?}"),
    };
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let body = match response.bytes().await {
        Ok(body) => body.to_vec(),
        Err(error) => panic!("{asked} answered {status} and broke off: {error:?}"),
    };
    let json = serde_json::from_slice(&body).ok().map(whole);
    Answer {
        asked,
        status,
        headers,
        body,
        json,
    }
}

/// What the service said. It is displayed where an assertion fails.
pub struct Answer {
    asked: String,
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
    json: Option<Value>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start: String = self.text().chars().take(2000).collect();
        write!(f, "{} answered {}\n{start}", self.asked, self.status)
    }
}

impl Answer {
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Without parameters, in small letters.
    pub fn media_type(&self) -> String {
        let value = self.headers.get("content-type");
        let value = value.map_or(&[][..], HeaderValue::as_bytes);
        let text = String::from_utf8_lossy(value);
        let essence = text.split(';').next().unwrap_or("");
        essence.trim().to_ascii_lowercase()
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The value at a JSON pointer, which must be there.
    #[track_caller]
    pub fn at(&self, pointer: &str) -> Value {
        self.get(pointer)
            .unwrap_or_else(|| panic!("there is nothing at {pointer:?}: {self}"))
    }

    pub fn get(&self, pointer: &str) -> Option<Value> {
        self.json.as_ref()?.pointer(pointer).cloned()
    }

    pub fn kind(&self, pointer: &str) -> &'static str {
        match self.get(pointer) {
            None => "absent",
            Some(Value::Null) => "null",
            Some(Value::Bool(_)) => "boolean",
            Some(Value::Number(number)) if number.is_f64() => "number",
            Some(Value::Number(_)) => "integer",
            Some(Value::String(_)) => "string",
            Some(Value::Array(_)) => "array",
            Some(Value::Object(_)) => "object",
        }
    }

    pub fn is_number(&self, pointer: &str) -> bool {
        ["integer", "number"].contains(&self.kind(pointer))
    }

    /// The number of items of a list.
    pub fn size(&self, pointer: &str) -> Option<usize> {
        self.get(pointer)?.as_array().map(Vec::len)
    }

    /// Whether the list or object that is there lacks this place.
    pub fn lacks(&self, pointer: &str) -> bool {
        let Some((parent, _)) = pointer.rsplit_once('/') else {
            return false;
        };
        ["array", "object"].contains(&self.kind(parent)) && self.get(pointer).is_none()
    }

    /// The item of a list that carries a value at a place of its own, as an answer.
    pub fn item(&self, list: &str, place: &str, value: &Value) -> Self {
        let items = self.get(list);
        let mut items = items.iter().filter_map(Value::as_array).flatten();
        let json = items.find(|item| item.pointer(place) == Some(value));
        let asked = match json {
            Some(_) => self.asked.clone(),
            None => format!("no {value} at {place:?} in {list:?}: {}", self.asked),
        };
        Self {
            asked,
            status: self.status,
            headers: self.headers.clone(),
            body: self.body.clone(),
            json: json.cloned(),
        }
    }

    /// Whether a list that is there has no such item.
    pub fn lacks_item(&self, list: &str, place: &str, value: &Value) -> bool {
        self.kind(list) == "array" && self.item(list, place, value).json.is_none()
    }

    /// In what way the body does not fit a schema; empty where it does.
    pub fn misfits(&self, name: &str) -> String {
        let Some(json) = &self.json else {
            return "it is not JSON".to_owned();
        };
        let schema: Value = serde_json::from_str(schema(name)).expect("a schema");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let errors = validator.iter_errors(json);
        let lines: Vec<String> = errors
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        lines.join("\n")
    }

    #[track_caller]
    pub fn header(&self, name: &str) -> Value {
        match self.headers.get(name) {
            Some(value) => String::from_utf8_lossy(value.as_bytes()).into(),
            None => panic!("there is no header {name}: {self}"),
        }
    }

    /// The last segment of the path that the answer leads to.
    #[track_caller]
    pub fn location(&self) -> Value {
        let location = text(&self.header("location"));
        let path = location.split(['?', '#']).next().unwrap_or("");
        let tail = path.trim_end_matches('/').rsplit('/').next().unwrap_or("");
        assert!(!tail.is_empty(), "the location leads nowhere: {self}");
        percent_decode_str(tail).decode_utf8_lossy().into()
    }
}

/// Numbers without a fraction as integers, so that 1 and 1.0 are equal.
fn whole(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float)
                if number.is_f64() && float.fract() == 0.0 && float.abs() <= 9007199254740992.0 =>
            {
                Value::from(float as i64)
            }
            _ => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name, whole(value)))
            .collect(),
        value => value,
    }
}

/// A value as a part of a text.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// A value as a part of a path or a query.
pub fn segment(value: &Value) -> String {
    utf8_percent_encode(&text(value), COMPONENT).to_string()
}

/// A new text of the same make: its last five letters and digits are thrown anew.
pub fn fresh(like: &str) -> Value {
    let mut letters: Vec<char> = like.chars().collect();
    let kinds = letters.iter_mut().rev().filter_map(|letter| {
        let kind = match letter {
            'a'..='z' => 'a'..='z',
            'A'..='Z' => 'A'..='Z',
            '0'..='9' => '0'..='9',
            _ => return None,
        };
        Some((letter, kind))
    });
    for (letter, kind) in kinds.take(5) {
        *letter = fastrand::char(kind);
    }
    letters.into_iter().collect::<String>().into()
}

fn base_url() -> String {
    let default = "http://127.0.0.1:8460";
    let url = env::var("FOSSICK_BASE_URL").unwrap_or_else(|_| default.to_owned());
    url.trim_end_matches('/').to_owned()
}

/// Sends no credentials.
pub async fn nobody() -> Sender {
    Sender::new(&[]).await
}

pub async fn alice() -> Sender {
    let headers = [("Authorization", secret("ALICE_AUTHORIZATION"))];
    Sender::new(&headers).await
}

pub async fn bob() -> Sender {
    static TOKEN: OnceCell<String> = OnceCell::const_new();
    let token = TOKEN.get_or_init(log_in_bob).await;
    let headers = [("Authorization", format!("Bearer {token}"))];
    Sender::new(&headers).await
}

/// Once in a run.
async fn log_in_bob() -> String {
    let bob_password = Value::from(secret("BOB_PASSWORD"));
    let sender = Sender::new(&[]).await;
    let body = json!({"name": "bob", "password": bob_password});
    let answer = send(sender.post("/login").json(&body)).await;
    assert!(
        (200..300).contains(&answer.status()),
        "bob can't log in: {answer}"
    );
    text(&answer.at("/token"))
}

fn schema(name: &str) -> &'static str {
    match name {
        "tool" => include_str!("schemas/tool.json"),
        "odd_thing" => include_str!("schemas/odd_thing.json"),
        _ => panic!("there is no schema {name}"),
    }
}

async fn ready() {}
