//! What only Swagger 2.0 says: media types beside the operation, forms made of parameters,
//! `collectionFormat`, and a base URL in three parts.

use fossick_contract::{Content, Encoding, Location, PartEncoding, Style};
use indexmap::IndexMap;

use crate::document::{Call, Walk};
use crate::location::{host, scheme};
use crate::parameter::Declared;
use crate::reader::Reader;
use crate::reference::Node;
use crate::schema::Field;

const MULTIPART: &str = "multipart/form-data";
const URLENCODED: &str = "application/x-www-form-urlencoded";

/// `consumes` or `produces`: the operation's, else the document's.
pub(crate) fn media_types<'d>(reader: Reader<'d>, operation: Node<'d>, key: &str) -> Vec<&'d str> {
    let said = operation.get(key).or_else(|| reader.root().get(key));
    let single = said.and_then(|said| said.value.as_str());
    let listed = said
        .into_iter()
        .flat_map(Node::items)
        .filter_map(|n| n.value.as_str());
    listed
        .chain(single)
        .filter(|name| !name.is_empty())
        .collect()
}

/// How a list becomes text where nothing is said.
pub(crate) fn list_style(location: Location) -> Style {
    match location {
        Location::Path | Location::Header => Style::Simple,
        Location::Query | Location::Cookie => Style::Form,
    }
}

pub(crate) fn collection_encoding(
    reader: Reader<'_>,
    location: Location,
    format: Node<'_>,
) -> Encoding {
    let (style, explode) = collection(reader, format).unwrap_or((list_style(location), false));
    let style = if style == Style::Form {
        list_style(location)
    } else {
        style
    };
    Encoding::Style { style, explode }
}

fn collection(reader: Reader<'_>, format: Node<'_>) -> Option<(Style, bool)> {
    match format.value.as_str().unwrap_or("") {
        "csv" => Some((Style::Form, false)),
        "ssv" => Some((Style::SpaceDelimited, false)),
        "tsv" => Some((Style::TabDelimited, false)),
        "pipes" => Some((Style::PipeDelimited, false)),
        "multi" => Some((Style::Form, true)),
        _ => {
            reader.warn(
                format,
                format!("{} is not a collection format; read as `csv`", format.value),
            );
            None
        }
    }
}

/// The contents of a body that is made of form parameters.
pub(crate) fn form<'d>(
    walk: &mut Walk<'d>,
    call: &Call<'d>,
    declared: &Declared<'d>,
) -> Vec<Content> {
    let fields: Vec<_> = declared
        .form
        .iter()
        .map(|(name, node)| Field {
            name,
            node: node.get("schema").unwrap_or(*node),
            required: node.flag("required"),
        })
        .collect();
    let media_types = form_media_types(walk.reader, call, declared);
    let shape = walk
        .schemas
        .form(&fields, || format!("{} form", call.label));
    let parts = parts(walk.reader, declared);
    let content = |media_type: &&str| Content {
        media_type: (*media_type).to_owned(),
        shape: Some(shape),
        examples: Vec::new(),
        parts: parts.clone(),
    };
    media_types.iter().map(content).collect()
}

fn form_media_types<'d>(
    reader: Reader<'d>,
    call: &Call<'d>,
    declared: &Declared<'d>,
) -> Vec<&'static str> {
    let has_file = declared
        .form
        .values()
        .any(|node| node.text("type") == Some("file"));
    if has_file {
        return vec![MULTIPART];
    }
    let consumes = media_types(reader, call.node, "consumes");
    let named: Vec<_> = consumes
        .into_iter()
        .filter_map(|name| {
            [MULTIPART, URLENCODED]
                .into_iter()
                .find(|known| name.starts_with(known))
        })
        .collect();
    if named.is_empty() {
        vec![URLENCODED]
    } else {
        named
    }
}

fn parts(reader: Reader<'_>, declared: &Declared<'_>) -> IndexMap<String, PartEncoding> {
    let listed = declared.form.iter().filter_map(|(name, node)| {
        let is_list = node.text("type") == Some("array");
        let format = node
            .get("collectionFormat")
            .and_then(|said| collection(reader, said));
        let (style, explode) = format.or(is_list.then_some((Style::Form, false)))?;
        let part = PartEncoding {
            content_type: None,
            style: Some(style),
            explode: Some(explode),
        };
        Some(((*name).to_owned(), part))
    });
    listed.collect()
}

/// `schemes`, `host` and `basePath` as URLs.
pub(crate) fn servers(reader: Reader<'_>) -> Vec<String> {
    let root = reader.root();
    let base = root.text("basePath").unwrap_or("").trim_end_matches('/');
    let slash = if base.is_empty() || base.starts_with('/') {
        ""
    } else {
        "/"
    };
    let Some(named) = root.text("host").filter(|host| !host.is_empty()) else {
        let relative = format!("{slash}{base}");
        return if base.is_empty() {
            Vec::new()
        } else {
            vec![relative]
        };
    };
    let (inline, named) = named
        .split_once("://")
        .map_or((None, named), |(scheme, host)| (Some(scheme), host));
    let listed: Vec<_> = media_types(reader, root, "schemes")
        .into_iter()
        .filter(|scheme| scheme.starts_with("http"))
        .collect();
    let schemes = if listed.is_empty() {
        vec![inline.unwrap_or(usual_scheme(reader, named))]
    } else {
        listed
    };
    let named = named.trim_end_matches('/');
    schemes
        .iter()
        .map(|scheme| format!("{scheme}://{named}{slash}{base}"))
        .collect()
}

/// Without `schemes`, the document's own counts; local services rarely speak TLS.
fn usual_scheme<'d>(reader: Reader<'d>, named: &str) -> &'d str {
    let document = reader
        .library
        .loaded
        .documents
        .first()
        .map_or("", |d| &d.name);
    let of_document = host(document).and_then(|_| scheme(document));
    let local = named.starts_with("localhost") || named.starts_with("127.");
    of_document.unwrap_or(if local { "http" } else { "https" })
}
