//! Parameters as text: every style and explode of the standard.
//!
//! What stands in a path or query is percent-encoded here; what stands in a header is not, and
//! is kept to visible ASCII.

use std::fmt::Write as _;

use fossick_contract::{Encoding, Parameter, Style};
use fossick_trace::COMPONENT;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::Value;

/// A path parameter, escaped. A lone `.` or `..` is escaped too, or clients and servers would
/// walk up the path instead of sending it.
pub(crate) fn in_path(parameter: &Parameter, value: &Value) -> String {
    let name = &parameter.name;
    let text = match &parameter.encoding {
        Encoding::Content(_) => escape(&value.to_string()),
        Encoding::Style { style, explode } => match style {
            Style::Label => match (value, explode) {
                (Value::Object(_), true) => format!(".{}", joined_pairs(value, "=", ".")),
                (Value::Array(_), true) => format!(".{}", joined(value, ".")),
                _ => format!(".{}", joined(value, ",")),
            },
            Style::Matrix => matrix(name, value, *explode),
            _ if *explode && value.is_object() => joined_pairs(value, "=", ","),
            _ => joined(value, ","),
        },
    };
    match text.as_str() {
        "." | ".." => text.replace('.', "%2E"),
        _ => text,
    }
}

fn matrix(name: &str, value: &Value, explode: bool) -> String {
    let name = escape(name);
    match value {
        Value::Array(items) if explode => items.iter().fold(String::new(), |mut out, item| {
            let _ = write!(out, ";{name}={}", escape(&plain(item)));
            out
        }),
        Value::Object(_) if explode => format!(";{}", joined_pairs(value, "=", ";")),
        _ => format!(";{name}={}", joined(value, ",")),
    }
}

/// Query parameters as `name=value` pairs, each escaped.
pub(crate) fn in_query(parameter: &Parameter, value: &Value, pairs: &mut Vec<String>) {
    let name = escape(&parameter.name);
    let text = |value: &Value| {
        if parameter.allow_reserved {
            utf8_percent_encode(&plain(value), RESERVED_ALLOWED).to_string()
        } else {
            escape(&plain(value))
        }
    };
    let (style, explode) = match &parameter.encoding {
        Encoding::Content(_) => {
            pairs.push(format!("{name}={}", escape(&value.to_string())));
            return;
        }
        Encoding::Style { style, explode } => (*style, *explode),
    };
    match value {
        Value::Array(items) if explode => {
            pairs.extend(items.iter().map(|item| format!("{name}={}", text(item))));
        }
        Value::Object(map) if style == Style::DeepObject => {
            for (key, inner) in map {
                deep(&format!("{name}[{}]", escape(key)), inner, pairs);
            }
        }
        Value::Object(map) if explode => {
            pairs.extend(
                map.iter()
                    .map(|(key, inner)| format!("{}={}", escape(key), text(inner))),
            );
        }
        Value::Array(_) | Value::Object(_) => {
            pairs.push(format!("{name}={}", joined(value, separator(style))));
        }
        _ => pairs.push(format!("{name}={}", text(value))),
    }
}

/// Not in the standard beyond one level, but what servers that take it expect.
fn deep(prefix: &str, value: &Value, pairs: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                deep(&format!("{prefix}[{}]", escape(key)), inner, pairs);
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| pairs.push(format!("{prefix}={}", escape(&plain(item))))),
        _ => pairs.push(format!("{prefix}={}", escape(&plain(value)))),
    }
}

fn separator(style: Style) -> &'static str {
    match style {
        Style::SpaceDelimited => "%20",
        Style::PipeDelimited => "%7C",
        Style::TabDelimited => "%09",
        _ => ",",
    }
}

/// A header or cookie value: visible ASCII, the rest escaped.
pub(crate) fn in_header(parameter: &Parameter, value: &Value) -> String {
    let raw = match (&parameter.encoding, value) {
        (Encoding::Content(_), _) => value.to_string(),
        (Encoding::Style { explode: true, .. }, Value::Object(map)) => map
            .iter()
            .map(|(key, inner)| format!("{key}={}", plain(inner)))
            .collect::<Vec<_>>()
            .join(","),
        (_, Value::Object(map)) => map
            .iter()
            .flat_map(|(key, inner)| [key.clone(), plain(inner)])
            .collect::<Vec<_>>()
            .join(","),
        (_, Value::Array(items)) => items.iter().map(plain).collect::<Vec<_>>().join(","),
        _ => plain(value),
    };
    utf8_percent_encode(&raw, CONTROLS).to_string()
}

