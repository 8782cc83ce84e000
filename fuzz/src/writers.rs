//! Tests as they are written for frameworks: whatever a text holds, it stays inside its literal or
//! comment.
//!
//! The text stands between two marks in every place of a suite that takes one. Once literals and
//! comments are taken out of a file, no mark may be left in it.

use fossick_suite::Suite;
use fossick_writers::{Faults, File, Manner, jest, postman, pytest};
use serde_json::{Value, json};

const MARK: &str = "-qzjx-";

pub fn write_pytest(data: &[u8]) {
    for file in written(data, pytest::write) {
        if file.path.starts_with("test_") || file.path == "conftest.py" {
            assert_inside(&file.text, "#");
        }
    }
}

pub fn write_jest(data: &[u8]) {
    for file in written(data, jest::write) {
        if file.path.ends_with(".test.js") {
            assert_inside(&file.text, "//");
        }
    }
}

pub fn write_postman(data: &[u8]) {
    for file in written(data, postman::write) {
        if file.path.ends_with(".postman_collection.json") {
            let collection = serde_json::from_str(&file.text).expect("a collection is JSON");
            scripts(&collection, &mut |script| assert_inside(script, "//"));
        }
    }
}

fn written(data: &[u8], write: fn(&Suite, &Manner) -> Vec<File>) -> Vec<File> {
    let Ok(text) = str::from_utf8(data) else {
        return Vec::new();
    };
    let suite = suite(&format!("{MARK}{text}{MARK}"));
    let manner = |faults| Manner {
        faults,
        name: text.to_owned(),
    };
    let mut files = write(&suite, &manner(Faults::Pass));
    files.extend(write(&suite, &manner(Faults::Fail)));
    files
}

/// A suite that says the text wherever one can be said.
fn suite(text: &str) -> Suite {
    let fixed = json!({"fixed": text});
    let pieces = json!([fixed, {"variable": "v"}, fixed]);
    let at = |is: Value| json!({"at": {"path": [text, 0, text], "is": is}, "suspect": true});
    let request = json!({
        "method": "POST", "path": pieces, "headers": [[text, pieces], [text, [fixed]]], "user": 0,
        "body": {"form": "json", "media_type": text, "value": {"object": [
            [text, {"value": {text: [text]}}], [text, {"text": pieces}], [text, {"variable": "v"}],
        ]}},
    });
    let other = json!({
        "method": "PUT", "path": [fixed],
        "body": {"form": "text", "media_type": text, "text": pieces},
    });
    let test = json!({
        "name": "a", "group": "faults", "about": [text],
        "fault": {"code": text, "title": text, "why": text},
        "fresh": [{"variable": "v", "like": text}],
        "steps": [
            {"about": text, "request": request, "checks": [
                {"media_type": text, "suspect": true}, {"text": text}, {"schema": 0},
                at(json!({"equal": text})), at(json!({"same": "v"})), at(json!("absent")),
            ], "saves": [{"variable": "w", "take": {"pointer": text}}]},
            {"request": other, "saves": [{"variable": "x", "take": {"header": text}}]},
        ],
    });
    serde_json::from_value(json!({
        "version": 1, "title": text, "origin": text, "base_url": text,
        "users": [{"headers": [{"name": text, "variable": text}]}],
        "service": {"start": text, "stop": text, "reset": {"command": text}},
        "schemas": [[text, {"description": text}]], "tests": [test],
    }))
    .expect("a suite")
}

fn scripts(value: &Value, see: &mut impl FnMut(&str)) {
    match value {
        Value::Object(fields) => {
            if let Some(lines) = fields.get("exec").and_then(Value::as_array) {
                let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
                // The helpers are constant, and have regular expressions with quotes in them.
                if !lines.iter().any(|line| line.starts_with("fossick = ")) {
                    see(&lines.join("\n"));
                }
            }
            fields.values().for_each(|field| scripts(field, see));
        }
        Value::Array(items) => items.iter().for_each(|item| scripts(item, see)),
        _ => {}
    }
}

fn assert_inside(text: &str, comment: &str) {
    let code = code_of(text, comment).expect("every literal ends where its line does");
    assert!(!code.contains("qzjx"), "{code}");
}

/// A file without its literals and comments; nothing if a literal does not end.
fn code_of(text: &str, comment: &str) -> Option<String> {
    let mut code = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if let Some(inside) = rest.strip_prefix("\"\"\"") {
            rest = inside.split_once("\"\"\"")?.1;
        } else if rest.starts_with(comment) {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if matches!(letter, '"' | '\'') {
            rest = behind_literal(&rest[1..], letter)?;
        } else {
            code.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    Some(code)
}

fn behind_literal(inside: &str, quote: char) -> Option<&str> {
    let mut letters = inside.char_indices();
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()?),
            '\n' => return None,
            _ if letter == quote => return Some(&inside[place + 1..]),
            _ => {}
        }
    }
    None
}
