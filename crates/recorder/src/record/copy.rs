//! A copy of a body that is going by, as long as it is small enough.
//!
//! Bytes are copied and not shared: a piece that is kept would keep the whole buffer of its
//! connection, and then nobody could say how much is held.

use std::sync::Arc;

use super::budget::{Budget, Share};

#[derive(Debug)]
pub(crate) struct Copy {
    bytes: Vec<u8>,
    share: Share,
    limit: usize,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Growing,
    Whole,
    TooLarge,
    NoRoom,
}

/// What a copy came to.
#[derive(Debug)]
pub(crate) enum Copied {
    Whole(Vec<u8>, Share),
    /// Larger than the limit, or it never came to its end.
    Partial,
    /// The budget was used up.
    NoRoom,
}

impl Copy {
    pub(crate) fn new(budget: &Arc<Budget>, limit: usize) -> Self {
        Self {
            bytes: Vec::new(),
            share: Share::none(budget),
            limit,
            state: State::Growing,
        }
    }

    /// Makes room at once where the length is known; a declared length is believed up to a bound.
    pub(crate) fn expect(&mut self, length: u64) {
        const MOST: u64 = 64 << 10;
        if length <= MOST && length as usize <= self.limit {
            self.bytes.reserve_exact(length as usize);
        }
    }

    pub(crate) fn add(&mut self, data: &[u8]) {
        if self.state != State::Growing {
            return;
        }
        if self.bytes.len() + data.len() > self.limit {
            self.give_up(State::TooLarge);
        } else if self.share.grow(data.len()) {
            self.bytes.extend_from_slice(data);
        } else {
            self.give_up(State::NoRoom);
        }
    }

    pub(crate) fn end(&mut self) {
        if self.state == State::Growing {
            self.state = State::Whole;
        }
    }

    fn give_up(&mut self, state: State) {
        self.state = state;
        self.bytes = Vec::new();
        self.share.clear();
    }

    /// Takes what was copied; what comes later is not added.
    pub(crate) fn take(&mut self) -> Copied {
        let state = std::mem::replace(&mut self.state, State::TooLarge);
        let rest = Share::none(self.share.budget());
        let share = std::mem::replace(&mut self.share, rest);
        let bytes = std::mem::take(&mut self.bytes);
        match state {
            State::Whole => Copied::Whole(bytes, share),
            State::Growing | State::TooLarge => Copied::Partial,
            State::NoRoom => Copied::NoRoom,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(limit: usize, room: usize, pieces: &[&[u8]]) -> (Copied, Arc<Budget>) {
        let budget = Budget::new(room);
        let mut copy = Copy::new(&budget, limit);
        for piece in pieces {
            copy.add(piece);
        }
        copy.end();
        (copy.take(), budget)
    }

    #[test]
    fn pieces_are_joined_and_held_until_dropped() {
        let (copied, budget) = copied(10, 10, &[b"ab", b"cde"]);
        assert!(matches!(&copied, Copied::Whole(bytes, _) if bytes == b"abcde"));
        assert_eq!(budget.held(), 5);
        drop(copied);
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn a_body_beyond_the_limit_is_let_go_at_once() {
        let (copied, budget) = copied(4, 100, &[b"abc", b"de", b"f"]);
        assert!(matches!(copied, Copied::Partial));
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn without_room_nothing_is_held() {
        let (copied, budget) = copied(100, 4, &[b"abc", b"de", b"f"]);
        assert!(matches!(copied, Copied::NoRoom));
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn a_body_that_did_not_end_is_partial() {
        let mut copy = Copy::new(&Budget::new(9), 9);
        copy.add(b"abc");
        assert!(matches!(copy.take(), Copied::Partial));
    }
}
