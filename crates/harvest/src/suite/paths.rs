//! Which operation of an OpenAPI document a request is a call of.

use std::cmp::Reverse;

use fossick_contract::{Api, Method, Operation, OperationIndex, Piece};
use percent_encoding::percent_decode_str;

/// An operation, and how a path leads to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved<'p> {
    pub operation: OperationIndex,
    /// The path below the base URL of the document.
    pub path: &'p str,
    /// The values of the path's holes, decoded.
    pub holes: Vec<(String, String)>,
}

/// Finds the operation of a request; a fixed part of a path goes before a hole.
pub fn resolve<'p>(api: &Api, method: &str, path: &'p str) -> Option<Resolved<'p>> {
    let method = Method::parse(method)?;
    let mut below = std::iter::once(path).chain(below_servers(api, path));
    below.find_map(|path| best(api, method, path))
}

/// The path without those of the servers, whose bases may stand before it.
fn below_servers<'p>(api: &Api, path: &'p str) -> Vec<&'p str> {
    let bases = api.servers.iter().map(|server| base(server));
    let mut below: Vec<&str> = bases
        .filter(|base| !base.is_empty())
        .filter_map(|base| path.strip_prefix(base))
        .filter(|rest| rest.starts_with('/'))
        .collect();
    below.sort_by_key(|rest| rest.len());
    below
}

/// The path of a base URL: `/v1` of `https://example.org/v1/`.
fn base(server: &str) -> &str {
    let after = server.find("://").map_or(0, |at| at + 3);
    let rest = server.get(after..).unwrap_or("");
    let path = if after == 0 {
        rest
    } else {
        rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("")
    };
    path.trim_end_matches('/')
}

fn best<'p>(api: &Api, method: Method, path: &'p str) -> Option<Resolved<'p>> {
    let operations = api
        .indexed()
        .filter(|(_, operation)| operation.method == method);
    let matching = operations.filter_map(|(index, operation)| {
        let holes = holes(operation, path)?;
        Some((index, holes))
    });
    let (operation, holes) =
        matching.min_by_key(|(index, holes)| (holes.len(), Reverse(*index)))?;
    Some(Resolved {
        operation,
        path,
        holes,
    })
}

/// The values of the holes of an operation's path, if it fits.
fn holes(operation: &Operation, path: &str) -> Option<Vec<(String, String)>> {
    let mut holes = Vec::new();
    let mut rest = path;
    let pieces = &operation.path.pieces;
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Fixed(text) => rest = rest.strip_prefix(text.as_str())?,
            Piece::Hole(name) => {
                let end = match pieces.get(at + 1) {
                    Some(Piece::Fixed(next)) => rest.find(next.as_str())?,
                    _ => rest.len(),
                };
                let value = rest.get(..end)?;
                if value.is_empty() || value.contains('/') {
                    return None;
                }
                let decoded = percent_decode_str(value).decode_utf8_lossy();
                holes.push((name.clone(), decoded.into_owned()));
                rest = rest.get(end..)?;
            }
        }
    }
    rest.is_empty().then_some(holes)
}
