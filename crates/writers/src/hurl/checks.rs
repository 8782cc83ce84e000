//! What is asserted of an answer, and kept of it.

use fossick_suite::{Check, Is, JsonKind, Key, Step, Test, What};
use serde_json::Value;

use super::scope::Scope;
use super::{Writer, comment, literal, take, take_for_path};
use crate::page::Page;
use crate::wrap::calm;
use crate::{Faults, prose};

impl Writer<'_> {
    pub(super) fn response(&self, page: &mut Page, step: &Step, test: &Test, scope: &Scope) {
        let status = step.checks.iter().find_map(|check| match check.what {
            What::Status(status) if !self.is_turned(check) => Some((status, check.suspect)),
            _ => None,
        });
        if matches!(status, Some((_, true))) {
            comment(
                page,
                [prose::suspect(test.fault.as_ref(), self.manner.faults)],
            );
        }
        page.line(match status {
            Some((status, _)) => format!("HTTP {status}"),
            None => "HTTP *".to_owned(),
        });
        captures(page, step, scope);
        self.asserts(page, step, test, scope);
    }

    fn is_turned(&self, check: &Check) -> bool {
        check.suspect && self.manner.faults == Faults::Fail
    }

    fn asserts(&self, page: &mut Page, step: &Step, test: &Test, scope: &Scope) {
        let mut begun = false;
        let mut said: Vec<String> = Vec::new();
        for check in &step.checks {
            let turned = self.is_turned(check);
            if matches!(check.what, What::Status(_)) && !turned {
                continue;
            }
            if !begun {
                page.line("[Asserts]");
                begun = true;
            }
            if check.suspect {
                let fault = test.fault.as_ref();
                comment(page, [prose::suspect(fault, self.manner.faults)]);
            }
            if let What::Schema(at) = check.what {
                self.schema(page, at, scope);
                continue;
            }
            for line in asserts(&check.what, scope, turned) {
                if !said.contains(&line) {
                    page.line(with_reason(&line, turned, test));
                    said.push(line);
                }
            }
        }
    }

    /// Hurl has no schemas: what it can see of one is the kind of the body and what it must have.
    fn schema(&self, page: &mut Page, at: usize, scope: &Scope) {
        let Some((name, schema)) = self.suite.schemas.get(at) else {
            return;
        };
        comment(
            page,
            [format!(
                "As far as Hurl can see, it fits the schema {}.",
                calm(name)
            )],
        );
        let kind = schema
            .get("type")
            .and_then(Value::as_str)
            .and_then(kind_named);
        if let Some(kind) = kind {
            page.line(format!("jsonpath \"$\" {}", is_kind(kind)));
        }
        let required = schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            let key = Key::Name(name.to_owned());
            let kind = schema
                .get("properties")
                .and_then(|all| all.get(name)?.get("type"));
            let is = kind
                .and_then(Value::as_str)
                .and_then(kind_named)
                .map_or("exists", is_kind);
            page.line(format!("{} {is}", query(&[key], scope)));
        }
    }
}

/// Hurl shows the line that failed, comment and all.
fn with_reason(line: &str, turned: bool, test: &Test) -> String {
    if !turned {
        return line.to_owned();
    }
    format!("{line} # {}", prose::reason(test.fault.as_ref()))
}

fn captures(page: &mut Page, step: &Step, scope: &Scope) {
    if step.saves.is_empty() {
        return;
    }
    page.line("[Captures]");
    for save in &step.saves {
        let name = scope.get(&save.variable);
        page.line(format!("{name}: {}", take(&save.take)));
        if scope.is_escaped(&save.variable) {
            page.line(format!("{name}_uri: {}", take_for_path(&save.take)));
        }
    }
}

fn asserts(what: &What, scope: &Scope, turned: bool) -> Vec<String> {
    let not = if turned { "not " } else { "" };
    match what {
        What::Status(status) => vec![format!("status {not}== {status}")],
        What::MediaType(name) => vec![format!(
            "header \"Content-Type\" {not}matches /(?i)^{} *(;|$)/",
            literal::pattern(name)
        )],
        What::NoBody => vec![format!("bytes count {not}== 0")],
        What::Text(text) => vec![format!("body {not}== {}", literal::quoted(text))],
        What::At { path, is } => at(path, is, scope, not),
        What::Schema(_) => Vec::new(),
    }
}

fn at(path: &[Key], is: &Is, scope: &Scope, not: &str) -> Vec<String> {
    let query = query(path, scope);
    match is {
        Is::Equal(value) => vec![format!("{query} {not}== {}", scalar(value))],
        Is::Same(name) => vec![format!("{query} {not}== {{{{{}}}}}", scope.get(name))],
        Is::Kind(kind) => vec![format!("{query} {not}{}", is_kind(*kind))],
        Is::Size(size) => vec![format!("{query} count {not}== {size}")],
        Is::Absent if not.is_empty() => absent(path, &query, scope),
        Is::Absent => vec![format!("{query} exists")],
    }
}

fn absent(path: &[Key], query: &str, scope: &Scope) -> Vec<String> {
    let Some((last, before)) = path.split_last() else {
        return vec![format!("{query} not exists")];
    };
    let container = match last {
        Key::Index(_) | Key::Item(_) => "isList",
        Key::Name(_) => "isObject",
    };
    vec![
        format!("{} {container}", self::query(before, scope)),
        format!("{query} not exists"),
    ]
}

fn query(path: &[Key], scope: &Scope) -> String {
    let path = literal::json_path(path, scope);
    format!("jsonpath {}", literal::quoted_pieces(&path, scope))
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => literal::quoted(text),
        Value::Number(number) => literal::number(number),
        scalar => scalar.to_string(),
    }
}

fn is_kind(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Null => "== null",
        JsonKind::Boolean => "isBoolean",
        JsonKind::Integer => "isInteger",
        JsonKind::Number => "isNumber",
        JsonKind::String => "isString",
        JsonKind::Array => "isList",
        JsonKind::Object => "isObject",
    }
}

fn kind_named(name: &str) -> Option<JsonKind> {
    serde_json::from_value(Value::from(name)).ok()
}
