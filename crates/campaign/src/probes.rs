//! The line to the probe inside a service, and what it says of a call.
//!
//! A probe listens to one tool on one line. Calls that are under way at once take turns on it: a
//! question and its answer take microseconds. A probe that fails costs its answers and nothing
//! else.

use std::cell::Cell;
use std::path::PathBuf;

use fossick_probe::Line;
use tokio::sync::Mutex;

/// The header by which a service knows which call it is carrying out.
pub(crate) const HEADER: &str = "x-fossick-call";

#[derive(Debug)]
pub(crate) struct Probes {
    socket: PathBuf,
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
    pub(crate) fn new(socket: PathBuf) -> Self {
        Self {
            socket,
            line: Mutex::new(State::Untried),
            calls: Cell::new(0),
        }
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
    pub(crate) async fn end(&self, call: u64) -> Vec<(u32, f32)> {
        let mut state = self.line.lock().await;
        let State::Open(line) = &mut *state else {
            return Vec::new();
        };
        let Ok(delta) = line.end(call).await else {
            *state = State::Lost;
            return Vec::new();
        };
        let hits = delta.hits.iter();
        hits.map(|(id, value)| (*id, value.share() as f32))
            .collect()
    }

    async fn connect(&self) -> State {
        let Ok(mut line) = Line::connect(&self.socket).await else {
            return State::Lost;
        };
        match line.hello().await {
            Ok(_) => State::Open(Box::new(line)),
            Err(_) => State::Lost,
        }
    }
}
