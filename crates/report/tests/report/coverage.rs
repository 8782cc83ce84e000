//! Reports of coverage are read back: by the rules of their formats, and with the same numbers.

use std::collections::BTreeMap;

use fossick_report::{cobertura, json, lcov};
use fossick_trace::Coverage;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::{library, sample};

/// What the DTD of Cobertura says: an element, the attributes it must have, what may be in it.
const DTD: [(&str, &[&str], &[&str]); 12] = [
    (
        "coverage",
        &[
            "line-rate",
            "branch-rate",
            "lines-covered",
            "lines-valid",
            "branches-covered",
            "branches-valid",
            "complexity",
            "version",
            "timestamp",
        ],
        &["sources", "packages"],
    ),
    ("sources", &[], &["source"]),
    ("source", &[], &[]),
    ("packages", &[], &["package"]),
    (
        "package",
        &["name", "line-rate", "branch-rate", "complexity"],
        &["classes"],
    ),
    ("classes", &[], &["class"]),
    (
        "class",
        &["name", "filename", "line-rate", "branch-rate", "complexity"],
        &["methods", "lines"],
    ),
    ("methods", &[], &["method"]),
    ("lines", &[], &["line"]),
    ("line", &["number", "hits"], &["conditions"]),
    ("conditions", &[], &["condition"]),
    ("condition", &["number", "type", "coverage"], &[]),
];

/// Attributes that need not be there.
const OPTIONAL: [(&str, &str); 2] = [("line", "branch"), ("line", "condition-coverage")];

fn coverage() -> Coverage {
    sample::run().coverage.expect("a probe told")
}

fn name_of(element: &BytesStart<'_>) -> String {
    String::from_utf8(element.name().as_ref().to_vec()).expect("a name is text")
}

fn attributes(element: &BytesStart<'_>) -> BTreeMap<String, String> {
    let attributes = element
        .attributes()
        .map(|it| it.expect("it is well-formed"));
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    let pair = |it: quick_xml::events::attributes::Attribute<'_>| {
        let value = text(&it.value);
        let value = quick_xml::escape::unescape(&value).expect("known entities");
        (text(it.key.as_ref()), value.into_owned())
    };
    attributes.map(pair).collect()
}

/// Every element in its order, with its attributes; each stands where the DTD allows it.
fn elements(xml: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let mut reader = Reader::from_str(xml);
    let mut open: Vec<String> = Vec::new();
    let mut all = Vec::new();
    loop {
        let event = reader.read_event().expect("it is well-formed");
        match &event {
            Event::Eof => break,
            Event::Start(element) | Event::Empty(element) => {
                let (name, attributes) = (name_of(element), attributes(element));
                check(open.last(), &name, &attributes);
                if matches!(event, Event::Start(_)) {
                    open.push(name.clone());
                }
                all.push((name, attributes));
            }
            Event::End(_) => drop(open.pop()),
            _ => {}
        }
    }
    assert!(open.is_empty());
    all
}

fn check(parent: Option<&String>, name: &str, attributes: &BTreeMap<String, String>) {
    let rule = |name: &str| DTD.iter().find(|(known, ..)| *known == name);
    let (_, required, _) = rule(name).expect("the element is known");
    let allowed = parent
        .and_then(|parent| rule(parent))
        .map(|(.., inside)| *inside);
    assert!(
        allowed.is_none_or(|inside| inside.contains(&name)),
        "{name}"
    );
    for attribute in *required {
        assert!(attributes.contains_key(*attribute), "{name} {attribute}");
    }
    let known =
        |attribute: &str| required.contains(&attribute) || OPTIONAL.contains(&(name, attribute));
    assert!(
        attributes.keys().all(|attribute| known(attribute)),
        "{name}"
    );
}

#[test]
fn cobertura_xml_is_what_its_dtd_says() {
    let xml = cobertura(&sample::run(), 7).expect("a probe told");
    let elements = elements(&xml);
    let of = |name: &str| {
        let named = elements.iter().filter(|(known, _)| known == name);
        named.map(|(_, attributes)| attributes).collect::<Vec<_>>()
    };
    let classes = of("class").into_iter();
    let files: Vec<&str> = classes.map(|class| class["filename"].as_str()).collect();
    let mut expected: Vec<String> = coverage().files.into_iter().map(|file| file.file).collect();
    let mut read = files.clone();
    read.sort_unstable();
    expected.sort_unstable();
    assert_eq!(read, expected);
    let all = of("coverage")[0];
    let lines = coverage().lines();
    assert_eq!(all["lines-valid"], lines.total.to_string());
    assert_eq!(all["timestamp"], "7");
    let jumps = of("line")
        .into_iter()
        .filter(|line| line.contains_key("branch"));
    let told: Vec<&str> = jumps
        .map(|line| line["condition-coverage"].as_str())
        .collect();
    assert_eq!(told, ["100% (1/1)", "75% (3/4)", "0% (0/2)"]);
}

#[test]
fn a_tracefile_has_every_line_and_branch_once() {
    let text = lcov(&sample::run()).expect("a probe told");
    let count = |key: &str, end: &str| {
        let lines = text.lines().filter(|line| line.starts_with(key));
        lines.filter(|line| line.ends_with(end)).count()
    };
    let (lines, branches) = (coverage().lines(), coverage().branches());
    assert_eq!(
        (count("DA:", ""), count("DA:", ",1")),
        (lines.total, lines.covered)
    );
    let told = (count("BRDA:", ""), count("BRDA:", ",1"));
    assert_eq!(told, (branches.total, branches.covered));
    assert_eq!(count("SF:", ""), count("end_of_record", ""));
}

#[test]
fn stretches_of_the_report_for_machines_hold_every_line() {
    let report: serde_json::Value = serde_json::from_str(&json(&sample::run())).expect("JSON");
    let files = report["coverage"]["files"].as_array().expect("a list");
    let sum = |key: &str| -> u64 {
        let stretches = files
            .iter()
            .flat_map(|file| file[key].as_array().expect("a list"));
        let bounds = stretches.map(|it| (it[0].as_u64(), it[1].as_u64()));
        bounds
            .map(|it| it.1.unwrap_or(0) + 1 - it.0.unwrap_or(0))
            .sum()
    };
    let lines = coverage().lines();
    assert_eq!(sum("covered"), lines.covered as u64);
    assert_eq!(sum("missed"), lines.missed() as u64);
}

#[test]
fn without_a_probe_there_is_nothing_to_write() {
    let run = library::run();
    assert_eq!(lcov(&run), None);
    assert_eq!(cobertura(&run, 7), None);
    assert!(!json(&run).contains("\"coverage\""));
}
