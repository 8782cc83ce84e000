//! Which headers hold secrets, and how they are hidden where a value leaves the process.

pub const REDACTED: &str = "[redacted]";

/// The headers with every secret value replaced.
pub fn redact(headers: &[(String, String)]) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| {
            let shown = if is_secret(name) { REDACTED } else { value };
            (name.clone(), shown.to_owned())
        })
        .collect()
}

/// Whether the values of a header must not be shown.
pub fn is_secret(name: &str) -> bool {
    const NAMES: [&str; 5] = [
        "authorization",
        "proxy-authorization",
        "cookie",
        "set-cookie",
        "x-auth",
    ];
    const PARTS: [&str; 6] = [
        "token", "secret", "password", "apikey", "api-key", "api_key",
    ];
    let name = name.to_ascii_lowercase();
    NAMES.contains(&name.as_str()) || PARTS.iter().any(|part| name.contains(part))
}

/// Whether a header says who is asking. Wider than [`is_secret`]: a request without credentials
/// must not carry any by accident, while a redacted idempotency key would only confuse.
pub(crate) fn is_credential(name: &str) -> bool {
    const PARTS: [&str; 6] = ["token", "key", "secret", "auth", "password", "cookie"];
    let name = name.to_ascii_lowercase();
    PARTS.iter().any(|part| name.contains(part))
}

/// The texts to look for when a header's value must be hidden: the value, and what follows the
/// scheme in `Bearer x`.
pub(crate) fn secrets_in(value: &str) -> Vec<String> {
    let mut found = vec![value.to_owned()];
    found.extend(
        value
            .split_once(' ')
            .map(|(_, tail)| tail.trim().to_owned()),
    );
    found
}

/// Shorter ones would be replaced inside innocent words, and hide nothing that can't be guessed.
const SHORTEST: usize = 4;

/// Longest first, so that no secret is left half shown because a part of it was replaced first.
pub(crate) fn tidy(mut secrets: Vec<String>) -> Vec<String> {
    secrets.retain(|secret| secret.len() >= SHORTEST);
    secrets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    secrets.dedup();
    secrets
}

/// Strings of a login's body that are kept under a name like `password`.
pub(crate) fn secrets_in_body(body: &[u8]) -> Vec<String> {
    if let Ok(serde_json::Value::Object(fields)) = serde_json::from_slice(body) {
        return fields
            .iter()
            .filter(|(name, _)| is_secret_field(name))
            .filter_map(|(_, value)| value.as_str().map(str::to_owned))
            .collect();
    }
    String::from_utf8_lossy(body)
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .filter(|(name, _)| is_secret_field(name))
        .flat_map(|(_, value)| [value.to_owned(), plain(value)])
        .collect()
}

fn is_secret_field(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    is_secret(&name)
        || ["passw", "pwd", "pin", "key"]
            .iter()
            .any(|part| name.contains(part))
}

fn plain(form_value: &str) -> String {
    let spaced = form_value.replace('+', " ");
    percent_encoding::percent_decode_str(&spaced)
        .decode_utf8_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden_and_the_rest_is_not() {
        let headers = [
            ("Authorization", "Bearer x"),
            ("X-API-Key", "k"),
            ("x-csrf-token", "t"),
            ("Idempotency-Key", "1"),
            ("accept", "*/*"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let shown: Vec<_> = redact(&headers).into_iter().map(|(_, v)| v).collect();
        assert_eq!(shown, [REDACTED, REDACTED, REDACTED, "1", "*/*"]);
    }

    #[test]
    fn longer_secrets_come_first_and_tiny_ones_not_at_all() {
        let given = ["abc", "Bearer abcd", "abcd", "abcd"].map(str::to_owned);
        assert_eq!(tidy(given.to_vec()), ["Bearer abcd", "abcd"]);
    }

    #[test]
    fn passwords_are_found_in_json_and_in_forms() {
        assert_eq!(
            secrets_in_body(br#"{"user":"ann","password":"pw1"}"#),
            ["pw1"]
        );
        assert_eq!(secrets_in_body(b"user=ann&passwd=a%20b"), ["a%20b", "a b"]);
        assert!(secrets_in_body(&[0xff, 0x00]).is_empty());
    }
}
