//! Tests, step by step: what is sent, what is expected, what is kept.

use fossick_suite::{Check, Piece, Request, Save, Step, Suite, Test, What};
use fossick_trace::Take;

use super::check::{self, Manners};
use super::layout::{Expression, Link, lines, statement};
use super::literal::comment;
use super::scope::{Kind, Scope};
use super::{Language, request};
use crate::{Faults, wrap};

/// What all tests of a suite share.
pub(super) struct Shared<'a> {
    pub suite: &'a Suite,
    pub faults: Faults,
    /// The functions that give the credentials of users.
    pub users: &'a [String],
    /// The files of schemas.
    pub schemas: &'a [String],
}

/// The statements of a test.
pub(super) fn body(test: &Test, shared: &Shared<'_>, scope: &mut Scope) -> String {
    let mut out = String::new();
    let indent = 2 * scope.language.indent();
    for fresh in &test.fresh {
        let name = scope.declare(&fresh.variable, Kind::Text);
        let value = scope.call("fresh", vec![Expression::text(&fresh.like)]);
        out += &statement(
            scope.language,
            indent,
            &declared(&name, "String", scope),
            &value,
        );
    }
    for (at, step) in test.steps.iter().enumerate() {
        if !out.is_empty() {
            out.push('\n');
        }
        out += &one(test, at, step, shared, scope);
    }
    out
}

/// `String name =` or `val name =`
fn declared(name: &str, kind: &str, scope: &mut Scope) -> String {
    match scope.language {
        Language::Java => {
            scope.using(kind);
            format!("{kind} {name} =")
        }
        Language::Kotlin => format!("val {name} ="),
    }
}

fn one(test: &Test, at: usize, step: &Step, shared: &Shared<'_>, scope: &mut Scope) -> String {
    let language = scope.language;
    let indent = 2 * language.indent();
    let sent = request::chain(&step.request, who(step, shared, scope), scope);
    if step.checks.is_empty() && step.saves.is_empty() {
        return about(step, indent) + &statement(language, indent, "", &sent);
    }
    let answer = scope.local(&match test.steps.len() {
        1 => "answer".to_owned(),
        _ => format!("answer{}", at + 1),
    });
    let before = declared(&answer, "Response", scope);
    let sent = statement(language, indent, &before, &sent);
    let manners = Manners {
        faults: shared.faults,
        fault: test.fault.as_ref(),
        schemas: shared.schemas,
        indent: indent + 4,
    };
    let verify = vec![Expression::atom(&answer), Expression::text(&told(at, step))];
    let (now, later) = split(step);
    let now = checked(check::links(&now, &manners, scope), &verify, indent, scope);
    let saves = step
        .saves
        .iter()
        .map(|save| saved(save, &answer, indent, scope));
    let saves: String = saves.collect();
    let later = checked(
        check::links(&later, &manners, scope),
        &verify,
        indent,
        scope,
    );
    format!("{}{sent}{now}{saves}{later}", about(step, indent))
}

/// Checks that come before values are kept, and those after it: only where some check needs one of
/// these values has anything but the status to wait.
fn split(step: &Step) -> (Vec<Check>, Vec<Check>) {
    let checks = step.checks.iter();
    let waits = checks.clone().any(|check| names_a_save(&check.what, step));
    checks
        .cloned()
        .partition(|check| !waits || matches!(check.what, What::Status(_)))
}

fn names_a_save(what: &What, step: &Step) -> bool {
    let is_saved = |variable| step.saves.iter().any(|save| save.variable == variable);
    what.variables().any(is_saved)
}

/// `verify(answer, "step 1").statusCode(200)`
fn checked(links: Vec<Link>, verify: &[Expression], indent: usize, scope: &mut Scope) -> String {
    if links.is_empty() {
        return String::new();
    }
    let chain = scope.call("verify", verify.to_vec()).chain(links);
    statement(scope.language, indent, "", &chain)
}

fn about(step: &Step, indent: usize) -> String {
    let Some(about) = &step.about else {
        return String::new();
    };
    let blank = " ".repeat(indent);
    lines(&blank, comment(&wrap::sentence(about), indent), "")
}

fn who(step: &Step, shared: &Shared<'_>, scope: &mut Scope) -> Vec<Expression> {
    let user = step.request.user.and_then(|at| shared.users.get(at));
    user.map(|name| scope.call(name, Vec::new()))
        .into_iter()
        .collect()
}

/// How a step is named where it fails.
fn told(at: usize, step: &Step) -> String {
    let what = match &step.about {
        Some(about) => wrap::calm(about),
        None => line(&step.request),
    };
    format!("step {} ({what})", at + 1)
}

/// `DELETE /tools/{tool_id}`
pub(super) fn line(request: &Request) -> String {
    let path = request.path.iter().map(|piece| match piece {
        Piece::Fixed(text) => text.clone(),
        Piece::Variable(name) => format!("{{{name}}}"),
    });
    format!("{} {}", request.method.as_str(), path.collect::<String>())
}

fn saved(save: &Save, answer: &str, indent: usize, scope: &mut Scope) -> String {
    let (kind, class) = match save.take {
        Take::Location | Take::Header(_) => (Kind::Text, "String"),
        Take::Pointer(_) => (Kind::Json, "JsonNode"),
    };
    let value = taken(&save.take, answer, scope);
    let name = scope.declare(&save.variable, kind);
    let before = declared(&name, class, scope);
    statement(scope.language, indent, &before, &value)
}

/// `pointer(answer, "/id")`
pub(super) fn taken(take: &Take, answer: &str, scope: &mut Scope) -> Expression {
    let answer = Expression::atom(answer);
    match take {
        Take::Location => scope.call("location", vec![answer]),
        Take::Header(name) => scope.call("header", vec![answer, Expression::text(name)]),
        Take::Pointer(pointer) => scope.call("pointer", vec![answer, Expression::text(pointer)]),
    }
}
