//! Base URLs, with their variables filled in. Relative ones stay as they are: only whoever
//! fetched the document knows what they are relative to.

use crate::document::plain;
use crate::reader::Reader;
use crate::reference::Node;
use crate::swagger2;

pub(crate) fn of_document(reader: Reader<'_>) -> Vec<String> {
    if reader.is_swagger2() {
        return swagger2::servers(reader);
    }
    listed(reader, reader.root())
}

/// A base URL that the operation or its path has for itself.
pub(crate) fn of_operation<'d>(
    reader: Reader<'d>,
    operation: Node<'d>,
    items: &[Node<'d>],
) -> Option<String> {
    let mut holders = [operation].into_iter().chain(items.iter().copied());
    holders.find_map(|holder| listed(reader, holder).into_iter().next())
}

fn listed(reader: Reader<'_>, holder: Node<'_>) -> Vec<String> {
    let servers = holder.get("servers").into_iter().flat_map(Node::items);
    servers.filter_map(|server| url(reader, server)).collect()
}

fn url(reader: Reader<'_>, server: Node<'_>) -> Option<String> {
    let mut url = server.text("url")?.trim().to_owned();
    for (name, variable) in server.get("variables").into_iter().flat_map(Node::entries) {
        let first = || {
            variable
                .get("enum")
                .and_then(|values| values.items().next())
        };
        if let Some(value) = variable.get("default").or_else(first) {
            url = url.replace(&format!("{{{name}}}"), &plain(value.value));
        }
    }
    if url.contains('{') {
        reader.warn(
            server,
            format!("the server `{url}` has variables without a value"),
        );
    }
    Some(url)
}
