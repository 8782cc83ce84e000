//! The service's end: what was hit, call by call, and the answers to the tool.
//!
//! Threads and locks of the standard library only, since it runs inside services of any make.
//! Nothing is recorded while no tool is connected, so a service with a probe in it does not grow.
//! Sockets are in `serve`; here is what is said, so that it can be tested without one.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::message::{
    Delta, Descriptor, Hello, Message, Observation, Raised, Register, SourceLine, Sql, VERSION,
};
use crate::seen::Seen;
use crate::value::Value;

/// Where hits go that belong to no call.
const NO_CALL: u64 = 0;

/// Calls that may be under way at once.
const MOST_CALLS: usize = 4096;

/// Statements kept between two answers.
const MOST_STATEMENTS: usize = 1024;

/// Descriptors told in one frame.
const REGISTER_SIZE: usize = 4096;

/// How long the end of a call waits for work that goes on after the response.
const QUIET: Duration = Duration::from_millis(5);

thread_local! {
    static BOUND: Cell<u64> = const { Cell::new(NO_CALL) };
}

/// What a hit belongs to on a thread that is bound to no call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unbound {
    /// To none: the service knows the calls by their header.
    #[default]
    NoCall,
    /// To the one call under way, if it is the only one: the tool sends one at a time.
    OnlyCall,
}

#[derive(Debug)]
pub struct Recorder {
    hello: Hello,
    unbound: Unbound,
    is_listened_to: AtomicBool,
    state: Mutex<State>,
    quiet: Condvar,
}

#[derive(Debug, Default)]
struct State {
    descriptors: Vec<Descriptor>,
    /// How many of them the tool knows.
    told: usize,
    covered: BTreeSet<u32>,
    /// Calls under way. What belongs to none of them is in `stray`.
    calls: BTreeMap<u64, Call>,
    stray: Seen,
    statements: Vec<Sql>,
}

#[derive(Debug, Default)]
struct Call {
    seen: Seen,
    /// Threads that are at work on it.
    bound: usize,
}

