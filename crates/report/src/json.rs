//! The report for machines: one JSON document, described by `report.schema.json` in the book.
//!
//! Its structs mirror the document and nothing else: the types of a run may change, the format
//! may not without a new version. Fields may be added within a version; readers skip what they do
//! not know.

mod coverage;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fossick_trace::{
    Answer, Basis, Call, Case, Ending, Evidence, Exchange, GraphFigures, Location, Outcome, Role,
    Run, Tally,
};
use serde::Serialize;

use self::coverage::Coverage;
use crate::metrics::Metrics;
use crate::redact::shown;
use crate::{TOOL_VERSION, seed_text};

/// Raised when a field changes its meaning or goes away.
pub const FORMAT_VERSION: u32 = 1;

/// So much of an answer is enough to see what it is.
const EXCERPT: usize = 4096;

/// The whole run as JSON, indented, with a line break at its end.
pub fn json(run: &Run) -> String {
    let mut text = serde_json::to_string_pretty(&Report::of(run))
        .expect("plain structs with string keys can always be written as JSON");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Report<'a> {
    format: &'static str,
    version: u32,
    fossick: &'static str,
    /// Numbers above 2^53 lose digits in some readers; the text never does.
    seed: u64,
    seed_text: String,
    title: &'a str,
    api_version: &'a str,
    dialect: &'a str,
    schema: &'a str,
    base_url: &'a str,
    elapsed_seconds: f64,
    cpu_seconds: f64,
    requests: u64,
    targets: usize,
    ending: &'static str,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    graphql: Option<GraphQl>,
    graph: &'a GraphFigures,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Coverage<'a>>,
    operations: Vec<Operation<'a>>,
    findings: Vec<Finding<'a>>,
}

impl<'a> Report<'a> {
    fn of(run: &'a Run) -> Self {
        Self {
            format: "fossick-report",
            version: FORMAT_VERSION,
            fossick: TOOL_VERSION,
            seed: run.seed,
            seed_text: seed_text(run.seed),
            title: &run.title,
            api_version: &run.api_version,
            dialect: &run.dialect,
            schema: &run.schema,
            base_url: &run.base_url,
            elapsed_seconds: finite(run.elapsed_seconds),
            cpu_seconds: finite(run.cpu_seconds),
            requests: run.requests,
            targets: run.targets,
            ending: ending(run.ending),
            notes: &run.notes,
            graphql: Metrics::of(run).map(|metrics| GraphQl::of(&metrics)),
            graph: &run.graph,
            coverage: run.coverage.as_ref().map(Coverage::of),
            operations: operations(run),
            findings: run.findings.iter().map(Finding::of).collect(),
        }
    }
}

fn operations(run: &Run) -> Vec<Operation<'_>> {
    let tallies = run.operations.iter();
    let with_said = |tally| Operation {
        said: Some(SaidCounts::of(tally)),
        ..Operation::of(tally)
    };
    match run.graphql {
        Some(_) => tallies.map(with_said).collect(),
        None => tallies.map(Operation::of).collect(),
    }
}

fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Finished => "finished",
        Ending::Interrupted => "interrupted",
        Ending::ServiceLost => "service_lost",
    }
}

/// JSON has no infinity, and a clock that ran backwards is no reason to write `null`.
fn finite(seconds: f64) -> f64 {
    if seconds.is_finite() { seconds } else { 0.0 }
}

/// The run in the terms in which GraphQL testers are compared.
#[derive(Serialize)]
struct GraphQl {
    endpoints: usize,
    without_errors: usize,
    without_errors_percent: f64,
    with_errors: usize,
    with_errors_percent: f64,
    with_data: usize,
    with_data_percent: f64,
    schema_tuples: usize,
    covered_tuples: usize,
    schema_coverage_percent: f64,
}

impl GraphQl {
    fn of(metrics: &Metrics) -> Self {
        Self {
            endpoints: metrics.endpoints,
            without_errors: metrics.without_errors,
            without_errors_percent: metrics.share(metrics.without_errors),
            with_errors: metrics.with_errors,
            with_errors_percent: metrics.share(metrics.with_errors),
            with_data: metrics.with_data,
            with_data_percent: metrics.share(metrics.with_data),
            schema_tuples: metrics.tuples,
            covered_tuples: metrics.covered,
            schema_coverage_percent: metrics.coverage(),
        }
    }
}

#[derive(Serialize)]
struct Operation<'a> {
    id: &'a str,
    method: &'a str,
    path: &'a str,
    requests: u64,
    statuses: BTreeMap<String, u64>,
    codes: BTreeMap<String, u64>,
    #[serde(flatten)]
    said: Option<SaidCounts>,
    never_succeeded_because: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    rules: &'a [String],
}

impl<'a> Operation<'a> {
    fn of(tally: &'a Tally) -> Self {
        let answered = tally.statuses.iter().filter(|(status, _)| **status != 0);
        Self {
            id: &tally.label,
            method: &tally.method,
            path: &tally.path,
            requests: tally.requests,
            statuses: tally.classes(),
            codes: answered
                .map(|(status, n)| (status.to_string(), *n))
                .collect(),
            said: None,
            never_succeeded_because: tally.last_refusal.as_deref().filter(|_| !tally.succeeded()),
            rules: &tally.rules,
        }
    }
}

/// What the answers of a GraphQL operation said, whatever their status.
#[derive(Serialize)]
struct SaidCounts {
    without_errors: u64,
    with_errors: u64,
    with_data: u64,
}

