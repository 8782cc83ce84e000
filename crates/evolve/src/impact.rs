//! Which places are worth changing: how often a change there made a difference.

use std::collections::HashMap;

use crate::individual::GenePlace;
use crate::quick::QuickBuilder;

#[derive(Debug, Clone, Copy, Default)]
struct Impact {
    changed: u32,
    /// Once for a test that reached something else, twice for one that came nearer.
    effects: u32,
}

/// The record of all places.
#[derive(Debug, Default)]
pub(crate) struct Impacts {
    by_place: HashMap<GenePlace, Impact, QuickBuilder>,
}

impl Impacts {
    /// Hears what came of changing a place.
    pub(crate) fn record(&mut self, place: GenePlace, differs: bool, improved: bool) {
        let impact = self.by_place.entry(place).or_default();
        impact.changed = impact.changed.saturating_add(1);
        let effects = u32::from(differs || improved) + u32::from(improved);
        impact.effects = impact.effects.saturating_add(effects);
    }

    /// The ratio of effects to changes; a place that was never changed is believed.
    pub(crate) fn weight(&self, place: GenePlace) -> f64 {
        let impact = self.by_place.get(&place).copied().unwrap_or_default();
        (1.0 + f64::from(impact.effects)) / (1.0 + f64::from(impact.changed))
    }
}

/// The rates at which places change: `t * (d * size / all sizes + (1 - d) * weight / all weights)`,
/// where t is how many are to change and d how much of that goes evenly.
pub(crate) fn rates(sizes: &[f64], weights: &[f64], wanted: f64, even: f64) -> Vec<f64> {
    let (size, weight) = (sizes.iter().sum::<f64>(), weights.iter().sum::<f64>());
    let pairs = sizes.iter().zip(weights);
    let rate = |(s, w): (&f64, &f64)| {
        let evenly = even * s / size.max(f64::MIN_POSITIVE);
        let by_impact = (1.0 - even) * w / weight.max(f64::MIN_POSITIVE);
        (wanted * (evenly + by_impact)).min(1.0)
    };
    pairs.map(rate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::OperationIndex;

    #[test]
    fn what_makes_a_difference_weighs_more() {
        let mut impacts = Impacts::default();
        let (dull, telling) = ((OperationIndex(0), 1), (OperationIndex(0), 2));
        for _ in 0..10 {
            impacts.record(dull, false, false);
            impacts.record(telling, true, false);
        }
        assert_eq!(impacts.weight((OperationIndex(9), 9)), 1.0);
        assert!(impacts.weight(telling) > 5.0 * impacts.weight(dull));
        impacts.record(telling, true, true);
        assert!(impacts.weight(telling) > 1.0);
    }

    #[test]
    fn without_impact_every_gene_of_k_changes_with_one_over_k() {
        let rates = rates(&[1.0; 4], &[9.0, 0.0, 0.0, 0.0], 1.0, 1.0);
        assert_eq!(rates, [0.25; 4]);
    }

    #[test]
    fn a_fifth_of_the_rate_goes_by_impact() {
        let rates = rates(&[1.0; 2], &[3.0, 1.0], 1.0, 0.8);
        assert!((rates[0] - (0.4 + 0.15)).abs() < 1e-9);
        assert!((rates[1] - (0.4 + 0.05)).abs() < 1e-9);
    }
}
