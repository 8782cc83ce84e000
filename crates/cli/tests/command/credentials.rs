//! Logging in, renewing a token that ran out, and keeping every secret to oneself.

use std::sync::atomic::{AtomicU64, Ordering};

use fossick_testkit::{Fake, FakeRequest, FakeResponse};
use serde_json::{Value, json};

use crate::program::{Ended, Folder, Running, fossick, run};
use crate::report::Report;
use crate::services::{Shelf, answers, refusal, shelf_document};

const PASSWORD: &str = "correct-horse/battery staple";
/// So many requests a token is good for.
const LIFE: u64 = 120;

/// A shelf behind a login, whose tokens run out. `GET /echo` crashes and shows the token, as a
/// careless service does; `GET /me` shows it where a number was promised.
#[derive(Default)]
struct Guarded {
    shelf: Shelf,
    logins: AtomicU64,
    served: AtomicU64,
}

impl Guarded {
    fn answer(&self, request: &FakeRequest) -> FakeResponse {
        if request.path == "/auth/token" {
            return self.log_in(request);
        }
        let current = format!("Bearer {}", token(self.logins.load(Ordering::SeqCst)));
        let shown = request.header("authorization").unwrap_or_default();
        let served = self.served.fetch_add(1, Ordering::SeqCst);
        if shown != current || served >= LIFE {
            return refusal(401);
        }
        match request.path.as_str() {
            "/echo" => FakeResponse::json(500, json!({"status": 500, "sent": shown})),
            "/me" => FakeResponse::json(
                200,
                json!({"session": token(self.logins.load(Ordering::SeqCst))}),
            ),
            _ => self.shelf.answer(request),
        }
    }

    fn log_in(&self, request: &FakeRequest) -> FakeResponse {
        let body = request.json().unwrap_or_default();
        if body["password"] != PASSWORD {
            return FakeResponse::json(403, json!({"status": 403, "got": body["password"]}));
        }
        let number = self.logins.fetch_add(1, Ordering::SeqCst) + 1;
        self.served.store(0, Ordering::SeqCst);
        FakeResponse::json(200, json!({"access_token": token(number)}))
    }
}

fn token(number: u64) -> String {
    format!("sekrit+{number}/tok=en")
}

