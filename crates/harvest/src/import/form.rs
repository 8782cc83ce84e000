//! Bodies of forms, written as a browser would send them.

/// Of a part that a form is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) value: String,
    /// Where it was a file. Its contents are not known.
    pub(super) file: Option<String>,
}

/// `application/x-www-form-urlencoded`
pub(super) fn encoded(parts: &[Part]) -> Vec<u8> {
    let pairs: Vec<String> = parts
        .iter()
        .map(|part| format!("{}={}", escaped(&part.name), escaped(&part.value)))
        .collect();
    pairs.join("&").into_bytes()
}

pub(super) fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'*' | b'-' | b'.' | b'_' => {
                written.push(char::from(byte));
            }
            b' ' => written.push('+'),
            _ => written.push_str(&format!("%{byte:02X}")),
        }
    }
    written
}

/// Always the same: equal forms give equal bodies.
pub(super) const BOUNDARY: &str = "----part-of-a-form";

/// `multipart/form-data`
pub(super) fn multipart(parts: &[Part], boundary: &str) -> Vec<u8> {
    let mut written = String::new();
    for part in parts {
        written.push_str(&format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"",
            quoted(&part.name)
        ));
        if let Some(file) = &part.file {
            written.push_str(&format!("; filename=\"{}\"", quoted(file)));
        }
        written.push_str(&format!("\r\n\r\n{}\r\n", part.value));
    }
    written.push_str(&format!("--{boundary}--\r\n"));
    written.into_bytes()
}

fn quoted(name: &str) -> String {
    name.replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// `xyz` of `multipart/form-data; boundary=xyz`
pub(super) fn boundary(media_type: &str) -> Option<&str> {
    let (_, rest) = media_type.split_once("boundary=")?;
    let end = rest.find(';').unwrap_or(rest.len());
    Some(rest.get(..end)?.trim().trim_matches('"')).filter(|found| !found.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, value: &str) -> Part {
        Part {
            name: name.to_owned(),
            value: value.to_owned(),
            file: None,
        }
    }

    #[test]
    fn a_form_is_escaped() {
        let parts = [part("a b", "1&2=3"), part("ö", "")];
        assert_eq!(encoded(&parts), b"a+b=1%262%3D3&%C3%B6=");
    }

    #[test]
    fn a_part_can_not_leave_its_quotes() {
        let body = multipart(&[part("a\"\r\nX: y", "v")], "b");
        let text = String::from_utf8(body).expect("text in, text out");
        let wanted =
            "--b\r\nContent-Disposition: form-data; name=\"a%22%0D%0AX: y\"\r\n\r\nv\r\n--b--\r\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn the_boundary_is_found_behind_the_type() {
        assert_eq!(
            boundary("multipart/form-data; boundary=\"x y\"; charset=u"),
            Some("x y")
        );
        assert_eq!(boundary("multipart/form-data"), None);
    }
}