/// A value as text: scalars bare, collections as JSON.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        _ => value.to_string(),
    }
}

pub(crate) fn escape(text: &str) -> String {
    utf8_percent_encode(text, COMPONENT).to_string()
}

fn joined(value: &Value, by: &str) -> String {
    match value {
        Value::Array(items) => {
            let parts: Vec<_> = items.iter().map(|item| escape(&plain(item))).collect();
            parts.join(by)
        }
        Value::Object(map) => {
            let parts: Vec<_> = map
                .iter()
                .flat_map(|(key, inner)| [escape(key), escape(&plain(inner))])
                .collect();
            parts.join(by)
        }
        _ => escape(&plain(value)),
    }
}

fn joined_pairs(value: &Value, equals: &str, by: &str) -> String {
    let Value::Object(map) = value else {
        return joined(value, by);
    };
    let parts: Vec<_> = map
        .iter()
        .map(|(key, inner)| format!("{}{equals}{}", escape(key), escape(&plain(inner))))
        .collect();
    parts.join(by)
}

/// With `allowReserved`, reserved characters stay, except those that would end the query.
const RESERVED_ALLOWED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::{Location, ShapeId};
    use serde_json::json;

    fn parameter(style: Style, explode: bool) -> Parameter {
        Parameter {
            name: "color".into(),
            location: Location::Query,
            required: true,
            shape: ShapeId(0),
            encoding: Encoding::Style { style, explode },
            examples: vec![],
            description: String::new(),
            deprecated: false,
            allow_reserved: false,
        }
    }

    fn query(style: Style, explode: bool, value: &Value) -> String {
        let mut pairs = Vec::new();
        in_query(&parameter(style, explode), value, &mut pairs);
        pairs.join("&")
    }

    fn path(style: Style, explode: bool, value: &Value) -> String {
        in_path(&parameter(style, explode), value)
    }

    /// The table of examples of the OpenAPI standard, row by row.
    #[test]
    fn styles_are_those_of_the_standard() {
        let list = json!(["blue", "black", "brown"]);
        let map = json!({"R": 100, "G": 200});
        assert_eq!(path(Style::Matrix, false, &json!("blue")), ";color=blue");
        assert_eq!(path(Style::Matrix, false, &list), ";color=blue,black,brown");
        assert_eq!(
            path(Style::Matrix, true, &list),
            ";color=blue;color=black;color=brown"
        );
        assert_eq!(path(Style::Matrix, false, &map), ";color=R,100,G,200");
        assert_eq!(path(Style::Matrix, true, &map), ";R=100;G=200");
        assert_eq!(path(Style::Label, true, &list), ".blue.black.brown");
        assert_eq!(path(Style::Label, true, &map), ".R=100.G=200");
        assert_eq!(path(Style::Simple, false, &list), "blue,black,brown");
        assert_eq!(path(Style::Simple, true, &map), "R=100,G=200");
        assert_eq!(
            query(Style::Form, true, &list),
            "color=blue&color=black&color=brown"
        );
        assert_eq!(query(Style::Form, false, &list), "color=blue,black,brown");
        assert_eq!(query(Style::Form, true, &map), "R=100&G=200");
        assert_eq!(query(Style::Form, false, &map), "color=R,100,G,200");
        assert_eq!(
            query(Style::SpaceDelimited, false, &list),
            "color=blue%20black%20brown"
        );
        assert_eq!(
            query(Style::PipeDelimited, false, &list),
            "color=blue%7Cblack%7Cbrown"
        );
        assert_eq!(
            query(Style::DeepObject, true, &map),
            "color[R]=100&color[G]=200"
        );
    }

    #[test]
    fn dots_alone_do_not_walk_up() {
        assert_eq!(path(Style::Simple, false, &json!("..")), "%2E%2E");
        assert_eq!(path(Style::Simple, false, &json!("a/b")), "a%2Fb");
    }

    #[test]
    fn a_header_stays_visible_ascii() {
        let text = in_header(&parameter(Style::Simple, false), &json!("a\r\nb é"));
        assert_eq!(text, "a%0D%0Ab %C3%A9");
    }
}
