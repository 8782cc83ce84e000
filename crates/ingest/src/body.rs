//! What an operation sends.

use fossick_contract::{Body, Content, PartEncoding};
use indexmap::IndexMap;

use crate::document::{Broken, Call, Walk};
use crate::parameter::{Declared, examples, style_named};
use crate::reader::Reader;
use crate::reference::Node;
use crate::swagger2;

pub(crate) fn read<'d>(
    walk: &mut Walk<'d>,
    call: &Call<'d>,
    declared: &Declared<'d>,
) -> Result<Option<Body>, Broken<'d>> {
    let said = call
        .node
        .get("requestBody")
        .filter(|body| !body.value.is_null());
    if let Some(said) = said.filter(|_| !walk.reader.is_swagger2()) {
        return of_request_body(walk, call, said);
    }
    if let Some(parameter) = declared.body {
        return of_parameter(walk, call, parameter).map(Some);
    }
    if declared.form.is_empty() {
        return Ok(None);
    }
    Ok(Some(of_form(walk, call, declared)))
}

fn of_form<'d>(walk: &mut Walk<'d>, call: &Call<'d>, declared: &Declared<'d>) -> Body {
    if !walk.reader.is_swagger2() {
        walk.reader.warn(
            call.node,
            "form parameters belong into a `requestBody`; read as if they were there",
        );
    }
    Body {
        required: declared.form.values().any(|field| field.flag("required")),
        contents: swagger2::form(walk, call, declared),
    }
}

fn of_parameter<'d>(
    walk: &mut Walk<'d>,
    call: &Call<'d>,
    parameter: Node<'d>,
) -> Result<Body, Broken<'d>> {
    let mut media_types = swagger2::media_types(walk.reader, call.node, "consumes");
    if !walk.reader.is_swagger2() {
        walk.reader.warn(
            parameter,
            "a body parameter belongs into a `requestBody`; read as if it were there",
        );
    }
    if media_types.is_empty() {
        media_types.push("application/json");
    }
    let schema = parameter.get("schema").unwrap_or_else(|| {
        walk.reader.warn(
            parameter,
            "the body has no schema; its own keywords are read as one",
        );
        parameter
    });
    let shape = walk.schemas.root(schema, || format!("{} body", call.label));
    let shape = shape.map_err(|reason| Broken {
        reason: format!("its body is not understood: {reason}"),
        node: parameter,
    })?;
    let examples = examples(walk.reader, parameter);
    let content = |media_type: &str| Content {
        media_type: media_type.to_owned(),
        shape: Some(shape),
        examples: examples.clone(),
        parts: IndexMap::new(),
    };
    Ok(Body {
        required: parameter.flag("required"),
        contents: media_types.into_iter().map(content).collect(),
    })
}

fn of_request_body<'d>(
    walk: &mut Walk<'d>,
    call: &Call<'d>,
    said: Node<'d>,
) -> Result<Option<Body>, Broken<'d>> {
    let broken = |reason: String| Broken {
        reason: format!("its body is not understood: {reason}"),
        node: said,
    };
    let node = walk.reader.follow(said).map_err(broken)?;
    let listed = node.get("content").into_iter().flat_map(Node::entries);
    let mut contents = Vec::new();
    let mut lost = Vec::new();
    for (media_type, content) in listed {
        match read_content(walk, call, "body", media_type, content) {
            Ok(content) => contents.push(content),
            Err(reason) => lost.push((media_type, content, reason)),
        }
    }
    if contents.is_empty() {
        if let Some((.., reason)) = lost.pop() {
            return Err(broken(reason));
        }
        let told = "the body names no content; read as if there were no body";
        walk.reader.warn(said, told);
        return Ok(None);
    }
    for (media_type, content, reason) in lost {
        let told = format!("the content `{media_type}` is left out: {reason}");
        walk.reader.error(content, told);
    }
    Ok(Some(Body {
        required: node.flag("required"),
        contents,
    }))
}

/// One media type; the error says why its schema can't be understood.
pub(crate) fn read_content<'d>(
    walk: &mut Walk<'d>,
    call: &Call<'d>,
    what: &str,
    media_type: &str,
    said: Node<'d>,
) -> Result<Content, String> {
    let node = walk.reader.follow(said)?;
    let schema = node.get("schema").filter(|schema| !schema.value.is_null());
    let label = || format!("{} {what} {media_type}", call.label);
    let shape = schema
        .map(|schema| walk.schemas.root(schema, label))
        .transpose()?;
    Ok(Content {
        media_type: media_type.trim().to_owned(),
        shape,
        examples: examples(walk.reader, node),
        parts: parts(walk.reader, node),
    })
}

fn parts(reader: Reader<'_>, content: Node<'_>) -> IndexMap<String, PartEncoding> {
    let listed = content.get("encoding").into_iter().flat_map(Node::entries);
    let part = |said: Node<'_>| {
        let said = reader.follow(said).ok()?;
        Some(PartEncoding {
            content_type: said.text("contentType").map(str::to_owned),
            style: said.text("style").and_then(style_named),
            explode: said
                .value
                .get("explode")
                .and_then(serde_json::Value::as_bool),
        })
    };
    listed
        .filter_map(|(name, said)| Some((name.to_owned(), part(said)?)))
        .collect()
}
