//! Recorded calls: sent again first, with what they need made before them, then deviated from.

use fossick_contract::Method;
use fossick_genes::{Gene, Source};
use fossick_harvest::seeds::{Seeds, seeds};
use fossick_harvest::{Call, Content, Flow, GraphQlCall, Record, RestCall, Statuses, Took};
use fossick_plan::{Spot, Step};
use fossick_search::{Rule, Search, Settings, Strategy, Way};
use fossick_trace::{Intent, Request};
use serde_json::{Value, json};

use crate::play::{Round, World, free, play};
use crate::workshop::{Reply, Workshop};

fn record(call: Call, times_called: u64) -> Record {
    Record {
        key: call.key(),
        call,
        created_at: 1,
        updated_at: 2,
        times_called,
        statuses: Statuses::default(),
        took: Took::default(),
        redactions: Vec::new(),
    }
}

fn sent(method: &str, target: &str, body: Option<Value>, times: u64) -> Record {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let call = RestCall {
        method: method.to_owned(),
        path: path.to_owned(),
        query: pairs.map(|(a, b)| (a.to_owned(), b.to_owned())).collect(),
        headers: Vec::new(),
        content: body.map_or(Content::None, |value| Content::Json {
            media_type: "application/json".to_owned(),
            value,
        }),
    };
    record(Call::Rest(call), times)
}

fn asked(query: &str, variables: &Value) -> Record {
    let document = fossick_query::read(query, None).expect("an operation");
    let call = GraphQlCall {
        path: "/graphql".to_owned(),
        root: document.kind,
        query: fossick_query::write_compact(&document),
        operation_name: document.name,
        variables: variables.as_object().cloned().unwrap_or_default(),
    };
    record(Call::GraphQl(call), 1)
}

fn flow(from: &str, pointer: &str, to: &str, place: &str) -> Flow {
    Flow {
        from: from.to_owned(),
        pointer: pointer.to_owned(),
        to: to.to_owned(),
        place: place.to_owned(),
        times: 3,
    }
}

fn is_replay(round: &Round) -> bool {
    matches!(round.proposal.way, Way::Harvested { .. })
}

fn deviations(rounds: &[Round], rule: Rule) -> Vec<&Round> {
    let wanted = |round: &&Round| round.proposal.way == Way::Deviation(rule);
    rounds.iter().filter(wanted).collect()
}

fn sown<'w>(world: &'w World, settings: Settings, seeds: &Seeds) -> Search<'w> {
    let mut search = world.search(settings);
    let sown = search.sow(seeds);
    assert_eq!(sown.unfit, [], "all fit");
    search
}

#[test]
fn the_most_called_is_sent_first_as_it_was() {
    let world = World::workshop();
    let records = [
        sent("GET", "/projects?limit=7", None, 3),
        sent(
            "POST",
            "/projects",
            Some(json!({"name": "saw", "size": 9})),
            40,
        ),
    ];
    let mut search = sown(&world, free(1), &seeds(&world.api, &records, &[]));
    let mut workshop = Workshop::new();
    let rounds = play(&mut search, 2, |request| workshop.answer(request));
    let requests: Vec<(Method, &str, String)> = rounds
        .iter()
        .map(|round| {
            let request = &round.episode.exchanges[0].request;
            let body = String::from_utf8_lossy(&request.body).into_owned();
            (request.method, request.target.as_str(), body)
        })
        .collect();
    assert_eq!(
        requests,
        [
            (
                Method::Post,
                "/projects",
                r#"{"name":"saw","size":9}"#.to_owned()
            ),
            (Method::Get, "/projects?limit=7", String::new()),
        ]
    );
}

