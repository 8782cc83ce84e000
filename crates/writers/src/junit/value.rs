//! JSON as expressions: `object(field("name", name))` in Java, `mapOf("name" to name)` in Kotlin.

use fossick_suite::{Piece, Template};
use serde_json::Value;

use super::Language;
use super::layout::Expression;
use super::literal::number;
use super::scope::Scope;
use super::text::Part;

/// Values that nest deeper or are longer than this are written as JSON in a text, and read when
/// the test runs: nobody reads so many calls, and compilers get slow.
const DEEPEST: usize = 8;
const LARGEST: usize = 2_000;

/// A body in JSON, as REST Assured takes it.
pub(super) fn body(template: &Template, scope: &mut Scope) -> Expression {
    match template {
        Template::Value(value) if value.is_object() || value.is_array() => of(value, scope),
        Template::Value(value) => Expression::text(&value.to_string()),
        Template::Object(_) | Template::List(_) => filled(template, scope),
        Template::Text(_) | Template::Variable(_) => {
            let value = filled(template, scope);
            scope.call("json", vec![value])
        }
    }
}

/// JSON with its holes filled.
pub(super) fn filled(template: &Template, scope: &mut Scope) -> Expression {
    match template {
        Template::Value(value) => of(value, scope),
        Template::Text(pieces) => text(pieces, scope),
        Template::Variable(variable) => scope.expression(variable),
        Template::List(items) => {
            let items = items.iter().map(|item| filled(item, scope)).collect();
            list(items, scope)
        }
        Template::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| (name.as_str(), filled(value, scope)))
                .collect();
            object(fields, scope)
        }
    }
}

/// JSON without holes.
pub(super) fn of(value: &Value, scope: &mut Scope) -> Expression {
    match value {
        Value::Array(_) | Value::Object(_) if is_big(value) => {
            let text = Expression::text(&value.to_string());
            scope.call("parsed", vec![text])
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| of(item, scope)).collect();
            list(items, scope)
        }
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| (name.as_str(), of(value, scope)))
                .collect();
            object(fields, scope)
        }
        scalar => of_scalar(scalar, scope),
    }
}

fn of_scalar(value: &Value, scope: &mut Scope) -> Expression {
    match value {
        Value::String(text) => Expression::text(text),
        Value::Number(value) => {
            let literal = number(value, scope.language);
            if literal.contains("BigInteger") {
                scope.using("BigInteger");
            }
            Expression::Atom(literal)
        }
        other => Expression::Atom(other.to_string()),
    }
}

fn is_big(value: &Value) -> bool {
    depth(value, DEEPEST) > DEEPEST || value.to_string().len() > LARGEST
}

/// How deep a value nests; counting stops a step after `limit`.
fn depth(value: &Value, limit: usize) -> usize {
    if limit == 0 {
        return 1;
    }
    let deepest = match value {
        Value::Array(items) => items.iter().map(|item| depth(item, limit - 1)).max(),
        Value::Object(fields) => fields.values().map(|item| depth(item, limit - 1)).max(),
        _ => None,
    };
    1 + deepest.unwrap_or(0)
}

fn list(items: Vec<Expression>, scope: &mut Scope) -> Expression {
    match scope.language {
        Language::Java => scope.call("list", no_bare_null(items)),
        Language::Kotlin if items.is_empty() => Expression::atom("emptyList<Any?>()"),
        Language::Kotlin => Expression::call("listOf", items),
    }
}

/// A lonely `null` would be no list of arguments at all.
fn no_bare_null(items: Vec<Expression>) -> Vec<Expression> {
    match items.as_slice() {
        [Expression::Atom(null)] if null == "null" => vec![Expression::atom("(Object) null")],
        _ => items,
    }
}

fn object(fields: Vec<(&str, Expression)>, scope: &mut Scope) -> Expression {
    match scope.language {
        Language::Java => {
            let fields = fields
                .into_iter()
                .map(|(name, value)| scope.call("field", vec![Expression::text(name), value]))
                .collect();
            scope.call("object", fields)
        }
        Language::Kotlin if fields.is_empty() => Expression::atom("emptyMap<String, Any?>()"),
        Language::Kotlin => {
            let pairs = fields.into_iter().map(|(name, value)| {
                Expression::Pair(Box::new(Expression::text(name)), Box::new(value))
            });
            Expression::call("mapOf", pairs.collect())
        }
    }
}

/// A text with variables in it.
pub(super) fn text(pieces: &[Piece], scope: &mut Scope) -> Expression {
    let mut parts = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Fixed(text) => parts.extend(text.chars().map(Part::Char)),
            Piece::Variable(variable) => parts.push(Part::Hole(scope.text(variable))),
        }
    }
    Expression::Text(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::junit::layout::statement;
    use serde_json::json;

    fn written(value: &Value, language: Language) -> String {
        let expression = of(value, &mut Scope::new(language));
        statement(language, 0, "", &expression)
    }

    #[test]
    fn values_look_like_those_of_each_language() {
        let value = json!({"a": [1, null, "$x"], "b": {}, "c": []});
        assert_eq!(
            written(&value, Language::Java),
            "object(field(\"a\", list(1, null, \"$x\")), field(\"b\", object()), \
             field(\"c\", list()));\n"
        );
        assert_eq!(
            written(&value, Language::Kotlin),
            "mapOf(\"a\" to listOf(1, null, \"\\$x\"), \"b\" to emptyMap<String, Any?>(), \
             \"c\" to emptyList<Any?>())\n"
        );
        assert_eq!(
            written(&json!([null]), Language::Java),
            "list((Object) null);\n"
        );
    }

    #[test]
    fn what_nobody_would_read_is_kept_as_a_text() {
        let mut deep = json!("x");
        for _ in 0..100 {
            deep = json!([deep]);
        }
        assert!(written(&deep, Language::Java).starts_with("parsed("));
        let long = json!(vec![1; 5_000]);
        assert!(written(&long, Language::Kotlin).starts_with("parsed("));
    }

    #[test]
    fn texts_that_no_class_file_holds_are_joined_when_the_test_runs() {
        let long = json!("x".repeat(100_000));
        let java = written(&long, Language::Java);
        assert!(
            java.starts_with("String.join(\n    \"\",\n    \"xxx"),
            "{java:.80}"
        );
        let kotlin = written(&long, Language::Kotlin);
        assert!(kotlin.starts_with("listOf(\n") && kotlin.ends_with(".joinToString(\"\")\n"));
    }
}
