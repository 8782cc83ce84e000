//! What users get wrong, and what they are told.

use fossick_testkit::{Fake, FakeResponse, document};
use serde_json::json;

use crate::program::{Ended, Folder, run};

const NOWHERE: &str = "http://127.0.0.1:9";

/// A folder with a document of one operation, without a server.
fn folder() -> Folder {
    let folder = Folder::new();
    let ok = json!({"200": {"description": "fine"}});
    folder.write(
        "openapi.json",
        &document(json!({"/a": {"get": {"responses": ok}}})),
    );
    folder
}

fn assert_ends(ended: &Ended, code: i32, words: &[&str]) {
    assert_eq!(ended.code, code, "{ended:?}");
    for word in words {
        assert!(ended.stderr.contains(word), "`{word}` in: {}", ended.stderr);
    }
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    assert_eq!(ended.stdout, "", "complaints go to standard error");
}

#[test]
fn a_missing_document_is_named() {
    let ended = run(&folder(), &["test", "nowhere.yaml", "--url", NOWHERE]);
    assert_ends(&ended, 2, &["nowhere.yaml"]);
}

#[test]
fn a_broken_document_is_named_with_line_and_column() {
    let folder = folder();
    folder.write("broken.yaml", "openapi: 3.1.0\ninfo: {title: x\npaths: [\n");
    for command in ["test", "inspect"] {
        let ended = run(&folder, &[command, "broken.yaml"]);
        assert_ends(&ended, 2, &["broken.yaml:3:"]);
    }
    folder.write(
        "broken.json",
        "{\n  \"openapi\": \"3.1.0\",\n  \"paths\": {,}\n}",
    );
    let ended = run(&folder, &["test", "broken.json"]);
    assert_ends(&ended, 2, &["broken.json:3:"]);
}

#[test]
fn a_page_instead_of_a_document_is_recognised() {
    let page = "<!DOCTYPE html>\n<html><body>API docs</body></html>";
    let folder = folder();
    folder.write("docs.html", page);
    assert_ends(&run(&folder, &["test", "docs.html"]), 2, &["HTML"]);
    let fake = Fake::start(move |_| FakeResponse::bytes(200, "text/html", page));
    let url = format!("{}/docs", fake.url());
    assert_ends(
        &run(&folder, &["test", &url]),
        2,
        &["HTML", "/openapi.json"],
    );
}

#[test]
fn a_document_that_needs_a_login_says_so() {
    let fake = Fake::start(|_| FakeResponse::status(401));
    let url = format!("{}/openapi.json", fake.url());
    let ended = run(&folder(), &["test", &url]);
    assert_ends(&ended, 2, &["answered 401", "--header"]);
}

#[test]
fn an_unknown_flag_is_refused() {
    let ended = run(&folder(), &["test", "openapi.json", "--concurency", "4"]);
    assert_ends(&ended, 2, &["--concurency", "--concurrency"]);
}

#[test]
fn an_unknown_format_of_reports_is_refused_before_anything_is_sent() {
    let fake = Fake::start(|_| FakeResponse::status(200));
    let url = fake.url();
    for (report, word) in [("sarif=x", "sarif"), ("json", "json=PATH")] {
        let arguments = ["test", "openapi.json", "--url", &url, "--report", report];
        assert_ends(&run(&folder(), &arguments), 2, &[word]);
    }
    assert!(fake.requests().is_empty());
}

#[test]
fn coverage_of_a_service_that_nobody_looks_into_is_refused_before_anything_is_sent() {
    let fake = Fake::start(|_| FakeResponse::status(200));
    let url = fake.url();
    for format in ["lcov", "cobertura"] {
        let report = format!("{format}=code.out");
        let arguments = ["test", "openapi.json", "--url", &url, "--report", &report];
        assert_ends(&run(&folder(), &arguments), 2, &["code.out", "starts"]);
    }
    assert!(fake.requests().is_empty());
}

