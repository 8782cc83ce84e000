//! How much of the service's code was reached, in all the ways in which that is told.

use crate::program::{Ended, Folder, run};
use crate::report::Report;
use crate::small::small;

const DOCUMENT: &str = "http://127.0.0.1:{port}/openapi.json";
const REPORTS: [&str; 6] = [
    "--report",
    "json=report.json",
    "--report",
    "lcov=code/lcov.info",
    "--report",
    "cobertura=code/cobertura.xml",
];

/// A service with a line that no request reaches, and a condition that holds for none.
const SERVICE: &str = r#"
DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "small", "version": "1"},
    "paths": {"/codes": {"get": {"responses": {"200": {"description": "fine"}}}}},
}

def answer(path):
    if path == "/openapi.json":
        return 200, DOCUMENT
    if path == "/never":
        return 200, {"out of": "reach"}
    return 200, {}
"#;

/// A run over a service that `fossick test` starts.
fn tested(folder: &Folder, command: &[&str]) -> Ended {
    let head = ["test", DOCUMENT, "--seed", "1", "--requests", "300"];
    run(folder, &[&head, &REPORTS[..], &["--"], command].concat())
}

fn sum(lcov: &str, key: &str) -> u64 {
    let values = lcov.lines().filter_map(|line| line.strip_prefix(key));
    values
        .map(|value| value.parse::<u64>().expect("a number"))
        .sum()
}

#[test]
fn coverage_is_told_alike_in_every_report() {
    let folder = Folder::new();
    let program = env!("CARGO_BIN_EXE_fossick");
    let name = "sparse-straight-existence-shown";
    let ended = tested(&folder, &[program, "synth", name, "--port", "{port}"]);
    assert!(ended.code < 2, "{ended:?}");
    let report = Report::read(&folder, "report.json");
    let coverage = &report.0["coverage"];
    let count = |key: &str| coverage[key].as_u64().expect("a count");
    assert!(count("lines_covered") > 20, "{coverage}");
    assert!(count("branches_covered") > 5, "{coverage}");
    assert!(count("lines_covered") <= count("lines_total"));
    let lcov = folder.read("code/lcov.info");
    for (key, field) in [
        ("LF:", "lines_total"),
        ("LH:", "lines_covered"),
        ("BRF:", "branches_total"),
        ("BRH:", "branches_covered"),
    ] {
        assert_eq!(sum(&lcov, key), count(field), "{field}");
    }
    let xml = folder.read("code/cobertura.xml");
    for (attribute, field) in [
        ("lines-valid", "lines_total"),
        ("lines-covered", "lines_covered"),
        ("branches-valid", "branches_total"),
        ("branches-covered", "branches_covered"),
    ] {
        let told = format!("{attribute}=\"{}\"", count(field));
        assert!(xml.contains(&told), "{told}");
    }
    assert!(ended.stderr.contains("code: "), "{}", ended.stderr);
}

#[test]
fn lines_of_a_program_in_python_are_told_where_they_stand() {
    let folder = Folder::new();
    folder.write("service.py", &small(SERVICE));
    let ended = tested(&folder, &["python3", "service.py", "{port}"]);
    assert!(ended.code < 2, "{ended:?}");
    let lines = SERVICE.lines().zip(1..);
    let places = |words: &str| {
        let found = lines.clone().find(|(line, _)| line.contains(words));
        found.map(|(_, number)| number).expect("it is in the text")
    };
    let lcov = folder.read("code/lcov.info");
    let source = format!("SF:{}", folder.path("service.py").display());
    let told = |line: String| lcov.lines().any(|known| known == line);
    assert!(told(source), "{lcov}");
    assert!(told(format!("DA:{},0", places("out of"))), "{lcov}");
    assert!(told(format!("DA:{},1", places("200, {}"))), "{lcov}");
    let branch = places("/never");
    assert!(told(format!("BRDA:{branch},0,0,0")), "{lcov}");
    assert!(told(format!("BRDA:{branch},0,1,1")), "{lcov}");
    let missed = format!("service.py  1 missed: {}", places("out of"));
    assert!(ended.stderr.contains(&missed), "{}", ended.stderr);
    let root = folder.path("");
    let root = root.display().to_string();
    let xml = folder.read("code/cobertura.xml");
    let source = format!("<source>{}</source>", root.trim_end_matches('/'));
    assert!(xml.contains(&source), "{xml}");
}

#[test]
fn a_service_without_a_probe_costs_the_reports_of_coverage_and_no_more() {
    let folder = Folder::new();
    let program = env!("CARGO_BIN_EXE_fossick");
    let name = "sparse-straight-existence-shown";
    let line = format!("unset FOSSICK_PROBE; exec {program} synth {name} --port {{port}}");
    let ended = tested(&folder, &["sh", "-c", &line]);
    assert!(ended.code < 2, "{ended:?}");
    let report = Report::read(&folder, "report.json");
    assert!(report.0.get("coverage").is_none());
    let told = |path: &str| report.notes().iter().any(|note| note.starts_with(path));
    assert!(
        told("code/lcov.info was not written"),
        "{:?}",
        report.notes()
    );
    assert!(told("code/cobertura.xml was not written"));
    assert!(!folder.path("code").exists());
}
