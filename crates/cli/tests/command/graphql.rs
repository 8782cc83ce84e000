//! GraphQL services: how a schema is got at, what is told where that fails, and a whole run.

use fossick_demo::{Faults, graphql_schema, serve_graphql};
use fossick_testkit::{Fake, FakeRequest, FakeResponse};
use serde_json::{Value, json};

use crate::program::{Ended, Folder, run, run_with_input};
use crate::report::Report;

/// A schema of one query, as old servers tell it.
fn told_schema() -> Value {
    let text = json!({"kind": "SCALAR", "name": "String"});
    let field = json!({"name": "ping", "args": [], "type": text, "isDeprecated": false});
    json!({"data": {"__schema": {
        "queryType": {"name": "Query"},
        "types": [
            {"kind": "OBJECT", "name": "Query", "fields": [field], "interfaces": []},
            {"kind": "SCALAR", "name": "String"},
        ],
    }}})
}

fn query(request: &FakeRequest) -> String {
    let body = request.json().unwrap_or_default();
    body["query"].as_str().unwrap_or_default().to_owned()
}

/// A service that answers its only question, whatever is asked beside it.
fn pong(_: &FakeRequest) -> FakeResponse {
    FakeResponse::json(200, json!({"data": {"ping": "pong"}}))
}

fn errors(message: &str) -> FakeResponse {
    FakeResponse::json(200, json!({"errors": [{"message": message}]}))
}

fn assert_complains(ended: &Ended, code: i32, words: &[&str]) {
    assert_eq!(ended.code, code, "{ended:?}");
    for word in words {
        assert!(ended.stderr.contains(word), "`{word}` in: {}", ended.stderr);
    }
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
}

#[test]
fn a_service_that_refuses_introspection_is_quoted_and_the_way_out_told() {
    let fake = Fake::start(|_| errors("Introspection is off, says the boss."));
    let url = format!("{}/graphql", fake.url());
    for command in ["test", "inspect"] {
        let ended = run(&Folder::new(), &[command, &url]);
        let way_out = format!("fossick test schema.graphql --url {url}");
        let words = ["Introspection is off, says the boss.", &way_out, "--header"];
        assert_complains(&ended, 2, &words);
    }
}

#[test]
fn a_service_that_wants_to_know_who_asks_is_told() {
    let fake = Fake::start(|request| match request.header("authorization") {
        Some("Bearer sesame") => FakeResponse::json(200, told_schema()),
        _ => FakeResponse::json(401, json!({"errors": [{"message": "Who are you?"}]})),
    });
    let url = format!("{}/graphql", fake.url());
    let ended = run(&Folder::new(), &["inspect", &url]);
    assert_complains(&ended, 2, &["answered 401", "Who are you?", "--header"]);
    let header = ["inspect", &url, "--header", "Authorization: Bearer sesame"];
    assert_eq!(run(&Folder::new(), &header).code, 0);
    let mut bearer = vec!["test", &url, "--bearer", "sesame", "--requests", "5"];
    bearer.extend(["--include", "nothing"]);
    let ended = run(&Folder::new(), &bearer);
    assert_complains(&ended, 2, &["no operation is left"]);
}

#[test]
fn credentials_do_not_go_where_only_the_schema_is() {
    let fake = Fake::start(|_| FakeResponse::status(404));
    let schema = format!("{}/graphql", fake.url());
    let other = "http://127.0.0.1:9/graphql";
    let mut arguments = vec!["test", &schema, "--bearer", "sesame-open"];
    run(&Folder::new(), &arguments);
    let told = |fake: &Fake| {
        let requests = fake.requests();
        let with = requests
            .iter()
            .filter(|r| r.header("authorization").is_some());
        with.count()
    };
    let before = told(&fake);
    assert!(before > 0, "the service under test is asked as itself");
    arguments.extend(["--url", other]);
    run(&Folder::new(), &arguments);
    assert_eq!(told(&fake), before);
}

