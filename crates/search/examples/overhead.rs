//! What the search itself costs: microseconds a call to propose and to learn, for each strategy,
//! with ten thousand targets and a probe that names a hundred of them after every call.
//!
//! Tab-separated, one line for each strategy, or for those that are named as arguments;
//! `cargo xtask bench` makes a table of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use fossick_contract::{Api, Method};
use fossick_evolve::{Algorithm, Settings as Evolving};
use fossick_ingest::{NoFetch, Source, read};
use fossick_search::{Search, Settings, Strategy};
use fossick_trace::{Answer, Episode, Exchange, Insight, Outcome, Request, Script};
use fossick_validate::Validators;
use serde_json::{Value, json};

const TARGETS: u64 = 10_000;
const NAMED: u64 = 100;
const CALLS: usize = 40_000;

#[expect(clippy::print_stdout, reason = "figures are what it is run for")]
fn main() {
    let api = api();
    let validators = Validators::new(&api);
    let evolve = |algorithm| Evolving {
        algorithm,
        ..Evolving::default()
    };
    let strategies = [
        ("random", Some(evolve(Algorithm::Random))),
        ("mio", Some(evolve(Algorithm::Mio))),
        ("wts", Some(evolve(Algorithm::Wts))),
        ("mosa", Some(evolve(Algorithm::Mosa))),
        ("rd-mio", Some(evolve(Algorithm::Mio).with_resources())),
        ("auto", None),
    ];
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|own| own == name);
    for (name, evolving) in strategies.into_iter().filter(|(name, _)| is_wanted(name)) {
        let strategy = match evolving {
            Some(settings) => Strategy::Evolve(Box::new(settings)),
            None => Strategy::Auto,
        };
        let spent = run(&api, &validators, strategy);
        let each = |time: Duration| time.as_secs_f64() * 1e6 / spent.calls as f64;
        let (propose, learn) = (each(spent.proposing), each(spent.learning));
        let length = spent.calls as f64 / spent.plans as f64;
        println!("{name}\t{length:.1}\t{propose:.1}\t{learn:.1}");
    }
}

#[derive(Default)]
struct Spent {
    plans: usize,
    calls: usize,
    proposing: Duration,
    learning: Duration,
}

fn run(api: &Api, validators: &Validators, strategy: Strategy) -> Spent {
    let settings = Settings {
        seed: 1,
        free: true,
        strategy,
        ..Settings::default()
    };
    let mut search = Search::new(api, validators, settings);
    let mut service = Service(1);
    let mut spent = Spent::default();
    while spent.calls < CALLS {
        let began = Instant::now();
        search.spend(spent.calls as f64 / CALLS as f64);
        let proposal = search.propose().expect("there is always more to try");
        let script = Arc::new(search.render(&proposal.plan));
        spent.proposing += began.elapsed();
        let episode = service.answer(script);
        let began = Instant::now();
        search.learn(&proposal, &episode, &[]);
        spent.learning += began.elapsed();
        spent.plans += 1;
        spent.calls += episode.exchanges.len();
    }
    spent
}

/// Answers anything by a stream of numbers.
struct Service(u64);

impl Service {
    fn next(&mut self) -> u64 {
        let state = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = state.wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn answer(&mut self, script: Arc<Script>) -> Episode {
        let exchanges = script.calls.iter().map(|call| Exchange {
            request: Request {
                method: call.method,
                target: String::new(),
                headers: Vec::new(),
                body: Bytes::new(),
                user: None,
                anonymous: false,
            },
            outcome: Outcome::Answered(self.reply(call.method)),
        });
        Episode {
            exchanges: exchanges.collect(),
            inside: script.calls.iter().map(|_| self.insight()).collect(),
            removed: Vec::new(),
            script,
        }
    }

    fn reply(&mut self, method: Method) -> Answer {
        let (status, body) = match (self.next() % 3, method) {
            (0, _) => (404, json!({"detail": "there is none"})),
            (_, Method::Delete) => (204, Value::Null),
            (_, Method::Post) => (201, self.thing()),
            _ => (200, self.thing()),
        };
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let body = Bytes::from(body.to_string());
        Answer::new(status, headers, body, false, Duration::ZERO)
    }

    fn thing(&mut self) -> Value {
        json!({"id": self.next() % 1000, "title": "a title", "rank": self.next() % 10})
    }

    /// Few of the targets are ever covered: those that are open are what costs.
    fn insight(&mut self) -> Insight {
        let first = self.next();
        let near = (self.next() % 1000) as f64 / 1001.0;
        let place = |n: u64| ((first + n * 97) % TARGETS) as u32;
        Insight {
            reached: (0..NAMED).map(|n| (place(n), near)).collect(),
            ..Insight::default()
        }
    }
}

fn api() -> Api {
    let paths = [
        ("projects", "/projects"),
        ("tasks", "/projects/{projectId}/tasks"),
        ("labels", "/labels"),
        ("comments", "/projects/{projectId}/tasks/{taskId}/comments"),
    ];
    let mut all = json!({});
    for (name, path) in paths {
        all[path] =
            json!({"get": operation(name, path, false), "post": operation(name, path, true)});
        let one = format!("{path}/{{{}Id}}", name.trim_end_matches('s'));
        all[one.as_str()] = json!({
            "get": operation(name, &one, false),
            "put": operation(name, &one, true),
            "patch": operation(name, &one, true),
            "delete": operation(name, &one, false),
        });
    }
    let document = json!({
        "openapi": "3.1.0",
        "info": {"title": "overhead", "version": "1"},
        "paths": all,
    });
    let source = Source {
        name: "overhead.json".to_owned(),
        text: document.to_string(),
    };
    read(&source, &mut NoFetch).expect("is read").api
}

fn operation(name: &str, path: &str, sends: bool) -> Value {
    let integer = json!({"type": "integer", "format": "int32"});
    let holes = path.split('/').filter_map(|part| part.strip_prefix('{'));
    let holes = holes.map(|part| part.trim_end_matches('}'));
    let parameter =
        |name: &str| json!({"name": name, "in": "path", "required": true, "schema": integer});
    let parameters: Vec<Value> = holes.map(parameter).collect();
    let thing = json!({
        "type": "object",
        "required": ["title"],
        "properties": {
            "id": integer, "title": {"type": "string"}, "rank": integer, "labelId": integer,
        },
    });
    let content = json!({"application/json": {"schema": thing}});
    let mut operation = json!({
        "tags": [name],
        "parameters": parameters,
        "responses": {"200": {"description": "fine", "content": content}},
    });
    if sends {
        operation["requestBody"] = json!({"required": true, "content": content});
    }
    operation
}
