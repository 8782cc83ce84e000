//! One JSON object a line: our own form, plain GraphQL logs, AutoGraphQL's records, and access
//! logs of nginx and Envoy. They differ in the names they give things, so one table of names
//! serves them all; a file that is one JSON list of such objects is read too.

use std::io::BufRead;

use super::address;
use super::escapes;
pub(super) use super::fields::Empty;
use super::fields::{Fields, Members};
use super::har::give;
use super::items::Items;
use super::lines::{Line, Lines};
use super::not_readable::{NotReadable, Place, Why, reason};
use super::operation;
use super::when::{took, when};
use super::{Calls, Settings};
use crate::{Answered, Seen};

const METHOD: &[&str] = &["method", "requestmethod", "httpmethod", "verb"];
const TARGET: &[&str] = &[
    "target",
    "requesturi",
    "xenvoyoriginalpath",
    "originalurl",
    "url",
    "requesturl",
    "fullpath",
    "path",
    "uri",
    "requestpath",
];
const QUERY_STRING: &[&str] = &["querystring", "args", "rawquery"];
/// `POST /orders HTTP/1.1`
const FIRST_LINE: &[&str] = &["request", "requestline"];
const HOST: &[&str] = &["host", "authority", "requestauthority"];
const HEADERS: &[&str] = &["headers", "requestheaders"];
const CONTENT_TYPE: &[&str] = &["contenttype", "requestcontenttype"];
const BODY: &[&str] = &["body", "requestbody", "payload"];
const BODY_BASE64: &[&str] = &["bodybase64", "requestbodybase64"];
const CLIENT: &[&str] = &[
    "client",
    "clientip",
    "clientaddress",
    "remoteaddr",
    "remoteip",
    "ip",
    "xforwardedfor",
    "downstreamremoteaddress",
];

const AT: &[&str] = &[
    "at",
    "startedat",
    "starttime",
    "createdat",
    "timestamp",
    "ts",
    "time",
    "datetime",
    "date",
];
/// Written when the answer was sent, so it is later by as long as that took.
const ENDED_AT: &[&str] = &["msec", "timeiso8601", "timelocal", "endedat"];
const LAST_AT: &[&str] = &["lastat", "updatedat", "lastseen"];
const TIMES: &[&str] = &["times", "timescalled", "count"];

const STATUS: &[&str] = &[
    "status",
    "statuscode",
    "responsestatus",
    "responsecode",
    "responsestatuscode",
    "httpstatus",
];
const ANSWER: &[&str] = &["answer", "responsebody", "respbody", "answerbody"];
const ANSWER_BASE64: &[&str] = &["answerbase64", "responsebodybase64"];
const ANSWER_TYPE: &[&str] = &["answertype", "responsecontenttype", "senthttpcontenttype"];
const ANSWER_HEADERS: &[&str] = &["responseheaders", "answerheaders"];

/// Names of how long it took, and the unit of each in microseconds.
const TOOK: &[(&str, f64)] = &[
    ("tookms", 1e3),
    ("durationms", 1e3),
    ("elapsedms", 1e3),
    ("latencyms", 1e3),
    ("responsetimems", 1e3),
    ("tookus", 1.0),
    ("durationus", 1.0),
    ("durationns", 1e-3),
    ("requesttime", 1e6),
    ("upstreamresponsetime", 1e6),
    ("duration", 1e3),
    ("responsetime", 1e3),
    ("responsetook", 1e3),
];

pub(super) fn read<'a>(
    mut input: Box<dyn BufRead + 'a>,
    empty: Empty,
    settings: &'a Settings,
) -> Calls<'a> {
    if begins_list(&mut input) {
        let items = Items::new(input, &[], "list", settings.largest);
        return Box::new(items.map(move |item| {
            let item = item?;
            let place = item.place;
            seen(&item.text, empty, settings).map_err(|(why, _)| NotReadable { place, why })
        }));
    }
    Box::new(ReadLines {
        lines: Lines::new(input, settings.largest),
        empty,
        settings,
        over: false,
    })
}

fn begins_list(input: &mut impl BufRead) -> bool {
    let head = input.fill_buf().unwrap_or_default();
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    head.trim_ascii_start().starts_with(b"[")
}

struct ReadLines<'a, R> {
    lines: Lines<R>,
    empty: Empty,
    settings: &'a Settings,
    over: bool,
}

impl<R: BufRead> Iterator for ReadLines<'_, R> {
    type Item = Result<Seen, NotReadable>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.over {
            let read = self.lines.next();
            let line = self.lines.number;
            match read {
                Ok(None) => self.over = true,
                Ok(Some(Line::TooLong)) => return Some(Err(self.too_long())),
                Ok(Some(Line::Whole(text))) => {
                    let text = text
                        .strip_prefix(b"\xef\xbb\xbf")
                        .unwrap_or(&text)
                        .trim_ascii();
                    if !text.is_empty() {
                        let seen = seen(text, self.empty, self.settings);
                        return Some(seen.map_err(|(why, column)| at(line, column, why)));
                    }
                }
                Err(error) => {
                    self.over = true;
                    return Some(Err(at(line + 1, None, Why::Io(error))));
                }
            }
        }
        None
    }
}

impl<R> ReadLines<'_, R> {
    fn too_long(&self) -> NotReadable {
        at(self.lines.number, None, Why::TooLong(self.settings.largest))
    }
}

fn at(line: u64, column: Option<u64>, why: Why) -> NotReadable {
    let place = match column {
        Some(column) => Place::Column { line, column },
        None => Place::Line(line),
    };
    NotReadable { place, why }
}

