//! A workshop with projects and tasks: a service in memory, as a function of its state and one
//! request.
//!
//! It keeps what the document promises. Some projects stand there from the beginning and belong
//! to somebody else.

use std::collections::BTreeMap;

use fossick_contract::Method;
use fossick_trace::Request;
use serde_json::{Map, Value, json};

/// The document of [`Workshop`].
pub(crate) fn document() -> Value {
    let content = |schema: Value| json!({"application/json": {"schema": schema}});
    let shape = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let answers = |statuses: &[&str]| {
        let answer = |status: &&str| ((*status).to_owned(), json!({"description": ""}));
        Value::Object(statuses.iter().map(answer).collect::<Map<_, _>>())
    };
    let gives = |name: &str| {
        let mut told = answers(&["200", "400", "404"]);
        told["200"]["content"] = content(shape(name));
        json!({ "responses": told })
    };
    let takes = |body: &str, name: &str| {
        let mut told = gives(name);
        told["requestBody"] = json!({"required": true, "content": content(shape(body))});
        told
    };
    let many = |name: &str| json!({"type": "array", "items": shape(name)});
    let lists = |name: &str| {
        let mut told = answers(&["200", "400"]);
        told["200"]["content"] = content(many(name));
        json!({ "responses": told })
    };
    let hole = |name: &str| json!({"name": name, "in": "path", "required": true, "schema": {"type": "integer"}});
    let mut projects = lists("Project");
    projects["parameters"] = json!([{"name": "limit", "in": "query",
        "schema": {"type": "integer", "minimum": 1, "maximum": 100}}]);
    let remove = json!({"responses": answers(&["204", "404"])});
    json!({
        "/projects": {"post": takes("NewProject", "Project"), "get": projects},
        "/projects/{project_id}": {
            "parameters": [hole("project_id")],
            "get": gives("Project"),
            "put": takes("NewProject", "Project"),
            "patch": takes("Change", "Project"),
            "delete": remove,
        },
        "/projects/{project_id}/tasks": {
            "parameters": [hole("project_id")],
            "post": takes("NewTask", "Task"),
            "get": lists("Task"),
        },
        "/projects/{project_id}/tasks/{task_id}": {
            "parameters": [hole("project_id"), hole("task_id")],
            "get": gives("Task"),
            "delete": remove,
        },
        "/ghosts/{ghost_id}": {"parameters": [hole("ghost_id")], "get": gives("Task")},
        "/logout": {"post": remove},
    })
}

pub(crate) fn schemas() -> Value {
    let text = json!({"type": "string", "minLength": 1, "maxLength": 40});
    let size = json!({"type": "integer", "minimum": 1, "maximum": 100});
    let kind = json!({"type": "string", "enum": ["small", "large"]});
    let id = json!({"type": "integer"});
    let object = |required: Value, properties: Value| json!({"type": "object", "required": required, "properties": properties});
    json!({
        "NewProject": object(json!(["name", "size"]), json!({"name": text, "size": size, "kind": kind})),
        "Change": object(json!([]), json!({"name": text, "size": size})),
        "Project": object(json!(["id"]), json!({"id": id, "name": text, "size": size, "kind": kind})),
        "NewTask": object(json!(["title"]), json!({"title": text})),
        "Task": object(json!(["id"]), json!({"id": id, "title": text, "project_id": id})),
    })
}

#[derive(Debug, Default)]
pub(crate) struct Workshop {
    things: BTreeMap<String, Value>,
    last: u64,
    /// Names of projects may be used once only.
    pub(crate) unique_names: bool,
}

/// A status and an answer; `null` is none.
pub(crate) type Reply = (u16, Value);

impl Workshop {
    /// With three projects of somebody else's.
    pub(crate) fn new() -> Self {
        let mut workshop = Self::default();
        for name in ["theirs", "hers", "his"] {
            workshop.create("/projects", json!({"name": name, "size": 1}));
        }
        workshop
    }

    pub(crate) fn foreign(&self) -> Vec<&Value> {
        (1..=3)
            .filter_map(|id| self.things.get(&format!("/projects/{id}")))
            .collect()
    }

