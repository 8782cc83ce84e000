//! Which kind of file it is, told from its first bytes and its name.
//!
//! The names of the first object's members decide; they can be read from a file that is cut off in
//! the middle of a line, and from lines that are no JSON yet.

use std::io::Read as _;

use super::{Format, GZIP};

/// The format of a file, by its beginning (some kilobytes do) and its name.
pub fn detect(head: &[u8], name: &str) -> Option<Format> {
    if head.starts_with(&GZIP) {
        return detect(&unpacked(head), name.strip_suffix(".gz").unwrap_or(name));
    }
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let text = head.trim_ascii_start();
    if is_block(text) {
        return Some(Format::GoReplay);
    }
    by_members(&first_names(text)).or_else(|| by_name(&name.to_ascii_lowercase()))
}

/// Enough of a packed file to know what is in it.
fn unpacked(head: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut unpack = flate2::read::GzDecoder::new(head).take(1 << 16);
    // The end is missing, so it ends with an error; what came before is what is wanted.
    let _ = unpack.read_to_end(&mut text);
    // A packed file in a packed file is nobody's capture.
    if text.starts_with(&GZIP) {
        Vec::new()
    } else {
        text
    }
}

/// `1 932079936fa4306fc308d67588178d17d823647c 1439818823587396305`
fn is_block(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    super::goreplay::is_first_line(line)
}

fn by_members(names: &[String]) -> Option<Format> {
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    let any = |wanted: &[&str]| wanted.iter().any(|name| has(name));
    if has("log") {
        Some(Format::Har)
    } else if has("collection")
        || has("info") && any(&["item", "_postman_id", "schema", "variable"])
        || names.first().is_some_and(|name| name == "info")
    {
        Some(Format::Postman)
    } else if has("timesCalled") && has("query") {
        Some(Format::AutoGraphQl)
    } else if any(&[
        "request_uri",
        "request_method",
        "time_iso8601",
        "time_local",
        "msec",
        "remote_addr",
    ]) {
        Some(Format::Nginx)
    } else if any(&[
        "response_code",
        "response_flags",
        "start_time",
        ":authority",
        "authority",
        "upstream_cluster",
        "x-envoy-original-path",
    ]) {
        Some(Format::Envoy)
    } else if !names.is_empty() {
        Some(Format::Ndjson)
    } else {
        None
    }
}

fn by_name(name: &str) -> Option<Format> {
    let ends = |ending: &[&str]| ending.iter().any(|ending| name.ends_with(ending));
    if ends(&[".har"]) {
        Some(Format::Har)
    } else if ends(&[".gor"]) {
        Some(Format::GoReplay)
    } else if ends(&[".postman_collection.json"]) {
        Some(Format::Postman)
    } else if ends(&[".ndjson", ".jsonl"]) {
        Some(Format::Ndjson)
    } else {
        None
    }
}

/// Names of the members of the first object, or of the first object of a list.
fn first_names(text: &[u8]) -> Vec<String> {
    let text = text.strip_prefix(b"[").unwrap_or(text).trim_ascii_start();
    let mut names = Vec::new();
    let mut depth = 0_u32;
    let mut last: Option<String> = None;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                let (inside, length) = quoted(text.get(at + 1..).unwrap_or_default());
                last = Some(inside);
                at += length;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => break,
            b'}' | b']' => depth -= 1,
            b':' if depth == 1 => names.extend(last.take()),
            b':' | b' ' | b'\t' | b'\r' | b'\n' => {}
            _ if depth == 0 => break,
            _ => last = None,
        }
        at += 1;
    }
    names
}

/// The text up to the closing quote, and how many bytes that is with it.
fn quoted(text: &[u8]) -> (String, usize) {
    let mut escaped = false;
    let end = text.iter().position(|byte| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    let end = end.unwrap_or(text.len());
    let inside = text.get(..end).unwrap_or_default();
    (String::from_utf8_lossy(inside).into_owned(), end + 1)
}
