//! Keywords as they are meant, whatever they look like.
//!
//! `type: int`, `minimum: "1"`, `required: true`, `enum: a`: each is read as what its author
//! meant, with a warning. Shapes and schema texts both read keywords through here, so they can't
//! disagree.

use indexmap::IndexSet;
use serde_json::{Number, Value};

use super::types::Types;
use crate::reader::Reader;
use crate::reference::{Node, is_true};

/// What `type` says, and the format that a made-up type implies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) types: Types,
    pub(crate) format: Option<&'static str>,
}

/// Made-up types that occur in real documents, what they mean, and the format they imply.
const MADE_UP: &[(&str, Types, Option<&str>)] = &[
    ("int", Types::INTEGER, None),
    ("int32", Types::INTEGER, Some("int32")),
    ("integer32", Types::INTEGER, Some("int32")),
    ("int64", Types::INTEGER, Some("int64")),
    ("integer64", Types::INTEGER, Some("int64")),
    ("long", Types::INTEGER, Some("int64")),
    ("short", Types::INTEGER, None),
    ("bigint", Types::INTEGER, None),
    ("timestamp", Types::INTEGER, None),
    ("float", Types::NUMBER, Some("float")),
    ("double", Types::NUMBER, Some("double")),
    ("decimal", Types::NUMBER, None),
    ("numeric", Types::NUMBER, None),
    ("str", Types::STRING, None),
    ("text", Types::STRING, None),
    ("char", Types::STRING, None),
    ("varchar", Types::STRING, None),
    ("enum", Types::STRING, None),
    ("file", Types::STRING, Some("binary")),
    ("binary", Types::STRING, Some("binary")),
    ("byte", Types::STRING, Some("byte")),
    ("uuid", Types::STRING, Some("uuid")),
    ("email", Types::STRING, Some("email")),
    ("url", Types::STRING, Some("uri")),
    ("uri", Types::STRING, Some("uri")),
    ("password", Types::STRING, Some("password")),
    ("date", Types::STRING, Some("date")),
    ("time", Types::STRING, Some("time")),
    ("datetime", Types::STRING, Some("date-time")),
    ("date-time", Types::STRING, Some("date-time")),
    ("bool", Types::BOOLEAN, None),
    ("dict", Types::OBJECT, None),
    ("dictionary", Types::OBJECT, None),
    ("map", Types::OBJECT, None),
    ("hash", Types::OBJECT, None),
    ("json", Types::OBJECT, None),
    ("list", Types::ARRAY, None),
    ("set", Types::ARRAY, None),
    ("none", Types::NULL, None),
    ("nil", Types::NULL, None),
];

/// What the schema's own `type` says; `None` where it says nothing that can be understood.
pub(crate) fn declared(reader: Reader<'_>, node: Node<'_>) -> Option<Declared> {
    let kind = node.get("type")?;
    let each: Vec<_> = match kind.value {
        Value::Array(_) => kind.items().collect(),
        _ => vec![kind],
    };
    let mut all: Option<Declared> = None;
    for one in each {
        let declared = one_type(reader, one)?;
        all = Some(Declared {
            types: all.map_or(Types::NONE, |a| a.types).or(declared.types),
            format: all.and_then(|a| a.format).or(declared.format),
        });
    }
    all
}

fn one_type(reader: Reader<'_>, node: Node<'_>) -> Option<Declared> {
    let text = match node.value {
        Value::String(text) => text.as_str(),
        Value::Null => "null",
        _ => {
            reader.warn(node, "a type is a name or a list of names; ignored");
            return None;
        }
    };
    let plain = |types| Declared {
        types,
        format: None,
    };
    Types::named(text)
        .map(plain)
        .or_else(|| made_up(reader, node, text))
}

fn made_up(reader: Reader<'_>, node: Node<'_>, text: &str) -> Option<Declared> {
    let lower = text.trim().to_ascii_lowercase();
    let known = Types::named(&lower).map(|types| (types, None));
    let found = known.or_else(|| {
        let entry = MADE_UP.iter().find(|(name, ..)| *name == lower);
        entry.map(|(_, types, format)| (*types, *format))
    });
    let Some((types, format)) = found else {
        reader.warn(node, format!("`{text}` is not a type; read as any type"));
        return None;
    };
    // The one made-up type that a standard knows.
    if text != "file" || !reader.is_swagger2() {
        let meant: Vec<_> = types.names().collect();
        reader.warn(
            node,
            format!("`{text}` is not a type; read as `{}`", meant.join(" or ")),
        );
    }
    Some(Declared { types, format })
}

