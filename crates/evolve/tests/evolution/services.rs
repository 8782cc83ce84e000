//! Documents, and services that exist only as functions.

use std::collections::{BTreeMap, BTreeSet};

use fossick_contract::Api;
use fossick_evolve::{Context, Evolution, Individual, Scores, Settings};
use fossick_genes::Values;
use fossick_graph::Graph;
use fossick_ingest::{NoFetch, Source, read, read_sdl};
use fossick_plan::{Plan, Spot, Step};
use fossick_testkit::document;
use fossick_trace::Target;
use fossick_validate::Validators;
use serde_json::{Value, json};

fn source(name: &str, text: &str) -> Source {
    Source {
        name: name.to_owned(),
        text: text.to_owned(),
    }
}

pub(crate) fn rest(paths: Value) -> Api {
    let source = source("api.json", &document(paths));
    read(&source, &mut NoFetch).expect("reads").api
}

fn hole(name: &str) -> Value {
    json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}})
}

fn query(name: &str, kind: &str) -> Value {
    json!({"name": name, "in": "query", "required": true, "schema": {"type": kind}})
}

fn call(parameters: &[Value]) -> Value {
    let thing = json!({"type": "object", "properties": {"id": {"type": "string"}}});
    let content = json!({"application/json": {"schema": thing}});
    json!({"parameters": parameters, "responses": {"200": {"description": "", "content": content}}})
}

/// Numbers that must be hit exactly.
pub(crate) fn numbers() -> Api {
    rest(json!({
        "/first": {"get": call(&[query("x", "integer")])},
        "/second": {"get": call(&[query("y", "integer"), query("z", "integer")])},
    }))
}

/// Warehouses, products stored in one, and orders of a product; and much that is beside the point.
pub(crate) fn shop() -> Api {
    let mut paths = serde_json::Map::new();
    for other in [
        "coupons", "reviews", "carriers", "invoices", "banners", "faqs",
    ] {
        let key = format!("{}Code", &other[..other.len() - 1]);
        paths.insert(
            format!("/{other}/{{{key}}}"),
            json!({
                "get": call(&[hole(&key)]),
                "post": call(&[hole(&key)]),
                "delete": call(&[hole(&key)]),
            }),
        );
    }
    let item = |key: &str, reference: &[Value]| {
        let mut parameters = vec![hole(key)];
        parameters.extend_from_slice(reference);
        json!({
            "post": call(&parameters),
            "get": call(&[hole(key)]),
            "delete": call(&[hole(key)]),
        })
    };
    paths.insert(
        "/warehouses/{warehouseName}".into(),
        item("warehouseName", &[]),
    );
    paths.insert(
        "/products/{productName}".into(),
        item(
            "productName",
            &[query("warehouse", "string"), query("quantity", "integer")],
        ),
    );
    paths.insert(
        "/orders/{orderNumber}".into(),
        item(
            "orderNumber",
            &[query("product", "string"), query("amount", "integer")],
        ),
    );
    rest(Value::Object(paths))
}

/// Everything that plans can be made of: bodies, bounds, sub-resources.
pub(crate) fn tracker() -> Api {
    let body = json!({
        "type": "object",
        "required": ["title"],
        "minProperties": 1,
        "properties": {
            "title": {"type": "string", "minLength": 1, "maxLength": 8},
            "points": {"type": "integer", "minimum": 0, "maximum": 100},
            "labels": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
            "owner": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            "project_id": {"type": "string"},
            "nested": {"type": "object", "properties": {"deep": {"type": "boolean"}}},
        },
    });
    let sends = |parameters: &[Value], required: bool| {
        let mut call = call(parameters);
        let content = json!({"application/json": {"schema": body}});
        call["requestBody"] = json!({"required": required, "content": content});
        call
    };
    rest(json!({
        "/projects": {"get": call(&[query("q", "string")]), "post": sends(&[], true)},
        "/projects/{id}": {
            "get": call(&[hole("id")]),
            "put": sends(&[hole("id")], true),
            "patch": sends(&[hole("id")], false),
            "delete": call(&[hole("id")]),
        },
        "/projects/{id}/tasks": {"get": call(&[hole("id")]), "post": sends(&[hole("id")], true)},
        "/projects/{id}/tasks/{task}": {
            "get": call(&[hole("id"), hole("task")]),
            "delete": call(&[hole("id"), hole("task")]),
        },
        "/me": {"get": call(&[])},
    }))
}

pub(crate) fn library() -> Api {
    let text = "
        type Query {
          book(id: ID!): Book
          books(first: Int, by: Filter): [Book!]!
          author(id: ID!): Author
          anything: Thing
        }
        type Mutation {
          createAuthor(name: String!): Author!
          createBook(input: BookInput!): Book!
          updateBook(id: ID!, title: String, pages: Int): Book
          deleteBook(id: ID!): Boolean
        }
        input BookInput { title: String! authorId: ID! tags: [String!] }
        input Filter { title: String pages: Int }
        union Thing = Book | Author
        type Book { id: ID! title(upper: Boolean): String! pages: Int author: Author! }
        type Author { id: ID! name: String! books(first: Int): [Book!]! }";
    read_sdl(&[source("schema.graphql", text)])
        .expect("reads")
        .api
}

