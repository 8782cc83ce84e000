//! Postman collections, v2.0 and v2.1: requests in folders, and the answers saved beside them.
//!
//! A saved answer makes a call with its own request; the request above it is then told only if it
//! is another. Scripts and authorisation are left alone: the one can't be run, the other is nobody
//! else's. A request with a variable that has no value can't have been sent, and is told.

use std::io::{BufRead, Read as _};

use serde_json::Value;

use super::address;
use super::form::{self, BOUNDARY, Part};
use super::har::give;
use super::not_readable::{NotReadable, Place, Why, reason};
use super::variables::Variables;
use super::when::took;
use super::{Calls, Settings};
use crate::{Answered, Seen};

pub(super) fn read<'a>(input: impl BufRead + 'a, settings: &'a Settings) -> Calls<'a> {
    match collection(input, settings) {
        Ok(collection) => Box::new(walk(&collection, settings).into_iter()),
        Err(error) => Box::new(std::iter::once(Err(error))),
    }
}

fn collection(input: impl BufRead, settings: &Settings) -> Result<Value, NotReadable> {
    let mut text = Vec::new();
    let read = input
        .take(settings.largest as u64 + 1)
        .read_to_end(&mut text);
    read.map_err(|error| NotReadable::whole(Why::Io(error)))?;
    if text.len() > settings.largest {
        return Err(NotReadable::whole(Why::TooLong(settings.largest)));
    }
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let mut whole: Value = serde_json::from_slice(text).map_err(|error| NotReadable {
        place: Place::Column {
            line: error.line() as u64,
            column: error.column() as u64,
        },
        why: Why::Json(reason(&error)),
    })?;
    // Postman's own interface gives a collection inside another object.
    let collection = match whole.get_mut("collection") {
        Some(inner) => inner.take(),
        None => whole,
    };
    if collection.get("item").is_some_and(Value::is_array) {
        Ok(collection)
    } else {
        Err(NotReadable::whole(Why::NoList("`item`")))
    }
}

struct Walk<'a> {
    settings: &'a Settings,
    found: Vec<Result<Seen, NotReadable>>,
}

fn walk(collection: &Value, settings: &Settings) -> Vec<Result<Seen, NotReadable>> {
    let mut walk = Walk {
        settings,
        found: Vec::new(),
    };
    walk.folder(collection, "", &Variables::new(&settings.variables));
    walk.found
}

impl Walk<'_> {
    /// As deep as the parser lets a document be.
    fn folder(&mut self, folder: &Value, path: &str, outer: &Variables) {
        let users = self.settings.variables.len();
        let variables = outer.with(users, pairs(folder.get("variable")));
        for item in list(folder.get("item")) {
            let name = text(item.get("name")).unwrap_or("without a name");
            let path = if path.is_empty() {
                name.to_owned()
            } else {
                format!("{path} / {name}")
            };
            if item.get("item").is_some_and(Value::is_array) {
                self.folder(item, &path, &variables);
            } else {
                self.item(item, &path, &variables);
            }
        }
    }

    fn item(&mut self, item: &Value, path: &str, outer: &Variables) {
        let variables = outer.with(self.settings.variables.len(), pairs(item.get("variable")));
        let request = item.get("request").unwrap_or(&Value::Null);
        let mut answered: Vec<Seen> = Vec::new();
        for response in list(item.get("response")) {
            let original = response
                .get("originalRequest")
                .filter(|original| !original.is_null());
            match self.exchange(original.unwrap_or(request), Some(response), &variables) {
                Ok(seen) => answered.push(seen),
                Err(why) => self.tell(path, why),
            }
        }
        match self.exchange(request, None, &variables) {
            Ok(seen) if answered.iter().any(|known| same_call(known, &seen)) => {}
            Ok(seen) => self.found.push(Ok(seen)),
            // The answers' own requests may have had values where this one has none.
            Err(_) if !answered.is_empty() => {}
            Err(why) => self.tell(path, why),
        }
        self.found.extend(answered.into_iter().map(Ok));
    }

    fn tell(&mut self, path: &str, why: Why) {
        let place = Place::Item(path.to_owned());
        self.found.push(Err(NotReadable { place, why }));
    }

    fn exchange(
        &self,
        request: &Value,
        response: Option<&Value>,
        variables: &Variables,
    ) -> Result<Seen, Why> {
        let mut seen = requested(request, variables, self.settings.otherwise_at)?;
        seen.answer = response.and_then(answer);
        Ok(seen)
    }
}

