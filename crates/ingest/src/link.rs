//! Links between operations, once all operations are known.

use std::collections::HashMap;

use fossick_contract::{Link, OperationIndex};

use crate::document::{Pending, Walk, plain};
use crate::reference::Node;

/// Puts every link that was met into its response.
pub(crate) fn resolve(walk: &mut Walk<'_>) {
    let pending = std::mem::take(&mut walk.pending);
    if pending.is_empty() {
        return;
    }
    let mut by_id = HashMap::new();
    for (at, operation) in walk.operations.iter().enumerate() {
        if let Some(id) = &operation.operation_id {
            by_id.entry(id.clone()).or_insert(OperationIndex(at as u32));
        }
    }
    for waiting in pending {
        if let Some(link) = link(walk, &by_id, &waiting) {
            let operation = walk.operations.get_mut(waiting.operation);
            let response = operation.and_then(|o| o.responses.get_mut(waiting.response));
            if let Some(response) = response {
                response.links.push(link);
            }
        }
    }
}

fn link<'d>(
    walk: &Walk<'d>,
    by_id: &HashMap<String, OperationIndex>,
    waiting: &Pending<'d>,
) -> Option<Link> {
    let node = walk.reader.follow_or_note(waiting.node, "a link")?;
    let Some(target) = target(walk, by_id, node) else {
        let told = format!(
            "the link `{}` leads to no operation; left out",
            waiting.name
        );
        walk.reader.warn(waiting.node, told);
        return None;
    };
    let parameters = node.get("parameters").into_iter().flat_map(Node::entries);
    Some(Link {
        name: waiting.name.to_owned(),
        target,
        parameters: parameters
            .map(|(name, value)| (name.to_owned(), plain(value.value)))
            .collect(),
        body: node.get("requestBody").map(|body| plain(body.value)),
    })
}

fn target<'d>(
    walk: &Walk<'d>,
    by_id: &HashMap<String, OperationIndex>,
    node: Node<'d>,
) -> Option<OperationIndex> {
    if let Some(id) = node.text("operationId") {
        return by_id.get(id).copied();
    }
    let reference = node.text("operationRef")?;
    let found = walk.reader.library.resolve(node, reference).ok()?;
    walk.by_node.get(&found.address()).copied()
}
