//! Tokens of JSON pointers (RFC 6901), in which `/` and `~` are written otherwise.

/// A name as a token of a pointer.
pub fn escape_token(name: &str) -> String {
    if !name.contains(['~', '/']) {
        return name.to_owned();
    }
    name.replace('~', "~0").replace('/', "~1")
}

/// The name that a token stands for.
pub fn unescape_token(token: &str) -> String {
    if !token.contains('~') {
        return token.to_owned();
    }
    token.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back() {
        for name in ["", "a/b", "~1", "a~/~0b", "plain"] {
            assert_eq!(unescape_token(&escape_token(name)), name);
        }
        assert_eq!(escape_token("a/~"), "a~1~0");
    }
}
