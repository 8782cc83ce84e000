//! Who sends requests: one function a user, which gives the headers with the credentials.
//!
//! A login is sent once a run. It may itself need headers from the environment, but never the
//! token of another login, so no two can wait for each other.

use std::collections::BTreeSet;

use fossick_suite::{Login, SecretHeader, User};

use super::language::{HELPERS, RESERVED};
use super::layout::{Expression, Link, lines, statement};
use super::scope::{Scope, free};
use super::text::Part;
use super::{Language, Project, Version, request, step};
use crate::File;
use crate::names::{Taken, camel};

/// The names of the functions, one for each user.
pub(super) fn names(users: &[User]) -> Vec<String> {
    let all: Vec<_> = RESERVED.iter().chain(HELPERS).copied().collect();
    let mut taken = Taken::with(&all);
    let names = users
        .iter()
        .map(|user| user.name.as_deref().unwrap_or("user"));
    names
        .map(|name| free(&mut taken, &camel(name, "user")))
        .collect()
}

pub(super) fn file(project: &Project<'_>) -> File {
    let mut scope = Scope::new(project.language);
    let users = project.shared.suite.users.iter().zip(project.shared.users);
    let functions: Vec<_> = users
        .flat_map(|(user, name)| functions(user, name, project, &mut scope))
        .collect();
    let mut used = scope.used();
    used.remove("secret");
    let text = match project.language {
        Language::Java => java(project, &functions, &used),
        Language::Kotlin => kotlin(project, &functions, &used),
    };
    project.source("Users", text)
}

fn functions(user: &User, name: &str, project: &Project<'_>, scope: &mut Scope) -> Vec<String> {
    let language = project.language;
    let token = user.login.as_ref().map(|_| token_of(name));
    let headers = headers(user, token.as_deref(), scope);
    scope.using("Headers");
    let given = match language {
        Language::Java => {
            let body = statement(language, 4, "return", &headers);
            format!("  static Headers {name}() {{\n{body}  }}\n")
        }
        Language::Kotlin => statement(
            language,
            0,
            &format!("internal fun {name}(): Headers ="),
            &headers,
        ),
    };
    let login = user.login.as_ref().zip(token);
    let login = login.map(|(login, token)| logged_in(login, name, &token, project, scope));
    std::iter::once(given).chain(login).collect()
}

/// `new Headers(new Header("Authorization", secret("ALICE_AUTHORIZATION")))`
fn headers(user: &User, token: Option<&str>, scope: &mut Scope) -> Expression {
    let mut all: Vec<_> = user
        .headers
        .iter()
        .map(|header| secret(header, scope))
        .collect();
    if let (Some(login), Some(token)) = (&user.login, token) {
        let token = match scope.language {
            Language::Java => format!("{token}()"),
            Language::Kotlin => token.to_owned(),
        };
        let value = prefixed(&login.prefix, token);
        all.push(header(&login.header, value, scope));
    }
    scope.using("Headers");
    Expression::Call(made("Headers", scope), all)
}

fn prefixed(prefix: &str, token: String) -> Expression {
    let prefix = prefix.chars().map(Part::Char);
    Expression::Text(prefix.chain([Part::Hole(token)]).collect())
}

fn secret(secret: &SecretHeader, scope: &mut Scope) -> Expression {
    let value = scope.call("secret", vec![Expression::text(&secret.variable)]);
    header(&secret.name, value, scope)
}

fn header(name: &str, value: Expression, scope: &mut Scope) -> Expression {
    scope.using("Header");
    Expression::Call(made("Header", scope), vec![Expression::text(name), value])
}

fn made(class: &str, scope: &Scope) -> String {
    match scope.language {
        Language::Java => format!("new {class}"),
        Language::Kotlin => class.to_owned(),
    }
}

