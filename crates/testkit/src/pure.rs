//! A service that remembers nothing and yet keeps its word, for tests of determinism.
//!
//! Every answer is a function of its request alone: no counter, no clock, no store. A note's
//! identifier *is* the note, written in hexadecimal and closed with a check sum, so whatever was
//! created can be fetched for ever, and an identifier that nobody was given has a wrong sum and
//! is not found. The same requests therefore get the same answers in any order, at any
//! concurrency, on any number of connections, and two runs may differ only by what the tester
//! does.
//!
//! What would need a memory is not offered: nothing is changed, deleted or listed. `/samples`
//! makes up real notes from its query instead.
//!
//! When it is faulty, three things are wrong, and these are pure as well:
//! `GET /samples?limit=42` gives 500; a note with five stars shows them as a string when fetched;
//! a reply is served under any note.

use serde_json::{Map, Value, json};

use crate::{Fake, FakeRequest, FakeResponse};

pub fn pure_crud(faulty: bool) -> Fake {
    Fake::start(move |request| pure_answer(request, faulty))
}

/// What it answers to one request, for fakes that do something more.
pub fn pure_answer(request: &FakeRequest, faulty: bool) -> FakeResponse {
    let segments = request.segments();
    match (request.method.as_str(), segments.as_slice()) {
        ("POST", ["notes"]) => create_note(request),
        ("GET", ["notes", note]) => get_note(note, faulty),
        ("POST", ["notes", note, "replies"]) => create_reply(note, request),
        ("GET", ["notes", note, "replies", reply]) => get_reply(note, reply, faulty),
        ("GET", ["samples"]) => samples(request, faulty),
        (_, ["notes" | "samples", ..]) => refuse(405),
        _ => refuse(404),
    }
}

fn create_note(request: &FakeRequest) -> FakeResponse {
    if !is_json(request) {
        return refuse(415);
    }
    let body = request.json().unwrap_or_default();
    match (text(&body), stars(&body["stars"]), size(&body)) {
        (Some(text), Some(stars), 2) => FakeResponse::json(201, note(text, stars)),
        _ => refuse(400),
    }
}

fn get_note(id: &str, faulty: bool) -> FakeResponse {
    let Some(mut note) = opened(id).filter(is_note) else {
        return refuse(404);
    };
    note["id"] = json!(id);
    if faulty && note["stars"] == 5 {
        note["stars"] = json!("5");
    }
    FakeResponse::json(200, note)
}

fn create_reply(note: &str, request: &FakeRequest) -> FakeResponse {
    if !opened(note).is_some_and(|note| is_note(&note)) {
        return refuse(404);
    }
    if !is_json(request) {
        return refuse(415);
    }
    let body = request.json().unwrap_or_default();
    match (text(&body), size(&body)) {
        (Some(text), 1) => FakeResponse::json(201, reply(note, text)),
        _ => refuse(400),
    }
}

fn get_reply(note: &str, id: &str, faulty: bool) -> FakeResponse {
    let Some(mut reply) = opened(id).filter(|thing| !is_note(thing)) else {
        return refuse(404);
    };
    if reply["noteId"] != note && !faulty {
        return refuse(404);
    }
    reply["id"] = json!(id);
    FakeResponse::json(200, reply)
}

fn samples(request: &FakeRequest, faulty: bool) -> FakeResponse {
    let number = |name| request.parameter(name)?.parse::<u64>().ok();
    match (number("limit"), number("stars")) {
        (Some(42), Some(_)) if faulty => refuse(500),
        (Some(limit @ 1..=50), Some(stars @ 1..=5)) => {
            let notes = (1..=limit).map(|n| note(&format!("sample {n}"), stars));
            FakeResponse::json(200, notes.collect::<Value>())
        }
        _ => refuse(400),
    }
}

fn note(text: &str, stars: u64) -> Value {
    let content = json!({"text": text, "stars": stars});
    json!({"id": closed(&content), "text": text, "stars": stars})
}

fn reply(note: &str, text: &str) -> Value {
    let content = json!({"noteId": note, "text": text});
    json!({"id": closed(&content), "noteId": note, "text": text})
}

fn is_note(value: &Value) -> bool {
    value.get("stars").is_some()
}

fn text(body: &Value) -> Option<&str> {
    let text = body["text"].as_str()?;
    (1..=40).contains(&text.chars().count()).then_some(text)
}

/// `3.0` is an integer to a schema, so it is one here.
fn stars(value: &Value) -> Option<u64> {
    let number = value.as_f64()?;
    let whole = number.fract() == 0.0 && (1.0..=5.0).contains(&number);
    whole.then_some(number as u64)
}

fn size(body: &Value) -> usize {
    body.as_object().map_or(0, Map::len)
}

fn is_json(request: &FakeRequest) -> bool {
    let media_type = request.header("content-type").unwrap_or_default();
    media_type.starts_with("application/json")
}

fn refuse(status: u16) -> FakeResponse {
    FakeResponse::json(status, json!({"status": status}))
}

