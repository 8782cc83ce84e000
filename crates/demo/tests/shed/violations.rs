//! Bodies that break one rule of the document each, derived from the document itself: a rule
//! that is added there is tested without a line here.

use serde_json::{Map, Value, json};

use crate::judge::Twin;

impl Twin {
    /// Bodies that break one rule each, with the rule.
    pub(crate) fn violations(&self, schema: &Value, valid: &Value) -> Vec<(String, Value)> {
        let mut broken: Vec<_> = [json!([]), json!("x"), json!(7), Value::Null]
            .map(|value| ("type".to_owned(), value))
            .into();
        broken.push((
            "additionalProperties".into(),
            with(valid, "ghost", json!(1)),
        ));
        if schema.get("minProperties").is_some() {
            broken.push(("minProperties".into(), json!({})));
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let property = self.resolve(property);
            for (rule, value) in self.bad_values(property) {
                broken.push((format!("{name} {rule}"), with(valid, name, value)));
            }
            if is_required(schema, name) && property["readOnly"] != true {
                broken.push((format!("{name} required"), without(valid, name)));
            }
        }
        broken
    }

    /// Values that break one rule of a property each.
    fn bad_values(&self, schema: &Value) -> Vec<(String, Value)> {
        let keywords = schema.as_object().expect("a schema is an object");
        let mut bad: Vec<_> = keywords
            .iter()
            .flat_map(|(rule, demand)| bad_for(rule, demand, schema))
            .collect();
        if let Some(items) = schema.get("items") {
            let inside = self.bad_values(self.resolve(items));
            bad.extend(
                inside
                    .into_iter()
                    .map(|(r, v)| (format!("item {r}"), json!([v]))),
            );
        }
        bad
    }
}

fn bad_for(rule: &str, demand: &Value, schema: &Value) -> Vec<(String, Value)> {
    let number = demand.as_i64().unwrap_or_default();
    let text = |length: i64| json!("é".repeat(length as usize));
    let values = match rule {
        "type" => wrong_types(schema),
        "minimum" => vec![json!(number - 1)],
        "maximum" => vec![json!(number + 1)],
        "minLength" => vec![text(number - 1)],
        "maxLength" => vec![text(number + 1)],
        "enum" => vec![json!("no such word"), json!("")],
        "pattern" => vec![json!(""), json!("nothing like it"), json!("4711\n")],
        "format" if demand == "int64" => vec![json!(1e19)],
        "format" => vec![json!(""), json!("nothing like it"), json!("2023-02-29")],
        "maxItems" => vec![(0..=number).map(|n| json!(n.to_string())).collect()],
        "uniqueItems" => vec![json!(["same", "same"])],
        _ => Vec::new(),
    };
    values.into_iter().map(|v| (rule.to_owned(), v)).collect()
}

fn wrong_types(schema: &Value) -> Vec<Value> {
    let one_of_each = json!({"string": "text", "number": 1.5, "boolean": true, "null": null,
                             "array": [], "object": {}});
    let types = schema["type"].to_string();
    let all = one_of_each.as_object().expect("an object").iter();
    all.filter(|(name, _)| !types.contains(name.as_str()))
        .map(|(_, value)| value.clone())
        .collect()
}

fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema["required"].as_array();
    required.is_some_and(|names| names.iter().any(|n| n == name))
}

pub(crate) fn with(valid: &Value, name: &str, value: Value) -> Value {
    let mut body = valid.clone();
    body[name] = value;
    body
}

fn without(valid: &Value, name: &str) -> Value {
    let mut fields: Map<_, _> = valid.as_object().expect("bodies are objects").clone();
    fields.remove(name);
    Value::Object(fields)
}
