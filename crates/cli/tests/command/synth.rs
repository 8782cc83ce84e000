//! Made-up services: named, described, made at random, and served until Ctrl-C.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::program::{Folder, fossick, run};

const NAME: &str = "sparse-straight-existence-hidden";

#[test]
fn the_twelve_are_listed_and_each_has_a_document() {
    let folder = Folder::new();
    let listed = run(&folder, &["synth", "--list"]);
    assert_eq!(listed.code, 0, "{listed:?}");
    let names: Vec<&str> = listed.stdout.lines().collect();
    assert_eq!(names.len(), 12);
    assert!(names.contains(&NAME), "{names:?}");
    let document = run(&folder, &["synth", NAME, "--document"]);
    assert_eq!(document.code, 0, "{document:?}");
    let document: Value = serde_json::from_str(&document.stdout).expect("it is JSON");
    assert_eq!(document["info"]["title"], NAME);
}

#[test]
fn a_service_is_made_from_numbers_and_the_same_from_the_same() {
    let folder = Folder::new();
    let made = |seed: &str| {
        let arguments = [
            "synth",
            "--resources",
            "3",
            "--paths",
            "shown",
            "--seed",
            seed,
        ];
        run(&folder, &[&arguments[..], &["--document"]].concat()).stdout
    };
    let document: Value = serde_json::from_str(&made("4")).expect("it is JSON");
    assert_eq!(document["paths"].as_object().expect("paths").len(), 6);
    assert_eq!(made("4"), made("4"));
    assert_ne!(made("4"), made("5"));
}

#[test]
fn what_names_no_service_is_answered_with_what_would() {
    let folder = Folder::new();
    folder.write("circle.toml", "name = \"x\"\n[[resource]]\nname = \"1\"\n");
    for (arguments, words) in [
        (
            &["sparse-straight-existance-hidden"][..],
            "did you mean `sparse-straight-existence-hidden`?",
        ),
        (&["shop"], "--list"),
        (&[], "which service?"),
        (&["--file", "circle.toml"], "circle.toml: `1` is no name"),
        (&["--file", "nowhere.toml"], "failed to read nowhere.toml"),
        (&["--resources", "0"], "--resources"),
        (&[NAME, "--resources", "3"], "cannot be used with"),
    ] {
        let ended = run(&folder, &[&["synth"], arguments].concat());
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{ended:?}");
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    }
}

/// A served service that does not outlive its test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_service_answers_where_it_says_until_it_is_interrupted() {
    let folder = Folder::new();
    let mut command = fossick(&folder, &["synth", NAME]);
    let child = command.stdout(Stdio::piped()).spawn();
    let mut served = Served(child.expect("it starts"));
    let stdout = served.0.stdout.take().expect("it is ours");
    let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
    assert!(lines.next().is_some_and(|line| line.starts_with(NAME)));
    let mut told = |word: &str| {
        let line = lines.next().expect("there is more");
        let rest = line.strip_prefix(word).expect("in this order");
        rest.trim().to_owned()
    };
    let [url, document, coverage, probe] =
        ["service", "document", "coverage", "probe"].map(&mut told);
    assert_eq!(document, format!("{url}/openapi.json"));
    let covered: Value = serde_json::from_str(&get(&coverage)).expect("it is JSON");
    assert_eq!(covered["lines"]["covered"], 0);
    assert!(std::path::Path::new(&probe).exists());
    let tested = run(
        &folder,
        &[
            "test",
            &document,
            "--requests",
            "200",
            "--quiet",
            "--seed",
            "1",
        ],
    );
    assert_eq!(tested.code, 0, "it has no faults: {tested:?}");
    let covered: Value = serde_json::from_str(&get(&coverage)).expect("it is JSON");
    assert!(covered["lines"]["covered"].as_u64() > Some(50), "{covered}");
    let pid = served.0.id().to_string();
    let kill = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(kill.is_ok_and(|status| status.success()));
    let status = served.0.wait().expect("it is our child");
    assert_eq!(status.code(), Some(0));
    assert!(!std::path::Path::new(&probe).exists(), "the socket is gone");
}

/// The body of an answer.
fn get(url: &str) -> String {
    let rest = url.strip_prefix("http://").expect("a URL");
    let (host, path) = rest.split_once('/').expect("with a path");
    let mut stream = TcpStream::connect(host).expect("somebody is there");
    write!(
        stream,
        "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )
    .expect("it can be asked");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let (_, body) = answer.split_once("\r\n\r\n").expect("head and body");
    body.to_owned()
}
