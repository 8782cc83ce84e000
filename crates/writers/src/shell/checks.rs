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
                let program = program(path, is, names);
                let variables: Vec<String> = what.variables().map(str::to_owned).collect();
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

/// A program that says `true`.
fn program(path: &[Key], is: &Is, names: &Variables) -> String {
    let at = jq_path(path, names);
    let piped = |rest: &str| match at.as_str() {
        "." => rest.to_owned(),
        at => format!("{at} | {rest}"),
    };
    match is {
        Is::Equal(Value::Null) | Is::Kind(JsonKind::Null) => present(path, &at, names),
        Is::Equal(value) => format!("{at} == {}", value_at(value, 1)),
        Is::Same(variable) => format!("{at} == ${}", names.get(variable)),
        Is::Kind(JsonKind::Integer) => piped("is_integer"),
        Is::Kind(kind) => piped(&format!("type == \"{}\"", kind_name(*kind))),
        Is::Size(size) => piped(&format!("type == \"array\" and length == {size}")),
        Is::Absent => absent(path, names),
    }
}

fn jq_path(path: &[Key], names: &Variables) -> String {
    jq::path(path, &|variable| names.get(variable))
}

/// What is not there is `null` to jq as well.
fn present(path: &[Key], at: &str, names: &Variables) -> String {
    let Some((last, before)) = path.split_last() else {
        return ". == null".to_owned();
    };
    let has = has(last, names);
    match before {
        [] => format!("{has} and {at} == null"),
        _ => format!("({} | {has}) and {at} == null", jq_path(before, names)),
    }
}

fn absent(path: &[Key], names: &Variables) -> String {
    let Some((last, before)) = path.split_last() else {
        return "false".to_owned();
    };
    let container = match last {
        Key::Index(_) | Key::Item(_) => "array",
        Key::Name(_) => "object",
    };
    let lacks = format!("type == \"{container}\" and ({} | not)", has(last, names));
    match before {
        [] => lacks,
        _ => format!("{} | {lacks}", jq_path(before, names)),
    }
}

fn has(key: &Key, names: &Variables) -> String {
    match key {
        Key::Index(index) => format!("has({index})"),
        Key::Name(name) => format!("has({})", jq::text(name)),
        Key::Item(item) => {
            let named = |variable: &str| names.get(variable);
            format!("has_item({})", jq::carried(item, &named))
        }
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
