//! Which call gives what a later call of the same session sends.
//!
//! Of the last answers of a session only hashes of those values are remembered that look like ids,
//! each with the place it stood at. A later call that sends such a value is a flow. A value that
//! the answering call had sent itself is not its gift and is left out; a value that may be equal by
//! chance counts only where the names agree. Nothing of a value gets into a flow.

mod client;
mod exchange;
mod given;
mod memory;
mod operation;
mod request;
mod template;
mod topics;
mod weight;

use std::collections::BTreeSet;

pub(crate) use exchange::Exchange;
pub(crate) use operation::of_operation;
pub(crate) use request::of_request;

use client::client;
use exchange::{Label, Sent, Spot};
use memory::{Answer, Session};
use template::Template;

use crate::privacy::Keyed;
use crate::recent::Recent;
use crate::{Flow, Seen};

/// Values that are remembered of all sessions together, at about twenty bytes each.
const VALUES: usize = 400_000;
/// After so many milliseconds without a call a session is over.
const IDLE: u64 = 30 * 60 * 1000;
/// Places in paths that are known to hold values although they look like words.
const HOLES: usize = 2000;

pub(crate) struct Sessions {
    known: Recent<u64, Session>,
    most: usize,
    /// Of all sessions.
    values: usize,
    keyed: Keyed,
    /// Templates before a segment that was once a value.
    holes: BTreeSet<String>,
}

impl Sessions {
    pub(crate) fn new(most: usize, keyed: Keyed) -> Self {
        Self {
            known: Recent::new(),
            most,
            values: 0,
            keyed,
            holes: BTreeSet::new(),
        }
    }

    /// Tells what came from earlier answers, and remembers this one.
    pub(crate) fn follow(&mut self, seen: &Seen, exchange: Exchange) -> Vec<Flow> {
        let Some(who) = client(seen, &self.keyed) else {
            return Vec::new();
        };
        let mut session = self.session(who, seen.at);
        let template = self.template(&exchange, &session);
        let flows = flows(&exchange, &session, template.as_ref(), seen.times);
        for answer in Answer::of(exchange, template.as_ref()) {
            session.remember(answer);
        }
        self.keep(who, session);
        flows
    }

    /// A session is taken out while it is worked on.
    fn session(&mut self, who: u64, at: u64) -> Session {
        let found = self.known.remove(&who);
        let mut session = found.unwrap_or_default();
        self.values -= session.values();
        if at.saturating_sub(session.at) > IDLE {
            session = Session::default();
        }
        session.at = session.at.max(at);
        session
    }

    fn keep(&mut self, who: u64, session: Session) {
        self.values += session.values();
        self.known.put(who, session);
        while self.known.len() > self.most || self.values > VALUES {
            let Some(gone) = self.known.forget_oldest() else {
                return;
            };
            self.values -= gone.values();
        }
    }

    /// A segment that an earlier answer gave is a hole from now on, for everybody.
    fn template(&mut self, exchange: &Exchange, session: &Session) -> Option<Template> {
        let Label::Request { path, .. } = &exchange.label else {
            return None;
        };
        let given = |sent: &&Sent| !session.origins(sent).is_empty();
        for sent in exchange.sent.iter().filter(given) {
            if let Spot::Segment(at) = sent.spot
                && self.holes.len() < HOLES
            {
                let before = Template::of(path, &self.holes).before(at);
                self.holes.insert(before);
            }
        }
        Some(Template::of(path, &self.holes))
    }
}

fn flows(
    exchange: &Exchange,
    session: &Session,
    template: Option<&Template>,
    times: u64,
) -> Vec<Flow> {
    let mut found = BTreeSet::new();
    for sent in &exchange.sent {
        let Some((to, place)) = exchange.place(sent, template) else {
            continue;
        };
        for (from, pointer) in session.origins(sent) {
            found.insert(Flow {
                from: from.to_owned(),
                pointer: pointer.to_owned(),
                to: to.clone(),
                place: place.clone(),
                times,
            });
        }
    }
    found.into_iter().collect()
}
