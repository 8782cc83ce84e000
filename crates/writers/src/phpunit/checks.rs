//! One check as an assertion.

use fossick_suite::{Check, Is, JsonKind, Key, Test, What};

use super::{Writer, call, comment, literal};
use crate::page::Page;
use crate::variables::Variables;
use crate::{Faults, prose};

/// The name of an assertion, of its contrary, and what they are given.
struct Claim {
    name: &'static str,
    contrary: &'static str,
    arguments: Vec<String>,
}

impl Claim {
    fn same(expected: String, actual: &str) -> Self {
        Self {
            name: "assertSame",
            contrary: "assertNotSame",
            arguments: vec![expected, format!("$answer->{actual}")],
        }
    }

    fn holds(claim: &str) -> Self {
        Self {
            name: "assertTrue",
            contrary: "assertFalse",
            arguments: vec![format!("$answer->{claim}")],
        }
    }
}

impl Writer<'_> {
    pub(super) fn check(&self, page: &mut Page, check: &Check, test: &Test, names: &Variables) {
        let turned = check.suspect && self.manner.faults == Faults::Fail;
        let mut message = "$answer->story()".to_owned();
        if check.suspect {
            let fault = test.fault.as_ref();
            comment(page, &prose::suspect(fault, self.manner.faults));
            if turned {
                let reason = literal::string(&prose::reason(fault));
                page.line(format!("$fault = {reason};"));
                message.insert_str(0, "$fault . \"\\n\" . ");
            }
        }
        let mut claim = self.claim(&check.what, names, turned);
        claim.arguments.push(message);
        let name = if turned { claim.contrary } else { claim.name };
        call(page, &format!("self::{name}("), &claim.arguments, ");");
    }

    fn claim(&self, what: &What, names: &Variables, turned: bool) -> Claim {
        match what {
            What::Status(status) => Claim::same(status.to_string(), "status"),
            What::MediaType(name) => Claim::same(literal::string(name), "mediaType()"),
            What::NoBody => Claim::same("''".to_owned(), "body"),
            What::Text(text) => Claim::same(literal::string(text), "body"),
            What::At { path, is } => at(&keys(path, names), is, names, turned),
            What::Schema(at) => {
                let name = self.schemas.get(*at).map_or("missing", String::as_str);
                Claim::same("[]".to_owned(), &format!("misfits('{name}')"))
            }
        }
    }
}

/// A mended service need not have anything there, so a turned check must not insist on it.
fn at(path: &str, is: &Is, names: &Variables, turned: bool) -> Claim {
    let found = format!("find({path})");
    let value = format!("at({path})");
    match is {
        Is::Equal(expected) if turned => {
            Claim::same(format!("[{}]", literal::scalar(expected)), &found)
        }
        Is::Equal(expected) => Claim::same(literal::scalar(expected), &value),
        Is::Same(name) => {
            let variable = format!("${}", names.get(name));
            let expected = if turned {
                format!("[{variable}]")
            } else {
                variable
            };
            let actual = if turned { found } else { value };
            match Claim::same(expected, &actual) {
                claim if names.is_text(name) => claim,
                claim => Claim {
                    name: "assertSameJson",
                    contrary: "assertNotSameJson",
                    ..claim
                },
            }
        }
        Is::Kind(JsonKind::Number) => Claim::holds(&format!("isNumber({path})")),
        Is::Kind(kind) => Claim::same(format!("'{}'", kind_name(*kind)), &format!("kind({path})")),
        Is::Size(size) => Claim::same(size.to_string(), &format!("size({path})")),
        Is::Absent => Claim::holds(&format!("lacks({path})")),
    }
}

fn keys(path: &[Key], names: &Variables) -> String {
    let key = |key: &Key| match key {
        Key::Index(index) => index.to_string(),
        Key::Name(name) => literal::string(name),
        Key::Item(item) => {
            let mut arguments = vec![format!("${}", names.get(&item.is))];
            arguments.extend(item.at.iter().map(|name| literal::string(name)));
            format!("new Item({})", arguments.join(", "))
        }
    };
    path.iter().map(key).collect::<Vec<_>>().join(", ")
}

fn kind_name(kind: JsonKind) -> &'static str {
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