/// A keyword that is a number.
pub(crate) fn number(reader: Reader<'_>, node: Node<'_>, key: &str) -> Option<Number> {
    let found = node.get(key)?;
    match found.value {
        Value::Number(number) => Some(number.clone()),
        Value::Null => None,
        Value::String(text) => quoted(reader, found, key, text),
        _ => {
            reader.warn(found, format!("`{key}` must be a number; ignored"));
            None
        }
    }
}

fn quoted(reader: Reader<'_>, node: Node<'_>, key: &str, text: &str) -> Option<Number> {
    let whole = text.trim().parse::<i64>().ok().map(Number::from);
    let number = whole.or_else(|| Number::from_f64(text.trim().parse::<f64>().ok()?));
    let then = if number.is_some() {
        "read as one"
    } else {
        "ignored"
    };
    reader.warn(node, format!("`{key}` must be a number, not text; {then}"));
    number
}

/// A keyword that counts something.
pub(crate) fn count(reader: Reader<'_>, node: Node<'_>, key: &str) -> Option<u64> {
    let number = number(reader, node, key)?;
    let whole = number.as_u64().or_else(|| {
        let float = number.as_f64()?;
        (float >= 0.0 && float.fract() == 0.0).then_some(float as u64)
    });
    if whole.is_none()
        && let Some(found) = node.get(key)
    {
        reader.warn(
            found,
            format!("`{key}` must be a whole number, zero or more; ignored"),
        );
    }
    whole
}

/// The bounds of a number, with the boolean `exclusive…` of the older dialects carried out.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) minimum: Option<Number>,
    pub(crate) maximum: Option<Number>,
    pub(crate) exclusive_minimum: Option<Number>,
    pub(crate) exclusive_maximum: Option<Number>,
    pub(crate) multiple_of: Option<Number>,
}

pub(crate) fn bounds(reader: Reader<'_>, node: Node<'_>) -> Bounds {
    let (minimum, exclusive_minimum) = side(reader, node, "minimum", "exclusiveMinimum");
    let (maximum, exclusive_maximum) = side(reader, node, "maximum", "exclusiveMaximum");
    Bounds {
        minimum,
        maximum,
        exclusive_minimum,
        exclusive_maximum,
        multiple_of: multiple_of(reader, node),
    }
}

fn side(
    reader: Reader<'_>,
    node: Node<'_>,
    key: &str,
    exclusive: &str,
) -> (Option<Number>, Option<Number>) {
    let bound = number(reader, node, key);
    match node.value.get(exclusive) {
        None | Some(Value::Bool(false)) => (bound, None),
        Some(Value::Bool(true)) => (None, bound),
        Some(Value::String(text)) if text.parse::<bool>().is_ok() => {
            if text == "true" {
                (None, bound)
            } else {
                (bound, None)
            }
        }
        Some(_) => (bound, number(reader, node, exclusive)),
    }
}

fn multiple_of(reader: Reader<'_>, node: Node<'_>) -> Option<Number> {
    let step = number(reader, node, "multipleOf")?;
    if step.as_f64().is_some_and(|step| step > 0.0) {
        return Some(step);
    }
    if let Some(found) = node.get("multipleOf") {
        reader.warn(found, "`multipleOf` must be above zero; ignored");
    }
    None
}

/// The values of `enum` or `const`, in the types that `type` asks for.
pub(crate) fn values(reader: Reader<'_>, node: Node<'_>) -> Option<Vec<Value>> {
    if let Some(constant) = node.value.get("const") {
        return Some(vec![constant.clone()]);
    }
    let listed = node.get("enum")?;
    if is_of_items(reader, node) {
        reader.warn(listed, "the `enum` of a list is read as that of its items");
        return None;
    }
    let values = match listed.value {
        Value::Array(values) if values.is_empty() => {
            reader.warn(listed, "an `enum` needs values; ignored");
            return None;
        }
        Value::Array(values) => values.clone(),
        Value::Null => return None,
        other => {
            reader.warn(listed, "`enum` must be a list; read as a list of one");
            vec![other.clone()]
        }
    };
    Some(fitted(reader, listed, values, declared(reader, node)))
}

