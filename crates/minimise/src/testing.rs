//! A small contract, plans by hand, and a service made up for the test.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use fossick_contract::{Api, Method, OperationIndex};
use fossick_genes::{Field, Gene, Source as From};
use fossick_ingest::{NoFetch, Source, read};
use fossick_oracles::Judge;
use fossick_plan::{Bind, BodyValue, Plan, Spot, Step};
use fossick_testkit::document;
use fossick_trace::{Answer, Episode, Exchange, Finding, Outcome, Request, Role, Take, Target};
use fossick_validate::Validators;
use serde_json::{Value, json};

use crate::candidate::Candidate;
use crate::context::{Context, Settings};
use crate::trial::Trial;

pub(crate) const MAKE: &str = "POST /tools";
pub(crate) const LIST: &str = "GET /tools";
pub(crate) const GET: &str = "GET /tools/{id}";
pub(crate) const DELETE: &str = "DELETE /tools/{id}";
pub(crate) const LOANS: &str = "GET /loans";

/// What a test stands on. It is never given back: tests are short.
pub(crate) struct Desk {
    pub(crate) api: &'static Api,
    pub(crate) validators: &'static Validators,
    pub(crate) judge: &'static Judge<'static>,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let source = Source {
            name: "openapi.json".to_owned(),
            text: shed(),
        };
        let api = read(&source, &mut NoFetch).expect("it can be read").api;
        let api: &Api = Box::leak(Box::new(api));
        let validators: &Validators = Box::leak(Box::new(Validators::new(api)));
        Self {
            api,
            validators,
            judge: Box::leak(Box::new(Judge::new(api, validators))),
        }
    }

    /// A service that can't be brought back to where it was.
    pub(crate) fn context(&self) -> Context<'static> {
        self.context_with(Settings::default())
    }

    /// One that can.
    pub(crate) fn resetting(&self) -> Context<'static> {
        self.context_with(Settings {
            resets: true,
            ..Settings::default()
        })
    }

    fn context_with(&self, settings: Settings) -> Context<'static> {
        Context::new(
            self.api,
            self.validators,
            self.judge,
            settings,
            Vec::new(),
            None,
        )
    }
}

fn shed() -> String {
    let tool = json!({"type": "object", "required": ["id", "name"], "properties": {
        "id": {"type": "integer"}, "name": {"type": "string"}, "note": {"type": "string"}}});
    let answer = |schema: &Value| json!({"description": "x", "content": {"application/json": {"schema": schema}}});
    let text = |name: &str| json!({"name": name, "in": "query", "schema": {"type": "string"}});
    let id = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}});
    let gone = json!({"description": "none"});
    let body = json!({"required": true, "content": {"application/json": {"schema": {
        "type": "object", "required": ["name"], "properties": {
            "name": {"type": "string"}, "note": {"type": "string"}}}}}});
    let list = json!({"type": "array", "items": tool});
    document(json!({
        "/tools": {
            "post": {"requestBody": body, "responses": {"201": answer(&tool)}},
            "get": {"responses": {"200": answer(&list)}},
        },
        "/tools/{id}": {
            "get": {"parameters": [id, text("lang")],
                "responses": {"200": answer(&tool), "404": gone}},
            "delete": {"parameters": [id], "responses": {"204": gone, "404": gone}},
        },
        "/loans": {"get": {"parameters": [text("of")], "responses": {"200": answer(&list)}}},
    }))
}

