//! Runs over a GraphQL service, told in its own words.

use fossick_report::{
    Heading, Progress, Style, curl, findings, heading, json, junit, operations_table, progress,
    progress_plain, redacted, summary,
};
use fossick_trace::Said;
use serde_json::Value;

use crate::library::{self, ENDPOINT, book};
use crate::sample::episode;

fn screen(style: &Style) -> String {
    let run = library::run();
    let first = Heading {
        title: &run.title,
        api_version: &run.api_version,
        dialect: &run.dialect,
        operations: run.operations.len(),
        seed: run.seed,
    };
    let state = Progress {
        operations: 6,
        tried: 5,
        succeeded: 4,
        graphql: true,
        ..Progress::default()
    };
    [
        heading(&first, style).replace(fossick_report::TOOL_VERSION, "0.0.0"),
        progress(&state, style),
        progress_plain(&state),
        findings(&run, style),
        operations_table(&run, style),
        summary(&run, style),
    ]
    .join("\n\n")
}

#[test]
fn a_library_on_a_terminal_of_a_hundred_columns() {
    insta::assert_snapshot!(screen(&Style::default()));
}

#[test]
fn a_library_on_a_narrow_terminal_without_unicode() {
    let style = Style {
        width: 70,
        unicode: false,
        ..Style::default()
    };
    insta::assert_snapshot!(screen(&style));
}

#[test]
fn a_library_for_ci_systems() {
    insta::assert_snapshot!(junit(&library::run()));
}

#[test]
fn shares_and_coverage_are_numbers_for_machines() {
    let report: Value = serde_json::from_str(&json(&library::run())).expect("JSON");
    insta::assert_snapshot!(format!("{:#}", report["graphql"]), @r#"
    {
      "endpoints": 6,
      "without_errors": 4,
      "without_errors_percent": 66.67,
      "with_errors": 4,
      "with_errors_percent": 66.67,
      "with_data": 4,
      "with_data_percent": 66.67,
      "schema_tuples": 148,
      "covered_tuples": 120,
      "schema_coverage_percent": 81.08
    }
    "#);
    let reviews = &report["operations"][3];
    assert_eq!(reviews["without_errors"], 1200);
    assert_eq!(reviews["with_errors"], 110);
    assert_eq!(reviews["with_data"], 1200);
    assert_eq!(
        report["operations"][4]["never_succeeded_because"],
        "you may not"
    );
}

#[test]
fn an_operation_goes_into_a_shell_line_whole() {
    insta::assert_snapshot!(
        curl(ENDPOINT, &library::reviewed(), 1),
        @r#"b_json=$(curl -sS -X POST 'http://127.0.0.1:8000/graphql' -H 'Content-Type: application/json' --data-raw '{"query":"mutation addBook($input: BookInput!) { addBook(input: $input) { id } }","variables":{"input":{"title":"it'\''s","pages":12}}}' | jq -ec .data.addBook.id) && curl -i -X POST 'http://127.0.0.1:8000/graphql' -H 'Content-Type: application/json' --data-raw '{"query":"mutation addReview($book: ID!, $stars: Int!, $comment: String) { addReview(book: $book, stars: $stars, comment: $comment) { id book { title } } }","variables":{"book":'"$b_json"',"stars":3,"comment":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}'"#
    );
}

#[test]
fn a_query_by_get_is_one_plain_url() {
    insta::assert_snapshot!(
        curl(ENDPOINT, &library::looked_up(), 0),
        @"curl -i 'http://127.0.0.1:8000/graphql?query=query%20book%28%24id%3AID%21%29%7Bbook%28id%3A%24id%29%7Btitle%20author%7Bname%7D%7D%7D&variables=%7B%22id%22%3A%22b-1%22%7D'"
    );
}

#[test]
fn the_slash_at_the_end_of_an_endpoint_stays() {
    let line = curl(
        "http://127.0.0.1:8000/graphql/",
        &episode(vec![book("1")]),
        0,
    );
    assert!(
        line.starts_with("curl -i -X POST 'http://127.0.0.1:8000/graphql/' "),
        "{line}"
    );
}

#[test]
fn an_operation_that_can_not_be_laid_out_anew_is_sent_as_it_is() {
    let text = "query book @slow {\n  book(id: \"\"\"a\n  b\"\"\") { title } # x\n}";
    let one = library::posted("query book", text, &Value::Null);
    let line = curl(ENDPOINT, &episode(vec![one]), 0);
    assert!(
        line.contains(r#"query book @slow {\n  book(id: \"\"\"a\n  b"#),
        "{line}"
    );
}

#[test]
fn what_an_answer_said_outlives_the_secrets_in_it() {
    let run = redacted(library::run(), &["b-1-is-a-secret".to_owned()]);
    let answer = run.findings[0].episode.answer(1).expect("it was answered");
    assert_eq!(answer.said, Some(Said::Errors));
}

#[test]
fn nothing_a_service_says_moves_the_cursor() {
    let nasty = "\u{1b}[2J\u{202e}\r\nfake line";
    let text = format!("query book {{ book(id: \"{nasty}\") {{ title }} }}");
    let variables = serde_json::json!({"id": nasty, nasty: nasty});
    let steps = ["query book", nasty].map(|label| {
        let answer = serde_json::json!({
            "data": {"book": nasty}, "errors": [{"message": nasty, "path": [nasty, 1]}],
        });
        library::posted(label, &text, &variables).says(200, &answer)
    });
    let mut run = library::run();
    run.findings[0].episode = std::sync::Arc::new(episode(steps.into()));
    let told = findings(&run, &Style::default());
    assert!(
        !told
            .chars()
            .any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'),
        "{told}"
    );
    assert!(
        !told.lines().any(|line| line.starts_with("fake line")),
        "{told}"
    );
    assert!(quick_junit::Report::deserialize_from_str(&junit(&run)).is_ok());
}

#[cfg(unix)]
#[test]
fn a_chain_of_operations_runs_in_a_shell() {
    if !crate::curl::run_by_a_shell::has("curl") || !crate::curl::run_by_a_shell::has("jq") {
        return;
    }
    let answers = &[
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"data\": {\"addBook\": {\"id\": \"n'ew\\\"\"}}}",
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"data\": null}",
    ];
    let seen = crate::curl::run_by_a_shell::served(answers, |base| {
        curl(&format!("{base}/graphql"), &library::reviewed(), 1)
    });
    let body = |at: usize| -> Value {
        let text = String::from_utf8_lossy(&seen[at]).into_owned();
        assert!(text.starts_with("POST /graphql HTTP/1.1\r\n"), "{text}");
        let (_, body) = text.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(body).expect("JSON")
    };
    assert_eq!(body(0)["variables"]["input"]["title"], "it's");
    assert_eq!(body(1)["variables"]["book"], "n'ew\"");
    assert!(
        body(1)["query"]
            .as_str()
            .is_some_and(|q| q.contains("($book: ID!"))
    );
}