#[test]
fn an_old_server_is_asked_in_its_own_terms() {
    let fake = Fake::start(|request| {
        let query = query(request);
        for word in ["specifiedByURL", "isRepeatable", "subscriptionType"] {
            if query.contains(word) {
                return errors(&format!(
                    "Cannot query field \"{word}\" on type \"__Type\"."
                ));
            }
        }
        FakeResponse::json(200, told_schema())
    });
    let url = format!("{}/graphql", fake.url());
    let ended = run(&Folder::new(), &["inspect", &url]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(
        ended.stdout.contains("  query ping: String\n"),
        "{}",
        ended.stdout
    );
    let requests = fake.requests();
    assert!((2..=3).contains(&requests.len()), "{requests:?}");
    assert!(
        requests.iter().all(|r| r.line() == "POST /graphql"),
        "{requests:?}"
    );
}

#[test]
fn a_page_at_the_endpoint_is_recognised() {
    let page = "<!DOCTYPE html><html><body>GraphiQL</body></html>";
    let fake = Fake::start(move |_| FakeResponse::bytes(200, "text/html", page));
    let url = format!("{}/graphql", fake.url());
    let ended = run(&Folder::new(), &["test", &url]);
    assert_complains(
        &ended,
        2,
        &["neither a GraphQL service", "HTML", "nor an OpenAPI"],
    );
}

#[test]
fn an_endpoint_with_another_name_is_found_out() {
    let fake = Fake::start(|request| match request.method.as_str() {
        "POST" => FakeResponse::json(200, told_schema()),
        _ => FakeResponse::text(400, "Must provide query string."),
    });
    let url = format!("{}/api", fake.url());
    let ended = run(&Folder::new(), &["inspect", &url]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(
        ended.stdout.contains("  query ping: String\n"),
        "{}",
        ended.stdout
    );
}

#[test]
fn an_openapi_document_behind_the_name_of_an_endpoint_is_read_all_the_same() {
    let fake = Fake::start(|request| match request.method.as_str() {
        "GET" => FakeResponse::bytes(200, "application/json", fossick_testkit::pure_document()),
        _ => FakeResponse::status(405),
    });
    let url = format!("{}/query", fake.url());
    let ended = run(&Folder::new(), &["inspect", &url]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("(OpenAPI 3.1)"), "{}", ended.stdout);
}

#[test]
fn an_endpoint_that_is_not_there_has_the_exit_code_of_the_unreachable() {
    let ended = run(&Folder::new(), &["test", "http://127.0.0.1:9/graphql"]);
    let words = [
        "nothing answers at http://127.0.0.1:9/graphql",
        "is the service running?",
    ];
    assert_complains(&ended, 3, &words);
    let folder = Folder::new();
    folder.write("schema.graphql", "type Query { ping: String }");
    let url = "http://127.0.0.1:9/graphql";
    let ended = run(&folder, &["test", "schema.graphql", "--url", url]);
    assert_complains(&ended, 3, &words);
}

/// A schema in three files, one of them in a folder below.
fn split() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("schema/more")).expect("the folder can be written");
    folder.write("schema/a.graphql", "type Query { ping: String }\n");
    folder.write(
        "schema/more/b.graphqls",
        "extend type Query { book(id: ID!): Book }\n",
    );
    folder.write(
        "schema/more/c.gql",
        "type Book { id: ID!, title: String! }\n",
    );
    folder.write("schema/README.md", "no schema\n");
    folder
}

#[test]
fn a_schema_may_lie_in_several_files_or_a_folder() {
    let folder = split();
    let files = [
        "inspect",
        "schema/a.graphql",
        "schema/more/b.graphqls",
        "schema/more/c.gql",
    ];
    for arguments in [&files[..], &["inspect", "schema"]] {
        let ended = run(&folder, arguments);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        for line in [
            "2 queries, 0 mutations, ",
            "4 pairs of type and field",
            "  query ping: String\n",
            "  query book(id: ID!): Book\n",
        ] {
            assert!(ended.stdout.contains(line), "{line}\n{}", ended.stdout);
        }
    }
}

#[test]
fn a_run_over_several_files_can_be_replayed() {
    let folder = split();
    let fake = Fake::start(|request| match query(request) {
        query if query.contains("book") => FakeResponse::text(500, "Traceback: oh"),
        _ => pong(request),
    });
    let url = format!("{}/graphql", fake.url());
    let mut arguments = vec!["test", "schema", "--url", &url, "--seed", "3"];
    arguments.extend(["--requests", "100", "--report", "json=report.json"]);
    let ended = run(&folder, &arguments);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    let report = Report::read(&folder, "report.json");
    assert!(report.shows("F101", "query book"), "{:#?}", report.lines());
    assert!(fake.requests().iter().all(|r| r.path == "/graphql"));
    let findings = folder.findings("3");
    for finding in &findings {
        let path = finding.display().to_string();
        let again = run(&folder, &["replay", &path]);
        let told = run(&folder, &["explain", &path]);
        assert_eq!(told.code, 0, "{}", told.stderr);
        assert!([0, 1].contains(&again.code), "{again:?}");
    }
    let there = run(&folder, &["replay", ".fossick/3"]);
    assert_eq!(there.code, 1, "{there:?}");
    assert!(
        there.stdout.contains("still there   query book"),
        "{there:?}"
    );
}

