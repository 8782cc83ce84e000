//! The way of a request: logged in, patient, over one connection or a second.
//!
//! A request is repeated only where that can do no harm: on a connection that turned out to be
//! closed, after a pause that the service asked for, and after a login that had run out.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use fossick_trace::{Answer, Failure, Outcome, Request};
use hyper::HeaderMap;
use hyper::header::{CONTENT_ENCODING, RETRY_AFTER};
use tokio::time::timeout;

use crate::client::Inner;
use crate::decode;
use crate::headers;
use crate::identity::Identity;
use crate::outgoing::{Manner, Outgoing};
use crate::pace::retry_after;
use crate::pool::Lane;
use crate::reply::{Reply, Trouble};
use crate::session::{LoginError, Session};

/// An attempt that failed, and whether its connection had served before.
type Attempt = Result<Answer, (bool, Trouble)>;

impl Inner {
    pub(crate) async fn send(&self, identity: Option<&Identity>, request: &Request) -> Outcome {
        let manner = Manner {
            identity,
            rooted: false,
            is_login: false,
        };
        match identity.and_then(|identity| Some((identity, identity.session.as_ref()?))) {
            Some((identity, session)) => {
                self.send_logged_in(identity, session, request, manner)
                    .await
            }
            None => self.send_patiently(request, manner).await,
        }
    }

    async fn send_logged_in(
        &self,
        identity: &Identity,
        session: &Session,
        request: &Request,
        manner: Manner<'_>,
    ) -> Outcome {
        if session.is_due() {
            self.log_in_once(identity, session).await;
        }
        let generation = session.generation();
        let outcome = self.send_patiently(request, manner).await;
        if outcome.status() != Some(401) || session.is_overruled_by(request) {
            return outcome;
        }
        let Some(renewed) = self.renew(identity, session, generation).await else {
            return outcome;
        };
        let second = self.send_patiently(request, manner).await;
        session.judge_renewal(renewed, second.status() == Some(401));
        second
    }

    /// One of many logs in; the others wait and find it done.
    async fn log_in_once(&self, identity: &Identity, session: &Session) {
        let _gate = session.gate.lock().await;
        if session.is_due() {
            // A failure is remembered in the session; the request shows what it costs.
            let _ = self.perform_login(identity, session).await;
        }
    }

    /// A newer token than the one that was refused, if one can be had; its generation.
    async fn renew(&self, identity: &Identity, session: &Session, refused: u64) -> Option<u64> {
        let _gate = session.gate.lock().await;
        if session.generation() == refused {
            if !session.is_worth_renewing() {
                return None;
            }
            let renewed = self.perform_login(identity, session).await;
            if renewed.is_err() {
                session.judge_renewal(session.generation(), true);
            }
        }
        session.header().map(|_| session.generation())
    }

    pub(crate) async fn perform_login(
        &self,
        identity: &Identity,
        session: &Session,
    ) -> Result<(), LoginError> {
        let manner = Manner {
            identity: Some(identity),
            rooted: session.rooted,
            is_login: true,
        };
        let outcome = match self.send_patiently(&session.call, manner).await {
            Outcome::Answered(answer) => session.token_in(&answer),
            Outcome::Failed(failure) => Err(LoginError::Failed(failure.to_string())),
        };
        session.settle(outcome)
    }

    /// Sends once, and once more if the service asks for a pause first.
    async fn send_patiently(&self, request: &Request, manner: Manner<'_>) -> Outcome {
        let first = self.send_once(request, manner).await;
        // Whoever allows no pause keeps the rules itself, operation by operation.
        let patient = !self.settings.longest_pause.is_zero();
        let Some(pause) = asked_pause(&first).filter(|_| patient) else {
            return first;
        };
        self.pace.pause(pause);
        self.send_once(request, manner).await
    }

