//! The line to the probe inside a service, and what it says of a call.
//!
//! A probe listens to one tool on one line. Calls that are under way at once take turns on it: a
//! question and its answer take microseconds. A probe that fails costs its answers and nothing
//! else.
//!
//! Where the service can be emptied, every test begins with that and has the service to itself:
//! then what a test reaches is the test's own merit, and none of those before it.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;

use bytes::Bytes;
use fossick_contract::Method;
use fossick_probe::Line;
use fossick_trace::Request;
use fossick_transport::Client;
use tokio::sync::{Mutex, MutexGuard};

use crate::keep::Reset;

/// The header by which a service knows which call it is carrying out.
pub(crate) const HEADER: &str = "x-fossick-call";

/// A service that lets itself be looked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Where its probe listens.
    pub socket: PathBuf,
    /// The path that empties it, called with POST before each test; then tests run one by one.
    pub reset: Option<String>,
}

pub(crate) struct Probes {
    probe: Option<Probe>,
    /// How the owner of the service empties it, where tests are to begin with that.
    reset: Option<Reset>,
    /// Why it could not be emptied.
    trouble: RefCell<Option<String>>,
    turn: Mutex<()>,
    line: Mutex<State>,
    calls: Cell<u64>,
}

#[derive(Debug)]
enum State {
    Untried,
    Open(Box<Line>),
    Lost,
}

impl Probes {
    pub(crate) fn new(probe: Option<Probe>, reset: Option<Reset>) -> Self {
        Self {
            probe,
            reset,
            trouble: RefCell::default(),
            turn: Mutex::new(()),
            line: Mutex::new(State::Untried),
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

    /// Tells the probe that a call begins. The number of the call, if the probe listens.
    pub(crate) async fn begin(&self) -> Option<u64> {
        let mut state = self.line.lock().await;
        if matches!(*state, State::Untried) {
            *state = self.connect().await;
        }
        let State::Open(line) = &mut *state else {
            return None;
        };
        self.calls.set(self.calls.get() + 1);
        let call = self.calls.get();
        if line.begin(call).await.is_err() {
            *state = State::Lost;
            return None;
        }
        Some(call)
    }

    /// What the probe says that a call reached.
    pub(crate) async fn end(&self, call: u64) -> Vec<(u32, f64)> {
        let mut state = self.line.lock().await;
        let State::Open(line) = &mut *state else {
            return Vec::new();
        };
        let Ok(delta) = line.end(call).await else {
            *state = State::Lost;
            return Vec::new();
        };
        let hits = delta.hits.iter();
        hits.map(|(id, value)| (*id, value.share())).collect()
    }

    async fn connect(&self) -> State {
        let Some(probe) = &self.probe else {
            return State::Lost;
        };
        let Ok(mut line) = Line::connect(&probe.socket).await else {
            return State::Lost;
        };
        match line.hello().await {
            Ok(_) => State::Open(Box::new(line)),
            Err(_) => State::Lost,
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
