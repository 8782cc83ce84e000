//! A made-up run over a small tracker, with one finding of every kind a report treats differently.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use fossick_contract::Method;
use fossick_report::{curl, slug};
use fossick_trace::{
    Answer, Basis, Branch, Call, Capture, Case, Coverage, Ending, Episode, Evidence, Exchange,
    Failure, FileCoverage, Finding, Intent, Location, Names, Outcome, Payload, Raised, Request,
    Role, Run, Script, Severity, SourceLine, Sureness, Take, Tally, Text,
};
use serde_json::{Value, json};

pub(crate) const BASE: &str = "http://127.0.0.1:8000";

/// One call and what came of it, while it is put together.
pub(crate) struct Step {
    pub(crate) call: Call,
    pub(crate) exchange: Exchange,
}

pub(crate) fn step(operation: &str, method: Method, target: &str) -> Step {
    let call = Call {
        operation: operation.into(),
        method,
        target: Text::fixed(target),
        headers: vec![],
        payload: Payload::None,
        user: None,
        role: Role::Main,
        intent: Intent::Valid,
        graphql: None,
    };
    let request = Request {
        method,
        target: target.to_owned(),
        headers: vec![("host".into(), "127.0.0.1:8000".into())],
        body: Bytes::new(),
        user: None,
        anonymous: false,
    };
    let outcome = Outcome::Failed(Failure::TimedOut(Duration::from_secs(10)));
    Step {
        call,
        exchange: Exchange { request, outcome },
    }
}

impl Step {
    pub(crate) fn json(mut self, value: &Value) -> Self {
        let body = value.to_string();
        self.exchange.request.body = Bytes::from(body);
        let media_type = "application/json".to_owned();
        let header = ("content-type".to_owned(), media_type.clone());
        self.exchange.request.headers.push(header);
        self.call.payload = Payload::Json {
            media_type,
            value: value.clone(),
            fills: vec![],
        };
        self
    }

    pub(crate) fn fill(mut self, pointer: &str, capture: Capture) -> Self {
        if let Payload::Json { fills, .. } = &mut self.call.payload {
            fills.push((pointer.to_owned(), capture));
        }
        self
    }

    pub(crate) fn bytes(mut self, media_type: &str, bytes: &'static [u8]) -> Self {
        self.exchange.request.body = Bytes::from_static(bytes);
        self.call.payload = Payload::Bytes {
            media_type: media_type.to_owned(),
            bytes: Bytes::from_static(bytes),
        };
        self
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.call.headers.push((name.into(), Text::fixed(value)));
        let sent = (name.to_owned(), value.to_owned());
        self.exchange.request.headers.push(sent);
        self
    }

    /// The target as the script has it, with a hole after `before`.
    pub(crate) fn hole(mut self, before: &str, capture: Capture, after: &str) -> Self {
        let mut text = Text::fixed(before);
        text.push_capture(capture);
        if !after.is_empty() {
            text.push_str(after);
        }
        self.call.target = text;
        self
    }

    pub(crate) fn role(mut self, role: Role) -> Self {
        self.call.role = role;
        self
    }

    pub(crate) fn answers(self, status: u16, body: &str) -> Self {
        self.answers_with(status, &[("content-type", "application/json")], body)
    }