#[test]
fn what_the_document_forbids_is_told_and_not_sent() {
    let world = World::workshop();
    let records = [
        sent("GET", "/projects?limit=700", None, 3),
        sent(
            "POST",
            "/projects",
            Some(json!({"name": "saw", "size": "large"})),
            2,
        ),
        sent("GET", "/projects", None, 1),
    ];
    let mut search = world.search(free(1));
    let sown = search.sow(&seeds(&world.api, &records, &[]));
    let why: Vec<_> = sown.unfit.iter().map(|u| u.why.as_str()).collect();
    assert_eq!(
        why,
        [
            "query limit does not fit the document",
            "its body does not fit the document"
        ]
    );
    assert_eq!(sown.fit, 1);
}

#[test]
fn what_came_from_earlier_answers_is_made_anew() {
    let world = World::workshop();
    let records = [sent("GET", "/projects/70001/tasks/80002", None, 5)];
    let flows = [
        flow("POST /projects", "/id", "POST /projects/{}/tasks", "path 0"),
        flow(
            "POST /projects",
            "/id",
            "GET /projects/{}/tasks/{}",
            "path 0",
        ),
        flow(
            "POST /projects/{}/tasks",
            "/id",
            "GET /projects/{}/tasks/{}",
            "path 1",
        ),
    ];
    let found = seeds(&world.api, &records, &flows);
    let mut search = world.search(free(1));
    let sown = search.sow(&found);
    assert_eq!((sown.fit, sown.edges), (1, 3));
    let mut workshop = Workshop::new();
    let rounds = play(&mut search, 1, |request| workshop.answer(request));
    assert_eq!(world.verbs(&rounds[0].proposal.plan), "POST POST GET");
    assert_eq!(rounds[0].statuses(), [201, 201, 200]);
    assert_eq!(rounds[0].main().binds.len(), 2);
}

#[test]
fn without_flows_the_recorded_values_are_tried_and_then_what_the_graph_knows() {
    let world = World::workshop();
    let records = [
        sent("GET", "/projects/2", None, 9),
        sent("GET", "/projects/70001", None, 5),
    ];
    let mut search = sown(&world, free(1), &seeds(&world.api, &records, &[]));
    let mut workshop = Workshop::new();
    let rounds = play(&mut search, 40, |request| workshop.answer(request));
    let replays: Vec<_> = rounds.iter().filter(|round| is_replay(round)).collect();
    let verbs: Vec<_> = replays
        .iter()
        .map(|r| world.verbs(&r.proposal.plan))
        .collect();
    assert_eq!(verbs[..2], ["GET", "GET"]);
    assert_eq!(replays[0].statuses(), [200]);
    assert_eq!(
        replays[0]
            .main()
            .gene_at(&Spot::Parameter(0))
            .and_then(Gene::source),
        Some(Source::Harvested)
    );
    assert_eq!(replays[1].statuses(), [404]);
    assert!(
        replays[2]
            .statuses()
            .iter()
            .all(|status| (200..300).contains(status))
            && replays[2].main().binds.len() == 1
    );
    assert_eq!(replays.len(), 3);
}

/// A price is told to those only who know a voucher, and no answer names one.
fn counter() -> World {
    let text = json!({"type": "string"});
    let ok = json!({"200": {"description": ""}, "404": {"description": ""}});
    World::of(
        json!({"/prices/{voucher}": {"get": {"responses": ok, "parameters":
            [{"name": "voucher", "in": "path", "required": true, "schema": text}]}},
            "/orders": {"post": {"responses": ok, "requestBody": {"required": true, "content":
                {"application/json": {"schema": {"type": "object", "required": ["voucher"],
                    "properties": {"voucher": text, "pieces": {"type": "integer"}}}}}}}}}),
        json!({}),
    )
}

fn serve(request: &Request) -> Reply {
    const VOUCHER: &str = "XK-WINTER-77";
    let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
    let known = request.target == format!("/prices/{VOUCHER}") || body["voucher"] == VOUCHER;
    if known {
        (200, json!({"price": 3}))
    } else {
        (404, json!({}))
    }
}