#[test]
fn other_documents_come_one_at_a_time() {
    let folder = split();
    folder.write("openapi.json", &fossick_testkit::pure_document());
    let ended = run(&folder, &["test", "schema/a.graphql", "openapi.json"]);
    assert_complains(&ended, 2, &["openapi.json", "several files"]);
    let ended = run(&folder, &["test", "schema/a.graphql", "missing.graphql"]);
    assert_complains(&ended, 2, &["missing.graphql"]);
    std::fs::create_dir_all(folder.path("empty")).expect("the folder can be written");
    let ended = run(&folder, &["test", "empty"]);
    assert_complains(&ended, 2, &["no .graphql file in empty"]);
}

#[test]
fn a_schema_from_a_file_asks_for_the_endpoint() {
    let folder = split();
    for schema in ["schema", "schema/a.graphql"] {
        let ended = run(&folder, &["test", schema]);
        assert_complains(&ended, 2, &["--url http://127.0.0.1:PORT/graphql"]);
    }
}

#[test]
fn an_endpoint_that_is_none_is_told_before_the_run() {
    let fake = Fake::start(|_| FakeResponse::text(404, "no such page"));
    let folder = split();
    let url = fake.url();
    let ended = run(&folder, &["test", "schema", "--url", &url]);
    assert_complains(&ended, 2, &["answered 404", "--url names the endpoint"]);
    assert_eq!(fake.requests().len(), 1);
}

#[test]
fn a_broken_schema_is_shown_with_its_line() {
    let folder = split();
    folder.write(
        "broken.graphql",
        "type Query {\n  ping: String\n  book(id: ): Book\n}\n",
    );
    for arguments in [
        &["inspect", "broken.graphql"][..],
        &["inspect", "schema/a.graphql", "broken.graphql"],
    ] {
        let ended = run(&folder, arguments);
        let told = format!("{}{}", ended.stdout, ended.stderr);
        assert!(told.contains("broken.graphql:3:"), "{told}");
        assert!(!told.contains("panicked"), "{told}");
    }
    folder.write("nonsense.graphql", "type Query {{{{\n");
    let ended = run(
        &folder,
        &[
            "test",
            "nonsense.graphql",
            "--url",
            "http://127.0.0.1:9/graphql",
        ],
    );
    assert_complains(&ended, 2, &["nonsense.graphql:1:"]);
}

#[test]
fn standard_input_and_saved_introspection_are_as_good_as_a_file() {
    let folder = Folder::new();
    folder.write("schema.json", &told_schema().to_string());
    for ended in [
        run(&folder, &["inspect", "schema.json"]),
        run_with_input(&folder, &["inspect", "-"], "schema.json"),
    ] {
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        assert!(
            ended.stdout.contains("  query ping: String\n"),
            "{}",
            ended.stdout
        );
    }
}

