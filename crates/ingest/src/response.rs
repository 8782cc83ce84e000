//! What an operation may answer. Nothing here makes an operation unusable: a promise that can't
//! be understood is a promise less.

use fossick_contract::{Content, Header, ResponseSpec, StatusPattern};
use serde_json::Value;

use crate::body::read_content;
use crate::document::{Call, Pending, Walk};
use crate::reference::Node;
use crate::swagger2;

pub(crate) fn read_all<'d>(walk: &mut Walk<'d>, call: &Call<'d>) -> Vec<ResponseSpec> {
    let listed = call.node.get("responses").filter(|r| r.value.is_object());
    let Some(listed) = listed else {
        walk.reader
            .warn(call.node, format!("{} declares no responses", call.label));
        return Vec::new();
    };
    let mut all: Vec<ResponseSpec> = Vec::new();
    for (key, said) in listed.entries() {
        if key.starts_with("x-") {
            continue;
        }
        match status(key) {
            Some(status) => {
                let response = read(walk, call, status, said, all.len());
                all.push(response);
            }
            None => walk.reader.warn(
                said,
                format!("`{key}` is not a status; the response is left out"),
            ),
        }
    }
    all
}

fn status(key: &str) -> Option<StatusPattern> {
    let key = key.trim();
    if key.eq_ignore_ascii_case("default") {
        return Some(StatusPattern::Default);
    }
    if let Some(class) = key.to_ascii_uppercase().strip_suffix("XX") {
        let class = class.parse().ok()?;
        return (1..=5)
            .contains(&class)
            .then_some(StatusPattern::Class(class));
    }
    let exact = key.parse().ok()?;
    (100..=999)
        .contains(&exact)
        .then_some(StatusPattern::Exact(exact))
}

fn read<'d>(
    walk: &mut Walk<'d>,
    call: &Call<'d>,
    status: StatusPattern,
    said: Node<'d>,
    at: usize,
) -> ResponseSpec {
    let node = match walk.reader.follow(said) {
        Ok(node) => node,
        Err(reason) => {
            walk.reader.warn(
                said,
                format!("nothing is known of the response {status}: {reason}"),
            );
            said
        }
    };
    wait_for_links(walk, node, at);
    ResponseSpec {
        status,
        description: node.text("description").unwrap_or("").to_owned(),
        contents: contents(walk, call, status, node),
        headers: headers(walk, call, status, node),
        links: Vec::new(),
    }
}

fn wait_for_links<'d>(walk: &mut Walk<'d>, node: Node<'d>, response: usize) {
    for key in ["links", "x-links"] {
        for (name, node) in node.get(key).into_iter().flat_map(Node::entries) {
            walk.pending.push(Pending {
                operation: walk.operations.len(),
                response,
                name,
                node,
            });
        }
    }
}

fn contents<'d>(
    walk: &mut Walk<'d>,
    call: &Call<'d>,
    status: StatusPattern,
    node: Node<'d>,
) -> Vec<Content> {
    let listed = node.get("content").into_iter().flat_map(Node::entries);
    let mut contents = Vec::new();
    for (media_type, said) in listed {
        let found = read_content(walk, call, &status.to_string(), media_type, said);
        contents.push(found.unwrap_or_else(|reason| {
            walk.reader
                .warn(said, format!("nothing is known of this content: {reason}"));
            bare(media_type)
        }));
    }
    if let Some(schema) = node.get("schema").filter(|_| contents.is_empty()) {
        return produced(walk, call, status, node, schema);
    }
    contents
}

fn bare(media_type: &str) -> Content {
    Content {
        media_type: media_type.to_owned(),
        shape: None,
        examples: Vec::new(),
        parts: indexmap::IndexMap::new(),
    }
}

/// Swagger 2.0: one schema for everything that the operation produces.
fn produced<'d>(
    walk: &mut Walk<'d>,
    call: &Call<'d>,
    status: StatusPattern,
    node: Node<'d>,
    schema: Node<'d>,
) -> Vec<Content> {
    if !walk.reader.is_swagger2() {
        walk.reader.warn(
            schema,
            "the schema of a response belongs into its `content`; read as JSON",
        );
    }
    let label = || format!("{} {status}", call.label);
    let shape = walk.schemas.root(schema, label).map_err(|reason| {
        walk.reader.warn(
            schema,
            format!("nothing is known of this content: {reason}"),
        );
    });
    let mut media_types = swagger2::media_types(walk.reader, call.node, "produces");
    if media_types.is_empty() {
        media_types.push("application/json");
    }
    let content = |media_type: &str| Content {
        shape: shape.ok(),
        examples: example_for(node, media_type).into_iter().collect(),
        ..bare(media_type)
    };
    media_types.into_iter().map(content).collect()
}

fn example_for(node: Node<'_>, media_type: &str) -> Option<Value> {
    node.value.get("examples")?.get(media_type).cloned()
}

fn headers<'d>(
    walk: &mut Walk<'d>,
    call: &Call<'d>,
    status: StatusPattern,
    node: Node<'d>,
) -> Vec<Header> {
    let listed = node.get("headers").into_iter().flat_map(Node::entries);
    let listed = listed.filter(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
    listed
        .filter_map(|(name, said)| {
            let node = walk.reader.follow_or_note(said, "a header")?;
            Some(Header {
                name: name.to_owned(),
                required: node.flag("required"),
                shape: header_shape(walk, call, &format!("{status} header {name}"), node),
            })
        })
        .collect()
}

fn header_shape<'d>(
    walk: &mut Walk<'d>,
    call: &Call<'d>,
    what: &str,
    node: Node<'d>,
) -> Option<fossick_contract::ShapeId> {
    let content = || node.get("content")?.entries().next()?.1.get("schema");
    let typed = || node.get("type").map(|_| node);
    let schema = node.get("schema").or_else(content).or_else(typed)?;
    let shape = walk
        .schemas
        .root(schema, || format!("{} {what}", call.label));
    shape
        .map_err(|reason| {
            walk.reader
                .warn(node, format!("nothing is known of this header: {reason}"));
        })
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_come_in_several_forms() {
        assert_eq!(status("200"), Some(StatusPattern::Exact(200)));
        assert_eq!(status("4xx"), Some(StatusPattern::Class(4)));
        assert_eq!(status("Default"), Some(StatusPattern::Default));
        assert_eq!(status("9XX"), None);
        assert_eq!(status("20"), None);
        assert_eq!(status("ok"), None);
    }
}
