//! What must not leave the process does not.

use fossick_report::{Style, curl, findings, json, junit, redacted, redacted_graph, summary};
use fossick_trace::{Answer, EdgeEvent, EdgeState, GraphEdge, Joins, Outcome, PropertyGraph};
use std::sync::Arc;
use std::time::Duration;

use crate::sample::{self, BASE};

const SECRET: &str = "s3cr3t/t'ken";

/// A run that has the secret in every place that takes text.
fn leaky() -> fossick_trace::Run {
    let mut run = sample::run();
    run.base_url = format!("http://bob:{SECRET}@127.0.0.1:8000");
    run.notes.push(format!("logged in with {SECRET}"));
    run.operations[7].last_refusal = Some(format!("{SECRET} has expired"));
    run.operations[7].rules = vec![format!("token: one of {SECRET}")];
    let body = serde_json::json!({"token": SECRET});
    let step = sample::step(
        "POST /a",
        fossick_contract::Method::Post,
        "/a?key=s3cr3t%2Ft%27ken",
    )
    .header("Authorization", SECRET)
    .header("X-Note", SECRET)
    .json(&body);
    let mut episode = sample::episode(vec![step]);
    episode.exchanges[0].outcome = Outcome::Answered(Answer::new(
        500,
        vec![
            ("Set-Cookie".into(), "sid=8".into()),
            ("X-Echo".into(), SECRET.into()),
        ],
        bytes::Bytes::from(body.to_string()),
        false,
        Duration::ZERO,
    ));
    let reported = &mut run.findings[0];
    reported.names.curl = curl(BASE, &episode, 0);
    reported.episode = Arc::new(episode);
    reported.finding.title = format!("500 for {SECRET}");
    reported.finding.why = format!("{SECRET} was refused");
    reported.finding.mark = format!("500 {SECRET}");
    reported.finding.cause = SECRET.into();
    run
}

#[test]
fn no_report_holds_a_secret() {
    let run = redacted(leaky(), &[SECRET.to_owned()]);
    let style = Style::default();
    let texts = [
        json(&run),
        junit(&run),
        findings(&run, &style),
        summary(&run, &style),
    ];
    for text in texts {
        for form in ["s3cr3t", "t'ken", "t'\\''ken", "sid=8", "bob"] {
            assert!(!text.contains(form), "{form} in {text}");
        }
        assert!(text.contains("[redacted]"));
    }
}

#[test]
fn credentials_are_masked_even_where_nobody_named_the_secret() {
    let text = json(&sample::run());
    assert!(!text.contains("sesame-open") && !text.contains("sid=1"));
}

#[test]
fn no_graph_tells_a_secret_as_evidence() {
    let event = EdgeEvent {
        after: 3,
        why: format!("the value {SECRET} worked"),
    };
    let edge = GraphEdge {
        joins: Joins::Endpoint { one: 0, other: 0 },
        state: EdgeState::Added,
        confidence: 1.0,
        worked: 1,
        failed: 0,
        history: vec![event],
    };
    let graph = PropertyGraph {
        title: format!("a service of {SECRET}"),
        edges: vec![edge],
        ..PropertyGraph::default()
    };
    let shown = redacted_graph(graph, &[SECRET.to_owned()]);
    assert_eq!(shown.title, "a service of [redacted]");
    let why = shown.edges[0].history[0].why.as_str();
    assert_eq!(why, "the value [redacted] worked");
}
