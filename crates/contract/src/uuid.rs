//! What a UUID looks like.

/// Whether a text has the make of a UUID.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_are_known_by_their_hyphens_and_digits() {
        assert!(is_uuid("5a79db59-9527-4b83-ae87-64a9065cFEDC"));
        for other in [
            "5a79db59-9527-4b83-ae87-64a9065cfedx",
            "5a79db5909527-4b83-ae87-64a9065cfedc",
            "amber-x6fch",
        ] {
            assert!(!is_uuid(other), "{other}");
        }
    }
}
