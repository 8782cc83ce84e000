//! Tests for Hurl.
//!
//! A file for each test, because Hurl ends a file at its first failure, and a script that gives
//! them what Hurl has no means for: texts that are new each time, credentials of the environment,
//! tokens of a login. Written for Hurl 8.

mod body;
mod checks;
mod literal;
mod runner;
mod scope;

use fossick_suite::{Piece, Request};
use fossick_suite::{Suite, Test};
use fossick_trace::Take;

use crate::arrange::{group_name, tests};
use crate::names::{Taken, snake};
use crate::page::Page;
use crate::variables::{environment, header, header_text, users};
use crate::wrap::{lines, sentence};
use crate::{File, Manner, prose};
use scope::{Fresh, Scope};

const WIDTH: usize = 100;

/// Where a `Location` leads: the last segment of its path.
const TAIL: &str = r#"header "Location" regex "^[^?#]*?([^/?#]+)/*(?:[?#].*)?$""#;

/// What every test of a suite shares.
struct Writer<'a> {
    suite: &'a Suite,
    manner: &'a Manner,
    users: Vec<String>,
}

pub fn write(suite: &Suite, manner: &Manner) -> Vec<File> {
    let writer = Writer {
        suite,
        manner,
        users: users(suite, snake, &[]),
    };
    let tests = tests(suite, manner);
    let mut fresh = Fresh::default();
    let mut taken = Taken::default();
    let mut files = Vec::new();
    for test in &tests {
        let scope = Scope::of(test, &mut fresh);
        let name = taken.give(snake(&test.name, "test_"));
        let path = format!("{}/{name}.hurl", group_name(test.group));
        files.push(File::new(path, writer.test(test, &scope)));
    }
    for (user, name) in suite.users.iter().zip(&writer.users) {
        if let Some(login) = &user.login {
            files.push(File::new(
                format!("logins/{name}.hurl"),
                writer.login(login),
            ));
        }
    }
    files.push(File {
        executable: true,
        ..File::new("run.sh", runner::text(&writer, &tests, &fresh))
    });
    files
}

impl Writer<'_> {
    fn test(&self, test: &Test, scope: &Scope) -> String {
        let mut page = Page::new("");
        comment(&mut page, prose::head(self.suite, Some(test.group)));
        page.line("#");
        comment(&mut page, [sentence(&test.name)]);
        comment(&mut page, prose::about(test, self.manner));
        if let Some(fossick_suite::Reset::Url(url)) = &self.suite.service.reset {
            page.line("");
            page.line(format!("POST {}", literal::unquoted(url)));
            page.line("HTTP *");
        }
        for step in &test.steps {
            page.line("");
            if let Some(about) = &step.about {
                comment(&mut page, [sentence(about)]);
            }
            request(
                &mut page,
                &step.request,
                &self.credentials(&step.request),
                scope,
            );
            self.response(&mut page, step, test, scope);
        }
        page.finish()
    }

    /// The headers of whoever sends the request.
    fn credentials(&self, request: &Request) -> Vec<String> {
        let Some((user, name)) = request
            .user
            .and_then(|user| Some((self.suite.users.get(user)?, self.users.get(user)?)))
        else {
            return Vec::new();
        };
        let mut headers = secret_headers(user);
        headers.extend(user.login.iter().map(|login| {
            let prefix = literal::unquoted_start(&header_text(&login.prefix));
            format!(
                "{}: {prefix}{{{{{name}_token}}}}",
                literal::key(&header(&login.header))
            )
        }));
        headers
    }

    fn login(&self, login: &fossick_suite::Login) -> String {
        let mut page = Page::new("");
        comment(&mut page, prose::head(self.suite, None));
        page.line("");
        let sent = &login.request;
        let user = sent.user.and_then(|user| self.suite.users.get(user));
        let credentials = user.map(secret_headers).unwrap_or_default();
        request(&mut page, sent, &credentials, &Scope::of_login(sent));
        page.line("HTTP *");
        page.line("[Captures]");
        page.line(format!("token: {}", take(&login.take)));
        page.line("[Asserts]");
        page.line("status >= 200");
        page.line("status < 300");
        page.finish()
    }
}

fn request(page: &mut Page, request: &Request, credentials: &[String], scope: &Scope) {
    let path: String = request
        .path
        .iter()
        .map(|piece| path_piece(piece, scope))
        .collect();
    page.line(format!(
        "{} {{{{base_url}}}}{path}",
        request.method.as_str()
    ));
    page.lines(credentials);
    for (name, value) in &request.headers {
        let value: Vec<Piece> = value.iter().map(plain).collect();
        let value = literal::line(&value, scope);
        page.line(format!("{}: {value}", literal::key(&header(name))));
    }
    body::body(page, &request.body, scope);
}

fn secret_headers(user: &fossick_suite::User) -> Vec<String> {
    let header = |secret: &fossick_suite::SecretHeader| {
        let variable = environment(&secret.variable).to_ascii_lowercase();
        format!(
            "{}: {{{{{variable}}}}}",
            literal::key(&header(&secret.name))
        )
    };
    user.headers.iter().map(header).collect()
}

fn path_piece(piece: &Piece, scope: &Scope) -> String {
    match piece {
        Piece::Fixed(text) => literal::unquoted(text),
        Piece::Variable(name) => format!("{{{{{}}}}}", scope.in_path(name)),
    }
}

fn plain(piece: &Piece) -> Piece {
    match piece {
        Piece::Fixed(text) => Piece::Fixed(header_text(text)),
        Piece::Variable(name) => Piece::Variable(name.clone()),
    }
}

/// The query that gives the value.
fn take(take: &Take) -> String {
    match take {
        Take::Location => format!("{TAIL} urlDecode"),
        Take::Header(name) => format!("header {}", literal::quoted(&header(name))),
        Take::Pointer(pointer) => {
            format!("jsonpath {}", literal::of_pointer(pointer))
        }
    }
}

/// The query that gives the value as a part of a path.
fn take_for_path(take: &Take) -> String {
    match take {
        Take::Location => TAIL.to_owned(),
        other => format!(
            "{} toString urlEncode replace \"/\" \"%2F\"",
            self::take(other)
        ),
    }
}

fn comment(page: &mut Page, paragraphs: impl IntoIterator<Item = String>) {
    for paragraph in paragraphs {
        page.lines(
            lines(&paragraph, WIDTH - 2)
                .iter()
                .map(|line| format!("# {line}")),
        );
    }
}
