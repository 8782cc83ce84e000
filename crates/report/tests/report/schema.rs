//! The report for machines is what the book says it is.

use fossick_report::json;
use fossick_trace::{Ending, Run};
use serde_json::Value;

use crate::{library, sample};

const SCHEMA: &str = include_str!("../../../../book/src/report.schema.json");

fn problems(run: &Run) -> Vec<String> {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    assert!(
        jsonschema::meta::is_valid(&schema),
        "the schema is a schema"
    );
    let report: Value = serde_json::from_str(&json(run)).expect("the report is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema can be compiled");
    let problem = |e: jsonschema::ValidationError<'_>| format!("{}: {e}", e.instance_path());
    validator.iter_errors(&report).map(problem).collect()
}

#[test]
fn the_sample_run_fits_the_schema() {
    assert_eq!(problems(&sample::run()), Vec::<String>::new());
}

#[test]
fn a_run_over_graphql_fits_the_schema() {
    assert_eq!(problems(&library::run()), Vec::<String>::new());
}

#[test]
fn bodies_that_are_not_text_fit_the_schema() {
    let mut run = sample::run();
    let binary = sample::binary_upload();
    run.findings[0].episode = binary.into();
    run.ending = Ending::ServiceLost;
    assert_eq!(problems(&run), Vec::<String>::new());
    assert!(json(&run).contains("\"base64\": \"/wAn\""));
}

#[test]
fn a_run_without_anything_fits_the_schema() {
    let mut run = sample::run();
    run.operations.clear();
    run.findings.clear();
    run.notes.clear();
    run.elapsed_seconds = f64::NAN;
    assert_eq!(problems(&run), Vec::<String>::new());
}

#[test]
fn the_schema_refuses_what_is_not_a_report() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema can be compiled");
    let mut report: Value = serde_json::from_str(&json(&sample::run())).expect("JSON");
    report["findings"][0]["severity"] = "terrible".into();
    assert!(!validator.is_valid(&report));
}

#[test]
fn every_field_of_a_report_is_described() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let report: Value = serde_json::from_str(&json(&sample::run())).expect("JSON");
    let graphql: Value = serde_json::from_str(&json(&library::run())).expect("JSON");
    let parts = [
        (&report, "/properties"),
        (&graphql, "/properties"),
        (&graphql["graphql"], "/properties/graphql/properties"),
        (&graphql["operations"][0], "/$defs/operation/properties"),
        (&report["operations"][0], "/$defs/operation/properties"),
        (&report["coverage"], "/properties/coverage/properties"),
        (&report["coverage"]["files"][0], "/$defs/file/properties"),
        (&report["findings"][0], "/$defs/finding/properties"),
        (&report["findings"][0]["steps"][0], "/$defs/step/properties"),
    ];
    for (part, pointer) in parts {
        let described = schema.pointer(pointer).expect("the part is in the schema");
        for name in part.as_object().expect("every part is an object").keys() {
            assert!(
                described[name]["description"].is_string(),
                "{pointer}/{name}"
            );
        }
    }
}
