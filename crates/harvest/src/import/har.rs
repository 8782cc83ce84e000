//! HTTP archives, version 1.2, as browsers and proxies write them.
//!
//! Entries are read one at a time. Pseudo headers of HTTP/2 become a `host`, and an exchange that
//! was blocked or broken off (status 0) has no answer.

use std::io::BufRead;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer};

use super::address;
use super::form::{self, Part};
use super::items::{Item, Items};
use super::not_readable::{NotReadable, Why, reason};
use super::when::{took, when};
use super::{Calls, Settings};
use crate::{Answered, Seen};

pub(super) fn read<'a>(input: impl BufRead + 'a, settings: &'a Settings) -> Calls<'a> {
    let items = Items::new(
        input,
        &["log", "entries"],
        "`log.entries`",
        settings.largest,
    );
    Box::new(items.map(|item| {
        let Item { place, text } = item?;
        seen(&text, settings).map_err(|why| NotReadable { place, why })
    }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    #[serde(default)]
    started_date_time: Option<String>,
    #[serde(default)]
    time: Option<f64>,
    request: Request,
    #[serde(default)]
    response: Option<Response>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    #[serde(default)]
    method: String,
    url: String,
    #[serde(default, deserialize_with = "or_nothing")]
    headers: Vec<Header>,
    #[serde(default)]
    post_data: Option<PostData>,
}

#[derive(Deserialize)]
struct Header {
    name: String,
    #[serde(default, deserialize_with = "or_nothing")]
    value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PostData {
    #[serde(default, deserialize_with = "or_nothing")]
    mime_type: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default, deserialize_with = "or_nothing")]
    params: Vec<Param>,
    #[serde(default)]
    encoding: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Param {
    name: String,
    #[serde(default, deserialize_with = "or_nothing")]
    value: String,
    #[serde(default)]
    file_name: Option<String>,
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    status: i64,
    #[serde(default)]
    content: Option<Content>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Content {
    #[serde(default)]
    mime_type: Option<String>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    encoding: Option<String>,
}

/// Some writers say `null` where they have nothing to say.
fn or_nothing<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    from: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(from)?.unwrap_or_default())
}

fn seen(text: &[u8], settings: &Settings) -> Result<Seen, Why> {
    let entry: Entry = serde_json::from_slice(text).map_err(|error| Why::Json(reason(&error)))?;
    let at = match &entry.started_date_time {
        Some(told) => when(told).ok_or_else(|| Why::Time(told.clone()))?,
        None => settings.otherwise_at,
    };
    let mut seen = of_request(entry.request, at)?;
    let micros = entry.time.and_then(|ms| took(&ms.to_string(), 1e3));
    seen.answer = match entry.response {
        Some(response) => answer(response, micros)?,
        None => None,
    };
    Ok(seen)
}

fn of_request(request: Request, at: u64) -> Result<Seen, Why> {
    let (host, target) = address::split(&request.url);
    let method = if request.method.is_empty() {
        "GET"
    } else {
        &request.method
    };
    let mut seen = Seen::once(at, method, &target);
    let headers = request
        .headers
        .into_iter()
        .filter(|header| !header.name.starts_with(':'));
    seen.headers = headers.map(|header| (header.name, header.value)).collect();
    if let Some(host) = host {
        give(&mut seen, "host", host);
    }
    if let Some(data) = request.post_data {
        if !data.mime_type.is_empty() {
            give(&mut seen, "content-type", &data.mime_type);
        }
        seen.body = sent(data)?;
    }
    Ok(seen)
}

/// Gives a header unless there is one.
pub(super) fn give(seen: &mut Seen, name: &str, value: &str) {
    if seen.header(name).is_none() {
        seen.headers.push((name.to_owned(), value.to_owned()));
    }
}

fn sent(data: PostData) -> Result<Vec<u8>, Why> {
    if let Some(text) = data.text.filter(|text| !text.is_empty()) {
        return decoded(text, data.encoding.as_deref(), "the request's body");
    }
    if data.params.is_empty() {
        return Ok(Vec::new());
    }
    let parts: Vec<Part> = data.params.into_iter().map(part).collect();
    Ok(match form::boundary(&data.mime_type) {
        Some(boundary) => form::multipart(&parts, boundary),
        None => form::encoded(&parts),
    })
}

fn part(param: Param) -> Part {
    Part {
        name: param.name,
        value: param.value,
        file: param.file_name,
    }
}

fn decoded(text: String, encoding: Option<&str>, what: &'static str) -> Result<Vec<u8>, Why> {
    if encoding.is_some_and(|encoding| encoding.eq_ignore_ascii_case("base64")) {
        return STANDARD.decode(text.trim()).map_err(|_| Why::Base64(what));
    }
    Ok(text.into_bytes())
}

fn answer(response: Response, took: Option<u64>) -> Result<Option<Answered>, Why> {
    let Some(status) = u16::try_from(response.status)
        .ok()
        .filter(|status| *status >= 100)
    else {
        return Ok(None);
    };
    let mut answered = Answered {
        status,
        took,
        ..Answered::default()
    };
    if let Some(content) = response.content {
        answered.media_type = content
            .mime_type
            .filter(|media_type| !media_type.is_empty());
        let encoding = content.encoding;
        let body = content
            .text
            .map(|text| decoded(text, encoding.as_deref(), "the answer's body"));
        answered.body = body.transpose()?;
    }
    Ok(Some(answered))
}
