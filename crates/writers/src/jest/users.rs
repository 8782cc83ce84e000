//! Users as clients that `support.js` gives out.

use fossick_suite::{Login, Suite, User};
use fossick_trace::Take;

use super::STYLE;
use super::literal::string;
use super::request::arguments;
use crate::layout::{Doc, Kind};
use crate::names::{Taken, camel};
use crate::scope::Scope;

#[derive(Debug)]
pub(super) struct Users {
    pub(super) names: Vec<String>,
    /// What no variable of a test may be called.
    pub(super) taken: Taken,
}

/// Words of the language, of Jest, of `support.js`, and of the tests themselves.
const RESERVED: &[&str] = &[
    "afterAll",
    "afterEach",
    "alphabets",
    "answer",
    "anybody",
    "arguments",
    "asText",
    "async",
    "await",
    "beforeAll",
    "beforeEach",
    "break",
    "case",
    "catch",
    "class",
    "client",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "describe",
    "do",
    "else",
    "enum",
    "escape",
    "eval",
    "exchange",
    "expect",
    "export",
    "exports",
    "extends",
    "false",
    "fault",
    "fetch",
    "fill",
    "finally",
    "for",
    "fresh",
    "function",
    "global",
    "headers",
    "http",
    "https",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "it",
    "jest",
    "let",
    "logins",
    "module",
    "new",
    "null",
    "package",
    "parse",
    "private",
    "process",
    "protected",
    "public",
    "require",
    "restart",
    "return",
    "secret",
    "static",
    "steps",
    "super",
    "switch",
    "test",
    "this",
    "throw",
    "token",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "write",
    "yield",
];

impl Users {
    pub(super) fn of(suite: &Suite) -> Self {
        let mut taken = Taken::with(RESERVED);
        let name = |user: &User| match &user.name {
            Some(name) => camel(name, "n"),
            None => "user".to_owned(),
        };
        let names = suite
            .users
            .iter()
            .map(|user| taken.claim(&name(user)))
            .collect();
        Self { names, taken }
    }

    /// The client of a user; without credentials, anybody's.
    pub(super) fn name(&self, user: Option<usize>) -> &str {
        user.and_then(|place| self.names.get(place))
            .map_or("anybody", String::as_str)
    }

    /// The clients, and how those who need it log in.
    pub(super) fn clients(&self, suite: &Suite) -> String {
        let users = || suite.users.iter().zip(&self.names);
        let clients = users().map(|(user, name)| client(user, name));
        let logins = users().filter_map(|(user, name)| {
            let login = user.login.as_ref()?;
            Some(log_in(suite, login, name))
        });
        clients.chain(logins).collect()
    }
}

fn client(user: &User, name: &str) -> String {
    let mut headers = secret_headers(user);
    if let Some(login) = &user.login {
        let token = Doc::call("token", vec![Doc::text(string(name))]);
        let value = match login.prefix.as_str() {
            "" => token,
            prefix => Doc::text(format!("{} + {}", string(prefix), STYLE.flat(&token))),
        };
        headers.push(pair(&login.header, value));
    }
    let headers = Doc::list("[", headers, "]", Kind::Array);
    let send = STYLE.statement(
        0,
        &format!("const {name} = new Client(() => "),
        &headers,
        ");",
    );
    format!("\n{send}\n")
}

fn secret_headers(user: &User) -> Vec<Doc> {
    let secret = |name: &str| Doc::call("secret", vec![Doc::text(string(name))]);
    let headers = user.headers.iter();
    headers
        .map(|header| pair(&header.name, secret(&header.variable)))
        .collect()
}

fn pair(name: &str, value: Doc) -> Doc {
    Doc::list("[", vec![Doc::text(string(name)), value], "]", Kind::Array)
}

fn log_in(suite: &Suite, login: &Login, name: &str) -> String {
    let scope = Scope::of_secrets(&login.request, Taken::with(RESERVED), |text| {
        camel(text, "n")
    });
    let own = login.request.user.and_then(|place| suite.users.get(place));
    let headers = Doc::list(
        "[",
        own.map(secret_headers).unwrap_or_default(),
        "]",
        Kind::Array,
    );
    let method = login.request.method.as_str().to_ascii_lowercase();
    let send = Doc::call(
        format!("client.{method}"),
        arguments(&login.request, &scope),
    );
    let mut lines = vec![format!("\nlogins.{name} = async () => {{")];
    for (secret, variable) in scope.pairs() {
        lines.push(format!(
            "  const {} = secret({});",
            variable.name,
            string(secret)
        ));
    }
    lines.push(STYLE.statement(1, "const client = new Client(() => ", &headers, ");"));
    lines.push(STYLE.statement(1, "const answer = await ", &send, ";"));
    lines.push("  if (answer.status >= 300) throw new Error(answer.told());".to_owned());
    lines.push(STYLE.statement(1, "return ", &token(&login.take), ";"));
    lines.push("};\n".to_owned());
    lines.join("\n")
}

fn token(take: &Take) -> Doc {
    match take {
        Take::Pointer(_) => Doc::call("asText", vec![super::taken(take)]),
        Take::Location | Take::Header(_) => super::taken(take),
    }
}
