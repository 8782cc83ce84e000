//! Who the requests come from, out of flags, configuration and the document's security schemes.

use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use bytes::Bytes;
use fossick_contract::{Api, KeyPlace, Method, SecurityScheme};
use fossick_transport::{Credentials, Login, TokenSource, User, is_secret};

use crate::config::{Config, LoginConfig, UserConfig};
use crate::flags::{IdentityFlags, duration};

/// Headers and users of a run.
#[derive(Debug, Default)]
pub(crate) struct Identity {
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) users: Vec<User>,
}

impl Identity {
    /// Leaving credentials out means something only where there are some.
    pub(crate) fn has_credentials(&self) -> bool {
        !self.users.is_empty() || self.headers.iter().any(|(name, _)| is_secret(name))
    }

    /// Whom calls can be made as beside the first user, whose they are if nobody is named.
    pub(crate) fn others(&self) -> Vec<String> {
        let others = self.users.iter().skip(1);
        others.map(|user| user.name.clone()).collect()
    }

    /// Names of headers that carry credentials, for commands that people copy.
    pub(crate) fn credential_headers(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .headers
            .iter()
            .filter(|(name, _)| is_secret(name))
            .map(|(name, _)| name.clone())
            .collect();
        if !self.users.is_empty() && names.is_empty() {
            names.push("Authorization".to_owned());
        }
        names
    }
}

pub(crate) fn identity(
    api: Option<&Api>,
    flags: &IdentityFlags,
    config: &Config,
) -> Result<Identity> {
    let mut identity = Identity::default();
    for line in config.header.iter().chain(&flags.header) {
        identity.headers.push(header(line)?);
    }
    let mut own = Vec::new();
    if let Some(pair) = flags.user.as_ref().or(config.user.as_ref()) {
        own.push(basic(pair)?);
    }
    if let Some(token) = flags.bearer.as_ref().or(config.bearer.as_ref()) {
        own.push(Credentials::Bearer(token.clone()));
    }
    for key in config.api_key.iter().chain(&flags.api_key) {
        own.push(api_key(api, key)?);
    }
    if !own.is_empty() {
        identity.users.push(User {
            name: "default".to_owned(),
            credentials: Credentials::All(own),
        });
    }
    for user in &config.users {
        identity.users.push(named(user)?);
    }
    Ok(identity)
}

pub(crate) fn header(line: &str) -> Result<(String, String)> {
    let (name, value) = line
        .split_once(':')
        .ok_or_else(|| anyhow!("`{line}` is no header; write 'Name: value'"))?;
    if name.trim().is_empty() {
        bail!("`{line}` is no header; write 'Name: value'");
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn basic(pair: &str) -> Result<Credentials> {
    let (user, password) = pair
        .split_once(':')
        .ok_or_else(|| anyhow!("basic authentication is NAME:PASSWORD"))?;
    Ok(Credentials::Basic {
        user: user.to_owned(),
        password: password.to_owned(),
    })
}

/// An API key goes where the document's scheme says.
fn api_key(api: Option<&Api>, text: &str) -> Result<Credentials> {
    let schemes: Vec<(&str, KeyPlace, &str)> = api
        .iter()
        .flat_map(|api| &api.security_schemes)
        .filter_map(|(name, scheme)| match scheme {
            SecurityScheme::ApiKey { place, name: key } => {
                Some((name.as_str(), *place, key.as_str()))
            }
            _ => None,
        })
        .collect();
    let named = text.split_once('=').and_then(|(name, key)| {
        schemes
            .iter()
            .find(|(scheme, ..)| *scheme == name)
            .map(|found| (found, key))
    });
    let ((_, place, name), key) = match (named, schemes.as_slice()) {
        (Some(found), _) => found,
        (None, [only]) => (only, text),
        (None, []) => bail!("the document has no API key scheme; use --header instead"),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|(name, ..)| *name).collect();
            bail!(
                "the document has several API key schemes ({}); write SCHEME=KEY",
                names.join(", ")
            );
        }
    };
    let pair = vec![((*name).to_owned(), key.to_owned())];
    Ok(match place {
        KeyPlace::Header => Credentials::Headers(pair),
        KeyPlace::Query => Credentials::Query(pair),
        KeyPlace::Cookie => {
            Credentials::Headers(vec![("Cookie".to_owned(), format!("{name}={key}"))])
        }
    })
}

fn named(user: &UserConfig) -> Result<User> {
    let mut all = Vec::new();
    if let Some(pair) = &user.basic {
        all.push(basic(pair)?);
    }
    if let Some(token) = &user.bearer {
        all.push(Credentials::Bearer(token.clone()));
    }
    if !user.header.is_empty() {
        let headers = user
            .header
            .iter()
            .map(|line| header(line))
            .collect::<Result<_>>()?;
        all.push(Credentials::Headers(headers));
    }
    if let Some(config) = &user.login {
        all.push(Credentials::Login(
            login(config).with_context(|| format!("login of `{}`", user.name))?,
        ));
    }
    Ok(User {
        name: user.name.clone(),
        credentials: Credentials::All(all),
    })
}

fn login(config: &LoginConfig) -> Result<Login> {
    let (method, target) = config
        .request
        .split_once(' ')
        .and_then(|(method, target)| Some((Method::parse(method)?, target.trim())))
        .ok_or_else(|| anyhow!("`{}` is no request; write `POST /path`", config.request))?;
    let (media_type, body) = body(config)?;
    let token = token(&config.token);
    let send = match (&config.send, &token) {
        (Some(send), _) => send.clone(),
        (None, TokenSource::Cookie(name)) => format!("Cookie: {name}={{token}}"),
        (None, _) => "Authorization: Bearer {token}".to_owned(),
    };
    Ok(Login {
        method,
        target: target.to_owned(),
        headers: config
            .header
            .iter()
            .map(|line| header(line))
            .collect::<Result<_>>()?,
        body,
        media_type,
        token,
        send,
        expires: config
            .expires
            .as_deref()
            .map(duration)
            .transpose()
            .map_err(|e| anyhow!(e))?
            .filter(|d| *d > Duration::ZERO),
    })
}

fn body(config: &LoginConfig) -> Result<(String, Bytes)> {
    if let Some(form) = &config.form {
        let pairs: Vec<String> = form
            .iter()
            .map(|(k, v)| format!("{}={}", encoded(k), encoded(v)))
            .collect();
        return Ok((
            "application/x-www-form-urlencoded".to_owned(),
            Bytes::from(pairs.join("&")),
        ));
    }
    let bytes = match &config.body {
        Some(value) => serde_json::to_vec(value)?,
        None => Vec::new(),
    };
    Ok(("application/json".to_owned(), Bytes::from(bytes)))
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|b| {
            if b.is_ascii_alphanumeric() || b"-_.~".contains(&b) {
                (b as char).to_string()
            } else {
                format!("%{b:02X}")
            }
        })
        .collect()
}

fn token(text: &str) -> TokenSource {
    match text.split_once(':') {
        Some(("header", name)) => TokenSource::Header(name.trim().to_owned()),
        Some(("cookie", name)) => TokenSource::Cookie(name.trim().to_owned()),
        _ => TokenSource::Pointer(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_needs_a_name() {
        assert_eq!(
            header("X-A:  b:c ").expect("fine"),
            ("X-A".to_owned(), "b:c".to_owned())
        );
        assert!(header(": x").is_err());
        assert!(header("nothing").is_err());
    }

    #[test]
    fn forms_are_escaped() {
        assert_eq!(encoded("a b&c"), "a%20b%26c");
    }
}
