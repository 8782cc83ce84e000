//! Checks as plain asserts, which pytest explains when they fail.

use fossick_suite::{Check, Fault, Is, Item, JsonKind, Key, Test, What};
use serde_json::Value;

use super::STYLE;
use super::literal::{dict, list, string, value};
use crate::Faults;
use crate::layout::Doc;
use crate::scope::Scope;
use crate::wrap::comment;

/// What a check needs to know of its surroundings.
#[derive(Debug)]
pub(super) struct Setting<'a> {
    pub(super) test: &'a Test,
    pub(super) faults: Faults,
    pub(super) scope: &'a Scope,
    pub(super) schemas: &'a [String],
}

/// `assert LEFT OPERATOR RIGHT`, or only `assert LEFT`.
struct Assertion {
    left: Doc,
    /// The operator, and the one that means the opposite.
    operator: Option<(&'static str, &'static str)>,
    right: Doc,
    /// Without an operator: holds if the left is false.
    negative: bool,
}

const EQUAL: Option<(&str, &str)> = Some(("==", "!="));

pub(super) fn check(check: &Check, setting: &Setting<'_>) -> Vec<String> {
    let Some(assertion) = assertion(&check.what, setting) else {
        return Vec::new();
    };
    let turned = check.suspect && setting.faults == Faults::Fail;
    let mut lines = Vec::new();
    if let (true, false, Some(fault)) = (check.suspect, turned, &setting.test.fault) {
        lines.extend(mark(fault));
    }
    lines.extend(written(
        &assertion,
        turned,
        turned && setting.test.fault.is_some(),
    ));
    lines
}

fn mark(fault: &Fault) -> Vec<String> {
    let text = format!("The suspected fault: {}, {}.", fault.code, fault.title);
    indented(comment("#", &text, STYLE.width - STYLE.indent))
}

pub(super) fn indented(lines: Vec<String>) -> Vec<String> {
    lines
        .into_iter()
        .map(|line| format!("    {line}"))
        .collect()
}

fn assertion(what: &What, setting: &Setting<'_>) -> Option<Assertion> {
    Some(match what {
        What::Status(status) => equal(Doc::text("answer.status"), Doc::text(status.to_string())),
        What::MediaType(name) => equal(Doc::text("answer.media_type"), Doc::text(string(name))),
        What::NoBody => truth(Doc::text("answer.content"), true),
        What::Text(text) => equal(Doc::text("answer.text"), Doc::text(string(text))),
        What::At { path, is } => at(path, is, setting),
        What::Schema(place) => {
            let name = Doc::text(string(setting.schemas.get(*place)?));
            truth(Doc::call("answer.problems", vec![name]), true)
        }
    })
}

fn equal(left: Doc, right: Doc) -> Assertion {
    Assertion {
        left,
        operator: EQUAL,
        right,
        negative: false,
    }
}

fn truth(left: Doc, negative: bool) -> Assertion {
    Assertion {
        left,
        operator: None,
        right: Doc::text(""),
        negative,
    }
}

fn at(path: &[Key], is: &Is, setting: &Setting<'_>) -> Assertion {
    let call = |name: &str| Doc::call(format!("answer.{name}"), keys(path, setting));
    match is {
        Is::Equal(Value::String(text)) => equal(call("at"), Doc::text(string(text))),
        Is::Equal(number @ Value::Number(_)) => equal(call("number"), value(number)),
        Is::Equal(constant @ (Value::Null | Value::Bool(_))) => Assertion {
            operator: Some(("is", "is not")),
            ..equal(call("at"), value(constant))
        },
        Is::Equal(other) => same(value(other), path, setting),
        Is::Same(variable) => same(Doc::text(setting.scope.get(variable).name), path, setting),
        Is::Kind(JsonKind::Number) => Assertion {
            operator: Some(("in", "not in")),
            ..equal(call("kind"), Doc::text("(\"integer\", \"number\")"))
        },
        Is::Kind(kind) => equal(call("kind"), Doc::text(format!("\"{}\"", kind_name(*kind)))),
        Is::Size(size) => equal(call("size"), Doc::text(size.to_string())),
        Is::Absent => truth(call("lacks"), false),
    }
}

