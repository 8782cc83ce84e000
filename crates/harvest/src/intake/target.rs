//! Path and query of a request, and pairs as queries and forms write them.

use std::borrow::Cow;

use percent_encoding::percent_decode;

/// Path and query apart. A target in absolute form loses its origin: who is called is not ours.
pub(super) fn split(target: &str) -> (Cow<'_, str>, &str) {
    let target = target.split('#').next().unwrap_or_default();
    let target = match target.split_once("://") {
        Some((scheme, rest)) if !scheme.contains(['/', '?']) => rest
            .find(['/', '?'])
            .and_then(|at| rest.get(at..))
            .unwrap_or_default(),
        _ => target,
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    if path.starts_with('/') {
        return (Cow::Borrowed(path), query);
    }
    (Cow::Owned(format!("/{path}")), query)
}

/// Decoded and sorted by name; values of one name keep their order.
pub(super) fn pairs(text: &str) -> Vec<(String, String)> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let mut pairs: Vec<_> = pairs
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect();
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    pairs
}

fn decoded(text: &str) -> String {
    let spaced = text.replace('+', " ");
    percent_decode(spaced.as_bytes())
        .decode_utf8_lossy()
        .into_owned()
}

pub(super) fn value<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = pairs.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_taken_apart() {
        for (target, path, query) in [
            ("/a/b?c=d#e", "/a/b", "c=d"),
            ("http://host:80/a?b", "/a", "b"),
            ("http://host", "/", ""),
            ("http://host?x=1", "/", "x=1"),
            ("/go?to=http://host/x", "/go", "to=http://host/x"),
            ("", "/", ""),
            ("a", "/a", ""),
        ] {
            assert_eq!(split(target), (Cow::Borrowed(path), query), "{target}");
        }
    }

    #[test]
    fn pairs_are_decoded_and_sorted_by_name() {
        let said = pairs("b=2&a=x%26y+z&&b=1&c&%ff=%e4");
        let said: Vec<_> = said.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(
            said,
            [
                ("a", "x&y z"),
                ("b", "2"),
                ("b", "1"),
                ("c", ""),
                ("\u{fffd}", "\u{fffd}")
            ]
        );
    }
}
