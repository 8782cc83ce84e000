//! Which family a media type belongs to.

use fossick_contract::{ends_with_ignoring_case, is_json};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    Json,
    Form,
    Multipart,
    Text,
    Xml,
    Other,
}

pub(crate) fn family(media_type: &str) -> Family {
    let essence = essence(media_type);
    let is = |name: &str| essence.eq_ignore_ascii_case(name);
    match () {
        () if is_json(essence) || is("*/*") || is("application/*") => Family::Json,
        () if is("application/x-www-form-urlencoded") => Family::Form,
        () if starts(essence, "multipart/") => Family::Multipart,
        () if is("application/xml")
            || is("text/xml")
            || ends_with_ignoring_case(essence, "+xml") =>
        {
            Family::Xml
        }
        () if starts(essence, "text/") => Family::Text,
        () => Family::Other,
    }
}

fn starts(text: &str, with: &str) -> bool {
    text.get(..with.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(with))
}

/// What is written in `Content-Type`: a range of types becomes the plainest member.
pub(crate) fn concrete(media_type: &str) -> String {
    match essence(media_type) {
        "*/*" | "application/*" => "application/json".to_owned(),
        "text/*" => "text/plain".to_owned(),
        "image/*" => "image/png".to_owned(),
        "multipart/*" => "multipart/form-data".to_owned(),
        other if other.ends_with("/*") => "application/octet-stream".to_owned(),
        _ => media_type.trim().to_owned(),
    }
}

fn essence(media_type: &str) -> &str {
    media_type.split(';').next().unwrap_or("").trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_ignore_case_and_parameters() {
        assert_eq!(family("Application/JSON; charset=utf-8"), Family::Json);
        assert_eq!(family("application/merge-patch+json"), Family::Json);
        assert_eq!(family("image/svg+xml"), Family::Xml);
        assert_eq!(family("application/octet-stream"), Family::Other);
        assert_eq!(concrete("*/*"), "application/json");
    }
}
