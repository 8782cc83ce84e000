//! What is wrapped around things: connections, pages and payloads, and how to tell them.
//!
//! Lists of names, mostly, each gathered from schemas that people wrote.

use std::sync::Arc;

use fossick_contract::{Field, TypeGraph, TypeId};

use super::words::words;

pub(super) fn is_payload_name(name: &str) -> bool {
    let last = words(name).pop();
    last.is_some_and(|last| {
        ["payload", "result", "response", "output", "mutation"].contains(&last.as_str())
    })
}

pub(super) fn has_identity(fields: &[Field]) -> bool {
    const IDENTITY: [&str; 6] = ["id", "_id", "uuid", "guid", "nodeId", "pk"];
    fields.iter().any(|field| IDENTITY.contains(&&*field.name))
}

pub(super) fn complains(fields: &[Field]) -> bool {
    fields.iter().any(|field| is_about_errors(&field.name))
}

fn is_about_errors(name: &str) -> bool {
    let last = words(name).pop();
    last.is_some_and(|last| matches!(last.as_str(), "error" | "errors"))
}

/// Fields that tell how it went, or how many there are, and not what came of it.
pub(super) fn is_housekeeping(name: &str) -> bool {
    const HOUSEKEEPING: [&str; 49] = [
        "clientmutationid",
        "query",
        "edge",
        "ok",
        "success",
        "successful",
        "succeeded",
        "status",
        "statuscode",
        "code",
        "message",
        "messages",
        "affectedrows",
        "affected",
        "count",
        "totalcount",
        "total",
        "totalitems",
        "totalpages",
        "pageinfo",
        "pageinformation",
        "cursor",
        "nextcursor",
        "page",
        "pages",
        "pagecount",
        "currentpage",
        "lastpage",
        "perpage",
        "pagesize",
        "limit",
        "offset",
        "skip",
        "first",
        "hasmore",
        "hasnextpage",
        "haspreviouspage",
        "nexttoken",
        "meta",
        "pagination",
        "paginatorinfo",
        "aggregate",
        "extensions",
        "deleted",
        "removed",
        "created",
        "updated",
        "acknowledged",
        "viewer",
    ];
    let plain: String = words(name).concat();
    HOUSEKEEPING.contains(&plain.as_str()) || plain.ends_with("edge") || is_about_errors(name)
}

/// The way through a connection or page to its items, and what they are.
pub(super) fn connection(graph: &TypeGraph, id: TypeId) -> Option<(Vec<Arc<str>>, TypeId)> {
    let fields = graph.fields(id);
    let many =
        |field: &&Field| field.returns.lists() > 0 && graph.get(field.returns.named).is_composite();
    if let Some(edges) = fields
        .iter()
        .filter(many)
        .find(|field| &*field.name == "edges")
        && let Some(node) = graph.field(edges.returns.named, "node")
        && graph.get(node.returns.named).is_composite()
    {
        let way = vec![Arc::clone(&edges.name), Arc::clone(&node.name)];
        return Some((way, node.returns.named));
    }
    if has_identity(fields) {
        return None;
    }
    let lists: Vec<&Field> = fields
        .iter()
        .filter(many)
        .filter(|field| !is_about_errors(&field.name))
        .collect();
    let others_only_count = || {
        let others = fields
            .iter()
            .filter(|field| !lists.iter().any(|l| l.name == field.name));
        others.clone().count() > 0 && others.clone().all(|field| is_housekeeping(&field.name))
    };
    let by_name = lists.iter().find(|field| is_items(&field.name));
    let items = match (by_name, lists.as_slice()) {
        (Some(items), _) if is_page_name(&graph.get(id).name) || others_only_count() => *items,
        (_, [only]) if others_only_count() && pages(fields) => *only,
        _ => return None,
    };
    Some((vec![Arc::clone(&items.name)], items.returns.named))
}

fn is_items(name: &str) -> bool {
    const ITEMS: [&str; 14] = [
        "nodes", "items", "results", "data", "records", "objects", "entries", "rows", "list",
        "docs", "hits", "values", "content", "edges",
    ];
    ITEMS.contains(&name)
}

fn is_page_name(name: &str) -> bool {
    const PAGES: [&str; 11] = [
        "connection",
        "page",
        "list",
        "results",
        "collection",
        "response",
        "paginated",
        "paginator",
        "pagination",
        "payload",
        "aggregate",
    ];
    words(name)
        .iter()
        .any(|word| PAGES.contains(&word.as_str()))
}

/// Whether something beside the items counts or pages them.
fn pages(fields: &[Field]) -> bool {
    const PAGING: [&str; 9] = [
        "pageinfo",
        "totalcount",
        "total",
        "count",
        "hasmore",
        "hasnextpage",
        "nexttoken",
        "nextcursor",
        "paginatorinfo",
    ];
    let plain = |field: &Field| words(&field.name).concat();
    fields
        .iter()
        .any(|field| PAGING.contains(&plain(field).as_str()))
}
