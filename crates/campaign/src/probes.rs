//! The probes inside a service, and what they say of a call.
//!
//! Calls that are in progress at once take turns on the line: a question and its answer take
//! microseconds. A probe that fails costs its answers and nothing else.
//!
//! Where the service can be emptied, every test begins with that and has the service to itself:
//! then what a test reaches is the test's own merit, and none of those before it.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;

use bytes::Bytes;
use fossick_contract::Method;
use fossick_probe::Hub;
use fossick_trace::{Insight, Request};
use fossick_transport::Client;
use tokio::sync::{Mutex, MutexGuard};

use crate::keep::Reset;

/// The header by which a service knows which call it is carrying out.
pub(crate) const HEADER: &str = "x-fossick-call";

/// A service that lets itself be looked into.
#[derive(Debug, Clone)]
pub struct Probe {
    pub at: ProbeAt,
    /// The path that empties it, called with POST before each test; then tests run one by one.
    pub reset: Option<String>,
    /// Calls are counted inside, and the search does not hear of it: so searches that see and
    /// searches that do not are measured alike.
    pub only_counts: bool,
}

/// How its probes are reached.
#[derive(Debug, Clone)]
pub enum ProbeAt {
    /// One listens at this socket.
    Socket(PathBuf),
    /// They connect to us.
    Hub(Rc<Hub>),
}

pub(crate) struct Probes {
    probe: Option<Probe>,
    /// How the owner of the service empties it, where tests are to begin with that.
    reset: Option<Reset>,
    /// Why it could not be emptied.
    trouble: RefCell<Option<String>>,
    turn: Mutex<()>,
    /// Held by a call that must be the only one.
    alone: Mutex<()>,
    hub: Mutex<State>,
    calls: Cell<u64>,
}

#[derive(Debug, Clone)]
enum State {
    Untried,
    Open(Rc<Hub>),
    Lost,
}

/// A call that has begun and has not been told of.
pub(crate) struct Begun<'p> {
    pub(crate) number: u64,
    /// No other begins as long as this is there.
    alone: Option<MutexGuard<'p, ()>>,
}

impl Begun<'_> {
    /// Whether it has to be asked for before another begins.
    pub(crate) fn is_alone(&self) -> bool {
        self.alone.is_some()
    }
}

impl Probes {
    pub(crate) fn new(probe: Option<Probe>, reset: Option<Reset>) -> Self {
        Self {
            probe,
            reset,
            trouble: RefCell::default(),
            turn: Mutex::new(()),
            alone: Mutex::new(()),
            hub: Mutex::new(State::Untried),
            calls: Cell::new(0),
        }
    }

    /// Waits until the service is free and empties it. It is another's again when what this gives
    /// is dropped; nothing where the service can't be emptied.
    pub(crate) async fn turn(&self, client: &Client) -> Option<MutexGuard<'_, ()>> {
        if !self.resets() {
            return None;
        }
        let turn = self.turn.lock().await;
        if let Some(reset) = &self.reset {
            if let Err(why) = reset().await {
                self.trouble.replace(Some(why));
            }
        } else if let Some(path) = self.path() {
            // A probe's reset that fails shows in what the test finds.
            let _ = client.send(&post(path)).await;
        }
        Some(turn)
    }

    /// Whether every test begins with an empty service.
    pub(crate) fn resets(&self) -> bool {
        self.reset.is_some() || self.path().is_some()
    }

    /// Why the service could not be emptied, where that is so.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.trouble.borrow().clone()
    }

    fn path(&self) -> Option<&str> {
        self.probe.as_ref()?.reset.as_deref()
    }

    /// Tells the probes that a call begins, if there are any. Where one of them can't tell calls
    /// apart, this waits until no other is under way.
    pub(crate) async fn begin(&self) -> Option<Begun<'_>> {
        let hub = self.hub().await?;
        let mut alone = None;
        if hub.takes_one_at_a_time().await {
            alone = Some(self.alone.lock().await);
        }
        self.calls.set(self.calls.get() + 1);
        let number = self.calls.get();
        hub.begin(number).await;
        Some(Begun { number, alone })
    }

    /// What the probes say of calls; nothing where they only count.
    pub(crate) async fn end(&self, calls: Vec<u64>) -> Vec<Insight> {
        let count = calls.len();
        let insights = match self.hub().await {
            Some(hub) => hub.end_all(calls).await,
            None => Vec::new(),
        };
        if self.probe.as_ref().is_some_and(|probe| probe.only_counts) {
            return Vec::new();
        }
        let missing = count.saturating_sub(insights.len());
        let none = std::iter::repeat_with(Insight::default).take(missing);
        insights.into_iter().chain(none).collect()
    }

    /// From now on everything that a call reaches is reported, also what was reached before.
    pub(crate) async fn report_all(&self) {
        if let Some(hub) = self.hub().await {
            hub.report_all().await;
        }
    }

    async fn hub(&self) -> Option<Rc<Hub>> {
        let mut state = self.hub.lock().await;
        if matches!(*state, State::Untried) {
            *state = self.connect().await;
        }
        match &*state {
            State::Open(hub) => Some(Rc::clone(hub)),
            State::Untried | State::Lost => None,
        }
    }

    async fn connect(&self) -> State {
        match self.probe.as_ref().map(|probe| &probe.at) {
            Some(ProbeAt::Hub(hub)) => State::Open(Rc::clone(hub)),
            Some(ProbeAt::Socket(path)) => match Hub::connect(path).await {
                Ok(hub) => State::Open(Rc::new(hub)),
                Err(_) => State::Lost,
            },
            None => State::Lost,
        }
    }
}

fn post(path: &str) -> Request {
    Request {
        method: Method::Post,
        target: path.to_owned(),
        headers: Vec::new(),
        body: Bytes::new(),
        user: None,
        anonymous: false,
    }
}
