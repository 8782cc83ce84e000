//! Values as a schema writes them, turned into the JSON that a client would send.

use apollo_compiler::ast;
use apollo_compiler::parser::Parser;
use serde_json::{Map, Number, Value};

/// Longer defaults are left alone: nobody needs them, and each costs a run of the parser.
const LONGEST: usize = 100_000;

/// A value of the syntax tree; the parser has bounded its depth.
pub(super) fn json(value: &ast::Value) -> Value {
    match value {
        ast::Value::Null | ast::Value::Variable(_) => Value::Null,
        ast::Value::Boolean(flag) => Value::Bool(*flag),
        ast::Value::Enum(name) => Value::String(name.to_string()),
        ast::Value::String(text) => Value::String(text.clone()),
        ast::Value::Int(number) => number_of(number.as_str()),
        ast::Value::Float(number) => number_of(number.as_str()),
        ast::Value::List(items) => items.iter().map(|item| json(item)).collect(),
        ast::Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(key, value)| (key.to_string(), json(value)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
    }
}

/// Integers beyond 64 bits lose digits rather than their kind.
fn number_of(text: &str) -> Value {
    let whole = text.parse::<i64>().map(Number::from);
    let whole = whole
        .or_else(|_| text.parse::<u64>().map(Number::from))
        .ok();
    let number = whole.or_else(|| text.parse::<f64>().ok().and_then(Number::from_f64));
    number.map_or(Value::Null, Value::Number)
}

/// Reads the text of a default, as introspection tells it: `[RED, {a: "b"}]`.
pub(super) fn read(text: &str) -> Option<Value> {
    if text.len() > LONGEST {
        return None;
    }
    // A default is only grammar inside something; the newline ends a comment in it.
    let document = format!("query($it: X = {text}\n) {{ x }}");
    let parsed = Parser::new()
        .recursion_limit(super::DEEPEST)
        .parse_ast(document, "default")
        .ok()?;
    let [ast::Definition::OperationDefinition(operation)] = parsed.definitions.as_slice() else {
        return None;
    };
    let [variable] = operation.variables.as_slice() else {
        return None;
    };
    variable.default_value.as_ref().map(|value| json(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_kind_of_value_is_read() {
        for (text, value) in [
            ("null", json!(null)),
            ("true", json!(true)),
            ("RED", json!("RED")),
            ("\"a\\nb\"", json!("a\nb")),
            ("-7", json!(-7)),
            (
                "18446744073709551615",
                json!(18_446_744_073_709_551_615_u64),
            ),
            ("1.5e3", json!(1500.0)),
            ("[1, [2]]", json!([1, [2]])),
            ("{a: 1, b: {c: []}}", json!({"a": 1, "b": {"c": []}})),
        ] {
            assert_eq!(read(text), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_value_is_not_read() {
        for text in ["", "[", "}", "1) { x } query($a: X = 1", "$a", "a b"] {
            assert!(read(text).is_none() || text == "$a", "{text}");
        }
        assert_eq!(read(&"[".repeat(50_000)), None);
    }
}
