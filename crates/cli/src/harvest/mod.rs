//! `fossick harvest`: real traffic as tests, figures and answers to what a new schema breaks.

mod flags;
mod list;
mod metrics;
mod schema;
mod store;
mod suite;

use anyhow::Result;

use crate::exit::Exit;
pub(crate) use flags::HarvestCommand;

pub(crate) fn harvest(command: &HarvestCommand) -> Result<Exit> {
    match command {
        HarvestCommand::List(flags) => list::list(flags),
        HarvestCommand::Suite(flags) => suite::suite(flags),
        HarvestCommand::Metrics(flags) => metrics::metrics(flags),
    }
}
