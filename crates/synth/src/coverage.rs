//! How much of the handlers has been reached since the service began.

use fossick_probe::{Descriptor, Kind};
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Coverage {
    pub lines: Count,
    /// Two for each condition.
    pub branches: Count,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Count {
    pub covered: usize,
    pub all: usize,
}

/// Which targets have been covered. Emptying the store does not empty it.
#[derive(Debug)]
pub(crate) struct Counter {
    is_line: Vec<bool>,
    is_covered: Vec<bool>,
    coverage: Coverage,
}

impl Counter {
    pub(crate) fn of(targets: &[Descriptor]) -> Self {
        let is_line: Vec<bool> = targets.iter().map(|it| it.kind == Kind::Line).collect();
        let lines = is_line.iter().filter(|it| **it).count();
        let count = |all| Count { covered: 0, all };
        Self {
            is_covered: vec![false; is_line.len()],
            coverage: Coverage {
                lines: count(lines),
                branches: count(is_line.len() - lines),
            },
            is_line,
        }
    }

    pub(crate) fn cover(&mut self, id: u32) {
        let is_covered = &mut self.is_covered[id as usize];
        if !std::mem::replace(is_covered, true) {
            let Coverage { lines, branches } = &mut self.coverage;
            let is_line = self.is_line[id as usize];
            let count = if is_line { lines } else { branches };
            count.covered += 1;
        }
    }

    pub(crate) fn coverage(&self) -> Coverage {
        self.coverage
    }
}
