//! `fossick harvest`: real traffic as tests, figures and answers to what a new schema breaks.

mod drift;
mod flags;
mod import;
mod keeper;
mod key;
mod list;
mod metrics;
mod proxy;
mod recording;
mod schema;
mod store;
mod suite;

use anyhow::Result;

use crate::exit::Exit;
pub(crate) use flags::HarvestCommand;

pub(crate) fn harvest(command: &HarvestCommand) -> Result<Exit> {
    match command {
        HarvestCommand::Proxy(flags) => proxy::proxy(flags),
        HarvestCommand::Collect(flags) => proxy::collect(flags),
        HarvestCommand::Import(flags) => import::import(flags),
        HarvestCommand::List(flags) => list::list(flags),
        HarvestCommand::Suite(flags) => suite::suite(flags),
        HarvestCommand::Metrics(flags) => metrics::metrics(flags),
        HarvestCommand::Drift(flags) => drift::drift(flags),
    }
}
