//! What a run tells while it goes on.

use std::cell::RefCell;
use std::time::Duration;

use fossick_trace::{Case, Finding};

/// What a run tells while it goes on.
pub enum Event<'e> {
    Progress(State),
    Found(&'e Finding, &'e str),
    Note(&'e str),
}

/// Where a run stands.
#[derive(Debug, Clone, Copy)]
pub struct State {
    pub elapsed: Duration,
    pub tried: usize,
    pub succeeded: usize,
    pub findings: usize,
    pub requests: u64,
}

/// Whoever listens, and what the report will repeat.
pub(crate) struct Voice<'a> {
    listener: RefCell<&'a mut dyn FnMut(Event<'_>)>,
    notes: RefCell<Vec<String>>,
}

impl<'a> Voice<'a> {
    pub(crate) fn new(listener: &'a mut dyn FnMut(Event<'_>)) -> Self {
        Self {
            listener: RefCell::new(listener),
            notes: RefCell::default(),
        }
    }

    pub(crate) fn say(&self, event: Event<'_>) {
        (self.listener.borrow_mut())(event);
    }

    /// Tells something that the report keeps, too.
    pub(crate) fn note(&self, text: String) {
        self.say(Event::Note(&text));
        self.notes.borrow_mut().push(text);
    }

    /// Tells of a finding that is sure.
    pub(crate) fn found(&self, case: &Case) {
        let name = fossick_oracles::find(&case.finding.code).map_or("", |o| o.name);
        self.say(Event::Found(&case.finding, name));
    }

    pub(crate) fn into_notes(self) -> Vec<String> {
        self.notes.into_inner()
    }
}
