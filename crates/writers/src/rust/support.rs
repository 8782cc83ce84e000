//! What the tests share: where the service is, who the users are, how it is started.

use fossick_suite::{Login, Reset, SecretHeader, Service, Suite, User};

use super::{RESERVED, WIDTH, Writer, call, comment, literal, request};
use crate::arrange::variables;
use crate::names::snake;
use crate::page::Page;
use crate::prose;
use crate::variables::{Variables, environment, header, header_text};

pub(super) fn text(suite: &Suite, writer: &Writer<'_>) -> String {
    let mut page = Page::new("    ");
    comment(&mut page, "//!", prose::head(suite, None));
    page.line("//!");
    page.line("//! What the tests share.");
    page.gap();
    let mut text = page.finish() + &uses(suite, include_str!("support.in"));
    let mut page = Page::new("    ");
    page.line("");
    base_url(&mut page, suite);
    for (user, name) in suite.users.iter().zip(&writer.users) {
        sender(&mut page, user, name, suite);
    }
    schemas(&mut page, writer);
    hooks(&mut page, &suite.service);
    text.push_str(&page.finish());
    text
}

/// What only some suites need.
fn uses(suite: &Suite, text: &str) -> String {
    let service = &suite.service;
    let starts = service.start.is_some();
    let shells = matches!(service.reset, Some(Reset::Command(_)));
    let process = match (starts, shells) {
        (true, _) => "use std::process::{Child, Command, Stdio};\nuse std::sync::OnceLock;\n",
        (false, true) => "use std::process::Command;\n",
        (false, false) => "",
    };
    let has_login = suite.users.iter().any(|user| user.login.is_some());
    let mut sync = Vec::new();
    if service.reset.is_some() {
        sync.extend(["Mutex", "MutexGuard"]);
    }
    if has_login || starts {
        sync.push("OnceCell");
    }
    let sync = match sync.as_slice() {
        [] => String::new(),
        [one] => format!("use tokio::sync::{one};\n"),
        several => format!("use tokio::sync::{{{}}};\n", several.join(", ")),
    };
    text.replacen("use std::time", &format!("{process}use std::time"), 1)
        .replacen(
            "use serde_json::Value;\n",
            &format!("use serde_json::Value;\n{sync}"),
            1,
        )
}

fn base_url(page: &mut Page, suite: &Suite) {
    page.open("fn base_url() -> String {");
    let default = literal::string(&suite.base_url);
    page.line(format!("let default = {default};"));
    page.line("let url = env::var(\"FOSSICK_BASE_URL\").unwrap_or_else(|_| default.to_owned());");
    page.line("url.trim_end_matches('/').to_owned()");
    page.close("}");
    page.gap();
    page.line("/// Sends no credentials.");
    page.open("pub async fn nobody() -> Sender {");
    page.line("Sender::new(&[]).await");
    page.close("}");
}

fn sender(page: &mut Page, user: &User, name: &str, suite: &Suite) {
    page.gap();
    page.open(format!("pub async fn {name}() -> Sender {{"));
    let mut headers = secret_headers(user);
    if let Some(login) = &user.login {
        page.line("static TOKEN: OnceCell<String> = OnceCell::const_new();");
        page.line(format!(
            "let token = TOKEN.get_or_init(log_in_{name}).await;"
        ));
        headers.push(format!(
            "({}, format!(\"{}{{token}}\"))",
            literal::string(&header(&login.header)),
            literal::in_format(&header_text(&login.prefix))
        ));
    }
    let sender = with_headers(page, &headers);
    page.line(sender);
    page.close("}");
    if let Some(login) = &user.login {
        log_in(page, login, name, suite);
    }
}

/// Who sends what with these headers, which are given a name where there are any.
fn with_headers(page: &mut Page, headers: &[String]) -> &'static str {
    match headers {
        [] => return "Sender::new(&[]).await",
        [header] => page.line(format!("let headers = [{header}];")),
        headers => {
            page.open("let headers = [");
            page.lines(headers.iter().map(|header| format!("{header},")));
            page.close("];");
        }
    }
    "Sender::new(&headers).await"
}