/// The identifier of a content: the content itself, and the proof that it was given out.
fn closed(content: &Value) -> String {
    let bytes = content.to_string().into_bytes();
    let sum = check_sum(&bytes).to_be_bytes();
    bytes
        .iter()
        .chain(&sum)
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

/// The content of an identifier, if closing it again gives the same.
fn opened(id: &str) -> Option<Value> {
    let bytes = unhex(id)?;
    let (content, _) = bytes.split_last_chunk::<4>()?;
    let content = serde_json::from_slice(content).ok()?;
    (closed(&content) == id).then_some(content)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<_>> = text.chars().map(|c| c.to_digit(16)).collect();
    let pairs = digits?;
    let byte = |pair: &[u32]| match pair {
        [high, low] => u8::try_from(high * 16 + low).ok(),
        _ => None,
    };
    pairs.chunks(2).map(byte).collect()
}

/// FNV-1a: short, and the same on every machine.
fn check_sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| {
        (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, target: &str, body: &Value) -> FakeRequest {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        FakeRequest {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: body.to_string().into(),
        }
    }

    fn send(method: &str, target: &str, body: &Value, faulty: bool) -> (u16, Value) {
        let response = pure_answer(&request(method, target, body), faulty);
        let crate::body::FakeBody::Whole(bytes) = response.body else {
            panic!("pure answers are whole");
        };
        (response.status, serde_json::from_slice(&bytes).unwrap())
    }

    fn get(target: &str, faulty: bool) -> (u16, Value) {
        send("GET", target, &Value::Null, faulty)
    }

    #[test]
    fn what_was_created_can_be_fetched_and_nothing_else() {
        let body = json!({"text": "héllo \"x\"", "stars": 3.0});
        let (status, note) = send("POST", "/notes", &body, false);
        assert_eq!((status, &note["stars"]), (201, &json!(3)));
        let id = note["id"].as_str().unwrap();
        assert_eq!(get(&format!("/notes/{id}"), false), (200, note.clone()));
        let other = id.replacen('7', "6", 1);
        let large = id.to_uppercase();
        for wrong in [
            other.as_str(),
            &large,
            "",
            "00",
            "zz",
            &id[1..],
            "0123456789abcdef",
        ] {
            assert_eq!(get(&format!("/notes/{wrong}"), false).0, 404, "{wrong}");
        }
    }

    #[test]
    fn replies_belong_to_their_note_unless_the_service_is_faulty() {
        let note = |text: &str| {
            let (_, note) = send("POST", "/notes", &json!({"text": text, "stars": 1}), false);
            note["id"].as_str().unwrap().to_owned()
        };
        let (mine, other) = (note("mine"), note("other"));
        let replies = format!("/notes/{mine}/replies");
        let (status, reply) = send("POST", &replies, &json!({"text": "yes"}), false);
        assert_eq!(status, 201);
        let id = reply["id"].as_str().unwrap();
        assert_eq!(get(&format!("{replies}/{id}"), false), (200, reply.clone()));
        let elsewhere = format!("/notes/{other}/replies/{id}");
        assert_eq!(get(&elsewhere, false).0, 404);
        assert_eq!(get(&elsewhere, true).0, 200);
        assert_eq!(get(&format!("/notes/{id}"), true).0, 404);
        assert_eq!(
            send("POST", "/notes/00/replies", &json!({"text": "x"}), false).0,
            404
        );
    }

    #[test]
    fn what_breaks_the_document_is_refused() {
        let long = "x".repeat(41);
        for body in [
            json!(null),
            json!({}),
            json!({"text": "a"}),
            json!({"text": "", "stars": 1}),
            json!({"text": long, "stars": 1}),
            json!({"text": "a", "stars": 0}),
            json!({"text": "a", "stars": 6}),
            json!({"text": "a", "stars": 1.5}),
            json!({"text": "a", "stars": "1"}),
            json!({"text": "a", "stars": 1, "more": 1}),
        ] {
            assert_eq!(send("POST", "/notes", &body, false).0, 400, "{body}");
        }
        for query in [
            "",
            "?limit=1",
            "?limit=0&stars=1",
            "?limit=51&stars=1",
            "?limit=1&stars=x",
        ] {
            assert_eq!(get(&format!("/samples{query}"), false).0, 400, "{query}");
        }
        let mut plain = request("POST", "/notes", &json!({"text": "a", "stars": 1}));
        plain.headers.clear();
        assert_eq!(pure_answer(&plain, false).status, 415);
        assert_eq!(get("/notes", false).0, 405);
    }

    #[test]
    fn samples_are_real_notes() {
        let (status, samples) = get("/samples?limit=2&stars=4", false);
        assert_eq!((status, samples.as_array().map(Vec::len)), (200, Some(2)));
        let id = samples[1]["id"].as_str().unwrap();
        assert_eq!(get(&format!("/notes/{id}"), false).1, samples[1]);
    }

    #[test]
    fn the_faults_show_only_when_wanted() {
        assert_eq!(get("/samples?limit=42&stars=1", true).0, 500);
        assert_eq!(get("/samples?limit=42&stars=1", false).0, 200);
        let (_, note) = send("POST", "/notes", &json!({"text": "a", "stars": 5}), true);
        let path = format!("/notes/{}", note["id"].as_str().unwrap());
        assert_eq!(get(&path, true).1["stars"], "5");
        assert_eq!(get(&path, false).1["stars"], 5);
    }
}
