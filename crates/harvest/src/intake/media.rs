//! What a `content-type` says.

/// The type in small letters, without the character set and the boundary.
pub(super) fn canonical(header: &str) -> String {
    let mut pieces = header.split(';').map(str::trim);
    let essence = pieces.next().unwrap_or_default().to_ascii_lowercase();
    let telling = pieces.filter(|piece| {
        let name = piece.split('=').next().unwrap_or_default().trim();
        !name.is_empty()
            && !["charset", "boundary"]
                .iter()
                .any(|n| name.eq_ignore_ascii_case(n))
    });
    telling.fold(essence, |whole, piece| format!("{whole};{piece}"))
}

pub(super) fn essence(media_type: &str) -> &str {
    media_type.split(';').next().unwrap_or_default().trim()
}

pub(super) fn is_json(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence.ends_with("/json") || essence.ends_with("+json")
}

pub(super) fn is_form(media_type: &str) -> bool {
    essence(media_type) == "application/x-www-form-urlencoded"
}

pub(super) fn is_multipart(media_type: &str) -> bool {
    essence(media_type).starts_with("multipart/")
}

/// Kinds that people read.
pub(super) fn is_text(media_type: &str) -> bool {
    let essence = essence(media_type);
    let named = [
        "xml",
        "json",
        "yaml",
        "toml",
        "csv",
        "graphql",
        "javascript",
        "sql",
    ];
    essence.is_empty()
        || essence.starts_with("text/")
        || named.iter().any(|name| essence.ends_with(name))
}

pub(super) fn boundary(header: &str) -> Option<&str> {
    let pieces = header
        .split(';')
        .skip(1)
        .filter_map(|piece| piece.split_once('='));
    let mut named = pieces.filter(|(name, _)| name.trim().eq_ignore_ascii_case("boundary"));
    let (_, value) = named.next()?;
    Some(value.trim().trim_matches('"')).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_the_meaning_is_kept() {
        assert_eq!(
            canonical("Application/JSON; Charset=UTF-8"),
            "application/json"
        );
        assert_eq!(
            canonical("application/json;v=2 ; charset=x"),
            "application/json;v=2"
        );
        assert_eq!(canonical(canonical("a/B; c=D;").as_str()), "a/b;c=D");
        assert_eq!(canonical(""), "");
    }

    #[test]
    fn a_boundary_is_read_with_quotes_and_without() {
        assert_eq!(boundary("multipart/form-data; boundary=x-1"), Some("x-1"));
        assert_eq!(
            boundary("multipart/form-data; a=b; Boundary=\"x y\""),
            Some("x y")
        );
        assert_eq!(boundary("multipart/form-data"), None);
    }
}
