//! The state of one user's login: which token is good, and when a new one is worth asking for.
//!
//! It does not send anything; the client does, and tells what came of it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use fossick_trace::{Answer, Request};
use hyper::header::{COOKIE, HeaderName};
use tokio::time::Instant;

use crate::user::{Login, TokenSource};
use crate::{Base, base, headers, jar, secret};

/// Longest row of 401s that is taken as it is after renewals that did not help.
const MOST_IGNORED: u32 = 64;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoginError {
    #[error("no user is called `{0}`")]
    UnknownUser(String),
    #[error("the login was answered with {status}: {excerpt}")]
    Refused { status: u16, excerpt: String },
    #[error("the login got no answer: {0}")]
    Failed(String),
    #[error("the login's answer has no token in {0}")]
    NoToken(String),
    #[error("the login's token can't be sent as a header")]
    Unsendable,
}

pub(crate) struct Session {
    login: Login,
    /// The call itself, and whether its target stands at the root instead of below the base.
    pub(crate) call: Request,
    pub(crate) rooted: bool,
    header: HeaderName,
    template: String,
    state: Mutex<State>,
    /// Held by whoever logs in; the others wait for the outcome.
    pub(crate) gate: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    /// Grows with every login, so that a late 401 of an old token is known as such.
    generation: u64,
    /// Header value with the token in it.
    shown: Option<String>,
    since: Option<Instant>,
    problem: Option<LoginError>,
    /// Every token ever received; reports may still hold old ones.
    tokens: Vec<String>,
    /// Renewals in a row that did not help, the last of them, and 401s still to be ignored.
    vain: u32,
    vain_generation: u64,
    ignore: u32,
}

impl Session {
    pub(crate) fn new(login: Login, base: &Base) -> Result<Self, String> {
        let (name, template) = login
            .send
            .split_once(':')
            .ok_or("`send` must look like `Authorization: Bearer {token}`")?;
        if !template.contains("{token}") {
            return Err("`send` must have `{token}` in it".to_owned());
        }
        let header = HeaderName::from_bytes(name.trim().as_bytes())
            .map_err(|_| format!("`{name}` is no header"))?;
        let (target, rooted) = place(&login.target, base)?;
        Ok(Self {
            call: call(&login, target),
            rooted,
            header,
            template: template.trim().to_owned(),
            login,
            state: Mutex::default(),
            gate: tokio::sync::Mutex::new(()),
        })
    }

    pub(crate) fn generation(&self) -> u64 {
        self.lock().generation
    }

    /// Nobody has logged in yet, or the token is too old. A failed login is not tried again here.
    pub(crate) fn is_due(&self) -> bool {
        let state = self.lock();
        let too_old = || {
            let (Some(since), Some(expires)) = (state.since, self.login.expires) else {
                return false;
            };
            since.elapsed() >= expires
        };
        state.generation == 0 || too_old()
    }

    /// Whether a 401 is a reason to log in again. After renewals that did not help, it is so ever
    /// more rarely: some services say 401 where they mean 403, and a login per request could lock
    /// the user out.
    pub(crate) fn is_worth_renewing(&self) -> bool {
        let mut state = self.lock();
        let worth = state.ignore == 0;
        state.ignore = state.ignore.saturating_sub(1);
        worth
    }

    /// Hears whether the request that was repeated with this token still got a 401.
    pub(crate) fn judge_renewal(&self, generation: u64, still_refused: bool) {
        let mut state = self.lock();
        if !still_refused {
            state.vain = 0;
            state.ignore = 0;
        } else if state.vain_generation != generation {
            state.vain_generation = generation;
            state.vain = (state.vain + 1).min(16);
            state.ignore = (1 << state.vain).min(MOST_IGNORED);
        }
    }

    /// Takes in the outcome of a login.
    pub(crate) fn settle(&self, outcome: Result<String, LoginError>) -> Result<(), LoginError> {
        let shown = outcome.and_then(|token| self.show(token));
        let mut state = self.lock();
        state.generation += 1;
        state.since = Some(Instant::now());
        match shown {
            Ok((token, shown)) => {
                state.shown = Some(shown);
                state.problem = None;
                if !state.tokens.contains(&token) {
                    state.tokens.push(token);
                }
                Ok(())
            }
            Err(problem) => {
                state.shown = None;
                state.problem = Some(problem.clone());
                Err(problem)
            }
        }
    }

    fn show(&self, token: String) -> Result<(String, String), LoginError> {
        let shown = self.template.replace("{token}", &token);
        headers::value("", &shown).map_err(|_| LoginError::Unsendable)?;
        Ok((token, shown))
    }

    /// The header that shows the token, if there is one.
    pub(crate) fn header(&self) -> Option<(HeaderName, String)> {
        let shown = self.lock().shown.clone()?;
        Some((self.header.clone(), shown))
    }

    /// Whether the request brings its own word for who it is; then a 401 says nothing of ours.
    pub(crate) fn is_overruled_by(&self, request: &Request) -> bool {
        request.headers.iter().any(|(name, value)| {
            name.eq_ignore_ascii_case(self.header.as_str())
                && (self.header != COOKIE || value.contains(&self.cookie_start()))
        })
    }

    fn cookie_start(&self) -> String {
        let name = self.template.split('=').next().unwrap_or_default();
        format!("{name}=")
    }

    pub(crate) fn problem(&self) -> Option<LoginError> {
        self.lock().problem.clone()
    }

    pub(crate) fn tokens(&self) -> Vec<String> {
        self.lock().tokens.clone()
    }

