//! A made-up run over a GraphQL library: calls by POST and GET, with values that flow.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use fossick_contract::Method;
use fossick_report::{curl, slug};
use fossick_trace::{
    Basis, Case, Ending, Episode, Evidence, Finding, Location, Names, Outcome, Role, Run, Schema,
    Severity, Sureness, Tally,
};
use serde_json::{Value, json};

use crate::sample::{Step, episode, step, taking};

pub(crate) const ENDPOINT: &str = "http://127.0.0.1:8000/graphql";

/// The field that a label names.
fn key(label: &str) -> &str {
    label.split_once(' ').map_or(label, |(_, field)| field)
}

/// An operation as it is posted.
pub(crate) fn posted(label: &str, query: &str, variables: &Value) -> Step {
    let mut body = json!({ "query": query });
    if variables.as_object().is_some_and(|v| !v.is_empty()) {
        body["variables"] = variables.clone();
    }
    let mut step = step(label, Method::Post, "").json(&body);
    step.call.graphql = Some(key(label).into());
    step
}

/// An operation in a URL.
pub(crate) fn got(label: &str, query: &str, variables: &Value) -> Step {
    let escaped = |text: &str| {
        percent_encoding::utf8_percent_encode(text, fossick_trace::COMPONENT).to_string()
    };
    let target = format!(
        "?query={}&variables={}",
        escaped(query),
        escaped(&variables.to_string())
    );
    let mut step = step(label, Method::Get, &target);
    step.call.graphql = Some(key(label).into());
    step
}

impl Step {
    /// The answer, heard as GraphQL's.
    pub(crate) fn says(self, status: u16, body: &Value) -> Self {
        let mut step = self.answers(status, &body.to_string());
        let key = step.call.graphql.clone().expect("a GraphQL step");
        if let Outcome::Answered(answer) = step.exchange.outcome {
            step.exchange.outcome = Outcome::Answered(answer.heard(&key));
        }
        step
    }
}

const ADD: &str =
    "mutation addBook($input: BookInput!) {\n  addBook(input: $input) {\n    id\n  }\n}\n";
const REVIEW: &str = "mutation addReview($book: ID!, $stars: Int!, $comment: String) {\n  addReview(book: $book, stars: $stars, comment: $comment) {\n    id\n    book {\n      title\n    }\n  }\n}\n";
const BOOK: &str = "query book($id: ID!) {\n  book(id: $id) {\n    title\n    author {\n      name\n    }\n  }\n}\n";

/// A review of a book that was made for it; the service stumbles over three stars.
pub(crate) fn reviewed() -> Episode {
    let book = json!({"input": {"title": "it's", "pages": 12}});
    let review = json!({"book": "b-1", "stars": 3, "comment": "x".repeat(50)});
    episode(vec![
        posted("mutation addBook", ADD, &book)
            .role(Role::Setup)
            .says(200, &json!({"data": {"addBook": {"id": "b-1"}}})),
        posted("mutation addReview", REVIEW, &review)
            .fill("/variables/book", taking(0, "/data/addBook/id"))
            .says(
                200,
                &json!({
                    "data": {"addReview": null},
                    "errors": [{
                        "message": "Cannot read properties of undefined (reading 'stars')",
                        "path": ["addReview"], "extensions": {"code": "INTERNAL_SERVER_ERROR"},
                    }],
                }),
            ),
    ])
}

/// A query by GET whose answer has a null where none may be.
pub(crate) fn looked_up() -> Episode {
    let compact = "query book($id:ID!){book(id:$id){title author{name}}}";
    let one = got("query book", compact, &json!({"id": "b-1"})).says(
        200,
        &json!({"data": {"book": {"title": "a", "author": {"name": null}}}}),
    );
    episode(vec![one])
}

fn reported(code: &str, name: &str, call: usize, title: &str, episode: Episode) -> Case {
    let operation = episode.script.calls[call].operation.to_string();
    let slug = slug(code, &operation);
    Case {
        finding: Finding {
            code: code.into(),
            severity: Severity::High,
            sureness: Sureness::Sure,
            operation,
            call,
            location: Location::Outcome,
            evidence: Evidence::default(),
            title: title.into(),
            why: "The schema says otherwise.".into(),
            mark: title.into(),
            cause: title.into(),
        },
        replays: (3, 3),
        basis: Basis::Itself,
        shrunk_from: call + 1,
        seen: 4,
        also: vec![],
        log: vec![],
        source: Vec::new(),
        names: Names {
            oracle: name.into(),
            curl: curl(ENDPOINT, &episode, call),
            replay: format!("fossick replay .fossick/7/{slug}"),
            slug,
        },
        episode: Arc::new(episode),
    }
}

/// Answers without errors, with errors, and with data; the rest got none.
fn tally(label: &str, requests: u64, without: u64, with: u64, data: u64) -> Tally {
    let none = requests - without - with;
    let statuses = [(200, without + with), (0, none)];
    Tally {
        label: label.into(),
        method: "POST".into(),
        path: String::new(),
        requests,
        statuses: statuses
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .collect::<BTreeMap<_, _>>(),
        without_errors: without,
        with_errors: with,
        with_data: data,
        last_refusal: None,
        rules: Vec::new(),
    }
}

pub(crate) fn run() -> Run {
    let mut refused = tally("mutation dropShelf", 310, 0, 310, 0);
    refused.last_refusal = Some("you may not".into());
    Run {
        title: "Library".into(),
        api_version: String::new(),
        dialect: "GraphQL".into(),
        schema: ENDPOINT.into(),
        base_url: ENDPOINT.into(),
        seed: 7,
        elapsed_seconds: 20.0,
        cpu_seconds: 3.5,
        requests: 9_120,
        targets: 61,
        operations: vec![
            tally("query book", 4000, 3990, 10, 3100),
            tally("query books", 2000, 2000, 0, 2000),
            tally("mutation addBook", 1500, 1400, 98, 1400),
            tally("mutation addReview", 1310, 1200, 110, 1200),
            refused,
            tally("mutation purge", 0, 0, 0, 0),
        ],
        graphql: Some(Schema {
            tuples: 148,
            covered: 120,
        }),
        graph: fossick_trace::GraphFigures::default(),
        coverage: None,
        findings: vec![
            reported(
                "F101",
                "server error",
                1,
                "an error of the server's own when stars = 3",
                reviewed(),
            ),
            reported(
                "F221",
                "null where none may be",
                0,
                "book.author.name is null, String! promised",
                looked_up(),
            ),
        ],
        notes: vec![],
        ending: Ending::Finished,
    }
}

/// Posted as bytes, as a call without holes is stored.
pub(crate) fn as_bytes(mut step: Step) -> Step {
    let bytes = step.exchange.request.body.clone();
    step.call.payload = fossick_trace::Payload::Bytes {
        media_type: "application/json".into(),
        bytes: Bytes::copy_from_slice(&bytes),
    };
    step
}

pub(crate) fn book(id: &str) -> Step {
    as_bytes(posted("query book", BOOK, &json!({ "id": id })))
}