/// Whether an `enum` stands beside `type: array` but lists what the items may be.
fn is_of_items(reader: Reader<'_>, node: Node<'_>) -> bool {
    let Some(Value::Array(values)) = node.value.get("enum") else {
        return false;
    };
    let is_list = declared(reader, node).is_some_and(|d| d.types.without_null() == Types::ARRAY);
    is_list && !values.is_empty() && !values.iter().any(|v| v.is_array() || v.is_null())
}

/// The values that the `enum` of a list allows its items, where those say nothing themselves.
pub(crate) fn item_values<'d>(reader: Reader<'d>, node: Node<'d>) -> Option<&'d Vec<Value>> {
    let items_say = node.get("items").is_some_and(|items| {
        let says = |key| items.value.get(key).is_some();
        says("enum") || says("$ref") || !items.value.is_object()
    });
    let misplaced = !items_say && is_of_items(reader, node);
    misplaced
        .then(|| node.value.get("enum")?.as_array())
        .flatten()
}

/// YAML reads an unquoted `1` or `no` as a number or a boolean; the type says what was meant.
fn fitted(
    reader: Reader<'_>,
    listed: Node<'_>,
    values: Vec<Value>,
    declared: Option<Declared>,
) -> Vec<Value> {
    let Some(declared) = declared else {
        return values;
    };
    let fits = |value: &Value| value.is_null() || declared.types.has(Types::of(value));
    if values.iter().all(fits) {
        return values;
    }
    let converted: Vec<_> = values
        .iter()
        .map(|value| {
            let as_meant = || converted(value, declared.types);
            if fits(value) { None } else { as_meant() }.unwrap_or_else(|| value.clone())
        })
        .collect();
    let told = if converted.iter().all(fits) {
        "values of `enum` are not of the type; read as if they were"
    } else {
        "values of `enum` are not of the type and can never occur"
    };
    reader.warn(listed, told);
    converted
}

fn converted(value: &Value, types: Types) -> Option<Value> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        _ => return None,
    };
    if types.has(Types::STRING) {
        return Some(Value::String(text));
    }
    let parsed: Value = serde_json::from_str(&text).ok()?;
    types.has(Types::of(&parsed)).then_some(parsed)
}

/// The names in `required`, and those of properties that say so themselves.
pub(crate) fn required<'d>(reader: Reader<'d>, node: Node<'d>) -> IndexSet<&'d str> {
    let mut names = listed(reader, node);
    let Some(properties) = node.get("properties") else {
        return names;
    };
    for (name, property) in properties.entries() {
        let said = property.get("required");
        if let Some(said) = said.filter(|said| said.value.is_boolean()) {
            reader.warn(
                said,
                "`required` of a property belongs into the list of its parent; read as if it were there",
            );
            if is_true(said.value) {
                names.insert(name);
            }
        }
    }
    names
}

fn listed<'d>(reader: Reader<'d>, node: Node<'d>) -> IndexSet<&'d str> {
    let Some(found) = node.get("required") else {
        return IndexSet::new();
    };
    match found.value {
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        Value::String(name) => {
            reader.warn(found, "`required` must be a list; read as a list of one");
            IndexSet::from([name.as_str()])
        }
        _ => IndexSet::new(),
    }
}

/// The members of a keyword that lists schemas; a single one is taken for a list of one.
pub(crate) fn schemas<'d>(reader: Reader<'d>, node: Node<'d>, key: &str) -> Vec<Node<'d>> {
    let Some(found) = node.get(key) else {
        return Vec::new();
    };
    match found.value {
        Value::Array(_) => found.items().collect(),
        Value::Object(_) => {
            reader.warn(
                found,
                format!("`{key}` must be a list; read as a list of one"),
            );
            vec![found]
        }
        _ => {
            reader.warn(found, format!("`{key}` must be a list of schemas; ignored"));
            Vec::new()
        }
    }
}

/// `nullable`, which 3.1 no longer knows but people still write.
pub(crate) fn nullable(node: Node<'_>) -> bool {
    node.flag("nullable") || node.flag("x-nullable")
}

/// The format, in lower case; a made-up type may imply one.
pub(crate) fn format(reader: Reader<'_>, node: Node<'_>) -> Option<String> {
    let said = node.text("format").filter(|format| !format.is_empty());
    let encoded = || match node.text("contentEncoding") {
        Some(encoding) if encoding.starts_with("base64") => Some("byte"),
        _ => node.text("contentMediaType").map(|_| "binary"),
    };
    said.or_else(|| declared(reader, node)?.format)
        .or_else(encoded)
        .map(str::to_lowercase)
}
