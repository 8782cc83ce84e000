//! Small documents, read through the front door, and questions to their graphs.

use fossick_contract::{Api, OperationIndex};
use fossick_graph::{Edge, Evidence, Graph, Need, Place, Yield};
use fossick_ingest::{NoFetch, Source, read};
use fossick_testkit::document_with;
use fossick_trace::Take;
use serde_json::{Value, json};

pub(crate) struct Desk {
    pub(crate) api: Api,
    pub(crate) graph: Graph,
}

impl Desk {
    pub(crate) fn of(paths: &Value) -> Self {
        Self::with(paths, &json!({}))
    }

    pub(crate) fn with(paths: &Value, schemas: &Value) -> Self {
        let source = Source {
            name: "openapi.json".to_owned(),
            text: document_with(with_holes(paths), json!({ "schemas": schemas })),
        };
        let api = read(&source, &mut NoFetch).expect("it can be read").api;
        let graph = Graph::of(&api);
        Self { api, graph }
    }

    /// The graph of a GraphQL schema.
    pub(crate) fn schema(text: &str) -> Self {
        Self::named("schema.graphql", text)
    }

    /// The graph of a whole OpenAPI document.
    pub(crate) fn document(text: &str) -> Self {
        Self::named("openapi.yaml", text)
    }

    fn named(name: &str, text: &str) -> Self {
        let source = Source {
            name: name.to_owned(),
            text: text.to_owned(),
        };
        let api = read(&source, &mut NoFetch).expect("it can be read").api;
        let graph = Graph::of(&api);
        Self { api, graph }
    }

    pub(crate) fn index(&self, label: &str) -> OperationIndex {
        let found = self.api.find(label);
        found.unwrap_or_else(|| panic!("{label} is there"))
    }

    pub(crate) fn needs(&self, label: &str) -> &[Need] {
        self.graph.needs(self.index(label))
    }

    pub(crate) fn need(&self, label: &str, name: &str) -> usize {
        let found = self.needs(label).iter().position(|need| need.name == name);
        found.unwrap_or_else(|| panic!("{label} needs {name}"))
    }

    pub(crate) fn edges(&self, label: &str, name: &str) -> Vec<&Edge> {
        self.graph.edges(self.index(label), self.need(label, name))
    }

    /// The ways to meet a need in one line each: `Creator POST /projects /id`.
    pub(crate) fn ways(&self, label: &str, name: &str) -> Vec<String> {
        let edges = self.edges(label, name);
        edges.into_iter().map(|edge| self.told(edge)).collect()
    }

    pub(crate) fn best(&self, label: &str, name: &str) -> String {
        self.ways(label, name)
            .into_iter()
            .next()
            .unwrap_or_default()
    }

    /// The best way to meet the need at a place of the body.
    pub(crate) fn best_at(&self, label: &str, pointer: &str) -> String {
        self.ways_at(label, pointer)
            .into_iter()
            .next()
            .unwrap_or_default()
    }

    pub(crate) fn ways_at(&self, label: &str, pointer: &str) -> Vec<String> {
        let index = self.index(label);
        let place = Place::Body(pointer.to_owned());
        let need = self.graph.need_at(index, &place);
        let need = need.unwrap_or_else(|| panic!("{label} needs {pointer}"));
        let edges = self.graph.edges(index, need);
        edges.into_iter().map(|edge| self.told(edge)).collect()
    }

    /// The places of the body that are needed, each with its words.
    pub(crate) fn pointers(&self, label: &str) -> Vec<(&str, String)> {
        let told = |need: &'_ Need| need.words.0.join(" ");
        let needs = self.needs(label).iter();
        needs
            .filter_map(|need| match &need.place {
                Place::Body(pointer) => Some((pointer.as_str(), told(need))),
                Place::Parameter(_) => None,
            })
            .collect()
    }

    pub(crate) fn label(&self, index: Option<OperationIndex>) -> &str {
        index.map_or("", |index| &self.api.operation(index).label)
    }

    pub(crate) fn makers(&self, label: &str, name: &str, evidence: Evidence) -> Vec<&str> {
        let edges = self.edges(label, name).into_iter();
        edges
            .filter(|edge| edge.evidence == evidence)
            .map(|edge| self.api.operation(edge.maker).label.as_str())
            .collect()
    }

    pub(crate) fn told(&self, edge: &Edge) -> String {
        let maker = self.api.operation(edge.maker);
        let what = match &edge.yields {
            Yield::Answer(Take::Pointer(pointer)) => pointer.clone(),
            Yield::Answer(Take::Location) => "location".to_owned(),
            Yield::Answer(Take::Header(name)) => format!("header {name}"),
            Yield::SentParameter(at) => format!("sent {}", maker.parameters[*at].name),
            Yield::SentBody(pointer) => format!("sent {pointer}"),
        };
        format!("{:?} {} {what}", edge.evidence, maker.label)
    }
}

/// Declares the holes of every path that declares none itself.
fn with_holes(paths: &Value) -> Value {
    let mut paths = paths.clone();
    for (path, item) in paths.as_object_mut().into_iter().flatten() {
        let holes: Vec<Value> = path
            .split('{')
            .skip(1)
            .filter_map(|rest| Some(hole(rest.split_once('}')?.0)))
            .collect();
        if item.get("parameters").is_none() && !holes.is_empty() {
            item["parameters"] = Value::from(holes);
        }
    }
    paths
}

fn hole(name: &str) -> Value {
    json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}})
}

/// An operation that answers with this schema.
pub(crate) fn gives(schema: &Value) -> Value {
    let content = json!({"application/json": {"schema": schema}});
    json!({"responses": {"200": {"description": "", "content": content}}})
}

/// An operation that is sent one schema and answers with another.
pub(crate) fn takes(body: &Value, schema: &Value) -> Value {
    let mut operation = gives(schema);
    operation["requestBody"] = json!({"content": {"application/json": {"schema": body}}});
    operation
}

pub(crate) fn object(names: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})))
        .collect();
    json!({"type": "object", "properties": properties})
}

pub(crate) fn list(item: &Value) -> Value {
    json!({"type": "array", "items": item})
}
