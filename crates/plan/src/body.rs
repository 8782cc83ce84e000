//! Bodies in the media types that services take.

use bytes::Bytes;
use fossick_contract::{Api, Body, Content, Kind, ShapeId};
use fossick_trace::{Fill, Payload};
use serde_json::Value;

use crate::media::{Family, concrete, family};
use crate::parameter::{escape, plain};
use crate::{BodyValue, xml};

/// The content that is likeliest to be understood: JSON where it is offered.
pub fn best_content(body: &Body) -> usize {
    let by_family = |(at, content): &(usize, &Content)| (family(&content.media_type), *at);
    body.contents
        .iter()
        .enumerate()
        .min_by_key(by_family)
        .map_or(0, |(at, _)| at)
}

/// Contents that can be written in their own form.
pub fn writable_contents(body: &Body) -> Vec<usize> {
    let contents = body.contents.iter().enumerate();
    let writable = contents.filter(|(_, content)| family(&content.media_type) != Family::Other);
    writable.map(|(at, _)| at).collect()
}

pub(crate) fn payload(api: &Api, body: &Body, value: &BodyValue, fills: Vec<Fill>) -> Payload {
    let Some(content) = body.contents.get(value.content) else {
        return Payload::None;
    };
    let media_type = concrete(&content.media_type);
    match family(&content.media_type) {
        Family::Json if fills.is_empty() => {
            let mut bytes = Vec::with_capacity(1024);
            value.gene.write_json(&mut bytes);
            if media_type.contains("ndjson") {
                bytes.push(b'\n');
            }
            Payload::Bytes {
                media_type,
                bytes: bytes.into(),
            }
        }
        Family::Json => Payload::Json {
            media_type,
            value: value.gene.value(),
            fills,
        },
        Family::Form => text_payload(media_type, form(content, &value.gene.value())),
        Family::Multipart => multipart(api, content, &value.gene.value(), &media_type),
        Family::Xml => {
            let value = value.gene.value();
            let text = match (content.shape, &value) {
                (_, Value::String(text)) if text.trim_start().starts_with('<') => text.clone(),
                (Some(shape), value) => xml::write(api, shape, value),
                (None, value) => plain(value),
            };
            text_payload(media_type, text)
        }
        Family::Text | Family::Other => text_payload(media_type, plain(&value.gene.value())),
    }
}

fn text_payload(media_type: String, text: String) -> Payload {
    Payload::Bytes {
        media_type,
        bytes: Bytes::from(text),
    }
}

/// `a=1&a=2`: lists repeat their name unless the document says otherwise, maps go as JSON.
fn form(content: &Content, value: &Value) -> String {
    let Value::Object(map) = value else {
        return escape(&plain(value));
    };
    let mut pairs = Vec::new();
    for (name, inner) in map {
        let explode = content
            .parts
            .get(name)
            .and_then(|p| p.explode)
            .unwrap_or(true);
        match inner {
            Value::Array(items) if explode => {
                pairs.extend(
                    items
                        .iter()
                        .map(|i| format!("{}={}", escape(name), escape(&plain(i)))),
                );
            }
            Value::Array(items) => {
                let joined: Vec<_> = items.iter().map(|i| escape(&plain(i))).collect();
                pairs.push(format!("{}={}", escape(name), joined.join(",")));
            }
            _ => pairs.push(format!("{}={}", escape(name), escape(&plain(inner)))),
        }
    }
    pairs.join("&")
}

/// Fixed, so that the same plan gives the same bytes. Values that hold it are not worth guarding
/// against: a boundary needs the line break and the dashes before it as well.
const BOUNDARY: &str = "fossick-5f0e2c41";

