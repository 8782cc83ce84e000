//! One run to be made: a strategy on a service with a seed and a budget.

use serde::Serialize;

use crate::record::Records;
use crate::service::Service;
use crate::strategy::Strategy;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    pub service: String,
    pub strategy: String,
    pub seed: u64,
    /// HTTP calls.
    pub budget: u64,
    /// Changes when the settings behind the two names change, so that a result of other settings
    /// is not taken for one of these.
    pub stamp: String,
}

impl Cell {
    pub(crate) fn new(service: &Service, strategy: &Strategy, seed: u64, budget: u64) -> Self {
        Self {
            service: service.name.clone(),
            strategy: strategy.name.clone(),
            seed,
            budget,
            stamp: stamp(strategy, service),
        }
    }

    /// `service/strategy/seed/budget`; names hold no slash.
    pub fn key(&self) -> String {
        let Self {
            service,
            strategy,
            seed,
            budget,
            ..
        } = self;
        format!("{service}/{strategy}/{seed}/{budget}")
    }
}

/// The cells that nobody has finished yet, in their order.
pub fn missing(cells: &[Cell], records: &Records) -> Vec<Cell> {
    cells
        .iter()
        .filter(|cell| records.of(cell).is_none())
        .cloned()
        .collect()
}

/// A short print of the settings (FNV-1a): it need not withstand anybody, only tell two apart.
fn stamp(strategy: &Strategy, service: &Service) -> String {
    let settings = serde_json::to_string(&(strategy, &service.kind))
        .expect("settings are texts, numbers and tables with text keys");
    let hash = settings
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    format!("{hash:016x}")
}
