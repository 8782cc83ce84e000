//! Checks as matchers of our own, which tell the whole answer when they fail.

use fossick_suite::{Check, Fault, Is, Item, JsonKind, Key, Test, What};

use super::STYLE;
use super::literal::{key, string, value};
use crate::Faults;
use crate::layout::{Doc, Kind};
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

pub(super) fn check(check: &Check, setting: &Setting<'_>) -> Vec<String> {
    let Some((matcher, mut arguments)) = matcher(&check.what, setting) else {
        return Vec::new();
    };
    let turned = check.suspect && setting.faults == Faults::Fail;
    let mut lines = Vec::new();
    match &setting.test.fault {
        Some(fault) if check.suspect && !turned => lines.extend(mark(fault)),
        Some(_) if turned => arguments.push(Doc::text("fault")),
        _ => {}
    }
    let not = if turned { "not." } else { "" };
    let call = Doc::call(format!("expect(answer).{not}{matcher}"), arguments);
    lines.push(STYLE.statement(1, "", &call, ";"));
    lines
}

fn mark(fault: &Fault) -> Vec<String> {
    let text = format!("The suspected fault: {}, {}.", fault.code, fault.title);
    indented(comment("//", &text, STYLE.width - STYLE.indent))
}

pub(super) fn indented(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| format!("  {line}")).collect()
}

fn matcher(what: &What, setting: &Setting<'_>) -> Option<(&'static str, Vec<Doc>)> {
    Some(match what {
        What::Status(status) => ("toHaveStatus", vec![Doc::text(status.to_string())]),
        What::MediaType(name) => ("toHaveMediaType", vec![Doc::text(string(name))]),
        What::NoBody => ("toHaveNoBody", Vec::new()),
        What::Text(text) => ("toHaveText", vec![Doc::text(string(text))]),
        What::At { path, is } => at(path, is, setting),
        What::Schema(place) => {
            let name = setting.schemas.get(*place)?;
            ("toFitSchema", vec![Doc::text(string(name))])
        }
    })
}

fn at(path: &[Key], is: &Is, setting: &Setting<'_>) -> (&'static str, Vec<Doc>) {
    let path = keys(path, setting.scope);
    match is {
        Is::Equal(expected) => ("toHaveValue", vec![path, value(expected)]),
        Is::Same(variable) => {
            let name = setting.scope.get(variable).name;
            ("toHaveValue", vec![path, Doc::text(name)])
        }
        Is::Kind(kind) => {
            let name = format!("\"{}\"", kind_name(*kind));
            ("toHaveKind", vec![path, Doc::text(name)])
        }
        Is::Size(size) => ("toHaveSize", vec![path, Doc::text(size.to_string())]),
        Is::Absent => ("toLack", vec![path]),
    }
}

fn keys(path: &[Key], scope: &Scope) -> Doc {
    let key = |key: &Key| match key {
        Key::Index(index) => Doc::text(index.to_string()),
        Key::Name(name) => Doc::text(string(name)),
        Key::Item(item) => wanted(item, Doc::text(scope.get(&item.is).name)),
    };
    let all_numbers = path.len() > 1 && path.iter().all(|key| matches!(key, Key::Index(_)));
    let kind = if all_numbers {
        Kind::Numbers
    } else {
        Kind::Array
    };
    Doc::list("[", path.iter().map(key).collect(), "]", kind)
}

/// What an item carries: `{ node: { id: lotId } }`, or `[name]` where it is the item.
pub(crate) fn wanted(item: &Item, value: Doc) -> Doc {
    if item.at.is_empty() {
        return Doc::list("[", vec![value], "]", Kind::Array);
    }
    let outwards = item.at.iter().rev();
    outwards.fold(value, |inner, name| {
        let pair = Doc::pair(format!("{}: ", key(name)), inner);
        Doc::list("{", vec![pair], "}", Kind::Object)
    })
}

pub(crate) fn kind_name(kind: JsonKind) -> &'static str {
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