fn same_call(one: &Seen, other: &Seen) -> bool {
    one.method == other.method && one.target == other.target && one.body == other.body
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text(value: Option<&Value>) -> Option<&str> {
    value
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
}

/// A value as it would be typed: numbers and words too.
fn typed(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn is_disabled(value: &Value) -> bool {
    value
        .get("disabled")
        .and_then(Value::as_bool)
        .unwrap_or(false)
}

/// `[{"key": …, "value": …}]`; older collections say `id`.
fn pairs(value: Option<&Value>) -> Vec<(String, String)> {
    let enabled = list(value).iter().filter(|pair| !is_disabled(pair));
    let pair = |pair: &Value| {
        let key = text(pair.get("key")).or_else(|| text(pair.get("id")))?;
        Some((key.to_owned(), typed(pair.get("value"))))
    };
    enabled.filter_map(pair).collect()
}

fn requested(request: &Value, variables: &Variables, at: u64) -> Result<Seen, Why> {
    let url = match request {
        Value::String(url) => variables.resolve_address(url)?,
        _ => url(request.get("url").ok_or(Why::NoTarget)?, variables)?,
    };
    let method = text(request.get("method"))
        .unwrap_or("GET")
        .to_ascii_uppercase();
    let (host, target) = address::split(&url);
    let mut seen = Seen::once(at, &method, &target);
    seen.headers = headers(request.get("header"), variables);
    if let Some(host) = host {
        give(&mut seen, "host", host);
    }
    if let Some(body) = request.get("body").filter(|body| !is_disabled(body)) {
        lay_in_body(&mut seen, body, variables)?;
    }
    Ok(seen)
}

/// The raw text where there is one: the parts beside it are only a view of it.
fn url(url: &Value, variables: &Variables) -> Result<String, Why> {
    let written = match url {
        Value::String(raw) => raw.clone(),
        _ => text(url.get("raw")).map_or_else(|| put_together(url), str::to_owned),
    };
    let resolved = variables.resolve_address(&written)?;
    let mut own = Vec::new();
    for (key, value) in pairs(url.get("variable")) {
        own.push((key, variables.resolve(&value)?));
    }
    Ok(with_path_values(&resolved, &own))
}

fn put_together(url: &Value) -> String {
    let joined = |value: Option<&Value>, by: &str| match value {
        Some(Value::Array(parts)) => {
            let parts: Vec<String> = parts.iter().map(segment).collect();
            parts.join(by)
        }
        other => typed(other),
    };
    let query: Vec<String> = pairs(url.get("query"))
        .into_iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    let question = if query.is_empty() { "" } else { "?" };
    let path = joined(url.get("path"), "/");
    format!(
        "/{}{question}{}",
        path.trim_start_matches('/'),
        query.join("&")
    )
}

fn segment(part: &Value) -> String {
    typed(part.get("value").or(Some(part)))
}

/// `/orders/:id` with the values of its own variables.
fn with_path_values(url: &str, values: &[(String, String)]) -> String {
    let (path, query) = url.split_at(url.find('?').unwrap_or(url.len()));
    let value = |segment: &str| {
        let name = segment.strip_prefix(':')?;
        let (_, value) = values.iter().find(|(key, _)| key == name)?;
        (!value.is_empty()).then(|| value.clone())
    };
    let segments: Vec<String> = path
        .split('/')
        .map(|segment| value(segment).unwrap_or_else(|| segment.to_owned()))
        .collect();
    format!("{}{query}", segments.join("/"))
}

/// A list, or one text with a header a line. One with a variable that has no value is left out:
/// such are tokens, and the call is the same without.
fn headers(value: Option<&Value>, variables: &Variables) -> Vec<(String, String)> {
    let written = match value {
        Some(Value::String(text)) => text
            .lines()
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
            .collect(),
        other => pairs(other),
    };
    let resolved = |(name, value): (String, String)| {
        Some((
            variables.resolve(&name).ok()?,
            variables.resolve(&value).ok()?,
        ))
    };
    written.into_iter().filter_map(resolved).collect()
}

fn lay_in_body(seen: &mut Seen, body: &Value, variables: &Variables) -> Result<(), Why> {
    let mode = text(body.get("mode")).unwrap_or_default();
    let content = body.get(mode);
    let (bytes, media_type) = match mode {
        "raw" => raw(body, &typed(content), variables)?,
        "urlencoded" => {
            let fields = fields(content, variables)?;
            (
                form::encoded(&fields),
                Some("application/x-www-form-urlencoded".to_owned()),
            )
        }
        "formdata" => {
            let fields = fields(content, variables)?;
            let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
            (form::multipart(&fields, BOUNDARY), Some(media_type))
        }
        "graphql" => (
            operation(content, variables)?,
            Some("application/json".to_owned()),
        ),
        _ => return Ok(()),
    };
    seen.body = bytes;
    if let Some(media_type) = media_type.filter(|_| !seen.body.is_empty()) {
        give(seen, "content-type", &media_type);
    }
    Ok(())
}

fn raw(body: &Value, text: &str, variables: &Variables) -> Result<(Vec<u8>, Option<String>), Why> {
    let text = variables.resolve(text)?;
    let language = body
        .pointer("/options/raw/language")
        .and_then(Value::as_str);
    let media_type = match language {
        Some("json") => Some("application/json"),
        Some("xml") => Some("application/xml"),
        Some("html") => Some("text/html"),
        Some("javascript") => Some("application/javascript"),
        _ if serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok() => {
            Some("application/json")
        }
        _ => Some("text/plain"),
    };
    Ok((text.into_bytes(), media_type.map(str::to_owned)))
}

/// Fields of a form: a list, or the text of one.
fn fields(content: Option<&Value>, variables: &Variables) -> Result<Vec<Part>, Why> {
    let enabled = list(content).iter().filter(|field| !is_disabled(field));
    enabled.map(|field| part(field, variables)).collect()
}

fn part(field: &Value, variables: &Variables) -> Result<Part, Why> {
    let is_file = text(field.get("type")) == Some("file");
    let source = match field.get("src") {
        Some(Value::Array(sources)) => sources.first(),
        other => other,
    };
    Ok(Part {
        name: variables.resolve(&typed(field.get("key")))?,
        value: variables.resolve(&typed(field.get("value")))?,
        file: is_file.then(|| typed(source)),
    })
}

/// `{"query": …, "variables": "{…}"}`
fn operation(content: Option<&Value>, variables: &Variables) -> Result<Vec<u8>, Why> {
    let content = content.unwrap_or(&Value::Null);
    let mut body = serde_json::Map::new();
    let query = variables.resolve(&typed(content.get("query")))?;
    body.insert("query".to_owned(), Value::String(query));
    let given = variables.resolve(&typed(content.get("variables")))?;
    if let Ok(given @ Value::Object(_)) = serde_json::from_str(&given) {
        body.insert("variables".to_owned(), given);
    }
    if let Some(name) = text(content.get("operationName")) {
        body.insert("operationName".to_owned(), Value::String(name.to_owned()));
    }
    Ok(Value::Object(body).to_string().into_bytes())
}

fn answer(response: &Value) -> Option<Answered> {
    let code = response.get("code").and_then(Value::as_u64)?;
    let headers = headers(response.get("header"), &Variables::default());
    let media_type = headers
        .into_iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    Some(Answered {
        status: u16::try_from(code).ok().filter(|status| *status >= 100)?,
        media_type: media_type.map(|(_, value)| value),
        body: response
            .get("body")
            .and_then(Value::as_str)
            .map(|body| body.as_bytes().to_vec()),
        took: took(&typed(response.get("responseTime")), 1e3),
    })
}
