//! Operations that may saw off the branch we sit on.
//!
//! Some calls remove the caller's own account, end its session, switch a service to maintenance or
//! wipe it. They are worth testing, but last: what comes after them is lost. The words of an
//! operation tell most of them before it is called; the campaign finds the others by what happens.

use fossick_contract::{Deed, Operation};
use fossick_graph::stem_words;
use fossick_plan::keys;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Risk {
    None,
    /// Only on what we made ourselves: users, roles, tokens.
    OwnOnly,
    /// Kept for the very end of the run.
    Last,
}

/// Words that end, wipe or close something for everybody.
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
        () if says(&stems(&FATAL)) => Risk::Last,
        () if deed == Deed::Delete && !has_key => Risk::Last,
        () if on_identity && on_self => Risk::Last,
        () if on_identity && deed.changes() && !has_key => Risk::Last,
        () if on_identity && deed.changes() => Risk::OwnOnly,
        () => Risk::None,
    }
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
        assert_eq!(risk_of(&operation(Method::Get, "/logout")), Risk::None);
        assert_eq!(
            risk_of(&operation(Method::Delete, "/users/{id}")),
            Risk::OwnOnly
        );
    }
}
