//! A document with one operation, and plans that call it.

use std::sync::Arc;

use fossick_contract::{Api, OperationIndex};
use fossick_genes::{Gene, Source as Origin};
use fossick_ingest::{NoFetch, Source, read};
use fossick_plan::{BodyValue, Plan, Step, render};
use fossick_testkit::document_with;
use fossick_trace::{Call, Part, Payload, Script, Text};
use serde_json::{Value, json};

pub(crate) fn read_text(text: &str) -> Api {
    let source = Source {
        name: "openapi.json".to_owned(),
        text: text.to_owned(),
    };
    read(&source, &mut NoFetch).expect("it can be read").api
}

pub(crate) fn api(paths: &Value) -> Api {
    api_with(paths, &json!({}))
}

pub(crate) fn api_with(paths: &Value, schemas: &Value) -> Api {
    read_text(&document_with(paths.clone(), json!({ "schemas": schemas })))
}

pub(crate) fn gene(value: &Value) -> Gene {
    Gene::literal(value.clone(), Origin::Fixed)
}

/// A step of the operation with these values for its parameters, by name.
pub(crate) fn step(api: &Api, label: &str, values: &Value) -> Step {
    let index = api
        .find(label)
        .unwrap_or_else(|| panic!("{label} is there"));
    step_of(api, index, values)
}

fn step_of(api: &Api, index: OperationIndex, values: &Value) -> Step {
    let parameters = &api.operation(index).parameters;
    let mut step = Step::new(index, parameters.len());
    for (at, parameter) in parameters.iter().enumerate() {
        step.arguments[at] = values.get(&parameter.name).map(gene);
    }
    step
}

pub(crate) fn with_body(mut step: Step, content: usize, value: &Value) -> Step {
    let gene = gene(value);
    step.body = Some(BodyValue { content, gene });
    step
}

pub(crate) fn script(api: &Api, steps: Vec<Step>) -> Script {
    let labels: Vec<Arc<str>> = api
        .operations
        .iter()
        .map(|o| Arc::from(o.label.as_str()))
        .collect();
    render(api, &labels, &Plan { steps })
}

pub(crate) fn call(api: &Api, step: Step) -> Call {
    script(api, vec![step]).calls.remove(0)
}

/// Text without holes.
pub(crate) fn fixed(text: &Text) -> String {
    let part = |part: &Part| match part {
        Part::Fixed(text) => text.clone(),
        Part::Captured(capture) => panic!("a hole for {capture:?}"),
    };
    text.0.iter().map(part).collect()
}

/// The media type and the text of a body.
pub(crate) fn sent(call: &Call) -> (String, String) {
    match &call.payload {
        Payload::Bytes { media_type, bytes } => {
            let text = String::from_utf8(bytes.to_vec()).expect("text");
            (media_type.clone(), text)
        }
        other => panic!("bytes, not {other:?}"),
    }
}