impl Recorder {
    pub fn new(hello: Hello, unbound: Unbound) -> Self {
        Self {
            hello,
            unbound,
            is_listened_to: AtomicBool::new(false),
            state: Mutex::default(),
            quiet: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere in the service must not silence the probe.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives numbers to targets, one after the other; the number of the first is returned.
    pub fn register(&self, descriptors: impl IntoIterator<Item = Descriptor>) -> u32 {
        let mut state = self.state();
        let first = state.descriptors.len() as u32;
        state.descriptors.extend(descriptors);
        first
    }

    /// Whether a tool is connected. If none is, nothing need be measured.
    pub fn is_listened_to(&self) -> bool {
        self.is_listened_to.load(Ordering::Acquire)
    }

    /// Whether the tool wants to hear no more of a target.
    pub fn is_covered(&self, id: u32) -> bool {
        self.state().covered.contains(&id)
    }

    pub(crate) fn listen(&self, is_listened_to: bool) {
        let mut state = self.state();
        state.forget();
        state.told = 0;
        self.is_listened_to.store(is_listened_to, Ordering::Release);
    }

    /// A hit for the call that this thread is bound to.
    pub fn hit(&self, id: u32, value: f64) {
        self.note(|seen| seen.hit(id, Value::new(value)));
    }

    pub fn last_line(&self, place: SourceLine) {
        self.note(|seen| seen.last_line(place));
    }

    pub fn observe(&self, observation: Observation) {
        self.note(|seen| seen.observe(observation));
    }

    pub fn raise(&self, raised: Raised) {
        self.note(|seen| seen.raise(raised));
    }

    fn note(&self, note: impl FnOnce(&mut Seen)) {
        if self.is_listened_to() {
            let mut state = self.state();
            let call = state.current(self.unbound);
            note(state.seen(call));
        }
    }

    /// Everything that was seen of a call at once; cheaper than hit by hit.
    pub fn record(&self, call: u64, seen: Seen) {
        if self.is_listened_to() {
            self.state().seen(call).merge(seen);
        }
    }

    pub fn sql(&self, sql: Sql) {
        if self.is_listened_to() {
            let mut state = self.state();
            if state.statements.len() < MOST_STATEMENTS {
                state.statements.push(sql);
            }
        }
    }

    /// Binds this thread to a call until what is returned is dropped.
    pub fn bind(&self, call: u64) -> Bound<'_> {
        if let Some(call) = self.state().calls.get_mut(&call) {
            call.bound += 1;
        }
        Bound {
            recorder: self,
            call,
            before: BOUND.replace(call),
        }
    }

    /// False if too many calls are under way.
    pub fn begin(&self, call: u64) -> bool {
        let mut state = self.state();
        let has_room = state.calls.len() < MOST_CALLS;
        if has_room && call != NO_CALL {
            state.calls.insert(call, Call::default());
        }
        has_room
    }

    /// What a call reached, once the threads at work on it are done or have had their time.
    pub fn end(&self, call: u64) -> Delta {
        let is_busy = |state: &mut State| state.calls.get(&call).is_some_and(|it| it.bound > 0);
        let waited = self
            .quiet
            .wait_timeout_while(self.state(), QUIET, is_busy)
            .unwrap_or_else(PoisonError::into_inner);
        let mut state = waited.0;
        let seen = match call {
            NO_CALL => std::mem::take(&mut state.stray),
            _ => state.calls.remove(&call).unwrap_or_default().seen,
        };
        seen.delta(call, |id| state.covered.contains(&id))
    }

    /// Takes targets out of all answers to come. Numbers that mean nothing are passed over.
    pub fn covered(&self, ids: &[u32]) {
        let mut state = self.state();
        let known = state.descriptors.len();
        let ids = ids.iter().copied().filter(|id| (*id as usize) < known);
        state.covered.extend(ids);
    }

    /// Forgets calls, hits and what is covered; the numbers stay. Touches none of the service's
    /// own data.
    pub fn reset(&self) {
        self.state().forget();
    }

    /// What is to be said to the tool, in order.
    pub(crate) fn answer(&self, message: Message) -> Vec<Message> {
        match message {
            Message::Hello(hello) => self.greet(&hello),
            Message::Begin { call } if self.begin(call) => vec![Message::Begin { call }],
            Message::Begin { .. } => vec![error("too many calls are under way")],
            Message::End { call } => {
                let delta = self.end(call);
                self.with_news(Message::Delta(delta))
            }
            Message::Covered { ids } => {
                self.covered(&ids);
                Vec::new()
            }
            Message::Reset => {
                self.reset();
                vec![Message::Reset]
            }
            Message::Ping => self.with_news(Message::Pong),
            Message::Bye => Vec::new(),
            _ => vec![error("this is for the probe to say")],
        }
    }

    fn greet(&self, hello: &Hello) -> Vec<Message> {
        if hello.version != VERSION {
            return vec![error(&format!("the probe speaks version {VERSION}"))];
        }
        vec![Message::Hello(self.hello.clone())]
    }

    /// An answer, and before it what the tool must have heard to understand it.
    fn with_news(&self, answer: Message) -> Vec<Message> {
        let mut state = self.state();
        let mut news = state.registers();
        news.extend(state.statements.drain(..).map(Message::Sql));
        news.push(answer);
        news
    }
}

impl State {
    fn forget(&mut self) {
        self.covered.clear();
        self.calls.clear();
        self.stray = Seen::default();
        self.statements.clear();
    }

    fn current(&self, unbound: Unbound) -> u64 {
        let bound = BOUND.get();
        let mut under_way = self.calls.keys();
        match (bound, unbound, under_way.next(), under_way.next()) {
            (NO_CALL, Unbound::OnlyCall, Some(only), None) => *only,
            _ => bound,
        }
    }

    fn seen(&mut self, call: u64) -> &mut Seen {
        match self.calls.get_mut(&call) {
            Some(call) => &mut call.seen,
            None => &mut self.stray,
        }
    }

    fn registers(&mut self) -> Vec<Message> {
        let new = self.descriptors.get(self.told..).unwrap_or_default();
        let starts = (self.told..).step_by(REGISTER_SIZE);
        let registers = starts
            .zip(new.chunks(REGISTER_SIZE))
            .map(|(first, descriptors)| {
                Message::Register(Register {
                    first_id: first as u32,
                    descriptors: descriptors.to_vec(),
                })
            })
            .collect();
        self.told = self.descriptors.len();
        registers
    }
}

fn error(text: &str) -> Message {
    Message::Error {
        text: text.to_owned(),
    }
}

/// Binds a thread to a call; dropping it takes up the call from before.
#[derive(Debug)]
pub struct Bound<'a> {
    recorder: &'a Recorder,
    call: u64,
    before: u64,
}

