//! `fossick graph`: what a document tells, what a run left behind, and what is said to those who
//! ask for something else.

use std::path::Path;

use fossick_testkit::{document, pure_crud, pure_document};
use serde_json::{Value, json};

use crate::program::{Ended, Folder, run};

fn petstore(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let path = root.join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// A folder with the running example: its document, and a graph as a run left it.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "openapi.yaml",
        &petstore("openapi/petstore-figure/openapi.yaml"),
    );
    std::fs::create_dir_all(folder.path(".fossick/7")).expect("it can be made");
    folder.write(
        ".fossick/7/graph.json",
        &petstore("graph/petstore/after.json"),
    );
    folder
}

fn assert_refused(ended: &Ended, words: &[&str]) {
    assert_eq!(ended.code, 2, "{ended:?}");
    for word in words {
        assert!(ended.stderr.contains(word), "`{word}` in: {}", ended.stderr);
    }
    assert_eq!(ended.stdout, "", "complaints go to standard error");
}

#[test]
fn a_document_alone_is_told_in_a_few_lines() {
    let ended = run(&folder(), &["graph", "openapi.yaml"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    for words in [
        "6 operations",
        "2 schemas",
        "before a run",
        "endpoint",
        "Pet.status →",
    ] {
        assert!(
            ended.stdout.contains(words),
            "`{words}` in: {}",
            ended.stdout
        );
    }
    let next = "fossick graph openapi.yaml --out graph.html draws it";
    assert!(ended.stdout.contains(next), "{}", ended.stdout);
    assert!(ended.stdout.lines().count() < 30, "{}", ended.stdout);
}

#[test]
fn the_ending_of_a_name_says_what_is_drawn() {
    let folder = folder();
    let out = [
        "--out",
        "a.svg",
        "--out",
        "deep/b.dot",
        "--out",
        "c.JSON",
        "--out",
        "d.html",
    ];
    let ended = run(&folder, &[&["graph", "openapi.yaml"][..], &out].concat());
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(
        ended
            .stdout
            .contains("written: a.svg, deep/b.dot, c.JSON, d.html")
    );
    assert!(folder.read("a.svg").starts_with("<svg "));
    assert!(
        folder
            .read("deep/b.dot")
            .starts_with("digraph \"Petstore\"")
    );
    assert!(folder.read("d.html").starts_with("<!doctype html>"));
    let graph: Value = serde_json::from_str(&folder.read("c.JSON")).expect("it is JSON");
    assert_eq!(graph["version"], 1);
    assert_eq!(graph["operations"].as_array().map(Vec::len), Some(6));
}

#[test]
fn the_latest_run_is_drawn_with_what_it_changed() {
    let folder = folder();
    let ended = run(&folder, &["graph", "--run"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    for words in [
        "after 412 requests",
        "3 told, 1 added, 2 removed",
        "changed last",
        "Order.petId = Pet.id",
        "request 143: 10 calls with the status of an Order failed",
    ] {
        assert!(
            ended.stdout.contains(words),
            "`{words}` in: {}",
            ended.stdout
        );
    }
    for named in [".fossick", ".fossick/7", ".fossick/7/graph.json"] {
        let again = run(&folder, &["graph", "--run", named]);
        assert_eq!(again.code, 0, "{named}: {}", again.stderr);
        assert!(again.stdout.contains("Order.petId = Pet.id"), "{named}");
    }
    let before = run(&folder, &["graph", "--run", "--before"]);
    assert!(
        before.stdout.contains("9 edges · before a run"),
        "{}",
        before.stdout
    );
    assert!(!before.stdout.contains("removed"), "{}", before.stdout);
}

#[test]
fn parts_can_be_asked_for_and_left_out() {
    let folder = folder();
    let only = [
        "graph",
        "--run",
        "--only",
        "deleteorder",
        "--format",
        "json",
    ];
    let ended = run(&folder, &only);
    let graph: Value = serde_json::from_str(&ended.stdout).expect("it is JSON");
    assert_eq!(graph["operations"].as_array().map(Vec::len), Some(2));
    assert_eq!(graph["edges"][0]["kind"], "endpoint");
    let hide = [
        "graph",
        "--run",
        "--hide",
        "endpoint,removed",
        "--format",
        "dot",
    ];
    let ended = run(&folder, &hide);
    assert!(ended.stdout.starts_with("digraph"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("arrowhead=tee") && !ended.stdout.contains("dotted"));
}

#[test]
fn a_run_leaves_its_graph_behind() {
    let folder = Folder::new();
    let fake = pure_crud(true);
    folder.write("openapi.json", &pure_document());
    let arguments = ["test", "openapi.json", "--url", &fake.url(), "--seed", "7"];
    run(&folder, &[&arguments[..], &["--requests", "600"]].concat());
    let graph: Value = serde_json::from_str(&folder.read(".fossick/7/graph.json")).expect("JSON");
    assert_eq!(graph["version"], 1);
    let called = |operation: &Value| operation["calls"].as_u64() > Some(0);
    let operations = graph["operations"].as_array().expect("a list");
    assert!(operations.iter().any(called), "{graph:#}");
    assert!(graph["requests"].as_u64() > Some(0), "{graph:#}");
    let ended = run(&folder, &["graph", "--run", "--out", "graph.html"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("after "), "{}", ended.stdout);
    assert!(folder.read("graph.html").contains("<svg"));
}

#[test]
fn hostile_names_stay_text() {
    let folder = Folder::new();
    let evil = "</script><img src=x onerror=alert(1)>\u{1b}[2J";
    let ok = json!({"200": {"description": "fine", "content": {"application/json": {
        "schema": {"type": "object", "title": evil, "properties": {evil: {"type": "string"}}}
    }}}});
    let paths = json!({"/a": {"get": {"operationId": evil, "responses": ok}}});
    folder.write("openapi.json", &document(paths));
    let ended = run(
        &folder,
        &["graph", "openapi.json", "--out", "a.html", "--out", "a.svg"],
    );
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(!ended.stdout.contains('\u{1b}'));
    for name in ["a.html", "a.svg"] {
        let text = folder.read(name);
        assert!(!text.contains("<img") && !text.contains('\u{1b}'), "{name}");
    }
}

#[test]
fn what_can_not_be_drawn_is_said() {
    let folder = folder();
    let empty = Folder::new();
    folder.write("no.json", "{\"openapi\": \"3.1.0\"}");
    folder.write("newer.json", "{\"version\": 2, \"nodes\": {}}");
    folder.write(
        "loose.json",
        &petstore("graph/petstore/after.json").replace("\"schema\": 0", "\"schema\": 9"),
    );
    assert_refused(&run(&empty, &["graph"]), &["which graph?", "--run"]);
    assert_refused(
        &run(&empty, &["graph", "--run"]),
        &["no run in .fossick", "fossick test"],
    );
    assert_refused(
        &run(&folder, &["graph", "--run", "gone"]),
        &["there is no folder gone"],
    );
    empty.write("note.txt", "nothing");
    assert_refused(&run(&empty, &["graph", "--run", "."]), &["no graph.json"]);
    let refused = |name: &str, words: &[&str]| {
        assert_refused(&run(&folder, &["graph", "--run", name]), words);
    };
    refused("no.json", &["no.json", "no JSON of a property graph"]);
    refused("newer.json", &["newer.json", "newer fossick", "version 2"]);
    refused("loose.json", &["edge number 0", "not there"]);
    let png = run(&folder, &["graph", "openapi.yaml", "--out", "a.png"]);
    assert_refused(&png, &["a.png", ".svg, .dot, .json or .html"]);
    let only = run(&folder, &["graph", "--run", "--only", "zebra"]);
    assert_refused(&only, &["zebra"]);
    let hide = run(&folder, &["graph", "--run", "--hide", "foo"]);
    assert_refused(&hide, &["foo", "endpoint"]);
    let before = run(&folder, &["graph", "openapi.yaml", "--before"]);
    assert_refused(&before, &["--before"]);
    assert_refused(&run(&folder, &["graph", "gone.yaml"]), &["gone.yaml"]);
}
