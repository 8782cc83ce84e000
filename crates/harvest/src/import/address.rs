//! Addresses taken apart: what of a URL is sent in the first line of a request.

/// Host and target of a URL, or of a target alone; a fragment is never sent.
pub(super) fn split(url: &str) -> (Option<&str>, String) {
    let url = url.split_once('#').map_or(url, |(before, _)| before).trim();
    let Some((_, rest)) = url
        .split_once("://")
        .filter(|(scheme, _)| is_scheme(scheme))
    else {
        return (None, rooted(url));
    };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, target) = rest.split_at(end);
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    (Some(host).filter(|host| !host.is_empty()), rooted(target))
}

fn is_scheme(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

fn rooted(target: &str) -> String {
    let root = if target.starts_with('/') || target == "*" {
        ""
    } else {
        "/"
    };
    format!("{root}{}", sendable(target))
}

/// What can't stand in the first line of a request is escaped.
pub(super) fn sendable(target: &str) -> String {
    let mut written = String::with_capacity(target.len() + 1);
    for byte in target.bytes() {
        match byte {
            b'!' | b'#'..=b';' | b'=' | b'?'..=b'~' => written.push(char::from(byte)),
            _ => written.push_str(&format!("%{byte:02X}")),
        }
    }
    written
}

/// An address without its port, which is another one for each connection.
pub(super) fn without_port(address: &str) -> &str {
    let address = address.split(',').next().unwrap_or(address).trim();
    if let Some((inner, _)) = address
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
    {
        return inner;
    }
    match address.split_once(':') {
        Some((host, port)) if !port.contains(':') => host,
        _ => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_split_into_host_and_target() {
        let split = |url| {
            let (host, target) = split(url);
            format!("{} {target}", host.unwrap_or("-"))
        };
        assert_eq!(
            split("https://shop.test:8443/a?b=c#d"),
            "shop.test:8443 /a?b=c"
        );
        assert_eq!(split("http://me:secret@shop.test"), "shop.test /");
        assert_eq!(split("http://shop.test?x=1"), "shop.test /?x=1");
        assert_eq!(split("/a?next=http://b"), "- /a?next=http://b");
        assert_eq!(split("a/b"), "- /a/b");
        assert_eq!(split("*"), "- *");
        assert_eq!(split(""), "- /");
        assert_eq!(split("/a b\n\"é<>"), "- /a%20b%0A%22%C3%A9%3C%3E");
    }

    #[test]
    fn ports_are_left_off() {
        assert_eq!(without_port("10.0.0.1:5123"), "10.0.0.1");
        assert_eq!(without_port("[::1]:5123"), "::1");
        assert_eq!(without_port("fe80::1"), "fe80::1");
        assert_eq!(without_port("1.2.3.4, 10.0.0.1"), "1.2.3.4");
    }
}