impl Context<'_> {
    pub(crate) fn index(&self, label: &str) -> OperationIndex {
        self.api.find(label).expect("an operation of the shed")
    }

    pub(crate) fn status(&self, label: &str, status: u16) -> Target {
        Target::Status(self.index(label), status)
    }

    fn step(&self, label: &str) -> Step {
        let index = self.index(label);
        Step::new(index, self.api.operation(index).parameters.len())
    }

    /// Makes a tool that a later step needs.
    pub(crate) fn make(&self, name: &str, note: Option<&str>) -> Step {
        let field = |name: &str, value: &str| Field {
            name: name.into(),
            gene: Gene::literal(json!(value), From::Named),
        };
        let mut fields = vec![field("name", name)];
        fields.extend(note.map(|note| field("note", note)));
        Step {
            body: Some(BodyValue {
                content: 0,
                gene: Gene::Object(fields),
            }),
            role: Role::Setup,
            ..self.step(MAKE)
        }
    }

    /// A call without arguments.
    pub(crate) fn plain(&self, label: &str) -> Step {
        self.step(label)
    }

    /// A call about the tool of this number.
    pub(crate) fn about(&self, label: &str, id: u64) -> Step {
        let mut step = self.step(label);
        step.put(0, Some(Gene::literal(json!(id), From::Random)));
        step
    }

    /// A call about the tool that an earlier step made.
    pub(crate) fn of_made(&self, label: &str, made: usize) -> Step {
        let mut step = self.step(label);
        step.binds.push(Bind {
            spot: Spot::Parameter(0),
            step: made,
            take: Take::Pointer("/id".to_owned()),
        });
        step
    }

    /// A test of these steps that is yet to be seen.
    pub(crate) fn test(&self, steps: Vec<Step>) -> Candidate {
        self.candidate(Arc::new(Plan { steps }))
    }

    /// One that works and is there for some statuses of its operations.
    pub(crate) fn chosen(&self, steps: Vec<Step>, reaches: &[(&str, u16)]) -> Candidate {
        let targets = reaches
            .iter()
            .map(|(label, code)| self.status(label, *code));
        let mut test = self.test(steps);
        test.targets = targets.collect();
        test.targets.sort();
        test.reached_once.clone_from(&test.targets);
        test.works = true;
        test
    }

    /// The finding of a code that an episode of a test shows.
    pub(crate) fn finding(&self, code: &str, test: &Candidate, service: &mut Shed) -> Finding {
        let episode = service.run(&Trial::as_left(&test.script));
        let found = self.judge.judge(&episode);
        let found = found.into_iter().find(|finding| finding.code == code);
        found.expect("the finding shows")
    }
}

/// With a value for its last parameter.
pub(crate) fn with_last(mut step: Step, value: &str) -> Step {
    let last = step.arguments.len() - 1;
    step.put(last, Some(Gene::literal(json!(value), From::Random)));
    step
}

/// With a value for a parameter that an earlier answer told.
pub(crate) fn borrowing(mut step: Step, at: usize, value: Value) -> Step {
    step.put(at, Some(Gene::literal(value, From::Seen)));
    step
}

type Reply = (u16, Value);
type Quirk = Box<dyn FnMut(&Request, usize) -> Option<Reply>>;

/// A service with a memory: tools are made, read, listed and removed.
pub(crate) struct Shed {
    tools: BTreeMap<u64, Value>,
    made: u64,
    stock: u64,
    quirk: Quirk,
    resets: bool,
    calls: usize,
    runs: u64,
    /// Everything that was asked of it, in words: `anew GET /tools`.
    pub(crate) log: Vec<String>,
}

impl Shed {
    pub(crate) fn new() -> Self {
        Self::with(|_, _| None)
    }

    /// One that answers some requests in its own way; it is told how many came before.
    pub(crate) fn with(quirk: impl FnMut(&Request, usize) -> Option<Reply> + 'static) -> Self {
        Self {
            tools: BTreeMap::new(),
            made: 0,
            stock: 0,
            quirk: Box::new(quirk),
            resets: false,
            calls: 0,
            runs: 0,
            log: Vec::new(),
        }
    }

    /// The same, and it begins anew when told to.
    pub(crate) fn resetting(self) -> Self {
        Self {
            resets: true,
            ..self
        }
    }

    /// So many tools were made by somebody else.
    pub(crate) fn holding(mut self, tools: u64) -> Self {
        self.make_some(tools);
        self
    }