    pub(crate) fn answers_with(
        mut self,
        status: u16,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Self {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        self.exchange.outcome = Outcome::Answered(Answer::new(
            status,
            headers.iter().map(own).collect(),
            Bytes::from(body.to_owned()),
            false,
            Duration::from_micros(3250),
        ));
        self
    }
}

pub(crate) fn episode(steps: Vec<Step>) -> Episode {
    let (calls, exchanges) = steps.into_iter().map(|s| (s.call, s.exchange)).unzip();
    Episode {
        script: Arc::new(Script {
            calls,
            names: Vec::new(),
            ..Script::default()
        }),
        exchanges,
        inside: Vec::new(),
        removed: Vec::new(),
    }
}

pub(crate) fn taking(call: usize, pointer: &str) -> Capture {
    Capture {
        call,
        take: Take::Pointer(pointer.to_owned()),
    }
}

fn reported(name: &str, finding: Finding, episode: Episode) -> Case {
    let slug = slug(&finding.code, &finding.operation);
    Case {
        replays: (3, 3),
        basis: Basis::Itself,
        shrunk_from: 4,
        seen: 12,
        also: vec![],
        log: vec![],
        source: Vec::new(),
        names: Names {
            oracle: name.into(),
            curl: curl(BASE, &episode, finding.call),
            replay: format!("fossick replay .fossick/7f3a/{slug}"),
            slug,
        },
        episode: Arc::new(episode),
        finding,
    }
}

fn finding(code: &str, severity: Severity, operation: &str, title: &str, why: &str) -> Finding {
    Finding {
        code: code.into(),
        severity,
        sureness: Sureness::Sure,
        operation: operation.into(),
        call: 0,
        location: Location::Outcome,
        evidence: Evidence::default(),
        title: title.into(),
        why: why.into(),
        mark: title.into(),
        cause: format!("{code} cause"),
    }
}

fn line(file: &str, line: u32) -> SourceLine {
    let file = file.into();
    SourceLine { file, line }
}

fn source(first: u32, lines: &[&str]) -> Vec<(u32, String)> {
    let lines = lines.iter().map(|line| (*line).to_owned());
    (first..).zip(lines).collect()
}

fn server_error() -> Case {
    let list = step("GET /projects", Method::Get, "/projects?limit=97").answers(
        500,
        r#"{"detail":"ZeroDivisionError: integer division or modulo by zero","file":"tracker/paging.py","line":31}"#,
    );
    let mut finding = finding(
        "F101",
        Severity::High,
        "GET /projects",
        "500 when limit = 97",
        "The document promises 200 or 422.",
    );
    finding.evidence.raised = Some(Raised {
        exception: "ZeroDivisionError".into(),
        message: "integer division or modulo by zero".into(),
        place: line("tracker/paging.py", 31),
    });
    let mut out = reported("server error", finding, episode(vec![list]));
    out.source = source(
        30,
        &[
            "pages, rest = divmod(total, size)",
            "size = total // (97 - limit)",
            "return size",
        ],
    );
    out.also = vec![
        ("aa01".into(), "GET /tasks".into()),
        ("aa02".into(), "GET /projects/{project_id}/tasks".into()),
    ];
    out
}

pub(crate) fn served_after_delete() -> Episode {
    episode(vec![
        step("POST /projects", Method::Post, "/projects")
            .role(Role::Setup)
            .json(&json!({"name": "a"}))
            .answers(201, r#"{"id":41,"name":"a"}"#),
        step(
            "DELETE /projects/{project_id}",
            Method::Delete,
            "/projects/41",
        )
        .hole("/projects/", taking(0, "/id"), "")
        .answers(204, ""),
        step("GET /projects/{project_id}", Method::Get, "/projects/41")
            .role(Role::Check)
            .hole("/projects/", taking(0, "/id"), "")
            .answers(
                200,
                r#"{"id":41,"name":"a","deleted_at":"2026-01-02T03:04:05Z"}"#,
            ),
    ])
}

fn still_served() -> Case {
    let mut finding = finding(
        "F301",
        Severity::High,
        "GET /projects/{project_id}",
        "200 after DELETE answered 204",
        "What was deleted is gone for everybody: expected 404 or 410.",
    );
    finding.call = 2;
    let mut out = reported(
        "still served after it was deleted",
        finding,
        served_after_delete(),
    );
    out.shrunk_from = 9;
    out
}

fn schema_mismatch() -> Case {
    let create = step(
        "POST /projects/{project_id}/tasks",
        Method::Post,
        "/projects/7/tasks",
    )
    .header("X-Api-Key", "sesame-open")
    .json(&json!({"title": "it's \"due\"", "priority": 5}))
    .answers_with(
        201,
        &[
            ("content-type", "application/json"),
            ("set-cookie", "sid=1"),
        ],
        "{\"id\":3,\"title\":\"\u{1b}[31mred\u{1b}[0m\",\"priority\":\"5\"}",
    );
    let mut finding = finding(
        "F201",
        Severity::Medium,
        "POST /projects/{project_id}/tasks",
        "/priority: \"5\" is a string, integer promised",
        "The answer to 201 is described at #/components/schemas/Task/properties/priority as an \
         integer between 1 and 5.",
    );
    finding.mark = "/priority type".into();
    finding.cause = "Task /priority type".into();
    let mut out = reported("answer breaks its schema", finding, episode(vec![create]));
    out.shrunk_from = 1;
    out
}

fn low(code: &str, name: &str, operation: &str, title: &str) -> Case {
    let path = operation.split_once(' ').map_or("/", |(_, path)| path);
    let call = step(operation, Method::Get, path).answers(418, "");
    let finding = finding(
        code,
        Severity::Low,
        operation,
        title,
        "It is not in the document.",
    );
    reported(name, finding, episode(vec![call]))
}

fn wavering() -> Case {
    let call = step("POST /reports", Method::Post, "/reports").json(&json!({"from": "2026-01-01"}));
    let mut finding = finding(
        "F103",
        Severity::High,
        "POST /reports",
        "no answer within 10 s",
        "Every request deserves an answer.",
    );
    finding.evidence.last_line = Some(line("tracker/reports.py", 118));
    let mut out = reported("no answer in time", finding, episode(vec![call]));
    out.source = source(
        117,
        &[
            "while day != until:",
            "    day = following(day)",
            "return rows",
        ],
    );
    out.replays = (1, 3);
    out.seen = 2;
    out
}

fn tally(method: &str, path: &str, statuses: &[(u16, u64)]) -> Tally {
    Tally {
        label: format!("{method} {path}"),
        method: method.into(),
        path: path.into(),
        requests: statuses.iter().map(|(_, count)| count).sum(),
        statuses: statuses.iter().copied().collect::<BTreeMap<_, _>>(),
        ..Tally::default()
    }
}

fn operations() -> Vec<Tally> {
    let mut refused = tally("PATCH", "/tasks/{task_id}", &[(404, 12), (422, 2310)]);
    refused.last_refusal = Some("status must be one of open, doing, done".into());
    refused.rules = vec!["start before end".into()];
    let mut report = tally("POST", "/reports", &[(0, 2), (503, 41)]);
    report.last_refusal = Some("queue \u{1b}[2Jfull".into());
    vec![
        tally("GET", "/projects", &[(200, 18_204), (422, 310), (500, 97)]),
        tally("POST", "/projects", &[(201, 9120), (422, 1804)]),
        tally("GET", "/projects/{project_id}", &[(200, 4100), (404, 950)]),
        tally(
            "DELETE",
            "/projects/{project_id}",
            &[(204, 3001), (404, 120)],
        ),
        tally(
            "POST",
            "/projects/{project_id}/tasks",
            &[(201, 2200), (404, 31), (422, 77)],
        ),
        tally(
            "GET",
            "/projects/{project_id}/tasks",
            &[(200, 1900), (500, 4)],
        ),
        tally("GET", "/tasks", &[(200, 2800), (500, 8)]),
        refused,
        report,
        tally("GET", "/health", &[(200, 40), (307, 4)]),
        tally("DELETE", "/admin/everything", &[]),
    ]
}

/// Lines without a gap, some of them covered.
fn file(name: &str, lines: u32, covered: &[std::ops::RangeInclusive<u32>]) -> FileCoverage {
    let is_covered = |line| covered.iter().any(|stretch| stretch.contains(&line));
    FileCoverage {
        file: name.to_owned(),
        root: Some("/srv/tracker".to_owned()),
        lines: (1..=lines).map(|line| (line, is_covered(line))).collect(),
        ..FileCoverage::default()
    }
}

/// Conditions as the probe of the tracker saw them, and files that lack much or nothing.
fn coverage() -> Coverage {
    let side = |line, ordinal, holds| Branch {
        line,
        ordinal,
        holds,
    };
    let mut tasks = file("tracker/api/tasks.py", 40, &[1..=9, 12..=17, 30..=30]);
    tasks.lines.remove(&19);
    let conditions = [
        (12, 0, true, true),
        (12, 1, true, false),
        (22, 0, false, false),
    ];
    for (line, ordinal, held, failed) in conditions {
        tasks.branches.insert(side(line, ordinal, true), held);
        tasks.branches.insert(side(line, ordinal, false), failed);
    }
    let mut main = file("main.py", 12, &[1..=12]);
    main.branches.insert(side(14, 0, true), true);
    let mut made = file("tracker/made \"up\" & <odd>.py", 3, &[]);
    made.root = None;
    let more = (1..=4).map(|n| file(&format!("tracker/more/m{n}.py"), n, &[]));
    Coverage {
        files: [main, tasks, made].into_iter().chain(more).collect(),
    }
}

/// The run that most tests look at.
pub(crate) fn run() -> Run {
    let undocumented = "undocumented status";
    let allow = "405 without an Allow header";
    Run {
        title: "Tracker".into(),
        api_version: "1.0.0".into(),
        dialect: "OpenAPI 3.1".into(),
        schema: format!("{BASE}/openapi.json"),
        base_url: BASE.into(),
        seed: 0x7f3a,
        elapsed_seconds: 60.04,
        cpu_seconds: 9.5,
        requests: 51_204,
        targets: 148,
        operations: operations(),
        graphql: None,
        graph: fossick_trace::GraphFigures {
            sequences: 31,
            edges_added: 4,
            edges_removed: 1,
            edges_returned: 0,
            succeeded: vec![(20, 5), (60, 12)],
        },
        coverage: Some(coverage()),
        findings: vec![
            server_error(),
            still_served(),
            schema_mismatch(),
            low("F202", undocumented, "GET /health", "307 is not documented"),
            low("F202", undocumented, "GET /tasks", "418 is not documented"),
            low("F207", allow, "GET /projects", "405 names no methods"),
            wavering(),
        ],
        notes: vec![
            "since request 4,102 the service answered 401; POST /reset-token did it, and waits \
             for the end of the run"
                .into(),
        ],
        ending: Ending::Finished,
    }
}

/// A body that no text can hold, answered with one of the same kind.
pub(crate) fn binary_upload() -> Episode {
    let mut upload = step("PUT /files/{name}", Method::Put, "/files/a%20b")
        .bytes("application/octet-stream", b"\xff\x00'")
        .answers(200, "");
    upload.exchange.outcome = Outcome::Answered(Answer::new(
        200,
        vec![],
        Bytes::from_static(b"\xff\x00'"),
        false,
        Duration::ZERO,
    ));
    episode(vec![upload])
}

/// A task whose project comes from one answer in two forms, and a look at the task by the
/// `Location` of a third.
pub(crate) fn chained() -> Episode {
    let location = Capture {
        call: 1,
        take: Take::Location,
    };
    let tag = Capture {
        call: 1,
        take: Take::Header("ETag".into()),
    };
    let mut look = step(
        "GET /projects/{id}/tasks/{task}",
        Method::Get,
        "/projects/41/tasks/t-9",
    )
    .header("If-None-Match", "%22v1%22")
    .answers(200, "{}");
    look.call.target = Text::fixed("/projects/");
    look.call.target.push_capture(taking(0, "/data/id"));
    look.call.target.push_str("/tasks/");
    look.call.target.push_capture(location);
    look.call.headers[0].1 = Text::default();
    look.call.headers[0].1.push_capture(tag);
    episode(vec![
        step("POST /projects", Method::Post, "/projects")
            .json(&json!({"name": "it's"}))
            .answers(201, r#"{"data":{"id":41}}"#),
        step("POST /tasks", Method::Post, "/tasks")
            .json(&json!({"project": 41, "title": "$(date)"}))
            .fill("/project", taking(0, "/data/id"))
            .answers_with(201, &[("location", "/tasks/t-9"), ("etag", "\"v1\"")], "{}"),
        look,
    ])
}
