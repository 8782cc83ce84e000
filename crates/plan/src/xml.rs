//! A value as XML, by the hints that a document gives.

use std::fmt::Write as _;

use fossick_contract::{Api, Kind, ShapeId, Xml};
use serde_json::Value;

pub(crate) fn write(api: &Api, shape: ShapeId, value: &Value) -> String {
    let hints = api.shape(shape);
    let name = hints
        .xml
        .as_ref()
        .and_then(|xml| xml.name.clone())
        .or_else(|| hints.name.as_ref().map(ToString::to_string))
        .unwrap_or_else(|| "root".to_owned());
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    element(api, Some(shape), &name, value, &mut out);
    out
}

fn element(api: &Api, shape: Option<ShapeId>, name: &str, value: &Value, out: &mut String) {
    let hints = shape.and_then(|id| api.shape(id).xml.as_deref());
    if let Value::Array(items) = value {
        list(api, shape, hints, name, items, out);
        return;
    }
    let tag = tag(hints, name);
    out.push('<');
    out.push_str(&tag);
    if let Some((prefix, namespace)) = hints.and_then(|h| Some((&h.prefix, h.namespace.as_ref()?)))
    {
        let prefix = prefix.as_ref().map_or(String::new(), |p| format!(":{p}"));
        let _ = write!(out, " xmlns{prefix}=\"{}\"", escape(namespace));
    }
    let children: Vec<(&String, &Value)> = value.as_object().into_iter().flatten().collect();
    for (key, inner) in children
        .iter()
        .filter(|(key, _)| is_attribute(api, shape, key))
    {
        let name = property_tag(api, shape, key);
        let _ = write!(out, " {name}=\"{}\"", escape(&text(inner)));
    }
    out.push('>');
    if value.is_object() {
        for (key, inner) in children
            .iter()
            .filter(|(key, _)| !is_attribute(api, shape, key))
        {
            element(api, property(api, shape, key), key, inner, out);
        }
    } else {
        out.push_str(&escape(&text(value)));
    }
    let _ = write!(out, "</{tag}>");
}

fn list(
    api: &Api,
    shape: Option<ShapeId>,
    hints: Option<&Xml>,
    name: &str,
    items: &[Value],
    out: &mut String,
) {
    let inner = shape.and_then(|id| match &api.shape(id).kind {
        Kind::Array(array) => array.items,
        _ => None,
    });
    let wrapped = hints.is_some_and(|h| h.wrapped);
    let tag = tag(hints, name);
    if wrapped {
        let _ = write!(out, "<{tag}>");
    }
    for item in items {
        element(api, inner, name, item, out);
    }
    if wrapped {
        let _ = write!(out, "</{tag}>");
    }
}

fn tag(hints: Option<&Xml>, name: &str) -> String {
    let bare = hints.and_then(|h| h.name.as_deref()).unwrap_or(name);
    let bare = legal(bare);
    match hints.and_then(|h| h.prefix.as_ref()) {
        Some(prefix) => format!("{}:{bare}", legal(prefix)),
        None => bare,
    }
}

/// Names come from documents and may hold anything; an element's may not.
fn legal(name: &str) -> String {
    let mut out: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-_.".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    if !out.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        out.insert(0, '_');
    }
    out
}

fn property(api: &Api, shape: Option<ShapeId>, key: &str) -> Option<ShapeId> {
    match &api.shape(shape?).kind {
        Kind::Object(object) => object.property(key).map(|p| p.shape),
        _ => None,
    }
}

fn is_attribute(api: &Api, shape: Option<ShapeId>, key: &str) -> bool {
    property(api, shape, key)
        .and_then(|id| api.shape(id).xml.as_deref())
        .is_some_and(|xml| xml.attribute)
}

fn property_tag(api: &Api, shape: Option<ShapeId>, key: &str) -> String {
    tag(
        property(api, shape, key).and_then(|id| api.shape(id).xml.as_deref()),
        key,
    )
}

fn text(value: &Value) -> String {
    crate::parameter::plain(value)
}

/// Escapes markup and leaves out characters that XML 1.0 can't hold.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(c),
            c if c < ' ' || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::{ArrayShape, ObjectShape, Property, Shape};
    use serde_json::json;

    fn scalar(api: &mut Api, xml: Option<Xml>) -> ShapeId {
        api.shapes.push(Shape {
            xml: xml.map(Box::new),
            ..Shape::default()
        })
    }

    #[test]
    fn hints_make_attributes_and_wrappers() {
        let mut api = Api::default();
        let id = scalar(
            &mut api,
            Some(Xml {
                attribute: true,
                ..Xml::default()
            }),
        );
        let tag = scalar(
            &mut api,
            Some(Xml {
                name: Some("tag".into()),
                ..Xml::default()
            }),
        );
        let tags = api.shapes.push(Shape {
            kind: Kind::Array(ArrayShape {
                prefix: vec![],
                items: Some(tag),
                min_items: 0,
                max_items: None,
                unique: false,
            }),
            xml: Some(Box::new(Xml {
                wrapped: true,
                ..Xml::default()
            })),
            ..Shape::default()
        });
        let properties = [("id", id), ("tags", tags)]
            .map(|(name, shape)| Property {
                name: name.into(),
                shape,
                required: true,
                description: None,
            })
            .to_vec();
        let pet = api.shapes.push(Shape {
            kind: Kind::Object(ObjectShape {
                properties,
                ..ObjectShape::default()
            }),
            name: Some("Pet".into()),
            ..Shape::default()
        });
        let text = write(&api, pet, &json!({"id": 1, "tags": ["a<b", "c"]}));
        assert!(
            text.ends_with("<Pet id=\"1\"><tags><tag>a&lt;b</tag><tag>c</tag></tags></Pet>"),
            "{text}"
        );
    }

    #[test]
    fn odd_names_become_legal() {
        let mut api = Api::default();
        let any = scalar(&mut api, None);
        let text = write(&api, any, &json!({"a b>": 1}));
        assert!(text.ends_with("<root><a_b_>1</a_b_></root>"), "{text}");
    }
}
