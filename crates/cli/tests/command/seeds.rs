//! Recorded calls as the beginning of a run: what only real callers know, and what deviates from
//! what they do.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use fossick_demo::{Faults, STAFF_TOKEN, serve, serve_graphql};
use fossick_harvest::{Answered, Intake, IntakeSettings, Privacy, Seen};
use fossick_store::{Access, Place, Store};
use fossick_testkit::{Fake, FakeRequest, FakeResponse, document, postgres};
use serde_json::{Value, json};

use crate::program::{Ended, Folder, run};
use crate::report::Report;

/// Takes down what goes by, as a proxy would.
struct Recorder {
    intake: Intake,
    store: Store,
}

impl Recorder {
    fn new(folder: &Folder) -> Self {
        Self::at(&folder.path("calls.db").display().to_string())
    }

    fn at(place: &str) -> Self {
        let place: Place = place.parse().expect("a path");
        Self {
            intake: Intake::new(IntakeSettings::new(Privacy::new([7; 32]))),
            store: Store::open(&place, Access::Write).expect("a store"),
        }
    }

    fn record(&mut self, call: (&str, &str, Option<&Value>), answer: (u16, &Value)) {
        let (method, target, body) = call;
        let mut seen = Seen::once(1_700_000_000_000, method, target);
        seen.client = Some("192.0.2.1".to_owned());
        if let Some(body) = body {
            seen.body = body.to_string().into_bytes();
            let json = "application/json".to_owned();
            seen.headers.push(("content-type".to_owned(), json));
        }
        let (status, said) = answer;
        seen.answer = Some(Answered {
            status,
            media_type: Some("application/json".to_owned()),
            body: Some(said.to_string().into_bytes()),
            took: Some(900),
        });
        let taken = self.intake.take(&seen);
        let added = self.store.add(&taken.sightings, &taken.flows);
        added.expect("it is stored");
    }

    /// Makes a call and takes it down. Gives the answer.
    fn pass(&mut self, at: SocketAddr, call: (&str, &str, Option<&Value>)) -> Value {
        let (status, said) = send(at, call).expect("the service answers");
        assert!((200..300).contains(&status), "{call:?}: {status} {said}");
        self.record(call, (status, &said));
        said
    }
}