#[test]
fn a_value_that_only_traffic_knows_opens_its_operation_and_others() {
    let world = counter();
    let main_works = |label: &str, rounds: &[Round]| {
        let of =
            |round: &&Round| world.subject(round) == label && round.statuses().last() == Some(&200);
        rounds.iter().filter(of).count()
    };
    let without = play(&mut world.search(free(3)), 300, serve);
    assert_eq!(main_works("GET /prices/{voucher}", &without), 0);
    let records = [sent("GET", "/prices/XK-WINTER-77", None, 5)];
    let mut search = sown(&world, free(3), &seeds(&world.api, &records, &[]));
    let with = play(&mut search, 300, serve);
    assert_eq!(with[0].statuses(), [200]);
    assert!(main_works("GET /prices/{voucher}", &with) > 10);
    assert!(
        main_works("POST /orders", &with) > 10,
        "its values serve others too"
    );
}

#[test]
fn deviations_of_a_rest_call_follow_their_rules() {
    let world = World::workshop();
    let body = json!({"name": "saw", "size": 9});
    let records = [
        sent("POST", "/projects", Some(body), 4),
        sent("GET", "/projects?limit=3", None, 2),
    ];
    let mut search = sown(&world, free(5), &seeds(&world.api, &records, &[]));
    let mut workshop = Workshop::new();
    let rounds = play(&mut search, 600, |request| workshop.answer(request));
    let sent_body = |round: &&Round| round.main().body.as_ref().map(|body| body.gene.value());
    let field = deviations(&rounds, Rule::Field);
    assert!(
        field
            .iter()
            .all(|round| round.main().intent == Intent::Valid)
    );
    assert!(
        field
            .iter()
            .filter_map(sent_body)
            .any(|body| body.get("kind").is_some())
    );
    assert!(
        field.iter().any(|round| round.main().arguments == [None]),
        "a call without its limit"
    );
    let broken = |rule, constraint: &str, is: &dyn Fn(&Step) -> bool| {
        let found = deviations(&rounds, rule);
        assert!(!found.is_empty(), "{rule:?}");
        found.iter().any(|round| {
            let main = round.main();
            matches!(&main.intent, Intent::Broken { constraint: c, .. } if c == constraint)
                && is(main)
        })
    };
    let has = |step: &Step, name: &str, wanted: fn(&Value) -> bool| {
        let value = step.body.as_ref().map(|body| body.gene.value());
        value.is_some_and(|value| value.get(name).is_some_and(wanted))
    };
    assert!(broken(Rule::NotNull, "type", &|step| has(
        step,
        "name",
        Value::is_null
    )));
    assert!(broken(Rule::Type, "type", &|step| has(
        step,
        "size",
        Value::is_string
    )));
    assert!(broken(Rule::Empty, "required", &|step| step.body.is_none()));
    let empty = |step: &Step| {
        step.body
            .as_ref()
            .is_some_and(|body| body.gene.value() == json!({}))
    };
    assert!(broken(Rule::Empty, "required", &empty));
}

const SHOP: &str =
    "type Saw { id: ID! name: String size: Int! maker: Maker! } type Maker { id: ID! town: String }
    enum Kind { HAND BAND }
    type Query { saws(kind: Kind!, first: Int): [Saw!]! saw(id: ID!): Saw }
    type Mutation { makeSaw(name: String!): Saw! }";

fn shop() -> World {
    World::document("schema.graphql", SHOP.to_owned())
}

/// Answers as any service would that does not look closely.
fn answer(request: &Request) -> Reply {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
    let query = body["query"].as_str().unwrap_or("");
    let saw = json!({"id": "s-1", "name": "x", "size": 1, "maker": {"id": "m", "town": "T"}});
    let data = match query {
        query if query.contains("makeSaw") => json!({"makeSaw": saw}),
        query if query.contains("saws") => json!({"saws": [saw]}),
        _ if body["variables"]["id"] == "s-1" => json!({"saw": saw}),
        _ => json!({"saw": null}),
    };
    (200, json!({ "data": data }))
}