/// The value that stands in a parameter; what an answer gave is as good as its step.
fn said(step: &Step, at: usize) -> Option<Value> {
    let bind = step.bind_at(&Spot::Parameter(at));
    let bound = bind.map(|bind| json!(format!("#{}", bind.step)));
    bound.or_else(|| step.value_at(&Spot::Parameter(at)))
}

/// How near a number comes to another; both ends of the branch are targets.
fn branch(value: Option<Value>, wanted: i64, id: u64, scores: &mut Vec<(Target, f64)>) -> bool {
    let distance = value
        .and_then(|value| value.as_i64())
        .map_or(1e18, |value| {
            (i128::from(value) - i128::from(wanted)).unsigned_abs() as f64
        });
    scores.push((Target::Fault(id), 1.0 / (1.0 + distance)));
    if distance > 0.0 {
        scores.push((Target::Fault(id + 1), 1.0));
    }
    distance == 0.0
}

/// Three comparisons, the last only behind another.
pub(crate) fn run_numbers(api: &Api, plan: &Plan) -> Scores {
    let by_step = plan.steps.iter().map(|step| {
        let mut scores = vec![(Target::Status(step.operation, 200), 1.0)];
        match api.operation(step.operation).label.as_str() {
            "GET /first" => {
                branch(said(step, 0), 48_211, 10, &mut scores);
            }
            _ => {
                if branch(said(step, 0), -7_300, 20, &mut scores) {
                    branch(said(step, 1), 1_000_003, 30, &mut scores);
                }
            }
        }
        scores
    });
    Scores {
        by_step: by_step.collect(),
    }
}

/// Things must exist before others refer to them; what is deleted is gone.
pub(crate) fn run_shop(api: &Api, plan: &Plan) -> Scores {
    let mut there: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let by_step = plan.steps.iter().map(|step| {
        let operation = api.operation(step.operation);
        let kind = operation.path.segments().next().unwrap_or("").to_owned();
        let key = said(step, 0).map(|key| key.to_string()).unwrap_or_default();
        let mut scores = Vec::new();
        let parent = match kind.as_str() {
            "products" => Some("warehouses"),
            "orders" => Some("products"),
            _ => None,
        };
        let exists = there.get(&kind).is_some_and(|known| known.contains(&key));
        let status = match operation.method.as_str() {
            "POST" if exists => 409,
            "POST" => {
                let refers = said(step, 1)
                    .map(|other| other.to_string())
                    .unwrap_or_default();
                let known = |parent: &str| there.get(parent).is_some_and(|p| p.contains(&refers));
                match parent {
                    Some(parent) if !known(parent) => 404,
                    Some(_)
                        if branch(said(step, 2), 40, 100 + kind.len() as u64 * 2, &mut scores) =>
                    {
                        201
                    }
                    _ => 200,
                }
            }
            _ if !exists => 404,
            _ => 200,
        };
        let known = there.entry(kind).or_default();
        match (operation.method.as_str(), status) {
            ("POST", 200 | 201) => {
                known.insert(key);
            }
            ("DELETE", 200) => {
                known.remove(&key);
            }
            _ => {}
        }
        scores.push((Target::Status(step.operation, status), 1.0));
        scores
    });
    Scores {
        by_step: by_step.collect(),
    }
}

/// Runs a search to its end, some proposals always under way, and gives what it proposed.
pub(crate) fn search<'a>(
    api: &'a Api,
    validators: &'a Validators,
    settings: Settings,
    budget: usize,
    run: impl Fn(&Api, &Plan) -> Scores,
) -> (Evolution<'a>, Vec<Plan>) {
    const UNDER_WAY: usize = 48;
    let graph = Graph::of(api);
    let mut evolution = Evolution::new(api, validators, &graph, settings);
    let values = Values::new();
    let mut waiting: std::collections::VecDeque<Individual> = std::collections::VecDeque::new();
    let mut plans = Vec::new();
    for round in 0..budget {
        let proposed = evolution.propose(&Context {
            spent: round as f64 / budget as f64,
            values: &values,
            graph: &graph,
            allows: &|_| true,
        });
        plans.push(proposed.plan().clone());
        waiting.push_back(proposed);
        if waiting.len() > UNDER_WAY.min(budget / 20)
            && let Some(next) = waiting.pop_front()
        {
            let scores = run(api, next.plan());
            evolution.learn(next, &scores);
        }
    }
    for next in waiting {
        let scores = run(api, next.plan());
        evolution.learn(next, &scores);
    }
    (evolution, plans)
}
