//! The client: sends requests as they are and tells what came of them.
//!
//! It knows nothing of schemas, genes or search. Redirects are answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use fossick_trace::{Failure, Outcome, Request};
use hyper::HeaderMap;

use crate::identity::{Identity, secrets_of};
use crate::pace::Pace;
use crate::pool::Pool;
use crate::session::LoginError;
use crate::slots::Slots;
use crate::{Settings, SetupError, headers, secret};

/// Cheap to clone; all clones share connections, logins, rate and counts.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) settings: Settings,
    pub(crate) pool: Pool,
    pub(crate) slots: Slots,
    pub(crate) pace: Pace,
    /// For requests without a user.
    pub(crate) plain: HeaderMap,
    /// For requests without credentials.
    pub(crate) anonymous: HeaderMap,
    pub(crate) identities: Vec<Identity>,
    pub(crate) requests: AtomicU64,
}

impl Client {
    pub fn new(settings: Settings) -> Result<Self, SetupError> {
        check(&settings)?;
        let identities = settings
            .users
            .iter()
            .map(|user| Identity::new(user, &settings))
            .collect::<Result<Vec<_>, _>>()?;
        let inner = Inner {
            pool: Pool::new(&settings)?,
            slots: Slots::new(settings.connections),
            pace: Pace::new(settings.rate, settings.longest_pause),
            plain: headers::constant(&settings, false)?,
            anonymous: headers::constant(&settings, true)?,
            identities,
            requests: AtomicU64::new(0),
            settings,
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// Sends a request. What goes wrong is part of the outcome.
    pub async fn send(&self, request: &Request) -> Outcome {
        let identity = match self.identity_for(request) {
            Ok(identity) => identity,
            Err(failure) => return Outcome::Failed(failure),
        };
        self.inner.send(identity, request).await
    }

    /// How many requests went out, repetitions and logins among them.
    pub fn requests(&self) -> u64 {
        self.inner.requests.load(Ordering::Relaxed)
    }

    /// How long everything was held back because the service asked for it.
    pub fn paused(&self) -> Duration {
        self.inner.pace.paused()
    }

    /// How many answers asked for a pause.
    pub fn pauses(&self) -> u64 {
        self.inner.pace.pauses()
    }

    /// How many requests may be under way at the moment: as many as the service answers well.
    pub fn limit(&self) -> usize {
        self.inner.slots.limit()
    }

    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// Logs a user in, again if need be; the first user where none is named.
    pub async fn log_in(&self, user: Option<&str>) -> Result<(), LoginError> {
        let Some(identity) = self.identity(user)? else {
            return Ok(());
        };
        let Some(session) = &identity.session else {
            return Ok(());
        };
        let _gate = session.gate.lock().await;
        self.inner.perform_login(identity, session).await
    }

    pub fn can_log_in(&self, user: Option<&str>) -> bool {
        matches!(self.identity(user), Ok(Some(identity)) if identity.session.is_some())
    }

    /// The first login that failed and has not succeeded since.
    pub fn login_problem(&self) -> Option<String> {
        self.inner.identities.iter().find_map(|identity| {
            let problem = identity.session.as_ref()?.problem()?;
            Some(format!("`{}` is not logged in: {problem}", identity.name))
        })
    }

    /// Every secret that is known by now, the longest first: reports replace them in any text.
    pub fn secrets(&self) -> Vec<String> {
        let mut all = secrets_of(&self.inner.settings.headers);
        all.extend(self.inner.identities.iter().flat_map(Identity::secrets));
        secret::tidy(all)
    }

    /// Gets a document, with this client's trust in certificates; see [`crate::fetch`].
    pub async fn fetch(
        &self,
        url: &str,
        headers: &[(String, String)],
    ) -> Result<(u16, String, Bytes), String> {
        crate::fetch(url, headers, self.inner.settings.insecure).await
    }

    fn identity_for(&self, request: &Request) -> Result<Option<&Identity>, Failure> {
        if request.anonymous {
            return Ok(None);
        }
        self.identity(request.user.as_deref())
            .map_err(|why| Failure::Malformed(why.to_string()))
    }

    fn identity(&self, user: Option<&str>) -> Result<Option<&Identity>, LoginError> {
        let Some(name) = user else {
            return Ok(self.inner.identities.first());
        };
        let mut all = self.inner.identities.iter();
        match all.find(|identity| identity.name == name) {
            Some(identity) => Ok(Some(identity)),
            None => Err(LoginError::UnknownUser(name.to_owned())),
        }
    }
}

fn check(settings: &Settings) -> Result<(), SetupError> {
    if settings.connections == 0 {
        return Err(SetupError::NoConnections);
    }
    if let Some(rate) = settings.rate
        && !(rate.is_finite() && rate > 1e-6)
    {
        return Err(SetupError::Rate(rate));
    }
    let names: Vec<_> = settings.users.iter().map(|user| &user.name).collect();
    match names
        .iter()
        .enumerate()
        .find(|(at, name)| names[..*at].contains(name))
    {
        Some((_, name)) => Err(SetupError::TwiceUser((*name).clone())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Credentials, User};

    fn refusal(change: impl FnOnce(&mut Settings)) -> String {
        let mut settings = Settings::new("http://h".parse().expect("a good URL"));
        change(&mut settings);
        let refused = Client::new(settings)
            .err()
            .expect("settings that can't work");
        refused.to_string()
    }

    fn user(name: &str, credentials: Credentials) -> User {
        User {
            name: name.into(),
            credentials,
        }
    }

    #[test]
    fn settings_that_can_not_work_are_refused() {
        assert!(refusal(|s| s.connections = 0).contains("at least one"));
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(refusal(|s| s.rate = Some(rate)).contains("no rate"));
        }
        let line_break = vec![("x-a".to_owned(), "a\nb".to_owned())];
        assert!(refusal(|s| s.headers = line_break).contains("x-a"));
        let twins = vec![
            user("ann", Credentials::None),
            user("ann", Credentials::None),
        ];
        assert!(refusal(|s| s.users = twins).contains("`ann`"));
        let odd = vec![user("ann", Credentials::Bearer("a\nb".into()))];
        assert!(refusal(|s| s.users = odd).contains("authorization"));
    }

    #[test]
    fn a_client_can_go_anywhere() {
        fn anywhere<T: Clone + Send + Sync + 'static>() {}
        anywhere::<Client>();
    }
}