fn send(at: SocketAddr, call: (&str, &str, Option<&Value>)) -> std::io::Result<(u16, Value)> {
    let (method, target, body) = call;
    let body = body.map_or(String::new(), Value::to_string);
    let head = format!(
        "{method} {target} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n\
         content-type: application/json\r\nauthorization: Bearer {STAFF_TOKEN}\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(at)?;
    stream.write_all(head.as_bytes())?;
    let mut heard = String::new();
    stream.read_to_string(&mut heard)?;
    let (head, body) = heard.split_once("\r\n\r\n").unwrap_or_default();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    let said = serde_json::from_str(body).unwrap_or(Value::Null);
    Ok((status.unwrap_or(0), said))
}

/// A price is told to those only who know a voucher; no answer, example or message names one.
fn counter() -> String {
    let text = json!({"type": "string"});
    let answers = json!({"200": {"description": "a price"}, "404": {"description": "unknown"}});
    document(json!({
        "/prices/{voucher}": {"get": {"responses": answers, "parameters":
            [{"name": "voucher", "in": "path", "required": true, "schema": text}]}},
        "/open": {"get": {"responses": answers}},
        "/orders": {"post": {"responses": answers, "requestBody": {"required": true, "content":
            {"application/json": {"schema": {"type": "object", "required": ["voucher", "pieces"],
                "properties": {"voucher": text, "pieces": {"type": "integer"}}}}}}}},
    }))
}

fn price(request: &FakeRequest) -> FakeResponse {
    match request.segments().as_slice() {
        ["prices", "XK-WINTER-77"] => FakeResponse::json(200, json!({"price": 3})),
        ["open"] => FakeResponse::json(200, json!({})),
        // Whoever knows a voucher is believed the rest, which is a fault.
        ["orders"] if voucher(request).as_deref() == Some("XK-WINTER-77") => {
            FakeResponse::json(200, json!({}))
        }
        _ => FakeResponse::json(404, json!({"no": "such voucher"})),
    }
}

fn voucher(request: &FakeRequest) -> Option<String> {
    let body = request.json()?;
    body["voucher"].as_str().map(str::to_owned)
}

fn priced(folder: &Folder, fake: &Fake, more: &[&str]) -> (Ended, Report) {
    let url = fake.url();
    let mut arguments = vec!["test", "openapi.json", "--url", &url, "--seed", "5"];
    arguments.extend(["--requests", "150", "--report", "json=report.json"]);
    arguments.extend(more);
    let ended = run(folder, &arguments);
    assert!(ended.code < 2, "{}", ended.stderr);
    (ended, Report::read(folder, "report.json"))
}

fn succeeded(report: &Report, id: &str) -> u64 {
    let statuses = &report.operation(id)["statuses"];
    assert!(statuses.is_object(), "{id} was called");
    statuses["2xx"].as_u64().unwrap_or_default()
}

const PRICES: &str = "GET /prices/{voucher}";

#[test]
fn what_only_traffic_knows_works_at_the_first_call_and_not_at_all_without() {
    let folder = Folder::new();
    folder.write("openapi.json", &counter());
    let fake = Fake::start(price);
    let (_, without) = priced(&folder, &fake, &[]);
    assert_eq!(succeeded(&without, PRICES), 0);

    let mut recorder = Recorder::new(&folder);
    for _ in 0..3 {
        let call = ("GET", "/prices/XK-WINTER-77", None);
        recorder.record(call, (200, &json!({"price": 3})));
    }
    recorder.record(("GET", "/elsewhere", None), (200, &json!({})));
    drop(recorder);
    let fake = Fake::start(price);
    let (ended, with) = priced(&folder, &fake, &["--harvest", "calls.db"]);
    let told = "1 recorded call fits the schema, 1 does not: GET /elsewhere \
                (the document has no operation for it)";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    assert!(with.notes().contains(&told), "{:?}", with.notes());
    assert!(succeeded(&with, PRICES) > 5, "{}", with.operation(PRICES));
    let lines: Vec<String> = fake.requests().iter().map(FakeRequest::line).collect();
    let wanted = "GET /prices/XK-WINTER-77".to_owned();
    assert!(
        lines.iter().take(3).any(|line| *line == wanted),
        "{lines:?}"
    );

    // The same by configuration.
    folder.write("fossick.toml", "[harvest]\nstore = \"calls.db\"\n");
    let (_, configured) = priced(&folder, &Fake::start(price), &[]);
    assert!(succeeded(&configured, PRICES) > 5);
}

#[test]
fn a_fault_behind_a_recorded_value_is_found_by_deviating_from_the_call() {
    let folder = Folder::new();
    folder.write("openapi.json", &counter());
    let (_, without) = priced(&folder, &Fake::start(price), &[]);
    assert!(!without.shows("F206", "POST /orders"));

    let mut recorder = Recorder::new(&folder);
    let order = json!({"voucher": "XK-WINTER-77", "pieces": 2});
    recorder.record(("POST", "/orders", Some(&order)), (200, &json!({})));
    drop(recorder);
    let (_, with) = priced(&folder, &Fake::start(price), &["--harvest", "calls.db"]);
    assert!(with.shows("F206", "POST /orders"), "{:#?}", with.lines());
}

#[test]
fn a_store_in_postgresql_is_as_good() {
    let Some(server) = postgres::server() else {
        return;
    };
    let folder = Folder::new();
    folder.write("openapi.json", &counter());
    let store = server.database();
    let call = ("GET", "/prices/XK-WINTER-77", None);
    Recorder::at(&store).record(call, (200, &json!({"price": 3})));
    let (ended, report) = priced(&folder, &Fake::start(price), &["--harvest", &store]);
    assert!(succeeded(&report, PRICES) > 5, "{}", ended.stderr);
}

#[test]
fn a_store_that_cannot_be_read_is_told_before_anything_is_called() {
    let folder = Folder::new();
    folder.write("openapi.json", &counter());
    folder.write(
        "notes.txt",
        "no store, but a text of some length that nobody wants to lose",
    );
    let fake = Fake::start(price);
    let url = fake.url();
    for (store, words) in [
        ("missing.db", "there is no store at missing.db"),
        ("notes.txt", "notes.txt is not a store of fossick"),
        (
            "mysql://a/b",
            "give a path, or postgres://user@host/database",
        ),
    ] {
        let ended = run(
            &folder,
            &["test", "openapi.json", "--url", &url, "--harvest", store],
        );
        assert_eq!(ended.code, 2, "{ended:?}");
        assert!(
            ended.stderr.contains(words),
            "`{words}` in: {}",
            ended.stderr
        );
    }
    assert_eq!(fake.requests().len(), 0);
}

/// Somebody's day at the desk of the demo.
fn a_day_at_the_shed(recorder: &mut Recorder, at: SocketAddr) {
    let tool = json!({"name": "Rip saw", "code": "RS-0042", "category": "hand"});
    let made = recorder.pass(at, ("POST", "/tools", Some(&tool)));
    let of_tool = format!("/tools/{}", made["id"].to_string().trim_matches('"'));
    recorder.pass(at, ("GET", &of_tool, None));
    recorder.pass(at, ("GET", "/tools?limit=5", None));
    let repair = json!({"note": "new teeth", "hours": 1.5});
    recorder.pass(at, ("POST", &format!("{of_tool}/repairs"), Some(&repair)));
    let member = json!({"name": "Ada", "email": "ada@example.org", "pin": "1234"});
    recorder.pass(at, ("POST", "/members", Some(&member)));
}

#[test]
fn recorded_calls_of_the_corrected_demo_raise_no_alarm() {
    let folder = Folder::new();
    let twin = serve(Faults::None, 0).expect("a free port");
    a_day_at_the_shed(&mut Recorder::new(&folder), twin.address);
    let url = format!("{}/openapi.json", twin.url());
    let header = format!("Authorization: Bearer {STAFF_TOKEN}");
    let mut arguments = vec!["test", &url, "--seed", "3", "--requests", "2500"];
    arguments.extend([
        "--time",
        "20s",
        "--header",
        &header,
        "--harvest",
        "calls.db",
    ]);
    arguments.extend(["--report", "json=report.json"]);
    let ended = run(&folder, &arguments);
    assert!(
        ended
            .stderr
            .contains("5 recorded calls fit the schema, 0 do not"),
        "{}",
        ended.stderr
    );
    let report = Report::read(&folder, "report.json");
    assert_eq!(report.alarms(), Vec::<String>::new());
    let graph = folder.read(".fossick/3/graph.json");
    assert!(
        graph.contains("seen in traffic"),
        "the graph tells of traffic"
    );
}

#[test]
fn recorded_queries_of_the_corrected_demo_raise_no_alarm() {
    let folder = Folder::new();
    let twin = serve_graphql(Faults::None, 0).expect("a free port");
    let mut recorder = Recorder::new(&folder);
    let texts = [
        "{ varieties(first: 3, habit: ANNUAL) { id name } latest { __typename name ... on Lot { id } } }",
        "{ lots(first: 2) { __typename } search(text: \"a\") { __typename } }",
    ];
    for text in texts {
        let body = json!({"query": text});
        recorder.pass(twin.address, ("POST", "/graphql", Some(&body)));
    }
    drop(recorder);
    let url = format!("{}/graphql", twin.url());
    let mut arguments = vec![
        "test",
        &url,
        "--seed",
        "3",
        "--requests",
        "2500",
        "--time",
        "20s",
    ];
    arguments.extend(["--harvest", "calls.db", "--report", "json=report.json"]);
    let ended = run(&folder, &arguments);
    assert!(
        ended
            .stderr
            .contains("4 recorded calls fit the schema, 0 do not"),
        "{}",
        ended.stderr
    );
    assert_eq!(
        Report::read(&folder, "report.json").alarms(),
        Vec::<String>::new()
    );
}

#[test]
fn the_graph_of_a_document_shows_what_traffic_did() {
    let folder = Folder::new();
    let twin = serve(Faults::None, 0).expect("a free port");
    folder.write("openapi.json", fossick_demo::document());
    a_day_at_the_shed(&mut Recorder::new(&folder), twin.address);
    let arguments = [
        "graph",
        "openapi.json",
        "--harvest",
        "calls.db",
        "--format",
        "json",
    ];
    let ended = run(&folder, &arguments);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(
        ended
            .stdout
            .contains("seen in traffic: Tool.id of POST /tools"),
        "{}",
        ended.stdout
    );
}
