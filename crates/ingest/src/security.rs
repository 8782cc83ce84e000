//! Who may call what.

use fossick_contract::{KeyPlace, Requirement, SecurityScheme};
use indexmap::IndexMap;

use crate::reader::Reader;
use crate::reference::Node;

/// The schemes that the document declares.
pub(crate) fn schemes(reader: Reader<'_>) -> IndexMap<String, SecurityScheme> {
    let mut schemes = IndexMap::new();
    for (name, said) in declared(reader).into_iter().flat_map(Node::entries) {
        if let Some(node) = reader.follow_or_note(said, "a security scheme") {
            schemes.insert(name.to_owned(), scheme(reader, node));
        }
    }
    schemes
}

fn declared(reader: Reader<'_>) -> Option<Node<'_>> {
    let root = reader.root();
    let in_components = root
        .get("components")
        .and_then(|c| c.get("securitySchemes"));
    in_components.or_else(|| root.get("securityDefinitions"))
}

fn scheme(reader: Reader<'_>, node: Node<'_>) -> SecurityScheme {
    let kind = node.text("type").unwrap_or("");
    match kind.to_ascii_lowercase().as_str() {
        "apikey" => api_key(reader, node),
        "basic" => SecurityScheme::Basic,
        "http" => http(node.text("scheme").unwrap_or("")),
        "oauth2" => SecurityScheme::OAuth2,
        "openidconnect" => SecurityScheme::OpenIdConnect,
        _ => SecurityScheme::Other(kind.to_owned()),
    }
}

fn http(name: &str) -> SecurityScheme {
    match name.to_ascii_lowercase().as_str() {
        "basic" => SecurityScheme::Basic,
        "bearer" => SecurityScheme::Bearer,
        _ => SecurityScheme::Http(name.to_owned()),
    }
}

fn api_key(reader: Reader<'_>, node: Node<'_>) -> SecurityScheme {
    let place = match node.text("in").map(str::to_ascii_lowercase).as_deref() {
        Some("header") => KeyPlace::Header,
        Some("query") => KeyPlace::Query,
        Some("cookie") => KeyPlace::Cookie,
        _ => {
            reader.warn(
                node,
                "an API key is in a header, query or cookie; read as a header",
            );
            KeyPlace::Header
        }
    };
    SecurityScheme::ApiKey {
        place,
        name: node.text("name").unwrap_or("Authorization").to_owned(),
    }
}

/// What an operation asks for: its own word, else the document's. An empty list asks for nothing.
pub(crate) fn of_operation<'d>(reader: Reader<'d>, operation: Node<'d>) -> Vec<Requirement> {
    let said = operation
        .get("security")
        .or_else(|| reader.root().get("security"));
    let single = said.filter(|said| said.value.is_object());
    let listed = said.into_iter().flat_map(Node::items).chain(single);
    listed
        .map(|alternative| requirement(reader, alternative))
        .collect()
}

fn requirement<'d>(reader: Reader<'d>, node: Node<'d>) -> Requirement {
    let named: Vec<&str> = match node.value.as_str() {
        Some(name) => vec![name],
        None => node.entries().map(|(name, _)| name).collect(),
    };
    for name in &named {
        if declared(reader).and_then(|all| all.get(name)).is_none() {
            reader.warn(
                node,
                format!("the security scheme `{name}` is not declared"),
            );
        }
    }
    Requirement {
        schemes: named.into_iter().map(str::to_owned).collect(),
    }
}
