//! What the tests share: where the service is, who the users are, how it is started.

use fossick_suite::shell::{quote, quote_if_needed};
use fossick_suite::{Login, Reset, Service, Suite, User};

use super::program::Names;
use super::{comment, request};
use crate::arrange::variables;
use crate::page::Page;
use crate::prose;
use crate::variables::{environment, header, header_text};

pub(super) fn text(suite: &Suite, users: &[String]) -> String {
    let mut page = Page::new("\t");
    page.line("#!/bin/sh");
    let [title, origin] = prose::head(suite, None);
    comment(&mut page, [title, origin]);
    page.line("#");
    comment(&mut page, ["What the tests share.".to_owned()]);
    page.line("#");
    page.line("# shellcheck disable=SC1003,SC2016 # what stands in single quotes is for jq");
    page.gap();
    page.line(format!(
        "base_url=${{FOSSICK_BASE_URL:-{}}}",
        in_default(&suite.base_url)
    ));
    page.line("base_url=${base_url%/}");
    let mut text = page.finish() + include_str!("support.sh");
    let mut page = Page::new("\t");
    page.gap();
    hooks(&mut page, &suite.service);
    for (user, name) in suite.users.iter().zip(users) {
        sender(&mut page, user, name, suite);
    }
    text.push('\n');
    text.push_str(&page.finish());
    text
}

/// Outside of double quotes single ones hold in a default value too.
fn in_default(text: &str) -> String {
    quote_if_needed(text)
}

fn sender(page: &mut Page, user: &User, name: &str, suite: &Suite) {
    page.gap();
    page.line(format!("# as_{name}: the next request is {name}'s."));
    page.open(format!("as_{name}() {{"));
    if user.login.is_some() {
        page.line(format!("[ -f \"$_work/{name}\" ] || (log_in_{name})"));
        page.line(format!("cat \"$_work/{name}\" >>\"$_work/sent\""));
    }
    secret_headers(page, user);
    if user.headers.is_empty() && user.login.is_none() {
        page.line(":");
    }
    page.close("}");
    if let Some(login) = &user.login {
        log_in(page, login, name, suite);
    }
}

fn secret_headers(page: &mut Page, user: &User) {
    for secret in &user.headers {
        let variable = environment(&secret.variable);
        page.line(format!("need {variable} \"${{{variable}-}}\""));
        let name = quote_if_needed(&header(&secret.name));
        page.line(format!("header {name} \"${variable}\""));
    }
}

fn log_in(page: &mut Page, login: &Login, name: &str, suite: &Suite) {
    page.gap();
    page.line("# Once in a run: the token is kept in a folder that nobody else may open.");
    page.open(format!("log_in_{name}() {{"));
    for variable in variables(&login.request) {
        let variable = environment(&variable);
        page.line(format!("need {variable} \"${{{variable}-}}\""));
    }
    if let Some(user) = login.request.user.and_then(|user| suite.users.get(user)) {
        secret_headers(page, user);
    }
    request::unsigned(page, &login.request, &Names::Environment);
    page.line(format!(
        "case $_status in 2*) ;; *) fail {} ;; esac",
        quote(&format!("{name} can't log in"))
    ));
    page.line(format!("_token=$({})", request::take(&login.take)));
    page.line(format!(
        "header {} {}\"$(text \"$_token\")\"",
        quote_if_needed(&header(&login.header)),
        quote(&header_text(&login.prefix)),
    ));
    page.line(format!("mv \"$_work/sent\" \"$_work/{name}\""));
    page.close("}");
}

fn hooks(page: &mut Page, service: &Service) {
    page.line("# before_all: makes ready what all tests need.");
    page.open("before_all() {");
    page.line("trap after_all EXIT");
    page.line("trap 'exit 130' INT");
    page.line("trap 'exit 143' TERM");
    if let Some(start) = &service.start {
        page.line(format!("sh -c {} >\"$_work/service\" 2>&1 &", quote(start)));
        page.line("_service=$!");
        page.line("_seconds=0");
        page.line("until curl -q -s -o /dev/null --max-time 5 \"$base_url\"; do");
        page.line("\tif [ \"$_seconds\" -ge 60 ]; then");
        page.line("\t\techo 'Bail out! The service does not answer.'");
        page.line("\t\texit 1");
        page.line("\tfi");
        page.line("\t_seconds=$((_seconds + 1))");
        page.line("\tsleep 1");
        page.line("done");
    }
    page.close("}");
    page.gap();
    page.line("# after_all: leaves nothing behind.");
    page.open("after_all() {");
    if let Some(stop) = &service.stop {
        page.line(format!("sh -c {}", quote(stop)));
    }
    if service.start.is_some() {
        page.line("kill \"$_service\" 2>/dev/null");
    }
    page.line("rm -rf \"$_work\"");
    page.close("}");
    page.gap();
    page.line("# before_each: runs before every test.");
    page.open("before_each() {");
    page.line(match &service.reset {
        None => ":".to_owned(),
        Some(Reset::Command(command)) => format!("sh -c {}", quote(command)),
        Some(Reset::Url(url)) => format!(
            "curl -q -sS -g -f --max-time 30 -o /dev/null -X POST {}",
            quote_if_needed(url)
        ),
    });
    page.close("}");
}
