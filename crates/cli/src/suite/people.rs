//! Who sends the requests of a suite: credentials as variables of the environment.

use fossick_suite::{Body, Login, Piece, Request, SecretHeader, Template, User};
use fossick_trace::Take;
use fossick_transport::{Credentials, TokenSource, is_secret};
use serde_json::Value;

use crate::credentials::Identity;

/// Everybody who has credentials. Their values are left behind: tests read them from variables of
/// the environment, `AUTHORIZATION`, or `ALICE_AUTHORIZATION` where users have names.
pub(crate) fn users(identity: &Identity) -> Vec<User> {
    let common: Vec<SecretHeader> = identity
        .headers
        .iter()
        .filter(|(name, _)| is_secret(name))
        .map(|(name, _)| secret(name, None))
        .collect();
    if identity.users.is_empty() {
        if common.is_empty() {
            return Vec::new();
        }
        return vec![User {
            headers: common,
            ..User::default()
        }];
    }
    let several = identity.users.len() > 1;
    identity
        .users
        .iter()
        .map(|user| {
            let name = several.then(|| user.name.clone());
            let mut made = User {
                headers: common.clone(),
                login: None,
                name,
            };
            let prefix = made.name.clone();
            add(&mut made, &user.credentials, prefix.as_deref());
            made
        })
        .collect()
}

/// Headers of every request that are no secret.
pub(crate) fn plain_headers(identity: &Identity) -> Vec<(String, String)> {
    let headers = identity.headers.iter();
    headers
        .filter(|(name, _)| !is_secret(name))
        .cloned()
        .collect()
}

fn add(user: &mut User, credentials: &Credentials, prefix: Option<&str>) {
    match credentials {
        Credentials::None | Credentials::Query(_) => {}
        Credentials::Headers(headers) => {
            let headers = headers.iter();
            user.headers
                .extend(headers.map(|(name, _)| secret(name, prefix)));
        }
        Credentials::Basic { .. } | Credentials::Bearer(_) => {
            user.headers.push(secret("Authorization", prefix));
        }
        Credentials::Login(login) => user.login = written(login, prefix),
        Credentials::All(all) => all.iter().for_each(|one| add(user, one, prefix)),
    }
}

fn secret(header: &str, prefix: Option<&str>) -> SecretHeader {
    SecretHeader {
        name: header.to_owned(),
        variable: variable(header, prefix),
    }
}

/// `ALICE_X_API_KEY`
fn variable(name: &str, prefix: Option<&str>) -> String {
    let whole = prefix.map_or_else(|| name.to_owned(), |prefix| format!("{prefix}_{name}"));
    let capital = whole.chars().map(|c| match c {
        c if c.is_ascii_alphanumeric() => c.to_ascii_uppercase(),
        _ => '_',
    });
    let text: String = capital.collect();
    match text.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => text,
        _ => format!("V_{text}"),
    }
}

/// A login with everything that is sent as a variable: any of it may be secret.
fn written(login: &fossick_transport::Login, prefix: Option<&str>) -> Option<Login> {
    let (header, template) = login.send.split_once(':')?;
    let before = template.trim_start().strip_suffix("{token}")?;
    let take = match &login.token {
        TokenSource::Pointer(pointer) => Take::Pointer(pointer.clone()),
        TokenSource::Header(name) => Take::Header(name.clone()),
        // A cookie among others is not one header.
        TokenSource::Cookie(_) => return None,
    };
    let body = match serde_json::from_slice::<Value>(&login.body) {
        Ok(value) => Body::Json {
            media_type: login.media_type.clone(),
            value: hidden(&value, "login", prefix),
        },
        Err(_) if login.body.is_empty() => Body::None,
        Err(_) => Body::Text {
            media_type: login.media_type.clone(),
            text: vec![Piece::Variable(variable("login_body", prefix))],
        },
    };
    Some(Login {
        request: Request {
            method: login.method,
            path: vec![Piece::Fixed(login.target.clone())],
            headers: Vec::new(),
            body,
            user: None,
        },
        take,
        header: header.trim().to_owned(),
        prefix: before.to_owned(),
    })
}

fn hidden(value: &Value, name: &str, prefix: Option<&str>) -> Template {
    match value {
        Value::String(_) => Template::Variable(variable(name, prefix)),
        Value::Object(map) => {
            let entries = map.iter();
            Template::Object(
                entries
                    .map(|(key, inner)| (key.clone(), hidden(inner, key, prefix)))
                    .collect(),
            )
        }
        other => Template::Value(other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use fossick_contract::Method;

    #[test]
    fn a_login_keeps_its_form_and_none_of_its_values() {
        let login = fossick_transport::Login {
            method: Method::Post,
            target: "/token".to_owned(),
            headers: Vec::new(),
            body: Bytes::from_static(br#"{"user":"alice","pass-word":"hunter2","keep":true}"#),
            media_type: "application/json".to_owned(),
            token: TokenSource::Pointer("/access".to_owned()),
            send: "Authorization: Bearer {token}".to_owned(),
            expires: None,
        };
        let written = written(&login, Some("alice")).expect("it can be written");
        let text = serde_json::to_string(&written).expect("a login can be stored");
        assert!(!text.contains("hunter2"), "{text}");
        assert!(text.contains("ALICE_PASS_WORD"), "{text}");
        assert_eq!(written.prefix, "Bearer ");
    }

    #[test]
    fn variables_are_capitals_digits_and_underscores() {
        assert_eq!(variable("X-Api-Key", None), "X_API_KEY");
        assert_eq!(
            variable("Authorization", Some("älice")),
            "_LICE_AUTHORIZATION".replacen('_', "V__", 1)
        );
    }
}