fn same(value: Doc, path: &[Key], setting: &Setting<'_>) -> Assertion {
    let mut arguments = vec![value];
    arguments.extend(keys(path, setting));
    truth(Doc::call("answer.same", arguments), false)
}

fn keys(path: &[Key], setting: &Setting<'_>) -> Vec<Doc> {
    path.iter()
        .map(|key| match key {
            Key::Index(index) => Doc::text(index.to_string()),
            Key::Name(name) => Doc::text(string(name)),
            Key::Item(item) => wanted(item, setting),
        })
        .collect()
}

/// What an item carries: `{"node": {"id": lot_id}}`, or `[name]` where it is the item.
fn wanted(item: &Item, setting: &Setting<'_>) -> Doc {
    let value = Doc::text(setting.scope.get(&item.is).name);
    if item.at.is_empty() {
        return list(vec![value]);
    }
    let outwards = item.at.iter().rev();
    outwards.fold(value, |inner, name| dict([(name, inner)].into_iter()))
}

pub(super) fn kind_name(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Null => "null",
        JsonKind::Boolean => "boolean",
        JsonKind::Integer => "integer",
        JsonKind::Number => "number",
        JsonKind::String => "string",
        JsonKind::Array => "array",
        JsonKind::Object => "object",
    }
}

fn written(assertion: &Assertion, turned: bool, has_fault: bool) -> Vec<String> {
    let message = if has_fault { ", fault" } else { "" };
    let left = STYLE.flat(&assertion.left);
    let right = STYLE.flat(&assertion.right);
    let whole = line(assertion, turned, &left, &right, message);
    if STYLE.fits(1, &whole) {
        return vec![format!("    {whole}")];
    }
    let short = line(assertion, turned, &left, "expected", message);
    if assertion.operator.is_some() && STYLE.fits(1, &short) {
        return vec![assigned("expected", &right), format!("    {short}")];
    }
    spread(assertion, turned, message)
}

fn line(assertion: &Assertion, turned: bool, left: &str, right: &str, message: &str) -> String {
    if let Some((is, is_not)) = assertion.operator {
        let operator = if turned { is_not } else { is };
        return format!("assert {left} {operator} {right}{message}");
    }
    let not = if turned == assertion.negative {
        ""
    } else {
        "not "
    };
    format!("assert {not}{left}{message}")
}

/// Both sides get a name; the answer is told in a message, since pytest no longer sees it.
fn spread(assertion: &Assertion, turned: bool, message: &str) -> Vec<String> {
    let message = if message.is_empty() {
        ", answer"
    } else {
        message
    };
    let mut lines = vec![STYLE.statement(1, "value = ", &assertion.left, "")];
    let right = STYLE.flat(&assertion.right);
    let whole = line(assertion, turned, "value", &right, message);
    if STYLE.fits(1, &whole) {
        lines.push(format!("    {whole}"));
    } else {
        lines.push(assigned("expected", &right));
        lines.push(format!(
            "    {}",
            line(assertion, turned, "value", "expected", message)
        ));
    }
    lines
}

/// A long value under a name: in parentheses if that makes it fit.
pub(super) fn assigned(name: &str, literal: &str) -> String {
    assigned_at(1, name, literal)
}

pub(super) fn assigned_at(depth: usize, name: &str, literal: &str) -> String {
    let margin = " ".repeat(depth * STYLE.indent);
    let whole = format!("{name} = {literal}");
    if !STYLE.fits(depth, &whole) && STYLE.fits(depth + 1, literal) {
        return format!("{margin}{name} = (\n{margin}    {literal}\n{margin})");
    }
    format!("{margin}{whole}")
}
