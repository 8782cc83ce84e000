//! A suite of tests, which a writer puts down as files of a framework.
//!
//! What is read as a suite is written as it is; anything else becomes every text of the sample.
//! Whatever it says, it stays in literals and comments.

use fossick_suite::Suite;
use fossick_writers::junit::{self, Language, Version};
use fossick_writers::{Faults, File, Manner, hurl, phpunit, rust, shell};
use serde_json::Value;

#[path = "../../crates/writers/tests/suites/lexers.rs"]
mod lexers;

const SAMPLE: &str = include_str!("../../testdata/suites/sample.json");

/// A sign that no name may have, so that it is never found in code.
const MARK: &str = "PWN(ED";

/// Words that mean something to the form of a suite.
const KEPT: [&str; 22] = [
    "none",
    "faults",
    "successes",
    "others",
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "json",
    "text",
    "bytes",
    "location",
    "absent",
    "null",
    "boolean",
    "integer",
    "number",
    "string",
    "array",
    "object",
];

type Write = fn(&Suite, &Manner) -> Vec<File>;
type Outside = fn(&str) -> Option<String>;

pub fn suite_hurl(data: &[u8]) {
    written(
        data,
        hurl::write,
        &[
            (".hurl", lexers::outside_of_hurl),
            (".sh", lexers::outside_of_shell),
        ],
    );
}

pub fn suite_junit(data: &[u8]) {
    let java: Write = |suite, manner| junit::write(suite, manner, Version::Five, Language::Java);
    let kotlin: Write =
        |suite, manner| junit::write(suite, manner, Version::Four, Language::Kotlin);
    written(data, java, &[]);
    written(data, kotlin, &[]);
}

pub fn suite_phpunit(data: &[u8]) {
    written(data, phpunit::write, &[(".php", lexers::outside_of_php)]);
}

pub fn suite_rust(data: &[u8]) {
    written(data, rust::write, &[(".rs", lexers::outside_of_rust)]);
}

pub fn suite_shell(data: &[u8]) {
    written(data, shell::write, &[(".sh", lexers::outside_of_shell)]);
}

fn written(data: &[u8], write: Write, readers: &[(&str, Outside)]) {
    let Some(suite) = suite(data) else {
        return;
    };
    for faults in [Faults::Pass, Faults::Fail] {
        let manner = Manner {
            faults,
            name: suite.title.clone(),
        };
        for file in write(&suite, &manner) {
            let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
            assert!(file.path.chars().all(plain) && !file.path.contains(".."));
            for (_, outside) in readers.iter().filter(|(end, _)| file.path.ends_with(end)) {
                let code = outside(&file.text).expect("a file that can be read");
                assert!(!code.contains(MARK), "{}", file.path);
            }
        }
    }
}

fn suite(data: &[u8]) -> Option<Suite> {
    if let Ok(suite) = serde_json::from_slice(data) {
        return Some(suite);
    }
    let text = str::from_utf8(data).ok()?;
    let mut sample: Value = serde_json::from_str(SAMPLE).expect("the sample is JSON");
    let half = text.chars().count() / 2;
    let (before, after): (String, String) = (
        text.chars().take(half).collect(),
        text.chars().skip(half).collect(),
    );
    spoil(&mut sample, &format!("{before}{MARK}{after}"));
    serde_json::from_value(sample).ok()
}

fn spoil(value: &mut Value, text: &str) {
    match value {
        Value::String(old) if !KEPT.contains(&old.as_str()) => text.clone_into(old),
        Value::Array(items) => items.iter_mut().for_each(|item| spoil(item, text)),
        Value::Object(members) => members.values_mut().for_each(|member| spoil(member, text)),
        _ => {}
    }
}