fn secret_headers(user: &User) -> Vec<String> {
    let header = |secret: &SecretHeader| {
        let name = literal::string(&header(&secret.name));
        let variable = literal::string(&environment(&secret.variable));
        format!("({name}, secret({variable}))")
    };
    user.headers.iter().map(header).collect()
}

fn log_in(page: &mut Page, login: &Login, name: &str, suite: &Suite) {
    page.gap();
    page.line("/// Once in a run.");
    page.open(format!("async fn log_in_{name}() -> String {{"));
    let needed = variables(&login.request);
    let names = Variables::of_names(needed.iter().map(|name| (name, true)), snake, &RESERVED);
    for variable in &needed {
        page.line(format!(
            "let {} = Value::from(secret({}));",
            names.get(variable),
            literal::string(&environment(variable))
        ));
    }
    let user = login.request.user.and_then(|user| suite.users.get(user));
    let sender = with_headers(page, &user.map(secret_headers).unwrap_or_default());
    page.line(format!("let sender = {sender};"));
    request::request(page, &login.request, "sender", &names);
    call(
        page,
        "assert!(",
        &[
            "(200..300).contains(&answer.status())".to_owned(),
            format!("\"{name} can't log in: {{answer}}\""),
        ],
        ");",
        false,
    );
    page.line(format!("text(&answer.{})", request::take(&login.take)));
    page.close("}");
}

fn schemas(page: &mut Page, writer: &Writer<'_>) {
    page.gap();
    page.open("fn schema(name: &str) -> &'static str {");
    if writer.schemas.is_empty() {
        page.line("panic!(\"there is no schema {name}\")");
    } else {
        page.open("match name {");
        for name in &writer.schemas {
            arm(page, name);
        }
        page.line("_ => panic!(\"there is no schema {name}\"),");
        page.close("}");
    }
    page.close("}");
}

/// An arm that is too long for its line gets a block, as rustfmt has it.
fn arm(page: &mut Page, name: &str) {
    let text = format!("include_str!(\"schemas/{name}.json\")");
    let line = format!("\"{name}\" => {text},");
    if page.indent(4) + line.len() <= WIDTH {
        page.line(line);
    } else {
        page.open(format!("\"{name}\" => {{"));
        page.line(text);
        page.close("}");
    }
}

fn hooks(page: &mut Page, service: &Service) {
    page.gap();
    match &service.start {
        None => {
            page.line("async fn ready() {}");
        }
        Some(start) => started(page, start, service.stop.as_deref()),
    }
    if let Some(reset) = &service.reset {
        page.gap();
        turn(page, reset);
    }
}

/// A shell holds the service and waits for the end of its input, which is the end of the tests,
/// however they end.
fn started(page: &mut Page, start: &str, stop: Option<&str>) {
    let constant = |page: &mut Page, name: &str, text: &str| {
        page.line(format!("const {name}: &str = {};", literal::string(text)));
    };
    constant(page, "START", start);
    constant(page, "STOP", stop.unwrap_or(":"));
    page.gap();
    page.lines(include_str!("started.in").lines());
}

fn turn(page: &mut Page, reset: &Reset) {
    page.line("/// One test at a time, each on a service that was reset.");
    page.open("pub async fn turn() -> MutexGuard<'static, ()> {");
    page.line("static TURN: Mutex<()> = Mutex::const_new(());");
    page.line("let turn = TURN.lock().await;");
    page.line("ready().await;");
    match reset {
        Reset::Command(command) => {
            page.line(format!("let command = {};", literal::string(command)));
            page.line("let status = Command::new(\"sh\").args([\"-c\", command]).status();");
            page.line("assert!(status.is_ok_and(|status| status.success()), \"not reset\");");
        }
        Reset::Url(url) => {
            page.line(format!("let url = {};", literal::string(url)));
            page.line("let answer = Client::new().post(url).send().await;");
            page.line("assert!(answer.is_ok_and(|answer| answer.status().is_success()));");
        }
    }
    page.line("turn");
    page.close("}");
}