#[test]
fn a_graphql_call_is_sent_with_its_selection_and_its_values() {
    let world = shop();
    let records = [asked(
        "query($k: Kind!) { saws(kind: $k) { n: name maker { town } } }",
        &json!({"k": "BAND"}),
    )];
    let mut search = sown(&world, free(1), &seeds(&world.api, &records, &[]));
    let rounds = play(&mut search, 1, answer);
    let body: Value =
        serde_json::from_slice(&rounds[0].episode.exchanges[0].request.body).expect("JSON");
    let query: String = body["query"]
        .as_str()
        .unwrap_or("")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert_eq!(
        query,
        "query saws($kind: Kind!) { saws(kind: $kind) { n: name maker { town } } }"
    );
    assert_eq!(body["variables"], json!({"kind": "BAND"}));
}

#[test]
fn a_graphql_key_is_taken_from_the_answer_that_gave_it() {
    let world = shop();
    let records = [asked("{ saw(id: \"s-9\") { name } }", &json!({}))];
    let flows = [flow(
        "makeSaw",
        "/data/makeSaw/id",
        "saw",
        "argument saw.id",
    )];
    let mut search = sown(&world, free(1), &seeds(&world.api, &records, &flows));
    let rounds = play(&mut search, 1, answer);
    let labels: Vec<_> = rounds[0]
        .proposal
        .plan
        .steps
        .iter()
        .map(|step| world.label(step))
        .collect();
    assert_eq!(labels, ["mutation makeSaw", "query saw"]);
    assert_eq!(rounds[0].main().binds.len(), 1);
}

#[test]
fn deviations_of_a_graphql_call_follow_their_rules() {
    let world = shop();
    let records = [asked(
        "{ saws(kind: BAND, first: 2) { name maker { town } } }",
        &json!({}),
    )];
    let mut search = sown(&world, free(5), &seeds(&world.api, &records, &[]));
    let rounds = play(&mut search, 400, answer);
    let texts = |rule| -> Vec<(bool, String, Value)> {
        let told = |round: &&Round| {
            let body: Value =
                serde_json::from_slice(&round.episode.exchanges[0].request.body).expect("JSON");
            let text = body["query"]
                .as_str()
                .unwrap_or("")
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            (
                round.main().intent.is_valid(),
                text,
                body["variables"].clone(),
            )
        };
        deviations(&rounds, rule).iter().map(told).collect()
    };
    let field = texts(Rule::Field);
    assert!(field.iter().all(|(valid, ..)| *valid));
    assert!(
        field
            .iter()
            .any(|(_, text, _)| text.ends_with("{ maker { town } } }")),
        "{field:?}"
    );
    assert!(
        field
            .iter()
            .any(|(_, text, _)| text.contains("{ name size maker")),
        "{field:?}"
    );
    assert!(
        field
            .iter()
            .any(|(_, _, variables)| variables.get("first").is_none()),
        "{field:?}"
    );
    let null = texts(Rule::NotNull);
    assert!(
        !null.is_empty()
            && null
                .iter()
                .all(|(valid, _, v)| !valid && v["kind"].is_null()),
        "{null:?}"
    );
    let other = texts(Rule::Type);
    assert!(
        other
            .iter()
            .any(|(valid, _, v)| !valid && !v["first"].is_i64()),
        "{other:?}"
    );
    let empty = texts(Rule::Empty);
    assert!(empty.iter().all(|(valid, ..)| !valid));
    assert!(
        empty
            .iter()
            .any(|(_, text, _)| text.ends_with("{ name maker } }")),
        "{empty:?}"
    );
    assert!(
        empty
            .iter()
            .any(|(_, text, _)| text.ends_with("first: $first) }")),
        "{empty:?}"
    );
}

