//! Recorded calls for a run: read from a store before the first request.

use std::ops::ControlFlow;

use anyhow::{Context as _, Result};
use fossick_contract::Api;
use fossick_harvest::seeds::{Seeds, seeds};
use fossick_harvest::{Flow, Record};
use fossick_search::Sown;
use fossick_store::{Access, Filter, Place, Store};

use crate::config::Config;

/// Calls that a run begins with at most: the most called ones. A longer run has better things to do
/// than to repeat what is hardly ever called.
const MOST_CALLS: usize = 2_000;
const MOST_FLOWS: usize = 5_000;
/// Calls that do not fit and are named one by one.
const NAMED: usize = 2;

/// What a store gave.
pub(crate) struct Harvest {
    pub(crate) seeds: Seeds,
    /// Calls in the store, taken or not.
    recorded: usize,
}

impl Harvest {
    /// Reads the store that is asked for, if one is.
    pub(crate) fn wanted(
        told: Option<&String>,
        config: &Config,
        api: &Api,
    ) -> Result<Option<Self>> {
        let Some(place) = told.or(config.harvest.store.as_ref()) else {
            return Ok(None);
        };
        let place: Place = place.parse()?;
        let read = || -> Result<Self> {
            let mut store = Store::open(&place, Access::Read)?;
            let (records, recorded) = most_called(&mut store)?;
            let flows = most_taken(store.flows()?);
            Ok(Self {
                seeds: seeds(api, &records, &flows),
                recorded,
            })
        };
        let harvest =
            read().with_context(|| format!("failed to read recorded calls of {place}"))?;
        Ok(Some(harvest))
    }

    /// What became of the calls, for people.
    pub(crate) fn told(&self, sown: &Sown) -> String {
        let unread = self.seeds.left_out.iter();
        let unread = unread.map(|left| (left.what.clone(), left.why.to_string()));
        let unfit = sown.unfit.iter().map(|u| (u.what.clone(), u.why.clone()));
        let unfit: Vec<(String, String)> = unread.chain(unfit).collect();
        let mut text = if self.recorded > MOST_CALLS {
            format!(
                "the {MOST_CALLS} most called of {} recorded calls: ",
                self.recorded
            )
        } else {
            String::new()
        };
        text.push_str(&format!(
            "{} recorded {} the schema, {} {}",
            sown.fit,
            if sown.fit == 1 {
                "call fits"
            } else {
                "calls fit"
            },
            unfit.len(),
            if unfit.len() == 1 {
                "does not"
            } else {
                "do not"
            },
        ));
        for (at, (what, why)) in unfit.iter().take(NAMED).enumerate() {
            let mark = if at == 0 { ": " } else { "; " };
            text.push_str(&format!("{mark}{what} ({why})"));
        }
        if unfit.len() > NAMED {
            text.push_str(&format!(" and {} more", unfit.len() - NAMED));
        }
        text
    }
}

/// The most called records, and how many there are in all.
fn most_called(store: &mut Store) -> Result<(Vec<Record>, usize)> {
    let mut kept: Vec<Record> = Vec::new();
    let mut all = 0;
    store.records(&Filter::default(), &mut |record| {
        all += 1;
        kept.push(record);
        // Now and then what is too much is forgotten, so that a large store needs no large memory.
        if kept.len() >= 2 * MOST_CALLS {
            keep_most_called(&mut kept);
        }
        ControlFlow::Continue(())
    })?;
    keep_most_called(&mut kept);
    Ok((kept, all))
}

/// Of equals those that were seen first stay.
fn keep_most_called(records: &mut Vec<Record>) {
    records.sort_by_key(|record| std::cmp::Reverse(record.times_called));
    records.truncate(MOST_CALLS);
}

fn most_taken(mut flows: Vec<Flow>) -> Vec<Flow> {
    flows.sort_by_key(|flow| std::cmp::Reverse(flow.times));
    flows.truncate(MOST_FLOWS);
    flows
}