/// The token, asked for when it is needed first.
fn logged_in(
    login: &Login,
    user: &str,
    token: &str,
    project: &Project<'_>,
    scope: &mut Scope,
) -> String {
    let indent = match project.language {
        Language::Java => 6,
        Language::Kotlin => 8,
    };
    let language = project.language;
    let sent = request::chain(&login.request, credentials(login, project, scope), scope);
    let take = taken(login, scope);
    let verify = verified(user, scope);
    match language {
        Language::Java => {
            scope.using("Response");
            let sent = statement(language, indent, "Response answer =", &sent);
            let verify = statement(language, indent, "", &verify);
            let take = statement(language, indent, &format!("{token} ="), &take);
            format!(
                "  private static synchronized String {token}() {{\n    if ({token} == null) {{\n\
                 {sent}{verify}{take}    }}\n    return {token};\n  }}\n"
            )
        }
        Language::Kotlin => {
            let sent = statement(language, indent, "val answer =", &sent);
            let verify = statement(language, indent, "", &verify);
            let take = statement(language, indent, "", &take);
            format!(
                "private val {token}: String by lazy {{\n{}}}\n",
                outdented(&format!("{sent}{verify}{take}"))
            )
        }
    }
}

/// Top-level code of Kotlin stands four to the left of what is in a class.
fn outdented(text: &str) -> String {
    let moved = text
        .lines()
        .map(|line| line.strip_prefix("    ").unwrap_or(line));
    lines("", moved, "")
}

fn credentials(login: &Login, project: &Project<'_>, scope: &mut Scope) -> Vec<Expression> {
    let user = login.request.user;
    let user = user.and_then(|at| project.shared.suite.users.get(at));
    match user.filter(|user| !user.headers.is_empty()) {
        Some(user) => {
            let plain = User {
                login: None,
                ..user.clone()
            };
            vec![headers(&plain, None, scope)]
        }
        None => Vec::new(),
    }
}

fn taken(login: &Login, scope: &mut Scope) -> Expression {
    let take = step::taken(&login.take, "answer", scope);
    match login.take {
        fossick_trace::Take::Pointer(_) => scope.call("text", vec![take]),
        _ => take,
    }
}

fn verified(user: &str, scope: &mut Scope) -> Expression {
    let below = scope.call("lessThan", vec![Expression::atom("400")]);
    let answer = Expression::atom("answer");
    let what = Expression::text(&format!("the login of {user}"));
    let verify = scope.call("verify", vec![answer, what]);
    verify.chain(vec![Link::new("statusCode", vec![below])])
}

const PURPOSE: &str = "Who sends requests. Credentials come from the environment.";

fn java(project: &Project<'_>, functions: &[String], used: &BTreeSet<String>) -> String {
    let assume = match project.version {
        Version::Four => "Assume.assumeTrue(variable + \" is not set\", value != null);",
        Version::Five => "Assumptions.assumeTrue(value != null, variable + \" is not set\");",
    };
    let tokens = fields(project);
    format!(
        "{}{}\n/** {PURPOSE} */\nfinal class Users {{\n{tokens}  private Users() {{}}\n\n\
         {}\n  /** A variable of the environment; without it, the test is skipped. */\n  \
         static String secret(String variable) {{\n    \
         String value = System.getenv(variable);\n    {assume}\n    return value;\n  }}\n}}\n",
        project.package(),
        project.imports(used, assumed(project)),
        functions.join("\n"),
    )
}

fn kotlin(project: &Project<'_>, functions: &[String], used: &BTreeSet<String>) -> String {
    let assume = match project.version {
        Version::Four => "Assume.assumeTrue(\"$variable is not set\", value != null)",
        Version::Five => "Assumptions.assumeTrue(value != null, \"$variable is not set\")",
    };
    format!(
        "{}{}\n// {PURPOSE}\n\n{}\n\
         /** A variable of the environment; without it, the test is skipped. */\n\
         internal fun secret(variable: String): String {{\n    \
         val value = System.getenv(variable)\n    {assume}\n    return value\n}}\n",
        project.package(),
        project.imports(used, assumed(project)),
        functions.join("\n"),
    )
}

fn assumed(project: &Project<'_>) -> BTreeSet<String> {
    let class = match project.version {
        Version::Four => "org.junit.Assume",
        Version::Five => "org.junit.jupiter.api.Assumptions",
    };
    BTreeSet::from([class.to_owned()])
}

/// Where Java keeps the tokens.
fn fields(project: &Project<'_>) -> String {
    let users = project.shared.suite.users.iter().zip(project.shared.users);
    let tokens = users
        .filter(|(user, _)| user.login.is_some())
        .map(|(_, name)| token_of(name));
    let fields = lines("  private static String ", tokens, ";");
    if fields.is_empty() {
        return fields;
    }
    format!("{fields}\n")
}

fn token_of(user: &str) -> String {
    camel(&format!("token of {user}"), "token")
}
