//! A user made ready: the headers and parameters that say who is asking, built once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::HeaderMap;
use hyper::header::SET_COOKIE;

use crate::jar::Jar;
use crate::session::Session;
use crate::user::{Credentials, User};
use crate::{Settings, SetupError, headers, secret, target};

pub(crate) struct Identity {
    pub(crate) name: String,
    /// All that every request of this user carries, but for the login's token and cookies.
    pub(crate) headers: HeaderMap,
    /// Escaped.
    pub(crate) query: Vec<(String, String)>,
    pub(crate) session: Option<Session>,
    jar: Option<Mutex<Jar>>,
    secrets: Vec<String>,
}

impl Identity {
    pub(crate) fn new(user: &User, settings: &Settings) -> Result<Self, SetupError> {
        let mut identity = Self {
            name: user.name.clone(),
            headers: headers::constant(settings, false)?,
            query: Vec::new(),
            session: None,
            jar: settings.cookies.then(Mutex::default),
            secrets: Vec::new(),
        };
        for part in user.credentials.parts() {
            identity.take_on(part, settings)?;
        }
        Ok(identity)
    }

    fn take_on(&mut self, part: &Credentials, settings: &Settings) -> Result<(), SetupError> {
        match part {
            Credentials::None | Credentials::All(_) => {}
            Credentials::Headers(given) => self.add_headers(given)?,
            Credentials::Query(given) => self.add_query(given),
            Credentials::Basic { user, password } => {
                let pair = STANDARD.encode(format!("{user}:{password}"));
                self.secrets.push(password.clone());
                self.add_headers(&[("authorization".into(), format!("Basic {pair}"))])?;
            }
            Credentials::Bearer(token) => {
                self.add_headers(&[("authorization".into(), format!("Bearer {token}"))])?;
            }
            Credentials::Login(login) => {
                self.secrets.extend(secret::secrets_in_body(&login.body));
                self.secrets.extend(secrets_of(&login.headers));
                let session = Session::new(login.clone(), &settings.base);
                self.session = Some(session.map_err(|why| SetupError::Login {
                    user: self.name.clone(),
                    why,
                })?);
                self.jar.get_or_insert_default();
            }
        }
        Ok(())
    }

    fn add_headers(&mut self, given: &[(String, String)]) -> Result<(), SetupError> {
        let found = given
            .iter()
            .flat_map(|(_, value)| secret::secrets_in(value));
        self.secrets.extend(found);
        Ok(headers::overlay(&mut self.headers, given)?)
    }

    fn add_query(&mut self, given: &[(String, String)]) {
        for (name, value) in given {
            let escaped = target::encoded(value);
            self.secrets.extend([value.clone(), escaped.clone()]);
            self.query.push((target::encoded(name), escaped));
        }
    }

    /// Everything that must not be shown, as far as it is known by now.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let mut all = self.secrets.clone();
        if let Some(session) = &self.session {
            all.extend(session.tokens());
        }
        if let Some(jar) = self.jar() {
            all.extend(jar.values().map(str::to_owned));
        }
        all
    }

    /// The cookies to send to a path.
    pub(crate) fn cookies(&self, path: &str) -> Option<String> {
        self.jar()?.header(path)
    }

    pub(crate) fn keep_cookies(&self, answer: &HeaderMap) {
        if !answer.contains_key(SET_COOKIE) {
            return;
        }
        if let Some(mut jar) = self.jar() {
            for cookie in answer.get_all(SET_COOKIE) {
                jar.set(&String::from_utf8_lossy(cookie.as_bytes()));
            }
        }
    }

    fn jar(&self) -> Option<MutexGuard<'_, Jar>> {
        let jar = self.jar.as_ref()?;
        Some(jar.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Secrets in headers that look as if they held some.
pub(crate) fn secrets_of(headers: &[(String, String)]) -> Vec<String> {
    headers
        .iter()
        .filter(|(name, _)| secret::is_secret(name))
        .flat_map(|(_, value)| secret::secrets_in(value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(credentials: Credentials) -> Identity {
        let settings = Settings::new("http://h".parse().expect("a good URL"));
        let user = User {
            name: "ann".into(),
            credentials,
        };
        Identity::new(&user, &settings).expect("good credentials")
    }

    #[test]
    fn credentials_of_several_kinds_go_together() {
        let ann = identity(Credentials::All(vec![
            Credentials::Basic {
                user: "ann".into(),
                password: "pass".into(),
            },
            Credentials::Query(vec![("api key".into(), "a&b=".into())]),
        ]));
        assert_eq!(ann.headers["authorization"], "Basic YW5uOnBhc3M=");
        let query = [("api%20key".to_owned(), "a%26b%3D".to_owned())];
        assert_eq!(ann.query, query);
        for secret in ["pass", "YW5uOnBhc3M=", "a&b=", "a%26b%3D"] {
            assert!(ann.secrets().contains(&secret.to_owned()), "{secret}");
        }
    }

    #[test]
    fn plain_users_keep_no_cookies() {
        let ann = identity(Credentials::Bearer("t0ken".into()));
        let mut answer = HeaderMap::new();
        answer.insert(SET_COOKIE, "a=1".parse().expect("a header"));
        ann.keep_cookies(&answer);
        assert_eq!(ann.cookies("/"), None);
    }
}
