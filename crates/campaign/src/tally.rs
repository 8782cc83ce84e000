//! What each operation answered.

use fossick_contract::{Api, OperationIndex};
use fossick_trace::{Episode, Said, Tally};
use std::collections::HashMap;

#[derive(Debug)]
pub(crate) struct Tallies {
    all: Vec<Tally>,
    by_label: HashMap<String, usize>,
    pub(crate) succeeded: usize,
    pub(crate) tried: usize,
}

impl Tallies {
    pub(crate) fn new(api: &Api) -> Self {
        let tallies: Vec<Tally> = api
            .operations
            .iter()
            .map(|operation| Tally {
                label: operation.label.clone(),
                method: operation.method.to_string(),
                path: operation.path.to_string(),
                ..Tally::default()
            })
            .collect();
        let by_label = tallies
            .iter()
            .enumerate()
            .map(|(at, t)| (t.label.clone(), at))
            .collect();
        Self {
            all: tallies,
            by_label,
            succeeded: 0,
            tried: 0,
        }
    }

    pub(crate) fn count(&mut self, episode: &Episode) {
        for (_, call, exchange) in episode.steps() {
            let Some(&at) = self.by_label.get(&*call.operation) else {
                continue;
            };
            let tally = &mut self.all[at];
            // Another method than its own says nothing of an operation.
            if tally.method != call.method.as_str() && call.graphql.is_none() {
                continue;
            }
            let had = tally.succeeded();
            self.tried += usize::from(tally.requests == 0);
            tally.requests += 1;
            *tally
                .statuses
                .entry(exchange.outcome.status().unwrap_or(0))
                .or_insert(0) += 1;
            if let Some(said) = exchange.outcome.answer().and_then(|answer| answer.said) {
                let errors = !said.is_without_errors();
                tally.with_errors += u64::from(errors);
                tally.without_errors += u64::from(!errors);
                tally.with_data += u64::from(said == Said::Data);
            }
            self.succeeded += usize::from(!had && tally.succeeded());
        }
    }

    pub(crate) fn finish(
        mut self,
        refusal: impl Fn(OperationIndex) -> Option<String>,
        rules: impl Fn(OperationIndex) -> Vec<String>,
    ) -> Vec<Tally> {
        for (at, tally) in self.all.iter_mut().enumerate() {
            let index = OperationIndex(at as u32);
            if !tally.succeeded() {
                tally.last_refusal = refusal(index);
            }
            tally.rules = rules(index);
        }
        self.all
    }
}
