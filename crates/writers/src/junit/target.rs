//! Which paths and queries REST Assured would send as they stand.
//!
//! It joins slashes, puts parameters of one name together and drops empty ones. Where that would
//! change a request, a filter puts the exact target in.

use std::collections::BTreeSet;

use fossick_suite::Piece;

pub(super) fn is_kept(path: &[Piece]) -> bool {
    let example: String = path.iter().map(fixed).collect();
    let (path, query) = match example.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (example.as_str(), None),
    };
    path.starts_with('/')
        && !path.contains("//")
        && !example.contains(['#', '{', '}'])
        && query.is_none_or(is_kept_query)
}

fn fixed(piece: &Piece) -> &str {
    match piece {
        Piece::Fixed(text) => text,
        Piece::Variable(_) => "x",
    }
}

fn is_kept_query(query: &str) -> bool {
    let names: Vec<_> = query
        .split('&')
        .map(|parameter| parameter.split('=').next().unwrap_or_default())
        .collect();
    let mut seen = BTreeSet::new();
    let scattered = names
        .chunk_by(|a, b| a == b)
        .any(|group| !seen.insert(group.first().copied().unwrap_or_default()));
    !scattered && names.iter().all(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(path: &str) -> bool {
        is_kept(&[Piece::Fixed(path.to_owned())])
    }

    #[test]
    fn common_paths_are_kept() {
        for path in ["/", "/tools/7?a=1&a=2&b", "/a;p=1/%2F?q=http://x/%20+"] {
            assert!(kept(path), "{path}");
        }
    }

    #[test]
    fn odd_paths_are_not() {
        for path in [
            "", "//a", "/a//b", "/x?", "/x?a&b&a", "/x?=1", "/x?a&&b", "/x#y", "/{x}",
        ] {
            assert!(!kept(path), "{path}");
        }
    }
}