/// One line; where it is no JSON, the column is told too.
fn seen(text: &[u8], empty: Empty, settings: &Settings) -> Result<Seen, (Why, Option<u64>)> {
    let text = String::from_utf8_lossy(text);
    let error = match serde_json::from_str::<Members<'_>>(&text) {
        Ok(members) => {
            return of_fields(&Fields::new(members, empty, false), settings).map_err(alone);
        }
        Err(error) => error,
    };
    if let Some(mended) = escapes::mended(&text)
        && let Ok(members) = serde_json::from_str::<Members<'_>>(&mended)
    {
        return of_fields(&Fields::new(members, empty, true), settings).map_err(alone);
    }
    Err((Why::Json(reason(&error)), Some(error.column() as u64)))
}

fn alone(why: Why) -> (Why, Option<u64>) {
    (why, None)
}

fn of_fields(fields: &Fields<'_>, settings: &Settings) -> Result<Seen, Why> {
    let took = how_long(fields);
    let at = time(fields, took, settings)?;
    let mut seen = request(fields, at, settings)?;
    seen.last_at = optional_time(fields, LAST_AT)?.map_or(at, |last| last.max(at));
    seen.times = fields.number(TIMES).unwrap_or(1).max(1);
    seen.client = fields
        .text(CLIENT)
        .map(|client| address::without_port(&client).to_owned());
    seen.answer = answer(fields, took)?;
    Ok(seen)
}

fn how_long(fields: &Fields<'_>) -> Option<u64> {
    let told = |(name, unit): &(&str, f64)| took(&fields.text(&[name])?, *unit);
    TOOK.iter().find_map(told)
}

fn time(fields: &Fields<'_>, took: Option<u64>, settings: &Settings) -> Result<u64, Why> {
    if let Some(at) = optional_time(fields, AT)? {
        return Ok(at);
    }
    let ended = optional_time(fields, ENDED_AT)?;
    let began = ended.map(|ended| ended.saturating_sub(took.unwrap_or(0) / 1000));
    Ok(began.unwrap_or(settings.otherwise_at))
}

fn optional_time(fields: &Fields<'_>, names: &[&str]) -> Result<Option<u64>, Why> {
    let Some(text) = fields.text(names) else {
        return Ok(None);
    };
    when(&text).map(Some).ok_or(Why::Time(text))
}

fn request(fields: &Fields<'_>, at: u64, settings: &Settings) -> Result<Seen, Why> {
    let line = fields.text(FIRST_LINE);
    let mut words = line.as_deref().unwrap_or_default().split(' ');
    let first_word = words
        .next()
        .filter(|word| !word.is_empty())
        .map(str::to_owned);
    let method = fields.text(METHOD).or(first_word);
    let target = fields
        .text(TARGET)
        .or_else(|| words.next().map(str::to_owned));

    let mut body = fields.body(BODY, BODY_BASE64, "the request's body")?;
    let given_as_json = fields
        .raw(BODY)
        .is_some_and(|raw| raw.get().starts_with(['{', '[']));
    let sent_in_target = target
        .as_deref()
        .is_some_and(|target| target.contains("query="));
    let operation = if body.is_none() && !sent_in_target {
        operation::body(fields)
    } else {
        None
    };
    let is_operation = operation.is_some();
    body = body.or(operation);

    let target = match target {
        Some(target) => target,
        None if is_operation => settings.graphql_path.clone(),
        None => return Err(Why::NoTarget),
    };
    let default = if body.is_some() { "POST" } else { "GET" };
    let method = method
        .filter(|_| !is_operation)
        .unwrap_or_else(|| default.to_owned());
    let mut seen = addressed(fields, at, &method, &target);
    seen.body = body.unwrap_or_default();
    let is_json = is_operation || given_as_json || looks_json(&seen.body);
    if is_json {
        give(&mut seen, "content-type", "application/json");
    }
    Ok(seen)
}

/// Everything but the body.
fn addressed(fields: &Fields<'_>, at: u64, method: &str, url: &str) -> Seen {
    let (host, mut target) = address::split(url);
    if let Some(query) = fields.text(QUERY_STRING).filter(|_| !target.contains('?')) {
        let query = address::sendable(query.trim_start_matches('?'));
        target = format!("{target}?{query}");
    }
    let mut seen = Seen::once(at, &method.to_ascii_uppercase(), &target);
    seen.headers = fields.headers(HEADERS);
    for (name, value) in fields.own_headers() {
        give(&mut seen, &name, &value);
    }
    if let Some(host) = host.map(str::to_owned).or_else(|| fields.text(HOST)) {
        give(&mut seen, "host", &host);
    }
    if let Some(content_type) = fields.text(CONTENT_TYPE) {
        give(&mut seen, "content-type", &content_type);
    }
    seen
}

fn looks_json(body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"{")
        && serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok()
}

fn answer(fields: &Fields<'_>, took: Option<u64>) -> Result<Option<Answered>, Why> {
    let told = fields
        .number(STATUS)
        .and_then(|status| u16::try_from(status).ok());
    let Some(status) = told.filter(|status| *status >= 100) else {
        return Ok(None);
    };
    let headers = fields.headers(ANSWER_HEADERS);
    let named = headers
        .into_iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let is_json = fields
        .raw(ANSWER)
        .is_some_and(|raw| raw.get().starts_with(['{', '[']));
    let media_type = fields
        .text(ANSWER_TYPE)
        .or(named.map(|(_, value)| value))
        .or_else(|| is_json.then(|| "application/json".to_owned()));
    Ok(Some(Answered {
        status,
        media_type,
        body: fields.body(ANSWER, ANSWER_BASE64, "the answer's body")?,
        took,
    }))
}
