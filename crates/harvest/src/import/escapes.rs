//! nginx's own escapes: `\xNN`, which JSON does not know.
//!
//! A log format without `escape=json` writes quotes, backslashes and all that is not plain ASCII
//! so. A line that is no JSON for that reason is mended first: each `\x` becomes `\\x`, so that a
//! parser hands it through, and is decoded in the texts where it then stands.

/// The line with every `\xNN` kept from the parser; none where there is nothing to mend.
pub(super) fn mended(line: &str) -> Option<String> {
    let mut written = String::with_capacity(line.len() + 16);
    let mut found = false;
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        let (before, behind) = rest.split_at(at);
        written.push_str(before);
        let mut following = behind.chars();
        following.next();
        match following.next() {
            Some('x') => {
                written.push_str("\\\\x");
                found = true;
            }
            Some(other) => {
                written.push('\\');
                written.push(other);
            }
            None => written.push('\\'),
        }
        rest = following.as_str();
    }
    written.push_str(rest);
    found.then_some(written)
}

/// The bytes that were meant.
pub(super) fn decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut written = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if let Some(meant) = escape(bytes.get(at..at + 4)) {
            written.push(meant);
            at += 4;
        } else {
            written.push(byte);
            at += 1;
        }
    }
    written
}

fn escape(text: Option<&[u8]>) -> Option<u8> {
    let [b'\\', b'x' | b'X', high, low] = text? else {
        return None;
    };
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_nginx_becomes_json_and_its_texts_the_bytes_they_were() {
        let line = r#"{"body": "{\x22a\x22:\x22\xC3\xA9\x5C\x22}", "b": "\n\\x41"}"#;
        let mended = mended(line).expect("it has escapes");
        let value: serde_json::Value = serde_json::from_str(&mended).expect("it is JSON now");
        let body = value["body"].as_str().expect("a text");
        assert_eq!(decoded(body), "{\"a\":\"é\\\"}".as_bytes());
        assert_eq!(value["b"], "\n\\x41");
    }

    #[test]
    fn what_only_looks_like_an_escape_stays() {
        assert_eq!(mended(r#"{"a": "\\x41 \""}"#), None);
        assert_eq!(decoded(r"\x4 \xZZ \x"), br"\x4 \xZZ \x");
        assert_eq!(mended("\\"), None);
    }
}
