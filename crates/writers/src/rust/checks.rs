//! One check as an assertion.

use fossick_suite::{Check, Is, JsonKind, Key, Test, What};

use super::{Writer, call, comment, literal};
use crate::page::Page;
use crate::variables::Variables;
use crate::{Faults, prose};

/// Two things that are equal, or one that is true; the macro and what turns it round.
enum Claim {
    Equal(String, String),
    True(String),
}

impl Writer<'_> {
    pub(super) fn check(&self, page: &mut Page, check: &Check, test: &Test, names: &Variables) {
        let turned = check.suspect && self.manner.faults == Faults::Fail;
        let mut message = "\"{answer}\"".to_owned();
        if check.suspect {
            let fault = test.fault.as_ref();
            comment(page, "//", [prose::suspect(fault, self.manner.faults)]);
            if turned {
                let reason = literal::in_format(&prose::reason(fault));
                message = format!("\"{reason}\\n{{answer}}\"");
            }
        }
        let claim = self.claim(&check.what, names, turned);
        let (head, arguments) = match (claim, turned) {
            (Claim::Equal(left, right), false) => ("assert_eq!(", vec![left, right, message]),
            (Claim::Equal(left, right), true) => ("assert_ne!(", vec![left, right, message]),
            (Claim::True(claim), false) => ("assert!(", vec![claim, message]),
            (Claim::True(claim), true) => ("assert!(", vec![format!("!{claim}"), message]),
        };
        call(page, head, &arguments, ");", false);
    }

    fn claim(&self, what: &What, names: &Variables, turned: bool) -> Claim {
        let equal = |left: &str, right: String| Claim::Equal(format!("answer.{left}"), right);
        match what {
            What::Status(status) => equal("status()", status.to_string()),
            What::MediaType(name) => equal("media_type()", literal::string(name)),
            What::NoBody => equal("text()", literal::string("")),
            What::Text(text) => equal("text()", literal::string(text)),
            What::At { path, is } => at(&literal::string(&pointer(path)), is, names, turned),
            What::Schema(at) => {
                let name = self.schemas.get(*at).map_or("missing", String::as_str);
                equal(
                    &format!("misfits({})", literal::string(name)),
                    literal::string(""),
                )
            }
        }
    }
}

/// A mended service need not have anything there, so a turned check must not insist on it.
fn at(pointer: &str, is: &Is, names: &Variables, turned: bool) -> Claim {
    let equal = |left: String, right: String| Claim::Equal(format!("answer.{left}"), right);
    match is {
        Is::Equal(value) if turned => {
            let json = literal::scalar(value);
            let json = if json.starts_with("json!") {
                json
            } else {
                format!("json!({json})")
            };
            equal(format!("get({pointer})"), format!("Some({json})"))
        }
        Is::Same(name) if turned => equal(
            format!("get({pointer})"),
            format!("Some({}.clone())", names.get(name)),
        ),
        Is::Equal(value) => equal(format!("at({pointer})"), literal::scalar(value)),
        Is::Same(name) => equal(format!("at({pointer})"), names.get(name)),
        Is::Kind(JsonKind::Number) => Claim::True(format!("answer.is_number({pointer})")),
        Is::Kind(kind) => equal(
            format!("kind({pointer})"),
            literal::string(kind_name(*kind)),
        ),
        Is::Size(size) => equal(format!("size({pointer})"), format!("Some({size})")),
        Is::Absent => Claim::True(format!("answer.lacks({pointer})")),
    }
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

fn pointer(path: &[Key]) -> String {
    let key = |key: &Key| match key {
        Key::Index(index) => format!("/{index}"),
        Key::Name(name) => format!("/{}", fossick_contract::escape_token(name)),
    };
    path.iter().map(key).collect()
}