#[test]
fn a_program_reads_what_a_schema_has() {
    let folder = Folder::new();
    folder.write("bank.graphql", graphql_schema());
    let ended = run(&folder, &["inspect", "bank.graphql", "--format", "json"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let view: Value = serde_json::from_str(&ended.stdout).expect("it prints JSON");
    assert_eq!(view["dialect"], "GraphQL");
    assert_eq!(view["graphql"]["queries"], 7);
    assert_eq!(view["graphql"]["mutations"], 8);
    assert!(
        view["graphql"]["pairs"].as_u64() > Some(40),
        "{}",
        view["graphql"]
    );
    assert_eq!(view["unusable"], json!([]));
    let list = view["operation_list"].as_array().expect("a list");
    let found = list.iter().find(|o| o["id"] == "mutation updateLot");
    let found = found.expect("it is a mutation of the bank");
    assert_eq!(found["kind"], "mutation");
    assert_eq!(found["field"], "updateLot");
    assert_eq!(found["returns"], "Lot");
    assert_eq!(
        found["arguments"],
        json!([
            {"name": "id", "type": "ID!", "required": true},
            {"name": "input", "type": "LotChange!", "required": true},
        ])
    );
    let text = run(&folder, &["inspect", "bank.graphql"]).stdout;
    let line = "  query lots(filter: LotFilter, first: Int, after: String): LotConnection!\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn mistakes_in_the_settings_are_named_with_their_place() {
    let folder = split();
    for (text, words) in [
        ("[graphql.scalars]\nMoney = { type = \"cash\" }\n", "`cash`"),
        (
            "[graphql.scalars]\nMoney = { typ = \"string\" }\n",
            "did you mean `type`?",
        ),
        ("[graphql]\ndepth = 99\n", "between 1 and 16"),
    ] {
        folder.write("fossick.toml", text);
        let ended = run(
            &folder,
            &["test", "schema", "--url", "http://127.0.0.1:9/graphql"],
        );
        assert_complains(&ended, 2, &["fossick.toml:2:", words]);
    }
}

#[test]
fn scalars_of_the_settings_are_what_is_sent() {
    let folder = Folder::new();
    folder.write(
        "schema.graphql",
        "scalar Money\ntype Query { ping: String, priced(at: Money!): String }\n",
    );
    folder.write(
        "fossick.toml",
        "[graphql]\nget = false\n[graphql.scalars]\nMoney = { type = \"string\", example = [\"12.50 EUR\"] }\n",
    );
    let fake = Fake::start(|_| FakeResponse::json(200, json!({"data": {"priced": "x"}})));
    let url = format!("{}/graphql", fake.url());
    let mut arguments = vec!["test", "schema.graphql", "--url", &url, "--seed", "1"];
    arguments.extend(["--requests", "60", "--include", "priced"]);
    let ended = run(&folder, &arguments);
    assert!([0, 1].contains(&ended.code), "{ended:?}");
    let requests = fake.requests();
    assert!(
        requests.iter().all(|r| r.method == "POST"),
        "no GET was wanted"
    );
    let sent = requests.iter().filter_map(FakeRequest::json);
    let examples = sent.filter(|body| body["variables"]["at"] == "12.50 EUR");
    assert!(examples.count() > 0, "the example was never sent");
    assert!(
        !requests.iter().any(|r| query(r).contains("ping")),
        "only priced was wanted"
    );
}

#[test]
fn arguments_go_into_the_operation_where_that_is_wanted() {
    let folder = split();
    let fake = Fake::start(|_| {
        let book = json!({"id": "1", "title": "a"});
        FakeResponse::json(200, json!({"data": {"book": book}}))
    });
    let url = format!("{}/graphql", fake.url());
    let mut arguments = vec!["test", "schema", "--url", &url, "--seed", "1"];
    arguments.extend([
        "--requests",
        "40",
        "--include",
        "query b*",
        "--inline-arguments",
    ]);
    let ended = run(&folder, &arguments);
    assert!([0, 1].contains(&ended.code), "{ended:?}");
    let requests = fake.requests();
    let posted = requests.iter().filter_map(FakeRequest::json);
    let asked: Vec<Value> = posted
        .filter(|body| body["query"].as_str().is_some_and(|q| q.contains("book")))
        .collect();
    assert!(!asked.is_empty());
    let inline = asked.iter().filter(|body| body["variables"].is_null());
    assert_eq!(inline.count(), asked.len(), "{asked:#?}");
}

#[test]
fn a_run_over_the_seed_bank_is_told_in_the_words_of_graphql() {
    let bank = serve_graphql(Faults::Planted, 0).expect("a free port");
    let folder = Folder::new();
    let url = format!("{}/graphql", bank.url());
    let mut arguments = vec!["test", &url, "--seed", "5", "--requests", "3000"];
    arguments.extend([
        "--report",
        "json=report.json",
        "--report",
        "junit=report.xml",
    ]);
    let ended = run(&folder, &arguments);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(ended.stderr.contains("15 endpoints"), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("answered without errors"),
        "{}",
        ended.stderr
    );
    let report = Report::read(&folder, "report.json");
    assert_eq!(report.0["dialect"], "GraphQL");
    assert_eq!(report.0["base_url"], url);
    let numbers = &report.0["graphql"];
    assert_eq!(numbers["endpoints"], 15);
    assert!(numbers["without_errors"].as_u64() > Some(10), "{numbers}");
    assert!(numbers["covered_tuples"].as_u64() > Some(20), "{numbers}");
    let tree = &report.operation("mutation createVariety");
    assert!(tree["with_data"].as_u64() > Some(0), "{tree}");
    assert!(
        folder
            .read("report.xml")
            .contains("<testsuite name=\"mutation\"")
    );
    assert!(folder.read(".fossick/5/schema.txt").contains("__schema"));
}
