//! The names that a service knows the caller by, as far as its credentials tell.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::Value;

use crate::user::{Credentials, Login, User};

/// Fields of a login and claims of a token that name whoever it is about.
const NAMES: [&str; 9] = [
    "sub",
    "user",
    "username",
    "user_name",
    "login",
    "name",
    "email",
    "preferred_username",
    "user_id",
];

/// Names of the accounts that calls are made with.
pub fn accounts(headers: &[(String, String)], users: &[User]) -> Vec<String> {
    let mut names: Vec<String> = headers.iter().flat_map(of_header).collect();
    names.extend(
        users
            .iter()
            .flat_map(|user| of_credentials(&user.credentials)),
    );
    names.sort();
    names.dedup();
    names
}

fn of_credentials(credentials: &Credentials) -> Vec<String> {
    match credentials {
        Credentials::None | Credentials::Query(_) => Vec::new(),
        Credentials::Headers(headers) => headers.iter().flat_map(of_header).collect(),
        Credentials::Basic { user, .. } => vec![user.clone()],
        Credentials::Bearer(token) => of_token(token),
        Credentials::Login(login) => of_login(login),
        Credentials::All(several) => several.iter().flat_map(of_credentials).collect(),
    }
}

fn of_header((name, value): &(String, String)) -> Vec<String> {
    let scheme = value
        .split_once(' ')
        .filter(|_| name.eq_ignore_ascii_case("authorization"));
    match scheme {
        Some((scheme, pair)) if scheme.eq_ignore_ascii_case("basic") => of_pair(pair),
        Some((_, token)) => of_token(token),
        None => Vec::new(),
    }
}

fn of_pair(pair: &str) -> Vec<String> {
    let text = STANDARD.decode(pair.trim()).ok();
    let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
    let name = text.and_then(|text| Some(text.split_once(':')?.0.to_owned()));
    name.into_iter().filter(|name| !name.is_empty()).collect()
}

/// Claims of a JSON Web Token, in its second part.
fn of_token(token: &str) -> Vec<String> {
    let claims = token.trim().split('.').nth(1);
    let claims = claims.and_then(|part| URL_SAFE_NO_PAD.decode(part.trim_end_matches('=')).ok());
    claims.map_or_else(Vec::new, |bytes| of_json(&bytes))
}

fn of_login(login: &Login) -> Vec<String> {
    if login.media_type.contains("json") {
        return of_json(&login.body);
    }
    let text = String::from_utf8_lossy(&login.body);
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    let named = pairs.filter(|(name, _)| NAMES.contains(name));
    named
        .map(|(_, value)| {
            let value = value.replace('+', " ");
            let decoded = percent_encoding::percent_decode_str(&value);
            decoded.decode_utf8_lossy().into_owned()
        })
        .collect()
}

fn of_json(bytes: &[u8]) -> Vec<String> {
    let Ok(Value::Object(fields)) = serde_json::from_slice(bytes) else {
        return Vec::new();
    };
    let named = fields
        .into_iter()
        .filter(|(name, _)| NAMES.contains(&name.as_str()));
    named
        .filter_map(|(_, value)| match value {
            Value::String(text) if !text.is_empty() => Some(text),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authorization(value: &str) -> Vec<(String, String)> {
        vec![("Authorization".to_owned(), value.to_owned())]
    }

    #[test]
    fn credentials_tell_whose_they_are() {
        let basic = authorization(&format!("Basic {}", STANDARD.encode("admin:s3cr3t")));
        assert_eq!(accounts(&basic, &[]), ["admin"]);
        let claims = URL_SAFE_NO_PAD.encode(r#"{"sub":"7","email":"a@b.c","exp":1}"#);
        let bearer = authorization(&format!("Bearer e30.{claims}.sig"));
        assert_eq!(accounts(&bearer, &[]), ["7", "a@b.c"]);
        let user = User {
            name: "default".to_owned(),
            credentials: Credentials::Basic {
                user: "eve".to_owned(),
                password: "x:y".to_owned(),
            },
        };
        assert_eq!(accounts(&[], &[user]), ["eve"]);
    }

    #[test]
    fn what_tells_nothing_names_nobody() {
        for value in ["Bearer abc", "Basic !!", "", "Bearer a.b.c"] {
            assert_eq!(accounts(&authorization(value), &[]), Vec::<String>::new());
        }
    }
}