fn multipart(api: &Api, content: &Content, value: &Value, media_type: &str) -> Payload {
    let mut out = Vec::new();
    let root = Value::Object(serde_json::Map::new());
    let map = value.as_object().or(root.as_object());
    for (name, inner) in map.into_iter().flatten() {
        let shape = property_shape(api, content.shape, name);
        let declared = content.parts.get(name).and_then(|p| p.content_type.clone());
        match inner {
            Value::Array(items) => {
                let item = shape.and_then(|id| item_shape(api, id));
                for one in items {
                    part(name, one, is_file(api, item), declared.as_deref(), &mut out);
                }
            }
            _ => part(
                name,
                inner,
                is_file(api, shape),
                declared.as_deref(),
                &mut out,
            ),
        }
    }
    out.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    let bare = media_type.split(';').next().unwrap_or(media_type).trim();
    Payload::Bytes {
        media_type: format!("{bare}; boundary={BOUNDARY}"),
        bytes: out.into(),
    }
}

fn part(name: &str, value: &Value, file: bool, declared: Option<&str>, out: &mut Vec<u8>) {
    let quoted: String = name
        .chars()
        .filter(|c| !c.is_control() && *c != '"')
        .collect();
    let mut head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{quoted}\"");
    if file {
        head.push_str("; filename=\"file.txt\"");
    }
    let first = declared.and_then(|d| d.split(',').next()).map(concrete);
    let media_type = match (first, file, value) {
        (Some(media_type), ..) => Some(media_type),
        (None, true, _) => Some("application/octet-stream".to_owned()),
        (None, false, Value::Object(_)) => Some("application/json".to_owned()),
        _ => None,
    };
    if let Some(media_type) = media_type {
        head.push_str("\r\nContent-Type: ");
        head.push_str(&media_type);
    }
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(b"\r\n\r\n");
    out.extend_from_slice(plain(value).as_bytes());
    out.extend_from_slice(b"\r\n");
}

fn property_shape(api: &Api, shape: Option<ShapeId>, name: &str) -> Option<ShapeId> {
    match &api.shape(shape?).kind {
        Kind::Object(object) => object.property(name).map(|p| p.shape),
        _ => None,
    }
}

fn item_shape(api: &Api, shape: ShapeId) -> Option<ShapeId> {
    match &api.shape(shape).kind {
        Kind::Array(array) => array.items,
        _ => None,
    }
}

fn is_file(api: &Api, shape: Option<ShapeId>) -> bool {
    let kind = shape.map(|id| &api.shape(id).kind);
    matches!(kind, Some(Kind::String(s)) if matches!(s.format.as_deref(), Some("binary" | "byte" | "file")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_genes::{Gene, Source};
    use serde_json::json;

    fn body(media_type: &str) -> Body {
        let content = Content {
            media_type: media_type.into(),
            shape: None,
            examples: vec![],
            parts: indexmap::IndexMap::default(),
        };
        Body {
            required: true,
            contents: vec![content],
        }
    }

    fn text(media_type: &str, value: Value) -> String {
        let gene = Gene::literal(value, Source::Fixed);
        let value = BodyValue { content: 0, gene };
        match payload(&Api::default(), &body(media_type), &value, vec![]) {
            Payload::Bytes { bytes, .. } => String::from_utf8(bytes.to_vec()).expect("text"),
            other => panic!("expected bytes, got {other:?}"),
        }
    }

    #[test]
    fn forms_escape_names_and_values() {
        let sent = text(
            "application/x-www-form-urlencoded",
            json!({"a b": "c&d", "e": [1, 2]}),
        );
        assert_eq!(sent, "a%20b=c%26d&e=1&e=2");
    }

    #[test]
    fn multipart_names_its_parts() {
        let sent = text("multipart/form-data", json!({"a": "x", "b": {"c": 1}}));
        assert!(sent.contains("name=\"a\"\r\n\r\nx\r\n"));
        assert!(sent.contains("Content-Type: application/json\r\n\r\n{\"c\":1}"));
        assert!(sent.ends_with("--fossick-5f0e2c41--\r\n"));
    }

    #[test]
    fn json_is_preferred() {
        let mut two = body("application/xml");
        two.contents.extend(body("application/json").contents);
        assert_eq!(best_content(&two), 1);
    }
}
