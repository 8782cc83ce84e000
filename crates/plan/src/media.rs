//! Which family a media type belongs to.

use fossick_contract::is_json;

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
    match essence.as_str() {
        _ if is_json(&essence) || essence == "*/*" || essence == "application/*" => Family::Json,
        "application/x-www-form-urlencoded" => Family::Form,
        _ if essence.starts_with("multipart/") => Family::Multipart,
        "application/xml" | "text/xml" => Family::Xml,
        _ if essence.ends_with("+xml") => Family::Xml,
        _ if essence.starts_with("text/") => Family::Text,
        _ => Family::Other,
    }
}

/// What is written in `Content-Type`: a range of types becomes the plainest member.
pub(crate) fn concrete(media_type: &str) -> String {
    match essence(media_type).as_str() {
        "*/*" | "application/*" => "application/json".to_owned(),
        "text/*" => "text/plain".to_owned(),
        "image/*" => "image/png".to_owned(),
        "multipart/*" => "multipart/form-data".to_owned(),
        other if other.ends_with("/*") => "application/octet-stream".to_owned(),
        _ => media_type.trim().to_owned(),
    }
}

fn essence(media_type: &str) -> String {
    let bare = media_type.split(';').next().unwrap_or("");
    bare.trim().to_ascii_lowercase()
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