fn guarded_document() -> String {
    let session = json!({"type": "object", "properties": {"session": {"type": "integer"}}});
    let mut value: Value = serde_json::from_str(&shelf_document(json!({
        "/echo": {"get": {"responses": answers(&[200], &json!({"type": "object"}))}},
        "/me": {"get": {"responses": answers(&[200], &session)}},
    })))
    .expect("it is JSON");
    for (_, item) in value["paths"].as_object_mut().expect("paths") {
        for (_, operation) in item.as_object_mut().expect("operations") {
            if operation.get("responses").is_some() {
                operation["responses"]["401"] = json!({"description": "who are you?"});
            }
        }
    }
    value["components"] =
        json!({"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}});
    value["security"] = json!([{"token": []}]);
    value.to_string()
}

fn prepared(url: &str) -> Folder {
    let folder = Folder::new();
    folder.write("openapi.json", &guarded_document());
    folder.write(
        "fossick.toml",
        &format!(
            r#"schema = "openapi.json"
url = "{url}"
report = ["json=report.json", "junit=report.xml"]
seed = 4
[[users]]
name = "alice"
login = {{ request = "POST /auth/token", body = {{ user = "alice", password = "${{ALICE_PASSWORD}}" }}, token = "/access_token" }}
"#
        ),
    );
    folder
}

fn assert_keeps(folder: &Folder, ended: &Ended, secrets: &[&str]) {
    let mut texts = folder.files();
    texts.push(("stdout".into(), ended.stdout.clone()));
    texts.push(("stderr".into(), ended.stderr.clone()));
    let shown: Vec<String> = texts
        .iter()
        .flat_map(|(path, text)| text.lines().map(move |line| (path, line)))
        .filter(|(_, line)| secrets.iter().any(|secret| line.contains(secret)))
        .map(|(path, line)| format!("{}: {}", path.display(), line.trim()))
        .collect();
    assert_eq!(shown, [""; 0]);
}

#[test]
fn a_token_that_runs_out_is_renewed_and_no_secret_is_shown() {
    let guarded = std::sync::Arc::new(Guarded::default());
    let served = std::sync::Arc::clone(&guarded);
    let fake = Fake::start(move |request| served.answer(request));
    let folder = prepared(&fake.url());
    let mut command = fossick(&folder, &["test", "--requests", "900", "--format", "json"]);
    let ended = Running::start(command.env("ALICE_PASSWORD", PASSWORD)).end();
    assert_eq!(ended.code, 1, "{ended:?}");
    let report = Report::read(&folder, "report.json");
    let logins = guarded.logins.load(Ordering::SeqCst);
    assert!(logins >= 5, "{logins} logins, {:?}", report.notes());
    assert_eq!(report.ending(), "finished", "{:?}", report.notes());
    assert!(report.shows("F101", "GET /echo"), "{:#?}", report.lines());
    assert!(report.shows("F201", "GET /me"), "{:#?}", report.lines());
    assert_eq!(report.alarms().len(), 2, "{:#?}", report.lines());
    for operation in ["GET /items", "POST /items", "GET /items/{id}"] {
        let statuses = &report.operation(operation)["statuses"];
        assert!(
            statuses["2xx"].as_u64() > statuses["4xx"].as_u64(),
            "{statuses}"
        );
    }
    // Tokens as they are, in a URL and in base64; the password as it is and in a URL.
    assert_keeps(
        &folder,
        &ended,
        &[
            "sekrit+",
            "sekrit%2B",
            "c2Vrcml0",
            PASSWORD,
            "correct-horse",
        ],
    );
}

#[test]
fn a_login_that_is_refused_ends_the_run_without_showing_the_password() {
    let guarded = Guarded::default();
    let fake = Fake::start(move |request| guarded.answer(request));
    let folder = prepared(&fake.url());
    let mut command = fossick(&folder, &["test", "--requests", "50"]);
    let ended = Running::start(command.env("ALICE_PASSWORD", "wrong-horse")).end();
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(
        ended.stderr.contains("failed to log in"),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains("403"), "{}", ended.stderr);
    assert_keeps(&folder, &ended, &["wrong-horse"]);
}

#[test]
fn secrets_on_the_command_line_are_not_shown_either() {
    let shelf = Shelf::default();
    let fake = Fake::start(move |request| match request.path.as_str() {
        "/echo" => FakeResponse::json(500, json!({"headers": request.headers})),
        _ => shelf.answer(request),
    });
    let url = fake.url();
    let folder = Folder::new();
    folder.write("openapi.json", &guarded_document());
    let mut arguments = vec!["test", "openapi.json", "--url", &url, "--requests", "200"];
    arguments.extend([
        "--user",
        "alice:open-sesame",
        "--header",
        "X-Api-Key: k-123456",
    ]);
    arguments.extend([
        "--report",
        "json=report.json",
        "--report",
        "junit=report.xml",
    ]);
    let ended = run(&folder, &arguments);
    let report = Report::read(&folder, "report.json");
    assert!(report.shows("F101", "GET /echo"), "{:#?}", report.lines());
    // The last one is what basic authentication makes of the first.
    let secrets = ["open-sesame", "k-123456", "YWxpY2U6b3Blbi1zZXNhbWU"];
    assert_keeps(&folder, &ended, &secrets);
}

/// Titles show values cut short, and most tokens in the world are longer than that.
#[test]
fn a_secret_that_is_cut_in_a_title_is_not_shown_by_its_beginning() {
    let token = format!("sekrit{}", ".more".repeat(60));
    let session = json!({"session": token});
    let fake = Fake::start(move |request| match request.path.as_str() {
        "/me" => FakeResponse::json(200, session.clone()),
        _ => refusal(404),
    });
    let url = fake.url();
    let folder = Folder::new();
    folder.write("openapi.json", &guarded_document());
    let mut arguments = vec!["test", "openapi.json", "--url", &url, "--requests", "100"];
    arguments.extend(["--bearer", &token, "--report", "json=report.json"]);
    let ended = run(&folder, &arguments);
    let report = Report::read(&folder, "report.json");
    assert!(report.shows("F201", "GET /me"), "{:#?}", report.lines());
    assert_keeps(&folder, &ended, &["sekrit"]);
}
