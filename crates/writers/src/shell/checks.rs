//! One check: what jq must say to the answer.

use fossick_suite::shell::{printf_format, quote, quote_if_needed};
use fossick_suite::{Check, Is, JsonKind, Key, Test, What, jq};
use serde_json::Value;

use super::program::{Names, value_at};
use super::request::is_seen;
use super::{Writer, comment};
use crate::page::Page;
use crate::variables::Variables;
use crate::{Faults, prose};

impl Writer<'_> {
    pub(super) fn check(&self, page: &mut Page, check: &Check, test: &Test, names: &Variables) {
        let command = self.command(&check.what, names);
        if !check.suspect {
            page.line(command);
            return;
        }
        let fault = test.fault.as_ref();
        comment(page, [prose::suspect(fault, self.manner.faults)]);
        match self.manner.faults {
            Faults::Pass => page.line(command),
            Faults::Fail => {
                page.line(format!("refute {} \\", quote(&prose::reason(fault))));
                page.line(format!("\t{command}"));
            }
        }
    }

    fn command(&self, what: &What, names: &Variables) -> String {
        match what {
            What::Status(status) => format!("expect_status {status}"),
            What::MediaType(name) => format!("expect_media_type {}", quote_if_needed(name)),
            What::NoBody => "expect_no_body".to_owned(),
            What::Text(text) if is_seen(text) => format!("expect_text {}", quote(text)),
            What::Text(text) => format!("expect_printed {}", printf_format(text.as_bytes())),
            What::At { path, is } => {
                let (program, variable) = program(path, is, names);
                let variables: Vec<String> = variable.into_iter().collect();
                let arguments = Names::Test(names).arguments(&variables);
                super::command(&format!("expect {}", quote(&program)), &arguments)
            }
            What::Schema(at) => {
                let name = self.schemas.get(*at).map_or("missing", String::as_str);
                format!("expect_schema {name}")
            }
        }
    }
}

/// A program that says `true`, and the variable it needs.
fn program(path: &[Key], is: &Is, names: &Variables) -> (String, Option<String>) {
    let at = jq::path(path);
    let piped = |rest: &str| match at.as_str() {
        "." => rest.to_owned(),
        at => format!("{at} | {rest}"),
    };
    let program = match is {
        Is::Equal(Value::Null) | Is::Kind(JsonKind::Null) => present(path, &at),
        Is::Equal(value) => format!("{at} == {}", value_at(value, 1)),
        Is::Same(variable) => {
            let program = format!("{at} == ${}", names.get(variable));
            return (program, Some(variable.clone()));
        }
        Is::Kind(JsonKind::Integer) => piped("is_integer"),
        Is::Kind(kind) => piped(&format!("type == \"{}\"", kind_name(*kind))),
        Is::Size(size) => piped(&format!("type == \"array\" and length == {size}")),
        Is::Absent => absent(path),
    };
    (program, None)
}

/// What is not there is `null` to jq as well.
fn present(path: &[Key], at: &str) -> String {
    let Some((last, before)) = path.split_last() else {
        return ". == null".to_owned();
    };
    match before {
        [] => format!("has({}) and {at} == null", key(last)),
        _ => format!(
            "({} | has({})) and {at} == null",
            jq::path(before),
            key(last)
        ),
    }
}

fn absent(path: &[Key]) -> String {
    let Some((last, before)) = path.split_last() else {
        return "false".to_owned();
    };
    let container = match last {
        Key::Index(_) => "array",
        Key::Name(_) => "object",
    };
    let lacks = format!("type == \"{container}\" and (has({}) | not)", key(last));
    match before {
        [] => lacks,
        _ => format!("{} | {lacks}", jq::path(before)),
    }
}

fn key(key: &Key) -> String {
    match key {
        Key::Index(index) => index.to_string(),
        Key::Name(name) => jq::text(name),
    }
}

fn kind_name(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Null => "null",
        JsonKind::Boolean => "boolean",
        JsonKind::Integer | JsonKind::Number => "number",
        JsonKind::String => "string",
        JsonKind::Array => "array",
        JsonKind::Object => "object",
    }
}
