//! Holds every answer of the twin against the document, with a validator that is not ours.

use fossick_demo::Faults;
use serde_json::Value;

use crate::client::{Answer, Shed};

pub(crate) struct Twin {
    pub(crate) shed: Shed,
    pub(crate) document: Value,
}

impl Twin {
    pub(crate) fn open() -> Self {
        Self {
            shed: Shed::open(Faults::None),
            document: serde_json::from_str(fossick_demo::document()).expect("JSON"),
        }
    }

    /// Sends to a path of the document and holds the answer against what is promised there.
    pub(crate) fn send(&self, line: &str, template: &str, body: Option<&Value>) -> Answer {
        let answer = self.shed.send(line, body);
        let method = line.split(' ').next().unwrap_or_default();
        self.judge(method, template, &answer);
        answer
    }

    pub(crate) fn judge(&self, method: &str, template: &str, answer: &Answer) {
        let operation = &self.document["paths"][template][method.to_lowercase()];
        let status = answer.status.to_string();
        let promise = operation["responses"].get(&status);
        let promise = promise.unwrap_or_else(|| panic!("{status} of {method} {template}"));
        let promise = self.resolve(promise);
        for (name, _) in promise["headers"].as_object().into_iter().flatten() {
            assert!(answer.header(&name.to_lowercase()).is_some(), "{name}");
        }
        match answer.header("content-type") {
            Some(media_type) => self.judge_body(&promise["content"][media_type], &answer.json()),
            None => assert_eq!((promise.get("content"), answer.text.as_str()), (None, "")),
        }
    }

    fn judge_body(&self, promise: &Value, body: &Value) {
        let mut schema = promise["schema"].clone();
        assert!(schema.is_object(), "no schema for {body}");
        schema["components"] = self.document["components"].clone();
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let broken: Vec<_> = validator.iter_errors(body).map(|e| e.to_string()).collect();
        assert!(broken.is_empty(), "{broken:?} in {body}");
    }

    pub(crate) fn resolve<'a>(&'a self, part: &'a Value) -> &'a Value {
        match part["$ref"].as_str() {
            Some(target) => {
                let target = self.document.pointer(target.trim_start_matches('#'));
                self.resolve(target.expect("references lead somewhere"))
            }
            None => part,
        }
    }

    pub(crate) fn body_schema(&self, template: &str, method: &str) -> &Value {
        let operation = &self.document["paths"][template][method.to_lowercase()];
        let body = self.resolve(&operation["requestBody"]);
        self.resolve(&body["content"]["application/json"]["schema"])
    }
}
