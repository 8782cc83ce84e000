//! What is to be found out: which strategies on which services, how often and for how long.

use serde::Serialize;

use crate::cell::Cell;
use crate::service::Service;
use crate::strategy::Strategy;

/// A lab file, understood. Strategies and services stand in the order of the file, which is the
/// order of every table and legend.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    pub title: String,
    /// HTTP calls that a run may make.
    pub budgets: Vec<u64>,
    pub seeds: Vec<u64>,
    pub strategies: Vec<Strategy>,
    pub services: Vec<Service>,
    pub metrics: Vec<Metric>,
    /// Name of the metric whose curve is recorded and drawn.
    pub main: String,
    /// As written in the file; [`Experiment::slots`] fills in what was left out.
    pub parallel: Option<usize>,
    pub comparisons: Vec<Comparison>,
}

/// Something measured of every run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Metric {
    pub name: String,
    pub better: Better,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    Higher,
    Lower,
}

/// Two strategies to be tested against each other; `a` is the one hoped to be better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Comparison {
    pub a: String,
    pub b: String,
}

impl Experiment {
    /// Every run of the experiment. All strategies on all services come before the second seed, so
    /// that an experiment that is cut short is still balanced; and each seed starts with another
    /// strategy, so that none always runs on the warmest or busiest machine.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (round, seed) in self.seeds.iter().enumerate() {
            for budget in &self.budgets {
                for service in &self.services {
                    for strategy in rotated(&self.strategies, round) {
                        cells.push(Cell::new(service, strategy, *seed, *budget));
                    }
                }
            }
        }
        cells
    }

    /// How many cells run at once on a machine of so many cores: half of them, at least one, unless
    /// the file says otherwise. The other half is left to the services.
    pub fn slots(&self, cores: usize) -> usize {
        self.parallel.unwrap_or(cores / 2).max(1)
    }

    pub fn strategy(&self, name: &str) -> Option<&Strategy> {
        self.strategies
            .iter()
            .find(|strategy| strategy.name == name)
    }

    pub fn service(&self, name: &str) -> Option<&Service> {
        self.services.iter().find(|service| service.name == name)
    }

    pub fn metric(&self, name: &str) -> Option<&Metric> {
        self.metrics.iter().find(|metric| metric.name == name)
    }
}

/// The same strategies, beginning with another in each round.
fn rotated(strategies: &[Strategy], round: usize) -> impl Iterator<Item = &Strategy> {
    let turn = round % strategies.len().max(1);
    strategies.iter().cycle().skip(turn).take(strategies.len())
}

#[cfg(test)]
mod tests {
    use crate::sample::experiment;

    #[test]
    fn a_part_of_the_cells_is_balanced() {
        let experiment = experiment();
        let cells = experiment.cells();
        assert_eq!(cells.len(), 2 * 3 * 2 * 5);
        let first_round = &cells[..12];
        for strategy in &experiment.strategies {
            let runs = first_round
                .iter()
                .filter(|cell| cell.strategy == strategy.name);
            assert_eq!(runs.count(), 4);
        }
        assert!(first_round.iter().all(|cell| cell.seed == 1));
    }

    #[test]
    fn every_cell_has_a_key_of_its_own_and_the_order_never_changes() {
        let cells = experiment().cells();
        let keys: std::collections::BTreeSet<String> = cells.iter().map(super::Cell::key).collect();
        assert_eq!(keys.len(), cells.len());
        assert_eq!(cells, experiment().cells());
        assert_eq!(cells[0].key(), "shop/base/1/1000");
        assert_eq!(cells[12].key(), "shop/r-mio/2/1000");
    }

    #[test]
    fn half_of_the_cores_are_used_unless_told_otherwise() {
        let mut experiment = experiment();
        experiment.parallel = None;
        assert_eq!((experiment.slots(8), experiment.slots(1)), (4, 1));
        experiment.parallel = Some(6);
        assert_eq!(experiment.slots(2), 6);
    }
}
