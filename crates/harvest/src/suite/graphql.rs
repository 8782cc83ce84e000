//! A GraphQL call as a test.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use fossick_contract::{Api, Method, RootKind};
use fossick_query::{Directive, Document, Literal, Pick, read};
use fossick_suite::{Body, Group, Is, Key, Piece, Request, Step, Template, Test, What};
use serde_json::{Map, Value, json};

use super::{Draft, Settings, Why, names, plain};
use crate::promise::Promise;
use crate::tuples::{Tuple, Tuples};
use crate::{Call, GraphQlCall, Record};

const JSON: &str = "application/json";

/// The operation of a record; `None` where it is none or can't be read.
pub(super) fn document(record: &Record) -> Option<Document> {
    match &record.call {
        Call::GraphQl(call) => read(&call.query, None).ok(),
        Call::Rest(_) => None,
    }
}

/// Makes drafts. What calls of the same operation have in common is worked out once: most records
/// differ in nothing but their variables.
pub(super) struct Reader<'a> {
    api: &'a Api,
    settings: &'a Settings,
    tuples: Tuples<'a>,
    operations: HashMap<String, Result<Arc<Known>, Why>>,
    /// By the operation and those of its variables that decide what is asked for.
    promises: HashMap<(String, String), Promised>,
}

/// An operation that was read.
struct Known {
    document: Document,
    tuples: BTreeSet<Tuple>,
    /// Variables that `@skip` and `@include` look at.
    switches: BTreeSet<String>,
}

#[derive(Clone)]
struct Promised {
    promise: Arc<Promise>,
    schema: Value,
}

impl<'a> Reader<'a> {
    pub(super) fn new(api: &'a Api, records: &[Record], settings: &'a Settings) -> Self {
        // Only where types are cut off must all operations be seen before the first is counted.
        let documents: Vec<Document> = match api.types.cut_off.as_slice() {
            [] => Vec::new(),
            _ => records.iter().filter_map(document).collect(),
        };
        let seen: Vec<&Document> = documents.iter().collect();
        Self {
            api,
            settings,
            tuples: Tuples::new(&api.types, &seen),
            operations: HashMap::new(),
            promises: HashMap::new(),
        }
    }

    pub(super) fn draft<'r>(&mut self, record: &'r Record) -> Result<Draft<'r>, Why> {
        let Call::GraphQl(call) = &record.call else {
            return Err(Why::OtherKind);
        };
        if call.root == RootKind::Mutation && !self.settings.mutations {
            return Err(Why::Changes);
        }
        let known = self.known(call)?;
        let promised = self.promised(call, &known)?;
        let name = names::of_document(&known.document);
        Ok(Draft {
            record,
            test: Test {
                name: String::new(),
                group: Group::Successes,
                about: names::about(record),
                fault: None,
                fresh: Vec::new(),
                quiet: call.root == RootKind::Query,
                steps: vec![step(call, self.settings)],
            },
            schema: Some((name.clone(), promised.schema)),
            name,
            promise: Some(promised.promise),
            tuples: known.tuples.clone(),
        })
    }

    fn known(&mut self, call: &GraphQlCall) -> Result<Arc<Known>, Why> {
        if let Some(known) = self.operations.get(&call.query) {
            return known.clone();
        }
        let known = read(&call.query, None).map_err(Why::from).map(|document| {
            let mut switches = BTreeSet::new();
            collect_switches(&document.picks, &mut switches);
            Arc::new(Known {
                tuples: self.tuples.asked(&document),
                switches,
                document,
            })
        });
        self.operations.insert(call.query.clone(), known.clone());
        known
    }

    fn promised(&mut self, call: &GraphQlCall, known: &Known) -> Result<Promised, Why> {
        let switches: BTreeMap<&str, Option<&Value>> = known
            .switches
            .iter()
            .map(|name| (name.as_str(), call.variables.get(name)))
            .collect();
        let key = (call.query.clone(), json!(switches).to_string());
        if let Some(promised) = self.promises.get(&key) {
            return Ok(promised.clone());
        }
        let strictness = self.settings.strictness;
        let promise = Promise::of(self.api, &known.document, &call.variables, strictness)
            .ok_or(Why::NoRoot(call.root.as_str()))?;
        let promised = Promised {
            schema: promise.schema(),
            promise: Arc::new(promise),
        };
        self.promises.insert(key, promised.clone());
        Ok(promised)
    }
}

fn step(call: &GraphQlCall, settings: &Settings) -> Step {
    let header = |name: &str, value: &str| {
        let pieces = vec![Piece::Fixed(value.to_owned())];
        (name.to_owned(), pieces)
    };
    let plain_headers = settings.headers.iter();
    let mut headers: Vec<_> = plain_headers
        .map(|(name, value)| header(name, value))
        .collect();
    if !headers
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("accept"))
    {
        headers.push(header("accept", JSON));
    }
    let no_errors = What::At {
        path: vec![Key::from("errors")],
        is: Is::Absent,
    };
    let checks = [
        What::Status(200),
        What::MediaType(JSON.to_owned()),
        no_errors,
    ];
    Step {
        about: None,
        request: Request {
            method: Method::Post,
            path: Vec::new(),
            headers,
            body: Body::Json {
                media_type: JSON.to_owned(),
                value: Template::Value(Value::Object(body(call))),
            },
            user: (!settings.users.is_empty()).then_some(0),
        },
        saves: Vec::new(),
        checks: checks.into_iter().map(plain).collect(),
    }
}

fn body(call: &GraphQlCall) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("query".to_owned(), json!(call.query));
    if !call.variables.is_empty() {
        body.insert(
            "variables".to_owned(),
            Value::Object(call.variables.clone()),
        );
    }
    if let Some(name) = &call.operation_name {
        body.insert("operationName".to_owned(), json!(name));
    }
    body
}

fn collect_switches(picks: &[Pick], into: &mut BTreeSet<String>) {
    for pick in picks {
        let (directives, below) = match pick {
            Pick::Field(asked) => (&asked.directives, &asked.picks),
            Pick::Part(part) => (&part.directives, &part.picks),
        };
        into.extend(directives.iter().flat_map(variables));
        collect_switches(below, into);
    }
}

fn variables(directive: &Directive) -> impl Iterator<Item = String> {
    let arguments = directive.arguments.iter();
    arguments.filter_map(|(_, value)| match value {
        Literal::Variable(name) => Some(name.clone()),
        _ => None,
    })
}
