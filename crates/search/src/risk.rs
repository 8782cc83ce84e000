//! Operations that may saw off the branch we sit on.
//!
//! Some calls remove the caller's own account, end its session, switch a service to maintenance or
//! wipe it. They are worth testing, but last: what comes after them is lost. The words of an
//! operation tell most of them before it is called; the campaign finds the others by what happens.

use fossick_contract::{Deed, Operation};
use fossick_graph::{split_words, stem_words};
use fossick_plan::keys;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Risk {
    None,
    /// Only on what we made ourselves: users, roles, tokens.
    OwnOnly,
    /// Kept for the very end of the run.
    Last,
}

/// Words that end, wipe or close something for everybody, as they are said to a service: terminals
/// and terminations are things.
const FATAL: [&str; 19] = [
    "logout",
    "signout",
    "shutdown",
    "maintenance",
    "restart",
    "reboot",
    "terminate",
    "deactivate",
    "wipe",
    "purge",
    "reset",
    "truncate",
    "drop",
    "restore",
    "factory",
    "kill",
    "stop",
    "lockdown",
    "flush",
];

/// Words that end the caller's own session. They are said by GET as well.
const LEAVING: [&str; 4] = ["logout", "logoff", "signout", "signoff"];

/// Verbs after which a word names a thing: a stop can be created.
const MAKING: [&str; 12] = [
    "create", "add", "new", "update", "edit", "set", "put", "patch", "post", "get", "list", "find",
];

/// What callers are known by.
const IDENTITY: [&str; 18] = [
    "password",
    "credential",
    "token",
    "session",
    "account",
    "user",
    "role",
    "permission",
    "auth",
    "apikey",
    "key",
    "member",
    "login",
    "principal",
    "identity",
    "access",
    "policy",
    "admin",
];

const SELF: [&str; 6] = ["me", "current", "self", "own", "my", "whoami"];

pub fn risk_of(operation: &Operation) -> Risk {
    let deed = operation.deed();
    if tells(operation, &LEAVING) {
        return Risk::Last;
    }
    if deed == Deed::Read {
        return Risk::None;
    }
    let path = match &operation.graphql {
        Some(_) => words(operation.label.trim_start_matches("mutation ")),
        None => words(&operation.path.text),
    };
    let name = words(operation.operation_id.as_deref().unwrap_or(""));
    let says = |list: &[String]| path.iter().chain(&name).any(|word| list.contains(word));
    let on_identity = says(&stems(&IDENTITY));
    let has_key = operation.path.holes().next().is_some() || !keys(operation).is_empty();
    let on_self = path.iter().any(|word| stems(&SELF).contains(word));
    match () {
        () if tells(operation, &FATAL) => Risk::Last,
        () if deed == Deed::Delete && !has_key => Risk::Last,
        () if on_identity && on_self => Risk::Last,
        () if on_identity && deed.changes() && !has_key => Risk::Last,
        () if on_identity && deed.changes() => Risk::OwnOnly,
        () => Risk::None,
    }
}

/// Whether an operation tells the service to do something: the end of its path or its name begins or
/// ends with one of the words.
fn tells(operation: &Operation, words: &[&str]) -> bool {
    let name = operation.operation_id.as_deref().unwrap_or("");
    let action = match &operation.graphql {
        Some(_) => operation.label.rsplit(' ').next().unwrap_or(""),
        None => operation.path.text.rsplit('/').next().unwrap_or(""),
    };
    let action = if action.starts_with('{') { "" } else { action };
    [name, action].into_iter().any(|text| {
        let said = split_words(text);
        let is_one = |word: &str| words.contains(&word);
        let pair = |pair: &[String]| is_one(&pair.concat());
        let (first, last) = (said.first(), said.last());
        first.is_some_and(|word| is_one(word))
            || said.windows(2).any(pair)
            || (last.is_some_and(|word| is_one(word))
                && first.is_some_and(|word| !MAKING.contains(&word.as_str())))
    })
}

fn words(text: &str) -> Vec<String> {
    text.split('/')
        .filter(|segment| !segment.starts_with('{'))
        .flat_map(stem_words)
        .collect()
}

fn stems(words: &[&str]) -> Vec<String> {
    words.iter().flat_map(|word| stem_words(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::{Method, PathTemplate};

    fn operation(method: Method, path: &str) -> Operation {
        Operation {
            label: format!("{method} {path}"),
            operation_id: None,
            method,
            path: PathTemplate::parse(path),
            tags: vec![],
            summary: String::new(),
            description: String::new(),
            deprecated: false,
            parameters: vec![],
            body: None,
            responses: vec![],
            security: vec![],
            server: None,
            place: None,
            graphql: None,
        }
    }

    #[test]
    fn what_ends_the_run_comes_last() {
        for (method, path) in [
            (Method::Delete, "/accounts"),
            (Method::Post, "/api/admin/maintenance"),
            (Method::Post, "/logout"),
            (Method::Get, "/logout"),
            (Method::Get, "/account/sign-out"),
            (Method::Post, "/machines/{id}/terminate"),
            (Method::Put, "/user/me/password"),
            (Method::Post, "/api/v2/reset"),
        ] {
            assert_eq!(
                risk_of(&operation(method, path)),
                Risk::Last,
                "{method} {path}"
            );
        }
    }

    #[test]
    fn ordinary_writes_are_ordinary() {
        assert_eq!(
            risk_of(&operation(Method::Delete, "/projects/{id}")),
            Risk::None
        );
        assert_eq!(risk_of(&operation(Method::Post, "/users")), Risk::None);
        for path in ["/terminals", "/terminations", "/bus-stops", "/drops"] {
            let create = operation(Method::Post, path);
            assert_eq!(risk_of(&create), Risk::None, "{path}");
        }
        let mut stop = operation(Method::Post, "/routes/{route}/halts");
        stop.operation_id = Some("createStop".to_owned());
        assert_eq!(risk_of(&stop), Risk::None);
        assert_eq!(
            risk_of(&operation(Method::Delete, "/users/{id}")),
            Risk::OwnOnly
        );
    }
}
