//! Users as fixtures: whoever needs `alice` asks for her.

use fossick_suite::{Login, Suite, User};
use fossick_trace::Take;

use super::STYLE;
use super::literal::{list, string};
use super::request::arguments;
use crate::layout::{Doc, Kind};
use crate::names::{Taken, snake};
use crate::scope::Scope;

#[derive(Debug)]
pub(super) struct Users {
    names: Vec<String>,
    /// What no variable of a test may be called.
    pub(super) taken: Taken,
}

/// Words of Python, of pytest, and of the tests themselves.
const RESERVED: &[&str] = &[
    "and",
    "anybody",
    "answer",
    "as",
    "as_text",
    "assert",
    "async",
    "await",
    "break",
    "cache",
    "capfd",
    "caplog",
    "capsys",
    "class",
    "content",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "expected",
    "false",
    "fault",
    "finally",
    "for",
    "fresh",
    "from",
    "global",
    "headers",
    "if",
    "import",
    "in",
    "is",
    "json",
    "lambda",
    "media_type",
    "method",
    "monkeypatch",
    "none",
    "nonlocal",
    "not",
    "or",
    "pass",
    "path",
    "pytestconfig",
    "raise",
    "recwarn",
    "request",
    "reset",
    "return",
    "self",
    "service",
    "steps",
    "subtests",
    "tmp_path",
    "tmpdir",
    "true",
    "try",
    "value",
    "while",
    "with",
    "yield",
];

impl Users {
    pub(super) fn of(suite: &Suite) -> Self {
        let mut taken = Taken::with(RESERVED);
        let name = |user: &User| match &user.name {
            Some(name) => snake(name, "n"),
            None => "user".to_owned(),
        };
        let names = suite
            .users
            .iter()
            .map(|user| taken.claim(&name(user)))
            .collect();
        Self { names, taken }
    }

    /// The fixture of a user; without credentials, anybody's.
    pub(super) fn name(&self, user: Option<usize>) -> &str {
        user.and_then(|place| self.names.get(place))
            .map_or("anybody", String::as_str)
    }

    pub(super) fn fixtures(&self, suite: &Suite) -> String {
        let users = suite.users.iter().zip(&self.names);
        users
            .map(|(user, name)| fixture(suite, user, name))
            .collect()
    }
}

fn fixture(suite: &Suite, user: &User, name: &str) -> String {
    let mut lines = vec![
        "\n\n@pytest.fixture(scope=\"session\")".to_owned(),
        format!("def {name}():"),
    ];
    let headers = secret_headers(user);
    match &user.login {
        None => {
            let client = Doc::call("Client", vec![list(headers)]);
            lines.push(STYLE.statement(1, "return ", &client, ""));
        }
        Some(login) => lines.extend(logged_in(suite, login, headers)),
    }
    lines.join("\n") + "\n"
}

fn secret_headers(user: &User) -> Vec<Doc> {
    let secret = |name: &str| Doc::call("secret", vec![Doc::text(string(name))]);
    let headers = user.headers.iter();
    headers
        .map(|header| pair(&header.name, secret(&header.variable)))
        .collect()
}

fn pair(name: &str, value: Doc) -> Doc {
    Doc::list("(", vec![Doc::text(string(name)), value], ")", Kind::Array)
}

fn logged_in(suite: &Suite, login: &Login, mut headers: Vec<Doc>) -> Vec<String> {
    let own = login.request.user.and_then(|place| suite.users.get(place));
    let client = Doc::call(
        "Client",
        own.map(|user| list(secret_headers(user)))
            .into_iter()
            .collect(),
    );
    let (request, secrets) = with_secrets(login);
    let method = login.request.method.as_str().to_ascii_lowercase();
    let send = Doc::call(format!("client.{method}"), request);
    let prefix = match login.prefix.as_str() {
        "" => String::new(),
        prefix => format!("{} + ", string(prefix)),
    };
    headers.push(pair(&login.header, Doc::text(prefix + "token")));
    let mut lines = secrets;
    lines.push(STYLE.statement(1, "client = ", &client, ""));
    lines.push(STYLE.statement(1, "answer = ", &send, ""));
    lines.push("    assert answer.status < 300".to_owned());
    lines.push(STYLE.statement(1, "token = ", &token(&login.take), ""));
    lines.push(STYLE.statement(1, "return ", &Doc::call("Client", vec![list(headers)]), ""));
    lines
}

fn token(take: &Take) -> Doc {
    match take {
        Take::Location => Doc::call("answer.location", Vec::new()),
        Take::Header(name) => Doc::call("answer.header", vec![Doc::text(string(name))]),
        Take::Pointer(pointer) => {
            let pointer = Doc::text(string(pointer));
            Doc::call("to_text", vec![Doc::call("answer.take", vec![pointer])])
        }
    }
}

/// The variables of a login's request are secrets of the environment.
fn with_secrets(login: &Login) -> (Vec<Doc>, Vec<String>) {
    let scope = Scope::of_secrets(&login.request, Taken::with(RESERVED), |text| {
        snake(text, "n")
    });
    let lines = scope
        .pairs()
        .map(|(secret, variable)| format!("    {} = secret({})", variable.name, string(secret)));
    (arguments(&login.request, &scope), lines.collect())
}
