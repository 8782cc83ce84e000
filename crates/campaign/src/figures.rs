//! What a run came to in numbers.

use fossick_contract::Api;
use fossick_search::Search;
use fossick_trace::{Episode, GraphFigures};

use crate::tally::Tallies;

#[derive(Debug)]
pub(crate) struct Figures {
    pub(crate) tallies: Tallies,
    /// Targets that were covered after so many requests.
    pub(crate) curve: Vec<(u64, u64)>,
    /// Operations that had succeeded after so many requests.
    succeeded: Vec<(u64, u64)>,
}

impl Figures {
    pub(crate) fn new(api: &Api) -> Self {
        Self {
            tallies: Tallies::new(api),
            curve: Vec::new(),
            succeeded: Vec::new(),
        }
    }

    pub(crate) fn count(&mut self, episode: &Episode) {
        self.tallies.count(episode);
    }

    /// A point of the curves every hundredth of what is usual.
    pub(crate) fn note(&mut self, requests: u64, targets: usize) {
        let last = self.curve.last().map_or(0, |(at, _)| *at);
        if requests >= last + (requests / 100).max(20) {
            self.curve.push((requests, targets as u64));
            let succeeded = self.tallies.succeeded as u64;
            self.succeeded.push((requests, succeeded));
        }
    }

    pub(crate) fn of_graph(&self, search: &Search<'_>) -> GraphFigures {
        let changes = search.graph().changes();
        GraphFigures {
            sequences: search.sequences(),
            edges_added: changes.added,
            edges_removed: changes.removed,
            edges_returned: changes.returned,
            succeeded: self.succeeded.clone(),
        }
    }
}
