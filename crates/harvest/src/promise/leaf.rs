//! Scalars and enumerations: what is promised of them, as JSON Schema and as a verdict.
//!
//! GraphQL's own scalars have rules of their own. What a custom scalar looks like is known by its
//! name or was told by the user; where nobody knows, anything but null fits.

use std::sync::Arc;

use fossick_contract::{JsonKind, Scalar, Type, TypeKind, fits_format, format_pattern};
use serde_json::{Value, json};

use super::Strictness;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Leaf {
    pub(super) name: Arc<str>,
    rule: Rule,
}

#[derive(Debug, Clone, PartialEq)]
enum Rule {
    Members(Vec<Arc<str>>),
    Int,
    /// One of these kinds of JSON, in the words of JSON Schema.
    Kinds(&'static [&'static str]),
    /// A text of a known format.
    Format(Arc<str>),
    /// Texts are of a known format; other kinds may be as well.
    Loose(&'static [&'static str], Arc<str>),
}

const TEXT: &[&str] = &["string"];
const TEXT_OR_INTEGER: &[&str] = &["string", "integer"];
const TEXT_OR_NUMBER: &[&str] = &["string", "number"];
/// Everything but null.
pub(super) const ANY: &[&str] = &["string", "number", "boolean", "array", "object"];

impl Leaf {
    /// The rule of a type; `None` for those that have parts.
    pub(super) fn of(kind: &Type, strictness: Strictness) -> Option<Self> {
        let rule = match &kind.kind {
            TypeKind::Enum(members) => Rule::Members(members.clone()),
            TypeKind::Scalar(scalar) => rule(scalar, strictness),
            _ => return None,
        };
        Some(Self {
            name: Arc::clone(&kind.name),
            rule,
        })
    }

    /// Its JSON Schema; `null` besides where that is allowed.
    pub(super) fn schema(&self, nullable: bool) -> Value {
        let kinds = |kinds: &[&str]| match (kinds, nullable) {
            ([only], false) => json!(only),
            (kinds, false) => json!(kinds),
            (kinds, true) => json!([kinds, &["null"]].concat()),
        };
        match &self.rule {
            Rule::Members(members) => {
                let members = members.iter().map(|member| json!(&**member));
                json!({ "enum": members.chain(nullable.then_some(Value::Null)).collect::<Vec<_>>() })
            }
            Rule::Int => {
                json!({ "type": kinds(&["integer"]), "minimum": i32::MIN, "maximum": i32::MAX })
            }
            Rule::Kinds(told) => json!({ "type": kinds(told) }),
            Rule::Format(format) => formatted(&kinds(TEXT), format),
            Rule::Loose(told, format) => formatted(&kinds(told), format),
        }
    }

    /// The constraint that a value breaks, which is not null.
    pub(super) fn broken(&self, value: &Value) -> Option<&'static str> {
        match &self.rule {
            Rule::Members(members) => {
                let is_member = |text: &str| members.iter().any(|member| &**member == text);
                (!value.as_str().is_some_and(is_member)).then_some("enum")
            }
            Rule::Int => (!is_int(value)).then_some("type"),
            Rule::Kinds(kinds) => (!is_one_of(value, kinds)).then_some("type"),
            Rule::Format(format) => misformed(value, TEXT, format),
            Rule::Loose(kinds, format) => misformed(value, kinds, format),
        }
    }
}

fn rule(scalar: &Scalar, strictness: Strictness) -> Rule {
    match scalar {
        Scalar::Int => Rule::Int,
        Scalar::Float => Rule::Kinds(&["number"]),
        Scalar::Boolean => Rule::Kinds(&["boolean"]),
        Scalar::Id if strictness.integer_ids => Rule::Kinds(TEXT_OR_INTEGER),
        Scalar::String | Scalar::Id => Rule::Kinds(TEXT),
        Scalar::Custom { json, format } => custom(*json, format.clone()),
    }
}

fn custom(json: JsonKind, format: Option<Arc<str>>) -> Rule {
    let kinds: &'static [&'static str] = match json {
        JsonKind::Text => TEXT,
        JsonKind::Integer => &["integer"],
        JsonKind::Number => &["number"],
        JsonKind::TextOrNumber => TEXT_OR_NUMBER,
        JsonKind::Any => ANY,
    };
    match format.filter(|format| format_pattern(format).is_some()) {
        Some(format) if kinds == TEXT => Rule::Format(format),
        Some(format) => Rule::Loose(kinds, format),
        None => Rule::Kinds(kinds),
    }
}

/// A pattern and not a format: tests of every framework look at patterns.
fn formatted(kinds: &Value, format: &str) -> Value {
    match format_pattern(format) {
        Some(pattern) => json!({ "type": kinds, "pattern": pattern }),
        None => json!({ "type": kinds }),
    }
}

fn misformed(value: &Value, kinds: &[&str], format: &str) -> Option<&'static str> {
    if !is_one_of(value, kinds) {
        return Some("type");
    }
    let fits = value.as_str().is_none_or(|text| fits_format(format, text));
    (!fits).then_some("format")
}

fn is_one_of(value: &Value, kinds: &[&str]) -> bool {
    kinds.iter().any(|kind| match *kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => is_whole(value),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        _ => value.is_object(),
    })
}

/// `1.0` is whole, as JSON Schema has it.
fn is_whole(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0)
}

fn is_int(value: &Value) -> bool {
    let within = |n: f64| (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&n);
    is_whole(value) && value.as_f64().is_some_and(within)
}