#[test]
fn on_foreign_ground_recorded_things_are_neither_changed_nor_removed() {
    let world = World::workshop();
    let records = [
        sent("DELETE", "/projects/1", None, 9),
        sent(
            "PUT",
            "/projects/2",
            Some(json!({"name": "mine", "size": 2})),
            8,
        ),
        sent("PATCH", "/projects/3", Some(json!({"size": 2})), 7),
    ];
    let settings = Settings {
        free: false,
        ..free(2)
    };
    let mut search = sown(&world, settings, &seeds(&world.api, &records, &[]));
    let mut workshop = Workshop::new();
    let before = json!(workshop.foreign());
    let rounds = play(&mut search, 500, |request| workshop.answer(request));
    assert_eq!(json!(workshop.foreign()), before);
    let bound = |round: &&Round| is_replay(round) && !round.main().binds.is_empty();
    assert!(
        rounds.iter().filter(bound).count() > 0,
        "with things of their own they are sent"
    );
}

#[test]
fn secrets_that_were_dropped_are_made_up() {
    let world = counter();
    let records = [sent(
        "POST",
        "/orders",
        Some(json!({"voucher": "dropped", "pieces": 4})),
        1,
    )];
    let mut search = sown(&world, free(2), &seeds(&world.api, &records, &[]));
    let rounds = play(&mut search, 1, serve);
    let body = rounds[0]
        .main()
        .body
        .as_ref()
        .map(|body| body.gene.value())
        .expect("a body");
    assert!(
        body["pieces"] == 4 && body["voucher"] != "dropped",
        "{body}"
    );
}

#[test]
fn an_empty_store_changes_nothing() {
    let world = World::workshop();
    let told = |sow: bool| {
        let mut search = world.search(free(7));
        if sow {
            search.sow(&Seeds::default());
        }
        let mut workshop = Workshop::new();
        let rounds = play(&mut search, 300, |request| workshop.answer(request));
        rounds
            .into_iter()
            .map(|round| round.script)
            .collect::<Vec<_>>()
    };
    assert_eq!(told(true), told(false));
}

#[test]
fn other_strategies_take_values_and_edges_alone() {
    let world = World::workshop();
    let records = [sent("GET", "/projects?limit=7", None, 3)];
    let settings = Settings {
        strategy: Strategy::Graph(fossick_search::RpgSettings::default()),
        ..free(1)
    };
    let mut search = sown(&world, settings, &seeds(&world.api, &records, &[]));
    let mut workshop = Workshop::new();
    let rounds = play(&mut search, 100, |request| workshop.answer(request));
    assert_eq!(rounds.iter().filter(|round| is_replay(round)).count(), 0);
}

/// The published records of the `AutoGraphQL` experiment, where somebody points to their folder.
#[test]
#[expect(
    clippy::print_stdout,
    reason = "whoever points to a corpus wants to know"
)]
fn the_recorded_queries_of_a_corpus_fit_their_schema() {
    let Some(folder) = std::env::var_os("FOSSICK_AUTOGRAPHQL_CORPUS") else {
        return;
    };
    let text = |name: &str| {
        let path = std::path::Path::new(&folder).join(name);
        std::fs::read_to_string(path).expect("the folder has it")
    };
    let world = World::document("saleor.json", text("saleor-introspection.json"));
    let lines = text("harvested.ndjson");
    let records: Vec<Record> = lines
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).expect("a record");
            asked(line["query"].as_str().unwrap_or(""), &line["variables"])
        })
        .collect();
    let found = seeds(&world.api, &records, &[]);
    let mut search = world.search(free(1));
    let sown = search.sow(&found);
    println!("{} of {} fit", sown.fit, found.calls.len());
    for left in &found.left_out {
        println!("{}: {}", left.what, left.why);
    }
    for unfit in &sown.unfit {
        println!("{}: {}", unfit.what, unfit.why);
    }
    assert!(sown.fit * 5 > found.calls.len() * 4, "{}", sown.fit);
}