    /// Finds the token in the login's answer.
    pub(crate) fn token_in(&self, answer: &Answer) -> Result<String, LoginError> {
        // Forms that log in usually redirect afterwards.
        if answer.status >= 400 {
            let secrets = secret::tidy(secret::secrets_in_body(&self.login.body));
            let mut excerpt = answer.excerpt(200);
            for known in secrets {
                excerpt = excerpt.replace(&known, secret::REDACTED);
            }
            return Err(LoginError::Refused {
                status: answer.status,
                excerpt,
            });
        }
        find(&self.login.token, answer)
            .filter(|token| !token.is_empty())
            .ok_or_else(|| LoginError::NoToken(self.login.token.to_string()))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn call(login: &Login, target: String) -> Request {
    let mut headers = login.headers.clone();
    if !login.media_type.is_empty() {
        headers.push(("content-type".to_owned(), login.media_type.clone()));
    }
    Request {
        method: login.method,
        target,
        headers,
        body: login.body.clone(),
        user: None,
        anonymous: false,
    }
}

/// A path below the base, or a whole URL; secrets never go to another origin.
fn place(target: &str, base: &Base) -> Result<(String, bool), String> {
    if !target.contains("://") {
        return Ok((target.to_owned(), false));
    }
    let (origin, target) = base::locate(target).map_err(|why| why.to_string())?;
    if !origin.same_origin(base) {
        return Err(format!("{origin} is not where {base} is"));
    }
    Ok((target, true))
}

fn find(source: &TokenSource, answer: &Answer) -> Option<String> {
    match source {
        TokenSource::Header(name) => answer.header(name).map(str::to_owned),
        TokenSource::Cookie(wanted) => answer
            .headers
            .iter()
            .filter(|(name, _)| name == "set-cookie")
            .filter_map(|(_, cookie)| jar::parse(cookie))
            .find(|(name, _)| name == wanted)
            .map(|(_, value)| value.to_owned()),
        TokenSource::Pointer(pointer) => match answer.json()?.pointer(pointer)? {
            serde_json::Value::String(text) => Some(text.clone()),
            serde_json::Value::Number(number) => Some(number.to_string()),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use fossick_contract::Method;
    use std::time::Duration;

    fn login(target: &str, send: &str) -> Login {
        Login {
            method: Method::Post,
            target: target.into(),
            headers: vec![],
            body: Bytes::from_static(b"password=hush-hush"),
            media_type: String::new(),
            token: TokenSource::Pointer("/token".into()),
            send: send.into(),
            expires: None,
        }
    }

    fn session(target: &str, send: &str) -> Result<Session, String> {
        let base = "http://h/api".parse().expect("a good URL");
        Session::new(login(target, send), &base)
    }

    fn good() -> Session {
        session("/login", "Authorization: Bearer {token}").expect("a good login")
    }

    fn answer(status: u16, headers: &[(&str, &str)], body: &'static str) -> Answer {
        let headers = headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let body = Bytes::from_static(body.as_bytes());
        Answer::new(status, headers, body, false, Duration::ZERO)
    }

    #[test]
    fn a_login_elsewhere_is_refused() {
        let send = "Cookie: sid={token}";
        assert!(session("http://other/login", send).is_err());
        let here = session("http://h/login", send).expect("same origin");
        assert!(here.rooted && here.call.target == "/login");
        assert!(session("/login", "no colon").is_err());
        assert!(session("/login", "Cookie: sid").is_err());
    }

    #[test]
    fn the_token_is_found_where_it_is_said_to_be() {
        let found = |source, answer: &Answer| find(&source, answer);
        let body = answer(200, &[], r#"{"token": 7}"#);
        let pointer = TokenSource::Pointer("/token".into());
        assert_eq!(found(pointer, &body).as_deref(), Some("7"));
        let cookies = [("set-cookie", "a=1"), ("set-cookie", "sid=x; Path=/")];
        let cookie = TokenSource::Cookie("sid".into());
        assert_eq!(
            found(cookie, &answer(302, &cookies, "")).as_deref(),
            Some("x")
        );
        let header = TokenSource::Header("X-Token".into());
        let with_header = answer(200, &[("x-token", "y")], "");
        assert_eq!(found(header, &with_header).as_deref(), Some("y"));
    }

    #[test]
    fn a_refusal_does_not_repeat_the_password() {
        let refused = answer(403, &[], "bad password hush-hush");
        let error = good().token_in(&refused).expect_err("refused");
        assert!(!error.to_string().contains("hush-hush"), "{error}");
    }

    #[test]
    fn a_token_is_shown_by_its_template() {
        let session = good();
        assert!(session.is_due() && session.header().is_none());
        session.settle(Ok("t1".into())).expect("a good token");
        let (name, value) = session.header().expect("logged in");
        assert_eq!(
            (name.as_str(), value.as_str()),
            ("authorization", "Bearer t1")
        );
        assert!(!session.is_due());
    }

    #[test]
    fn a_failed_login_is_remembered_and_not_repeated() {
        let session = good();
        let failed = LoginError::Failed("x".into());
        assert_eq!(session.settle(Err(failed.clone())), Err(failed.clone()));
        assert_eq!(session.problem(), Some(failed));
        assert!(!session.is_due());
        let spoilt = session.settle(Ok("a\nb".into()));
        assert_eq!(spoilt, Err(LoginError::Unsendable));
    }

    #[test]
    fn renewals_that_do_not_help_become_rare() {
        let session = good();
        assert!(session.is_worth_renewing());
        session.judge_renewal(2, true);
        session.judge_renewal(2, true);
        assert_eq!(
            [(); 3].map(|()| session.is_worth_renewing()),
            [false, false, true]
        );
        session.judge_renewal(3, true);
        session.judge_renewal(4, false);
        assert!(session.is_worth_renewing());
    }
}