    /// So many tools are there whenever it begins.
    pub(crate) fn stocked(mut self, tools: u64) -> Self {
        self.stock = tools;
        self.holding(tools)
    }

    fn make_some(&mut self, tools: u64) {
        for _ in 0..tools {
            self.make(&json!({"name": format!("old {}", self.made)}));
        }
    }

    /// Runs a script as the campaign does: with names of its own, until a set-up fails.
    pub(crate) fn run(&mut self, trial: &Trial) -> Episode {
        if trial.anew && self.resets {
            self.tools.clear();
            self.made = 0;
            self.make_some(self.stock);
        }
        self.runs += 1;
        let mut episode = Episode {
            script: Arc::new(trial.script.renamed(self.runs)),
            exchanges: Vec::new(),
            inside: Vec::new(),
            removed: Vec::new(),
        };
        self.note(trial);
        for call in &Arc::clone(&episode.script).calls {
            let Some(request) = episode.request(call) else {
                break;
            };
            let outcome = Outcome::Answered(self.answer(&request));
            let failed = !outcome.is_success();
            episode.exchanges.push(Exchange { request, outcome });
            if failed && call.role == Role::Setup {
                break;
            }
        }
        episode
    }

    fn note(&mut self, trial: &Trial) {
        let how = if trial.anew { "anew" } else { "as left" };
        let calls = trial.script.calls.iter();
        let labels: Vec<&str> = calls.map(|call| &*call.operation).collect();
        self.log.push(format!("{how}: {}", labels.join(", ")));
    }

    fn answer(&mut self, request: &Request) -> Answer {
        let quirk = (self.quirk)(request, self.calls);
        self.calls += 1;
        let (status, body) = quirk.unwrap_or_else(|| self.reply(request));
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let body = match body {
            Value::Null => Bytes::new(),
            body => Bytes::from(body.to_string()),
        };
        Answer::new(status, headers, body, false, Duration::ZERO)
    }

    fn reply(&mut self, request: &Request) -> Reply {
        let path = request.target.split('?').next().unwrap_or_default();
        let id = path.rsplit('/').next().and_then(|id| id.parse().ok());
        match (request.method, id) {
            (Method::Post, None) => self.make(&body(request)),
            (Method::Get, None) => (200, self.tools.values().cloned().collect()),
            (Method::Get, Some(id)) => match self.tools.get(&id) {
                Some(tool) => (200, tool.clone()),
                None => (404, Value::Null),
            },
            (Method::Delete, Some(id)) => match self.tools.remove(&id) {
                Some(_) => (204, Value::Null),
                None => (404, Value::Null),
            },
            _ => (405, Value::Null),
        }
    }

    fn make(&mut self, wanted: &Value) -> Reply {
        let taken = |tool: &Value| tool["name"] == wanted["name"];
        if self.tools.values().any(taken) {
            return (409, Value::Null);
        }
        self.made += 1;
        let mut tool = wanted.clone();
        tool["id"] = json!(self.made);
        self.tools.insert(self.made, tool.clone());
        (201, tool)
    }
}

/// An answer that fails over an item of a list.
pub(crate) fn over_an_item() -> Value {
    json!({"errors": [{"message": "no", "path": ["loans", 0, "tool"]}]})
}

/// The body of a request as JSON.
pub(crate) fn body(request: &Request) -> Value {
    serde_json::from_slice(&request.body).unwrap_or_default()
}

/// The calls of a test, by their labels.
pub(crate) fn labels(test: &Candidate) -> Vec<&str> {
    let calls = test.script.calls.iter();
    calls.map(|call| &*call.operation).collect()
}

/// Where a test's calls go, holes shown as `{}`.
pub(crate) fn paths(test: &Candidate) -> Vec<String> {
    use fossick_trace::Part;
    let shown = |part: &Part| match part {
        Part::Fixed(text) => text.clone(),
        Part::Captured(_) => "{}".to_owned(),
    };
    let calls = test.script.calls.iter();
    calls
        .map(|call| call.target.0.iter().map(shown).collect())
        .collect()
}
