//! Checks as `pm.test`, in Postman's own words.

use fossick_suite::{Check, Fault, Is, JsonKind, Key, Save, Test, What};
use fossick_trace::Take;
use serde_json::Value;

use super::script::{Script, text};
use crate::Faults;
use crate::jest::{kind_name, string, value, wanted};
use crate::layout::{Doc, Kind};
use crate::scope::Scope;
use crate::wrap::calm;

#[derive(Debug)]
pub(super) struct Setting<'a> {
    pub(super) test: &'a Test,
    pub(super) faults: Faults,
    pub(super) scope: &'a Scope,
}

impl Setting<'_> {
    fn is_turned(&self, check: &Check) -> bool {
        check.suspect && self.faults == Faults::Fail
    }
}

/// One `pm.test` for each check, but a single one for the fields of the body.
pub(super) fn checks(script: &mut Script, checks: &[Check], setting: &Setting<'_>) {
    let is_field = |check: &&Check| !check.suspect && matches!(check.what, What::At { .. });
    for check in checks.iter().filter(|check| !is_field(check)) {
        block(script, &title(check, setting), &[check], setting);
    }
    let fields: Vec<&Check> = checks.iter().filter(is_field).collect();
    if !fields.is_empty() {
        block(script, "the body is as expected", &fields, setting);
    }
}

fn block(script: &mut Script, title: &str, checks: &[&Check], setting: &Setting<'_>) {
    script.line(format!("pm.test({}, () => {{", string(title)));
    for check in checks {
        let turned = setting.is_turned(check);
        let fault = setting.test.fault.as_ref().filter(|_| turned);
        let (found, verb, wanted) = expectation(script, &check.what, setting);
        let message = message(script, fault);
        let not = if turned { "not." } else { "" };
        let expect = Doc::call("pm.expect", vec![found, message]);
        script.chain(1, &expect, &format!(".to.{not}{verb}"), wanted);
    }
    script.line("});");
}

fn message(script: &mut Script, fault: Option<&Fault>) -> Doc {
    let why = fault.map(|fault| format!("{}, {}: {}", fault.code, fault.title, fault.why));
    let why = why.map(|why| text(&calm(&why)));
    script.call("told", why.into_iter().collect())
}

fn title(check: &Check, setting: &Setting<'_>) -> String {
    let what = match &check.what {
        What::Status(status) => format!("status is {status}"),
        What::MediaType(name) => format!("media type is {name}"),
        What::NoBody => "there is no body".to_owned(),
        What::Text(_) => "the text is as expected".to_owned(),
        What::At { .. } => "the body is as expected".to_owned(),
        What::Schema(_) => "the body fits its schema".to_owned(),
    };
    let Some(fault) = setting.test.fault.as_ref().filter(|_| check.suspect) else {
        return calm(&what);
    };
    match setting.faults {
        Faults::Pass => calm(&format!("{what} (suspected fault {})", fault.code)),
        Faults::Fail => calm(&format!("{} is mended", fault.code)),
    }
}

/// What is found, the verb of the assertion, and what is wanted.
fn expectation(
    script: &mut Script,
    what: &What,
    setting: &Setting<'_>,
) -> (Doc, &'static str, Doc) {
    let number = |number: usize| Doc::text(number.to_string());
    match what {
        What::Status(status) => (
            Doc::text("pm.response.code"),
            "equal",
            number((*status).into()),
        ),
        What::MediaType(name) => (script.call("mediaType", Vec::new()), "equal", text(name)),
        What::NoBody => (Doc::text("pm.response.text()"), "equal", text("")),
        What::Text(expected) => (Doc::text("pm.response.text()"), "equal", text(expected)),
        What::At { path, is } => at(script, path, is, setting),
        What::Schema(place) => {
            let name = text(&schema_variable(*place));
            let none = Doc::list("[", Vec::new(), "]", Kind::Array);
            (script.call("problems", vec![name]), "eql", none)
        }
    }
}

fn at(
    script: &mut Script,
    path: &[Key],
    is: &Is,
    setting: &Setting<'_>,
) -> (Doc, &'static str, Doc) {
    let path = keys(script, path, setting.scope);
    match is {
        // Postman reads all numbers as doubles, and cannot tell of any other.
        Is::Equal(Value::Number(number)) => {
            let number = number.to_string().replace("e+", "e");
            (script.call("at", path), "eql", Doc::text(number))
        }
        Is::Equal(expected) => (script.call("at", path), "eql", value(expected)),
        Is::Same(variable) => {
            let name = text(&setting.scope.get(variable).name);
            let found = script.call("at", path);
            (found, "eql", script.call("saved", vec![name]))
        }
        Is::Kind(JsonKind::Number) => {
            let kinds = vec![text("integer"), text("number")];
            let kinds = Doc::list("[", kinds, "]", Kind::Array);
            (script.call("kind", path), "be.oneOf", kinds)
        }
        Is::Kind(kind) => (script.call("kind", path), "equal", text(kind_name(*kind))),
        Is::Size(size) => {
            let size = Doc::text(size.to_string());
            (script.call("size", path), "equal", size)
        }
        Is::Absent => (script.call("lacks", path), "equal", Doc::text("true")),
    }
}

fn keys(script: &mut Script, path: &[Key], scope: &Scope) -> Vec<Doc> {
    path.iter()
        .map(|key| match key {
            Key::Index(index) => Doc::text(index.to_string()),
            Key::Name(name) => text(name),
            Key::Item(item) => {
                let name = text(&scope.get(&item.is).name);
                wanted(item, script.call("saved", vec![name]))
            }
        })
        .collect()
}

/// The variable of the collection that holds a schema.
pub(super) fn schema_variable(place: usize) -> String {
    format!("schema_{}", place + 1)
}

pub(super) fn save(script: &mut Script, save: &Save, scope: &Scope) {
    let taken = taken(script, &save.take);
    let name = text(&scope.get(&save.variable).name);
    let call = script.call("save", vec![name, taken]);
    script.statement(0, &call);
}

pub(super) fn taken(script: &mut Script, take: &Take) -> Doc {
    match take {
        Take::Location => script.call("location", Vec::new()),
        Take::Header(name) => script.call("header", vec![text(name)]),
        Take::Pointer(pointer) => script.call("take", vec![text(pointer)]),
    }
}