#[test]
fn only_http_is_spoken() {
    let ended = run(
        &folder(),
        &["test", "openapi.json", "--url", "ftp://127.0.0.1/"],
    );
    assert_ends(&ended, 2, &["ftp://127.0.0.1/", "http"]);
    let ended = run(
        &folder(),
        &["test", "openapi.json", "--url", "127.0.0.1:80"],
    );
    assert_ends(&ended, 2, &["127.0.0.1:80"]);
}

#[test]
fn a_service_that_is_not_there_has_an_exit_code_of_its_own() {
    let words = [
        "nothing answers at http://127.0.0.1:9",
        "is the service running?",
    ];
    let ended = run(&folder(), &["test", "openapi.json", "--url", NOWHERE]);
    assert_ends(&ended, 3, &words);
    let ended = run(&folder(), &["test", "http://127.0.0.1:9/openapi.json"]);
    assert_ends(&ended, 3, &words);
}

#[test]
fn a_document_that_does_not_say_where_the_service_is_asks_for_it() {
    let ended = run(&folder(), &["test", "openapi.json"]);
    assert_ends(&ended, 2, &["--url"]);
}

#[test]
fn no_document_at_all_is_asked_for() {
    assert_ends(&run(&folder(), &["test"]), 2, &["fossick test http"]);
}

#[test]
fn a_misspelt_key_is_shown_with_its_line_and_the_right_one() {
    let folder = folder();
    folder.write(
        "fossick.toml",
        "schema = \"openapi.json\"\nconcurency = 4\n",
    );
    let ended = run(&folder, &["test"]);
    assert_ends(
        &ended,
        2,
        &["fossick.toml:2:", "did you mean `concurrency`?"],
    );
}

#[test]
fn to_ignore_something_takes_a_reason() {
    let folder = folder();
    for reason in ["", "reason = \" \"\n"] {
        let text = format!("url = \"{NOWHERE}\"\n[[ignore]]\ncode = \"F202\"\n{reason}");
        folder.write("fossick.toml", &text);
        let ended = run(&folder, &["test", "openapi.json"]);
        assert_ends(&ended, 2, &["fossick.toml", "reason"]);
    }
}

#[test]
fn a_variable_that_is_not_set_is_named() {
    let folder = folder();
    folder.write("fossick.toml", "bearer = \"${NO_SUCH_TOKEN_HERE}\"\n");
    let ended = run(&folder, &["test", "openapi.json", "--url", NOWHERE]);
    assert_ends(&ended, 2, &["fossick.toml", "NO_SUCH_TOKEN_HERE"]);
}

#[test]
fn a_choice_that_leaves_nothing_is_an_error() {
    let fake = Fake::null();
    let url = fake.url();
    let arguments = ["test", "openapi.json", "--url", &url, "--include", "GET /b"];
    assert_ends(
        &run(&folder(), &arguments),
        2,
        &["no operation is left", "--include"],
    );
}

#[test]
fn a_replay_of_what_is_not_there_is_an_error() {
    let folder = folder();
    assert_ends(
        &run(&folder, &["replay", "F101-nothing"]),
        2,
        &["F101-nothing"],
    );
    folder.write("other.json", "{\"format\": \"something else\"}");
    assert_ends(&run(&folder, &["replay", "other.json"]), 2, &["other.json"]);
}

#[test]
fn bad_numbers_are_refused() {
    let folder = folder();
    for (flag, value) in [
        ("--time", "soon"),
        ("--rate", "0"),
        ("--rate", "-1"),
        ("--seed", "x"),
        ("--header", "no colon"),
        ("--user", "nobody"),
        ("--ignore", "F999"),
    ] {
        let flag = format!("{flag}={value}");
        let fake = Fake::null();
        let ended = run(
            &folder,
            &["test", "openapi.json", "--url", &fake.url(), &flag],
        );
        assert_ends(&ended, 2, &[]);
    }
}