impl SaidCounts {
    fn of(tally: &Tally) -> Self {
        Self {
            without_errors: tally.without_errors,
            with_errors: tally.with_errors,
            with_data: tally.with_data,
        }
    }
}

#[derive(Serialize)]
struct Finding<'a> {
    code: &'a str,
    name: &'a str,
    title: &'a str,
    severity: String,
    sureness: String,
    operation: &'a str,
    fingerprint: String,
    confirmed: bool,
    replays: Replays,
    seen: u64,
    shrunk_from: usize,
    location: &'a Location,
    evidence: &'a Evidence,
    basis: &'a Basis,
    why: &'a str,
    mark: &'a str,
    cause: &'a str,
    also: Vec<Also<'a>>,
    log: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    source: &'a [(u32, String)],
    steps: Vec<Step<'a>>,
    curl: &'a str,
    replay: &'a str,
}

#[derive(Serialize)]
struct Replays {
    came_back: u32,
    of: u32,
}

#[derive(Serialize)]
struct Also<'a> {
    operation: &'a str,
    fingerprint: &'a str,
}

impl<'a> Finding<'a> {
    fn of(case: &'a Case) -> Self {
        let finding = &case.finding;
        let (came_back, of) = case.replays;
        let step = |(at, call, exchange)| Step::of(call, exchange, at == finding.call);
        Self {
            code: &finding.code,
            name: &case.names.oracle,
            title: &finding.title,
            severity: finding.severity.to_string(),
            sureness: finding.sureness.to_string(),
            operation: &finding.operation,
            fingerprint: finding.fingerprint(),
            confirmed: case.is_confirmed(),
            replays: Replays { came_back, of },
            seen: case.seen,
            shrunk_from: case.shrunk_from,
            location: &finding.location,
            evidence: &finding.evidence,
            basis: &case.basis,
            why: &finding.why,
            mark: &finding.mark,
            cause: &finding.cause,
            also: case.also.iter().map(Also::of).collect(),
            log: &case.log,
            source: &case.source,
            steps: case.episode.steps().map(step).collect(),
            curl: &case.names.curl,
            replay: &case.names.replay,
        }
    }
}

impl<'a> Also<'a> {
    fn of((fingerprint, operation): &'a (String, String)) -> Self {
        Self {
            operation,
            fingerprint,
        }
    }
}

#[derive(Serialize)]
struct Step<'a> {
    operation: &'a str,
    role: Role,
    /// Whether this is the call that shows the finding.
    shows_it: bool,
    method: &'static str,
    target: &'a str,
    user: Option<&'a str>,
    anonymous: bool,
    request_headers: Vec<Header<'a>>,
    request_body: Option<Body>,
    status: Option<u16>,
    failure: Option<String>,
    response_headers: Vec<Header<'a>>,
    response_body: Option<Body>,
    /// How long the body was, whatever part of it is shown.
    response_bytes: Option<usize>,
    elapsed_ms: Option<f64>,
}

impl<'a> Step<'a> {
    fn of(call: &'a Call, exchange: &'a Exchange, shows_it: bool) -> Self {
        let request = &exchange.request;
        let answer = exchange.outcome.answer();
        Self {
            operation: &call.operation,
            role: call.role,
            shows_it,
            method: request.method.as_str(),
            target: &request.target,
            user: request.user.as_deref(),
            anonymous: request.anonymous,
            request_headers: headers(&request.headers),
            request_body: Body::whole(&request.body),
            status: exchange.outcome.status(),
            failure: match &exchange.outcome {
                Outcome::Failed(failure) => Some(failure.to_string()),
                Outcome::Answered(_) => None,
            },
            response_headers: answer.map_or_else(Vec::new, |answer| headers(&answer.headers)),
            response_body: answer.and_then(Body::excerpt),
            response_bytes: answer.map(|answer| answer.body.len()),
            elapsed_ms: answer.map(milliseconds),
        }
    }
}

/// To the microsecond: more digits are noise.
fn milliseconds(answer: &Answer) -> f64 {
    answer.elapsed.as_micros() as f64 / 1000.0
}

/// A list and not an object, because a name may come twice.
#[derive(Serialize)]
struct Header<'a> {
    name: &'a str,
    value: &'a str,
}

fn headers(headers: &[(String, String)]) -> Vec<Header<'_>> {
    headers
        .iter()
        .map(|(name, value)| Header {
            name,
            value: shown(name, value),
        })
        .collect()
}

/// Text where it is text.
#[derive(Serialize)]
#[serde(untagged)]
enum Body {
    Text(String),
    Base64 { base64: String },
}

impl Body {
    fn whole(bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() {
            return None;
        }
        Some(match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::base64(bytes),
        })
    }

    fn excerpt(answer: &Answer) -> Option<Self> {
        if answer.body.is_empty() {
            return None;
        }
        // A long body may be cut inside a character, by us or by the client: still text.
        let is_text = match std::str::from_utf8(&answer.body) {
            Ok(_) => true,
            Err(why) => why.error_len().is_none(),
        };
        Some(if is_text {
            Self::Text(answer.excerpt(EXCERPT))
        } else {
            Self::base64(answer.body.get(..EXCERPT).unwrap_or(&answer.body))
        })
    }

    fn base64(bytes: &[u8]) -> Self {
        Self::Base64 {
            base64: STANDARD.encode(bytes),
        }
    }
}