    pub(crate) fn answer(&mut self, request: &Request) -> Reply {
        let target = request.target.as_str();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let body = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        match (request.method, parts.as_slice()) {
            (Method::Post, ["projects"]) => self.create_project(&body),
            (Method::Get, ["projects"]) => self.list(path, query),
            (Method::Post, ["projects", id, "tasks"]) => self.create_task(id, path, &body),
            (Method::Get, ["projects", id, "tasks"]) if self.there(&format!("/projects/{id}")) => {
                self.list(path, query)
            }
            (Method::Get, ["projects", ..]) => match self.things.get(path) {
                Some(thing) => (200, thing.clone()),
                None => missing(),
            },
            (Method::Put | Method::Patch, ["projects", _]) => {
                self.change(request.method, path, &body)
            }
            (Method::Delete, ["projects", _] | ["projects", _, "tasks", _]) => self.remove(path),
            (Method::Post, ["logout"]) | (Method::Options, _) => (204, Value::Null),
            _ => missing(),
        }
    }

    fn there(&self, path: &str) -> bool {
        self.things.contains_key(path)
    }

    fn create(&mut self, collection: &str, mut thing: Value) -> Value {
        self.last += 1;
        thing["id"] = json!(self.last);
        let path = format!("{collection}/{}", self.last);
        self.things.insert(path, thing.clone());
        thing
    }

    fn create_project(&mut self, body: &Value) -> Reply {
        if !is_project(body) {
            return refuse();
        }
        let taken = |thing: &Value| thing["name"] == body["name"];
        if self.unique_names && self.things.values().any(taken) {
            return (409, json!({"detail": "the name is taken"}));
        }
        (201, self.create("/projects", body.clone()))
    }

    fn create_task(&mut self, project: &str, path: &str, body: &Value) -> Reply {
        if !self.there(&format!("/projects/{project}")) {
            return missing();
        }
        if !is_text(&body["title"]) {
            return refuse();
        }
        let mut task = body.clone();
        task["project_id"] = json!(project.parse::<u64>().unwrap_or_default());
        (201, self.create(path, task))
    }

    fn list(&self, path: &str, query: &str) -> Reply {
        let limit = match query.strip_prefix("limit=") {
            Some(text) => text.parse().ok().filter(|n| (1..=100).contains(n)),
            None => Some(100),
        };
        let Some(limit) = limit else {
            return refuse();
        };
        let inside = |(key, _): &(&String, &Value)| {
            key.strip_prefix(path)
                .and_then(|rest| rest.strip_prefix('/'))
                .is_some_and(|rest| !rest.contains('/'))
        };
        let items = self.things.iter().filter(inside);
        (
            200,
            items.take(limit).map(|(_, thing)| thing.clone()).collect(),
        )
    }

    fn change(&mut self, method: Method, path: &str, body: &Value) -> Reply {
        let fits = match method {
            Method::Put => is_project(body),
            _ => is_change(body),
        };
        match (self.things.get_mut(path), fits) {
            (None, _) => missing(),
            (Some(_), false) => refuse(),
            (Some(thing), true) => {
                for (key, value) in body.as_object().into_iter().flatten() {
                    thing[key] = value.clone();
                }
                (200, thing.clone())
            }
        }
    }

    fn remove(&mut self, path: &str) -> Reply {
        if self.things.remove(path).is_none() {
            return missing();
        }
        let below = format!("{path}/");
        self.things.retain(|key, _| !key.starts_with(&below));
        (204, Value::Null)
    }
}

fn is_text(value: &Value) -> bool {
    let length = value.as_str().map(|text| text.chars().count());
    length.is_some_and(|length| (1..=40).contains(&length))
}

fn is_size(value: &Value) -> bool {
    let whole = value.as_f64().filter(|n| n.fract() == 0.0);
    whole.is_some_and(|n| (1.0..=100.0).contains(&n))
}

fn is_project(body: &Value) -> bool {
    let kind = body.get("kind");
    is_text(&body["name"])
        && is_size(&body["size"])
        && kind.is_none_or(|kind| kind == "small" || kind == "large")
}

fn is_change(body: &Value) -> bool {
    body.is_object() && body.get("name").is_none_or(is_text) && body.get("size").is_none_or(is_size)
}

pub(crate) fn missing() -> Reply {
    (404, json!({"detail": "not found"}))
}

pub(crate) fn refuse() -> Reply {
    (400, json!({"detail": "not valid"}))
}
