//! One check as an assertion.

use fossick_suite::{Check, Is, Item, JsonKind, Key, Test, What};

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
        let shown = holder(item_of(check));
        let mut message = format!("\"{{{shown}}}\"");
        if check.suspect {
            let fault = test.fault.as_ref();
            comment(page, "//", [prose::suspect(fault, self.manner.faults)]);
            if turned {
                let reason = literal::in_format(&prose::reason(fault));
                message = format!("\"{reason}\\n{{{shown}}}\"");
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
            What::At { path, is } => at(path, is, names, turned),
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

/// The path of the item that a check looks into; empty where it looks at the answer.
pub(super) fn item_of(check: &Check) -> &[Key] {
    match &check.what {
        What::At { path, is } => split(path, is).0,
        _ => &[],
    }
}

/// The way to the last item, and on from there.
fn split<'p>(path: &'p [Key], is: &Is) -> (&'p [Key], &'p [Key]) {
    // What a list lacks can't be looked into.
    let end = path.len() - usize::from(*is == Is::Absent && !path.is_empty());
    let last = path[..end].iter().rposition(is_item);
    path.split_at(last.map_or(0, |last| last + 1))
}

fn is_item(key: &Key) -> bool {
    matches!(key, Key::Item(_))
}

/// What the assertions of a place are asked of.
fn holder(item: &[Key]) -> &'static str {
    if item.is_empty() { "answer" } else { "item" }
}

/// `let item = answer.item("/lots", "/node/id", &lot_id);`, and on from there where items have
/// items.
pub(super) fn find_item(page: &mut Page, path: &[Key], names: &Variables) {
    let mut holder = "answer";
    for list in path.split_inclusive(is_item) {
        if let Some((Key::Item(item), list)) = list.split_last() {
            let arguments = found_by(list, item, names);
            call(
                page,
                &format!("let item = {holder}.item("),
                &arguments,
                ");",
                true,
            );
            holder = "item";
        }
    }
}

/// The list, what leads to the value in its items, and the value.
fn found_by(list: &[Key], item: &Item, names: &Variables) -> Vec<String> {
    let inner: Vec<Key> = item
        .at
        .iter()
        .map(|name| Key::from(name.as_str()))
        .collect();
    vec![
        literal::string(&pointer(list)),
        literal::string(&pointer(&inner)),
        format!("&{}", names.get(&item.is)),
    ]
}

/// A mended service need not have anything there, so a turned check must not insist on it.
fn at(path: &[Key], is: &Is, names: &Variables, turned: bool) -> Claim {
    let (item, rest) = split(path, is);
    let holder = holder(item);
    let pointer = &literal::string(&pointer(rest));
    let equal = |left: String, right: String| Claim::Equal(format!("{holder}.{left}"), right);
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
        Is::Kind(JsonKind::Number) => Claim::True(format!("{holder}.is_number({pointer})")),
        Is::Kind(kind) => equal(
            format!("kind({pointer})"),
            literal::string(kind_name(*kind)),
        ),
        Is::Size(size) => equal(format!("size({pointer})"), format!("Some({size})")),
        Is::Absent => match rest.split_last() {
            Some((Key::Item(item), list)) => {
                let found_by = found_by(list, item, names).join(", ");
                Claim::True(format!("{holder}.lacks_item({found_by})"))
            }
            _ => Claim::True(format!("{holder}.lacks({pointer})")),
        },
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
        // Pointers begin anew below an item.
        Key::Item(_) => String::new(),
    };
    path.iter().map(key).collect()
}
