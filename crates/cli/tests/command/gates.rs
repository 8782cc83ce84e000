//! Services that are all doors: answers tell nothing of whether one is open, so what opens them
//! can only be seen from inside.

use std::path::{Path, PathBuf};

use crate::program::{Folder, Running, fossick};
use crate::python::{packages, root};
use crate::report::Report;

const DOCUMENT: &str = "http://127.0.0.1:{port}/openapi.json";

/// What stands before a gate's name in its line, in Python and in JavaScript.
const MARKS: [&str; 2] = ["# gate: ", "// gate: "];

/// A service of `testdata/services/gates`, and where its gates are.
struct Gates {
    name: &'static str,
    /// Its own file, and the one that it shares with others.
    files: [&'static str; 2],
    requests: &'static str,
    /// So many open in the worst of runs with several seeds, less a few.
    at_least: usize,
}

const FLASK: Gates = Gates {
    name: "flask",
    files: ["flask/app.py", "python/gates.py"],
    requests: "3000",
    at_least: 14,
};

const FASTIFY: Gates = Gates {
    name: "fastify",
    files: ["fastify/app.js", "node/gates.js"],
    requests: "6000",
    at_least: 11,
};

impl Gates {
    fn folder() -> PathBuf {
        let gates = root().join("testdata/services/gates");
        gates.canonicalize().expect("the services are there")
    }

    fn tested(&self, folder: &Folder) -> Report {
        let gates = Self::folder();
        let place = |name: &str| gates.join(name).display().to_string();
        let (start, files) = (place(self.name) + "/start.sh", self.files.map(place));
        let mut arguments = vec!["test", DOCUMENT, "--seed", "1", "--requests", self.requests];
        arguments.extend(["--cover", &files[0], "--cover", &files[1]]);
        arguments.extend(["--report", "json=report.json", "--", &start, "{port}"]);
        let mut command = fossick(folder, &arguments);
        let ended = Running::start(command.env("FOSSICK_CACHE", packages())).end();
        assert!(ended.code < 2, "{ended:?}");
        Report::read(folder, "report.json")
    }

    /// The names of the gates whose lines were run.
    fn opened(&self, report: &Report) -> Vec<String> {
        let files = self.files.iter();
        files
            .flat_map(|file| opened(&Self::folder().join(file), report))
            .collect()
    }
}

/// Those in one file. The probe names it by its last folders or by its name alone.
fn opened(file: &Path, report: &Report) -> Vec<String> {
    let covered = report.0["coverage"]["files"].as_array().expect("files");
    let name = |it: &&serde_json::Value| file.ends_with(it["file"].as_str().expect("a name"));
    let covered = covered.iter().find(name).expect("the file is covered");
    let stretches = covered["covered"].as_array().expect("stretches of lines");
    let was_run = |line: u64| {
        let holds =
            |it: &serde_json::Value| it[0].as_u64() <= Some(line) && Some(line) <= it[1].as_u64();
        stretches.iter().any(holds)
    };
    let text = std::fs::read_to_string(file).expect("the service is there");
    let marked = (1..).zip(text.lines()).filter_map(|(line, text)| {
        let (_, gate) = MARKS.iter().find_map(|mark| text.split_once(mark))?;
        was_run(line).then(|| gate.to_owned())
    });
    marked.collect()
}

fn gates_open(gates: &Gates) {
    let folder = Folder::new();
    let opened = gates.opened(&gates.tested(&folder));
    assert!(opened.len() >= gates.at_least, "{opened:?}");
}

#[test]
fn gates_of_a_service_in_python_open() {
    gates_open(&FLASK);
}

#[test]
fn gates_of_a_service_for_node_open() {
    gates_open(&FASTIFY);
}
