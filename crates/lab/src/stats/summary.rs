//! What one sample looks like: centre, spread and ends.

use serde::Serialize;

use super::ranks::ranks;

/// One sample in a few numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    pub runs: usize,
    pub mean: f64,
    pub median: f64,
    pub deviation: f64,
    pub min: f64,
    pub max: f64,
}

impl Summary {
    /// None of an empty sample.
    pub fn of(values: &[f64]) -> Option<Self> {
        Some(Self {
            runs: values.len(),
            mean: mean(values)?,
            median: median(values)?,
            deviation: deviation(values)?,
            min: values.iter().copied().reduce(f64::min)?,
            max: values.iter().copied().reduce(f64::max)?,
        })
    }
}

/// None of an empty sample. Summed around the first value, so that equal values have exactly
/// that value as their mean and two strategies that always do the same share a rank.
pub fn mean(values: &[f64]) -> Option<f64> {
    let first = *values.first()?;
    let sum: f64 = values.iter().map(|value| value - first).sum();
    Some(first + sum / values.len() as f64)
}

/// None of an empty sample.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// Standard deviation of the population that the sample comes from (n − 1); 0 of a single value.
pub fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let freedom = values.len().saturating_sub(1).max(1);
    Some((squares / freedom as f64).sqrt())
}

/// Linear between the two nearest values, as numpy and R (type 7) do by default.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share.clamp(0.0, 1.0) * (sorted.len().checked_sub(1)? as f64);
    let below = sorted.get(place.floor() as usize)?;
    let above = sorted.get(place.ceil() as usize)?;
    Some(below + (above - below) * place.fract())
}

/// Ranks where 1 is the best: the highest, or the lowest where less is better.
pub(crate) fn places(values: &[f64], higher_is_better: bool) -> Vec<f64> {
    let sign = if higher_is_better { -1.0 } else { 1.0 };
    let signed: Vec<f64> = values.iter().map(|value| sign * value).collect();
    ranks(&signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_summed_up_as_numpy_does() {
        let summary = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((summary.mean, summary.median), (5.0, 4.5));
        assert_eq!((summary.min, summary.max, summary.runs), (2.0, 9.0, 8));
        assert!((summary.deviation - 2.138_089_935_299_395).abs() < 1e-12);
    }

    #[test]
    fn quartiles_lie_between_the_nearest_values() {
        let values = [1.0, 3.0, 2.0, 10.0];
        assert_eq!(quantile(&values, 0.25), Some(1.75));
        assert_eq!(quantile(&values, 0.75), Some(4.75));
        assert_eq!(quantile(&values, 7.0), Some(10.0));
    }

    #[test]
    fn nothing_is_said_of_an_empty_sample_and_no_spread_of_a_single_value() {
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[3.0]).unwrap().deviation, 0.0);
    }

    #[test]
    fn equal_values_have_exactly_their_own_mean() {
        assert_eq!(mean(&[0.1; 7]), Some(0.1));
        assert_eq!(mean(&[0.1; 3]), mean(&[0.1; 10]));
    }

    #[test]
    fn the_best_has_the_first_place_whichever_way_is_better() {
        assert_eq!(places(&[3.0, 9.0, 3.0], true), [2.5, 1.0, 2.5]);
        assert_eq!(places(&[3.0, 9.0, 3.0], false), [1.5, 3.0, 1.5]);
    }
}