    async fn send_once(&self, request: &Request, manner: Manner<'_>) -> Outcome {
        let work = async {
            self.pace.wait().await;
            match self.exchange(request, manner).await {
                Ok(answer) => Outcome::Answered(answer),
                Err(failure) => Outcome::Failed(failure),
            }
        };
        self.slots.run(work).await
    }

    /// One exchange; on a fresh connection where the old one turned out to be closed.
    async fn exchange(&self, request: &Request, manner: Manner<'_>) -> Result<Answer, Failure> {
        let (reused, trouble) = match self.attempt(request, manner, false).await? {
            Ok(answer) => return Ok(answer),
            Err(trouble) => trouble,
        };
        let again = match trouble {
            Trouble::Unsent(_) => true,
            // A service that closed an idle connection in the very moment of use has read nothing.
            // Were it the request that made it close, a fresh connection shows that too; and a
            // tester that calls every such moment a crash is believed in none.
            Trouble::Silent(_) => reused,
            Trouble::Failed(_) => false,
        };
        if !again {
            return Err(trouble.failure());
        }
        let sent = matches!(trouble, Trouble::Silent(_));
        match self.attempt(request, manner, true).await {
            // It was sent, and then nobody was there any more.
            Err(Failure::Unreachable(why)) if sent => {
                let first = trouble.failure();
                Err(Failure::Dropped(format!(
                    "{first}; then nobody was there: {why}"
                )))
            }
            second => second?.map_err(|(_, trouble)| trouble.failure()),
        }
    }

    async fn attempt(
        &self,
        request: &Request,
        manner: Manner<'_>,
        fresh: bool,
    ) -> Result<Attempt, Failure> {
        let outgoing = Outgoing::new(self, request, manner)?;
        let mut lane = self.pool.take(fresh).await?;
        let reused = lane.is_reused();
        let outgoing = outgoing.over(&lane)?;
        self.requests.fetch_add(1, Ordering::Relaxed);
        let started = Instant::now();
        let exchange = lane.exchange(outgoing, self.settings.max_body);
        let result = timeout(self.settings.timeout, exchange).await;
        let elapsed = started.elapsed();
        if let Ok(Ok(reply)) = result {
            return Ok(Ok(self.answer(reply, lane, manner, elapsed)));
        }
        self.pool.distrust(&lane);
        match result {
            Ok(Err(trouble)) => {
                if matches!(trouble, Trouble::Unsent(_)) {
                    self.requests.fetch_sub(1, Ordering::Relaxed);
                }
                Ok(Err((reused, trouble)))
            }
            _ => Err(Failure::TimedOut(self.settings.timeout)),
        }
    }

    fn answer(&self, reply: Reply, lane: Lane, manner: Manner<'_>, elapsed: Duration) -> Answer {
        if reply.cut {
            drop(lane); // The rest of the body is still coming.
        } else {
            self.pool.give_back(lane);
        }
        if let Some(identity) = manner.identity {
            identity.keep_cookies(&reply.headers);
        }
        let (body, cut) = decoded(
            &reply.headers,
            reply.body,
            reply.cut,
            self.settings.max_body,
        );
        let plain = headers::plain(&reply.headers);
        Answer::new(reply.status, plain, Bytes::from(body), cut, elapsed)
    }
}

fn decoded(headers: &HeaderMap, body: Vec<u8>, cut: bool, limit: usize) -> (Vec<u8>, bool) {
    match headers
        .get(CONTENT_ENCODING)
        .and_then(|value| value.to_str().ok())
    {
        Some(encodings) => {
            let decoded = decode::decode(encodings, body, cut, limit);
            (decoded.bytes, decoded.cut)
        }
        None => (body, cut),
    }
}

/// The pause that an answer asks for, if it is one that may.
fn asked_pause(outcome: &Outcome) -> Option<Duration> {
    let answer = outcome.answer()?;
    if !matches!(answer.status, 429 | 503) {
        return None;
    }
    retry_after(answer.header(RETRY_AFTER.as_str())?, SystemTime::now())
}
