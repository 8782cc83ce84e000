//! What the document promises of answers, as checks of a test.
//!
//! A schema is asserted where every run's answer fitted it: what breaks its schema is a finding of
//! its own, and where that has no steady place in the answer, the test of that finding asserts that
//! the schema is broken. Each is written once for the whole suite, and a test asserts it where it
//! first comes.

use fossick_contract::{Api, is_json};
use fossick_harvest::promise::{Promise, Strictness};
use fossick_suite::{Check, Test, What, Written, asks_about_everything, unique, words};
use fossick_trace::{Answer, Call, Episode, Location, Payload, Script};
use fossick_validate::{Fit, standalone};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

use crate::candidate::Candidate;

/// Larger schemas, as text, are more than anybody reviews.
const LARGEST: usize = 32 << 10;

/// The schemas of a suite, by name.
#[derive(Debug, Default)]
pub(crate) struct Schemas {
    listed: Vec<(String, Value)>,
    names: BTreeSet<String>,
    /// Fields that were seen to break what is promised of them.
    broken: BTreeSet<String>,
}

impl Schemas {
    pub(crate) fn with(faults: &[Candidate]) -> Self {
        let findings = faults.iter().filter_map(|fault| fault.finding.as_ref());
        let fields = findings.filter_map(|finding| match &finding.location {
            Location::Body { path, .. } => {
                let mut parts = path.rsplit('/');
                parts.find(|part| *part != "*" && part.parse::<usize>().is_err())
            }
            _ => None,
        });
        Self {
            broken: fields.map(str::to_owned).collect(),
            ..Self::default()
        }
    }

    pub(crate) fn into_list(self) -> Vec<(String, Value)> {
        self.listed
    }

    /// Adds what is promised of the answers to a test's steps.
    pub(crate) fn promise(
        &mut self,
        api: &Api,
        script: &Script,
        runs: &[Episode],
        test: &mut Test,
    ) {
        let mut asserted = BTreeSet::new();
        for (at, (step, call)) in test.steps.iter_mut().zip(&script.calls).enumerate() {
            let answers: Option<Vec<&Answer>> = runs.iter().map(|run| run.answer(at)).collect();
            let Some(answers) = answers else {
                return;
            };
            let Some(mut schema) = promised(api, call, &answers) else {
                continue;
            };
            // Among things of others there may be one today or tomorrow that shows the fault.
            if asks_about_everything(api, call) {
                forget(&mut schema, &self.broken);
            }
            // Of a step that shows a fault nothing is expected.
            if step.checks.is_empty() || !fits_all(&Fit::new(&schema), &answers) {
                continue;
            }
            let place = self.place(call, schema);
            if asserted.insert(place) {
                step.checks.push(Check {
                    what: What::Schema(place),
                    suspect: false,
                });
            }
        }
    }

    /// Asserts that the answer which shows a fault breaks what is promised of it, where every run's
    /// did, and would have without the things of others, which may be gone tomorrow: the wrong
    /// value stands at another place each time. Tells whether that is so.
    pub(crate) fn break_promise(
        &mut self,
        api: &Api,
        (call, at): (&Call, usize),
        runs: &[Episode],
        written: &mut Written,
    ) -> bool {
        let answers: Option<Vec<&Answer>> = runs.iter().map(|run| run.answer(at)).collect();
        let broken = answers.and_then(|answers| {
            let broken = negated(promised(api, call, &answers)?);
            let fit = Fit::without_formats(&broken);
            let is_own = written.alone.iter().all(|body| fit.misfit(body).is_none());
            (is_own && fits_all(&fit, &answers)).then_some(broken)
        });
        let (Some(schema), Some(step)) = (broken, written.test.steps.get_mut(at)) else {
            return false;
        };
        let place = self.place(call, schema);
        step.checks.push(Check {
            what: What::Schema(place),
            suspect: true,
        });
        true
    }

    fn place(&mut self, call: &Call, schema: Value) -> usize {
        if let Some(known) = self.listed.iter().position(|(_, other)| *other == schema) {
            return known;
        }
        let kind = match schema.get("not") {
            Some(_) => "broken answer",
            None => "answer",
        };
        let name = format!("{} {kind}", words(&call.operation).join(" "));
        let name = unique(&name, " ", &mut self.names);
        self.listed.push((name, schema));
        self.listed.len() - 1
    }
}

/// The schema of the answers, if they are of one status and the document has one for it.
fn promised(api: &Api, call: &Call, answers: &[&Answer]) -> Option<Value> {
    let schema = if call.graphql.is_some() {
        selected(api, call)?
    } else {
        documented(api, call, answers)?
    };
    (schema.to_string().len() <= LARGEST).then_some(schema)
}

fn documented(api: &Api, call: &Call, answers: &[&Answer]) -> Option<Value> {
    let status = answers.first()?.status;
    let is_same = answers.iter().all(|answer| answer.status == status);
    let operation = api.operation(api.find(&call.operation)?);
    let contents = &operation.response(status).filter(|_| is_same)?.contents;
    let json = contents.iter().find(|content| is_json(&content.media_type));
    standalone(api, json?.shape?)
}

