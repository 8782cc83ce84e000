//! `fossick init`: what it writes can be used at once.

use fossick_testkit::{Fake, FakeResponse};

use crate::program::{Folder, run};
use crate::report::Report;
use crate::services::{Shelf, shelf_document};

#[test]
fn the_file_that_init_writes_is_all_that_test_needs() {
    let shelf = Shelf::default();
    let text = shelf_document(serde_json::Value::Null);
    let fake = Fake::start(move |request| match request.path.as_str() {
        "/openapi.json" => FakeResponse::bytes(200, "application/json", text.clone()),
        _ => shelf.answer(request),
    });
    let folder = Folder::new();
    let schema = format!("{}/openapi.json", fake.url());
    let written = run(&folder, &["init", &schema]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert!(
        written.stdout.contains("fossick.toml"),
        "{}",
        written.stdout
    );
    let mut arguments = vec!["test", "--requests", "200", "--seed", "5"];
    arguments.extend(["--report", "json=report.json"]);
    let ended = run(&folder, &arguments);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let report = Report::read(&folder, "report.json");
    assert_eq!(report.0["schema"], schema);
    assert_eq!(report.ending(), "finished");
}

#[test]
fn a_file_that_is_there_is_left_alone() {
    let folder = Folder::new();
    folder.write("fossick.toml", "# mine\n");
    let ended = run(&folder, &["init"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("fossick.toml"), "{}", ended.stderr);
    assert_eq!(folder.read("fossick.toml"), "# mine\n");
    let elsewhere = run(&folder, &["init", "--out", "other.toml"]);
    assert_eq!(elsewhere.code, 0, "{}", elsewhere.stderr);
    assert!(folder.read("other.toml").contains("schema = "));
}
