//! Checks as the end of a chain: `.statusCode(201).body(at("name").equalTo("x"))`.

use fossick_suite::{Check, Fault, Is, JsonKind, Key, What};

use super::layout::{Expression, Link};
use super::literal::comment;
use super::scope::Scope;
use super::value;
use crate::Faults;

/// What checks need to know besides themselves.
pub(super) struct Manners<'a> {
    pub faults: Faults,
    pub fault: Option<&'a Fault>,
    /// The files of the suite's schemas.
    pub schemas: &'a [String],
    /// How deep the links stand.
    pub indent: usize,
}

/// The status comes first: if it is wrong, little else matters.
pub(super) fn links(checks: &[Check], manners: &Manners<'_>, scope: &mut Scope) -> Vec<Link> {
    let is_status = |check: &&Check| matches!(check.what, What::Status(_));
    let first = checks.iter().filter(is_status);
    let rest = checks.iter().filter(|check| !is_status(check));
    let mut links: Vec<Link> = Vec::new();
    for check in first.chain(rest) {
        let Some((name, matcher)) = matcher(check, manners, scope) else {
            continue;
        };
        match links.last_mut() {
            Some(last) if name == "body" && last.name == "body" && !apart(check, last) => {
                last.arguments.push(matcher);
            }
            _ => links.push(Link {
                notes: notes(check, manners),
                ..Link::new(name, vec![matcher])
            }),
        }
    }
    links
}

/// A suspected fault stands alone, below its comment.
fn apart(check: &Check, last: &Link) -> bool {
    check.suspect || !last.notes.is_empty()
}

/// Turned round, the check itself says what is suspected.
fn notes(check: &Check, manners: &Manners<'_>) -> Vec<String> {
    if !check.suspect || manners.faults == Faults::Fail {
        return Vec::new();
    }
    let what = match manners.fault {
        Some(fault) => format!("The suspected fault {}: {}.", fault.code, fault.title),
        None => "The suspected fault.".to_owned(),
    };
    comment(&what, manners.indent)
}

/// Which method of REST Assured takes the check, and what it takes.
fn matcher(
    check: &Check,
    manners: &Manners<'_>,
    scope: &mut Scope,
) -> Option<(&'static str, Expression)> {
    let turned = check.suspect && manners.faults == Faults::Fail;
    let (name, expected) = match &check.what {
        What::Status(status) => {
            let status = Expression::Atom(status.to_string());
            let expected = if turned {
                scope.call("equalTo", vec![status])
            } else {
                status
            };
            ("statusCode", expected)
        }
        What::MediaType(essence) => {
            let essence = Expression::text(essence);
            ("contentType", scope.call("mediaType", vec![essence]))
        }
        What::NoBody => ("body", scope.call("noBody", Vec::new())),
        What::Text(text) => {
            let text = Expression::text(text);
            ("body", scope.call("plainText", vec![text]))
        }
        What::At { path, is } => ("body", place(path, is, scope)),
        What::Schema(at) => {
            let file = Expression::text(manners.schemas.get(*at)?);
            ("body", scope.call("conformsTo", vec![file]))
        }
    };
    let expected = if turned {
        scope.call("shouldNot", vec![reason(manners.fault), expected])
    } else {
        expected
    };
    Some((name, expected))
}

fn reason(fault: Option<&Fault>) -> Expression {
    match fault {
        Some(fault) => Expression::text(&format!("{}, {}: {}", fault.code, fault.title, fault.why)),
        None => Expression::text("a suspected fault"),
    }
}

/// `at("tags", 0).equalTo("level")`
fn place(path: &[Key], is: &Is, scope: &mut Scope) -> Expression {
    let path = path.iter().map(|key| self::key(key, scope)).collect();
    let (name, expected) = match is {
        Is::Equal(value) => ("equalTo", vec![value::of(value, scope)]),
        Is::Same(variable) => ("equalTo", vec![scope.expression(variable)]),
        Is::Kind(kind) => ("ofKind", vec![self::kind(*kind, scope)]),
        Is::Size(size) => ("ofSize", vec![whole(*size)]),
        Is::Absent => ("absent", Vec::new()),
    };
    let at = scope.call("at", path);
    at.chain(vec![Link::new(name, expected)])
}

fn key(key: &Key, scope: &mut Scope) -> Expression {
    match key {
        Key::Name(name) => Expression::text(name),
        Key::Index(index) => whole(*index),
        Key::Item(item) => {
            let mut arguments = vec![scope.expression(&item.is)];
            arguments.extend(item.at.iter().map(|name| Expression::text(name)));
            scope.call("item", arguments)
        }
    }
}

/// No list is longer than an `int` can say.
fn whole(number: usize) -> Expression {
    Expression::Atom(number.min(i32::MAX as usize).to_string())
}

fn kind(kind: JsonKind, scope: &mut Scope) -> Expression {
    let name = match kind {
        JsonKind::Null => "NULL",
        JsonKind::Boolean => "BOOLEAN",
        JsonKind::Integer => "INTEGER",
        JsonKind::Number => "NUMBER",
        JsonKind::String => "STRING",
        JsonKind::Array => "ARRAY",
        JsonKind::Object => "OBJECT",
    };
    scope.using("Kind");
    Expression::Atom(format!("Kind.{name}"))
}