/// What a GraphQL operation asks for, by the types of the schema.
fn selected(api: &Api, call: &Call) -> Option<Value> {
    let body = match &call.payload {
        Payload::Json { value, .. } => value.clone(),
        Payload::Bytes { bytes, .. } => serde_json::from_slice(bytes).ok()?,
        Payload::None => return None,
    };
    let document = fossick_query::read(body.get("query")?.as_str()?, None).ok()?;
    let none = Map::new();
    let variables = body.get("variables").and_then(Value::as_object);
    let strictness = Strictness::default();
    let promise = Promise::of(api, &document, variables.unwrap_or(&none), strictness)?;
    Some(promise.schema())
}

/// Takes what is said of fields of these names out of a schema.
fn forget(schema: &mut Value, fields: &BTreeSet<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get_mut("properties") {
                for (name, property) in properties.iter_mut() {
                    if fields.contains(name) {
                        *property = Value::Bool(true);
                    }
                }
            }
            if let Some(Value::Array(required)) = map.get_mut("required") {
                required.retain(|name| name.as_str().is_none_or(|name| !fields.contains(name)));
            }
            map.values_mut().for_each(|inner| forget(inner, fields));
        }
        Value::Array(items) => items.iter_mut().for_each(|inner| forget(inner, fields)),
        _ => {}
    }
}

/// Everything that breaks a schema. What it refers to stays where it is looked for.
fn negated(schema: Value) -> Value {
    let Value::Object(mut inner) = schema else {
        return json!({ "not": schema });
    };
    let mut outer = Map::new();
    for shared in ["$schema", "$defs"] {
        outer.extend(inner.remove_entry(shared));
    }
    outer.insert("not".to_owned(), Value::Object(inner));
    Value::Object(outer)
}

fn fits_all(fit: &Fit, answers: &[&Answer]) -> bool {
    answers.iter().all(|answer| {
        let body = answer.json();
        body.is_some_and(|body| fit.misfit(body).is_none())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Trial;
    use crate::testing::{Desk, LIST, Shed};
    use fossick_suite::{Limits, Sighting, write};

    /// The steps of a test that lists tools so often which hold answers against a schema, and the
    /// names of the schemas.
    fn promised_of(lists: usize, shed: &mut Shed) -> (Vec<usize>, Vec<String>) {
        let context = Desk::new().context();
        let script = context.test(vec![context.plain(LIST); lists]).script;
        let runs = (0..3).map(|_| shed.run(&Trial::as_left(&script)));
        let runs: Vec<Episode> = runs.collect();
        let sighting = Sighting {
            script: &script,
            runs: &runs,
            finding: None,
            faulty: Vec::new(),
        };
        let written = write(context.api, &sighting, &|_| None, Limits::default());
        let mut test = written.expect("it is steady").test;
        let mut schemas = Schemas::default();
        schemas.promise(context.api, &script, &runs, &mut test);
        let asserts = |at: &usize| {
            let mut checks = test.steps[*at].checks.iter();
            checks.any(|check| matches!(check.what, What::Schema(_)))
        };
        let steps = (0..lists).filter(asserts).collect();
        let names = schemas.into_list().into_iter().map(|(name, _)| name);
        (steps, names.collect())
    }

    #[test]
    fn a_promise_that_every_answer_keeps_is_asserted_once() {
        let (steps, names) = promised_of(2, &mut Shed::new().holding(1));
        assert_eq!(
            (steps, names),
            (vec![0], vec!["get tools answer".to_owned()])
        );
    }

    #[test]
    fn a_promise_that_one_answer_breaks_is_not_asserted() {
        let mut shed = Shed::with(|_, before| (before == 1).then(|| (200, json!([{"id": "x"}]))));
        assert_eq!(promised_of(1, &mut shed), (vec![], vec![]));
    }

    #[test]
    fn nothing_is_promised_of_a_status_that_nobody_declared() {
        let mut shed = Shed::with(|_, _| Some((404, json!([]))));
        assert_eq!(promised_of(1, &mut shed), (vec![], vec![]));
    }

    #[test]
    fn of_a_field_that_is_known_to_be_wrong_nothing_is_promised() {
        let text = json!({"type": "string"});
        let lot = json!({
            "properties": {"mark": text, "name": text},
            "required": ["mark", "name"],
        });
        let mut schema = json!({"items": {"$ref": "#/$defs/Lot"}, "$defs": {"Lot": lot}});
        forget(&mut schema, &["mark".to_owned()].into());
        let fit = Fit::new(&schema);
        assert!(
            fit.misfit(&json!([{"name": "a"}, {"name": "b", "mark": null}]))
                .is_none()
        );
        assert!(fit.misfit(&json!([{"mark": "a"}])).is_some());
    }

    #[test]
    fn what_fits_a_schema_breaks_its_negation() {
        let schema = json!({"$ref": "#/$defs/Lot", "$defs": {"Lot": {"type": "object"}}});
        let not = negated(schema.clone());
        for body in [json!({}), json!([])] {
            let fits = |schema: &Value| Fit::new(schema).misfit(&body).is_none();
            assert_ne!(fits(&schema), fits(&not), "{body}");
        }
    }
}