impl Drop for Bound<'_> {
    fn drop(&mut self) {
        BOUND.set(self.before);
        if let Some(call) = self.recorder.state().calls.get_mut(&self.call) {
            call.bound = call.bound.saturating_sub(1);
        }
        self.recorder.quiet.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Kind;

    fn recorder(unbound: Unbound) -> Recorder {
        let recorder = Recorder::new(Hello::of("test", &["lines"]), unbound);
        recorder.register((0..10).map(|line| Descriptor {
            file: "app".into(),
            line,
            kind: Kind::Line,
            ordinal: 0,
            label: String::new(),
        }));
        recorder.listen(true);
        recorder
    }

    #[test]
    fn hits_go_to_the_call_that_the_thread_is_bound_to() {
        let recorder = recorder(Unbound::NoCall);
        recorder.begin(1);
        recorder.begin(2);
        {
            let _one = recorder.bind(1);
            recorder.hit(3, 1.0);
            {
                let _two = recorder.bind(2);
                recorder.hit(4, 0.5);
            }
            recorder.hit(5, 1.0);
        }
        recorder.hit(6, 1.0);
        let full = |id| (id, Value::FULL);
        assert_eq!(recorder.end(2).hits, [(4, Value::new(0.5))]);
        assert_eq!(recorder.end(1).hits, [full(3), full(5)]);
        assert_eq!(recorder.end(0).hits, [full(6)]);
        assert_eq!(recorder.end(0).hits, []);
    }

    #[test]
    fn the_only_call_takes_what_is_bound_to_none_if_asked_to() {
        let recorder = recorder(Unbound::OnlyCall);
        recorder.begin(1);
        recorder.hit(3, 1.0);
        recorder.begin(2);
        recorder.hit(4, 1.0);
        assert_eq!(recorder.end(1).hits, [(3, Value::FULL)]);
        assert_eq!(recorder.end(0).hits, [(4, Value::FULL)]);
    }

    #[test]
    fn covered_targets_are_silent_and_others_are_told_each_time() {
        let recorder = recorder(Unbound::OnlyCall);
        recorder.covered(&[3, 4_000_000]);
        assert!(recorder.is_covered(3));
        assert!(!recorder.is_covered(4_000_000));
        for _ in 0..2 {
            recorder.begin(1);
            recorder.hit(3, 1.0);
            recorder.hit(4, 0.5);
            assert_eq!(recorder.end(1).hits, [(4, Value::new(0.5))]);
        }
        recorder.reset();
        recorder.begin(1);
        recorder.hit(3, 1.0);
        assert_eq!(recorder.end(1).hits, [(3, Value::FULL)]);
    }

    #[test]
    fn nothing_is_recorded_while_nobody_listens() {
        let recorder = recorder(Unbound::NoCall);
        recorder.listen(false);
        recorder.hit(3, 1.0);
        recorder.listen(true);
        assert_eq!(recorder.end(0).hits, []);
    }

    #[test]
    fn targets_are_told_before_the_first_answer_that_may_name_them() {
        let recorder = recorder(Unbound::NoCall);
        let told = recorder.answer(Message::Ping);
        assert!(
            matches!(told.as_slice(), [Message::Register(it), Message::Pong] if it.descriptors.len() == 10)
        );
        assert_eq!(recorder.answer(Message::Ping), [Message::Pong]);
    }

    #[test]
    fn another_version_is_refused() {
        let recorder = recorder(Unbound::NoCall);
        let hello = Hello {
            version: VERSION + 1,
            ..Hello::of("fossick", &[])
        };
        let answer = recorder.answer(Message::Hello(hello));
        assert!(matches!(answer.as_slice(), [Message::Error { .. }]));
    }

    #[test]
    fn the_end_of_a_call_waits_for_a_thread_that_is_still_at_it() {
        let recorder = recorder(Unbound::NoCall);
        recorder.begin(1);
        std::thread::scope(|scope| {
            let (bound, is_bound) = std::sync::mpsc::channel();
            let recorder = &recorder;
            scope.spawn(move || {
                let _bound = recorder.bind(1);
                bound.send(()).expect("the test waits for it");
                recorder.hit(7, 1.0);
            });
            is_bound.recv().expect("the thread binds itself");
            assert_eq!(recorder.end(1).hits, [(7, Value::FULL)]);
        });
    }

    #[test]
    fn calls_without_end_are_bounded() {
        let recorder = recorder(Unbound::NoCall);
        assert!((1..=MOST_CALLS as u64).all(|call| recorder.begin(call)));
        let answer = recorder.answer(Message::Begin { call: u64::MAX });
        assert!(matches!(answer.as_slice(), [Message::Error { .. }]));
    }
}
