//! Numbers with a fraction, and the domain that a schema allows them.

use fossick_contract::NumberShape;

use crate::Rng;
use crate::decimal::Decimal;
use crate::dice;
use crate::names::{self, Hint};
use crate::source::Source;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    pub value: f64,
    pub source: Source,
}

impl Number {
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        crate::gene::written(&self.value, out);
    }
}

/// All numbers from `low` to `high`, or those of them that are multiples of `step`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Real {
    pub low: f64,
    pub high: f64,
    pub floor: bool,
    pub ceiling: bool,
    step: Option<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Step {
    size: Decimal,
    first: i64,
    last: i64,
}

impl Real {
    pub(crate) fn of(number: &NumberShape) -> Self {
        let edge = if number.format.as_deref() == Some("float") {
            f64::from(f32::MAX)
        } else {
            f64::MAX
        };
        let low = larger(number.minimum, number.exclusive_minimum.map(f64::next_up));
        let high = smaller(number.maximum, number.exclusive_maximum.map(f64::next_down));
        let mut real = Self {
            low: low.unwrap_or(-edge),
            high: high.unwrap_or(edge),
            floor: low.is_some(),
            ceiling: high.is_some(),
            step: None,
        };
        real.step = number
            .multiple_of
            .filter(|step| *step > 0.0)
            .and_then(Decimal::of)
            .map(|size| real.steps(size));
        real
    }

    /// Which multiples lie inside; kept to sizes that are exact in decimal.
    fn steps(&self, size: Decimal) -> Step {
        const MANY: f64 = 1e9;
        let unit = size.to_f64();
        let exact = (1e14 / size.mantissa.max(1) as f64).clamp(1.0, MANY);
        let first = (self.low / unit).ceil().clamp(-exact, exact) as i64;
        let last = (self.high / unit).floor().clamp(-exact, exact) as i64;
        let inside = |k: i64| {
            size.times(k)
                .is_some_and(|v| v >= self.low && v <= self.high)
        };
        Step {
            size,
            first: (first - 1..=first + 1)
                .find(|k| inside(*k))
                .unwrap_or(first),
            last: (last - 1..=last + 1)
                .rev()
                .find(|k| inside(*k))
                .unwrap_or(last),
        }
    }

    pub(crate) fn contains(&self, value: f64) -> bool {
        value >= self.low
            && value <= self.high
            && self.step.is_none_or(|step| step.size.divides(value))
    }

    /// The member nearest to a number, or nearly so.
    pub(crate) fn nearest(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high.max(self.low));
        let Some(step) = self.step else {
            return value;
        };
        let k = (value / step.size.to_f64()).round() as i64;
        let k = k.clamp(step.first, step.last.max(step.first));
        step.size.times(k).unwrap_or(0.0)
    }

    pub(crate) fn simplest(&self) -> f64 {
        self.nearest(0.0)
    }

    pub(crate) fn plausible(&self, hint: Hint, rng: &mut Rng) -> (f64, Source) {
        if let Some(value) = names::whole(hint, rng).map(|v| v as f64 + 0.5)
            && self.contains(value)
        {
            return (value, Source::Named);
        }
        let low = self.low.max(1.0).min(self.high);
        let value = low + (self.high - low).min(99.0) * dice::unit(rng);
        (self.rounded(value), Source::Random)
    }

    pub(crate) fn random(&self, rng: &mut Rng) -> f64 {
        let reach = [1.0, 100.0, 1e4, 1e9][dice::index(rng, 4)];
        let (low, high) = (self.low.max(-reach), self.high.min(reach));
        let (low, high) = if low > high {
            let anchor = if self.low > 0.0 { self.low } else { self.high };
            (
                (anchor - reach).max(self.low),
                (anchor + reach).min(self.high),
            )
        } else {
            (low, high)
        };
        self.rounded(low + (high - low) * dice::unit(rng))
    }

    pub(crate) fn boundary(&self, rng: &mut Rng) -> f64 {
        let edge = if dice::one_in(rng, 2) {
            self.low
        } else {
            self.high
        };
        let inward = if edge == self.low { 1.0 } else { -1.0 };
        let inside = [0.0, 0.01, 1.0][dice::index(rng, 3)] * inward;
        self.nearest(edge + inside)
    }

    pub(crate) fn mutate(&self, value: f64, rng: &mut Rng) -> f64 {
        let power = if dice::one_in(rng, 3) {
            0
        } else {
            dice::below(rng, 11)
        };
        let delta = dice::gaussian(rng) * (1_u64 << power) as f64;
        let moved = self.rounded(value + delta);
        if moved != value {
            return moved;
        }
        let moved = self.nearest(value + self.unit().copysign(delta));
        if moved == value {
            self.random(rng)
        } else {
            moved
        }
    }

    fn unit(&self) -> f64 {
        self.step.map_or(1.0, |step| step.size.to_f64())
    }

    /// Two digits after the point where the domain allows it: long tails help nobody.
    fn rounded(&self, value: f64) -> f64 {
        let short = (value * 100.0).round() / 100.0;
        if self.step.is_none() && self.contains(short) {
            short
        } else {
            self.nearest(value)
        }
    }

    pub(crate) fn simpler(&self, value: f64) -> Vec<f64> {
        let goal = self.simplest();
        [
            goal,
            value.abs(),
            value.trunc(),
            (value * 10.0).round() / 10.0,
            f64::midpoint(goal, value).trunc(),
            value - (value - goal).signum(),
        ]
        .into_iter()
        .filter(|v| v.is_finite())
        .map(|v| self.nearest(v))
        .collect()
    }
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

fn smaller(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    fn real(low: Option<f64>, high: Option<f64>, step: Option<f64>) -> Real {
        Real::of(&NumberShape {
            minimum: low,
            exclusive_maximum: high,
            multiple_of: step,
            ..NumberShape::default()
        })
    }

    #[test]
    fn everything_made_is_inside() {
        let mut rng = Rng::seed_from_u64(7);
        for domain in [
            real(None, None, None),
            real(Some(0.0), Some(10.0), None),
            real(Some(0.5), Some(0.75), None),
            real(Some(1e12), None, None),
            real(None, Some(-1e12), None),
            real(Some(0.0), Some(1.0), Some(0.01)),
            real(Some(-3.0), Some(1e18), Some(2.5)),
        ] {
            let mut value = domain.simplest();
            for _ in 0..300 {
                assert!(domain.contains(domain.random(&mut rng)), "{domain:?}");
                assert!(domain.contains(domain.boundary(&mut rng)), "{domain:?}");
                assert!(
                    domain.contains(domain.plausible(Hint::None, &mut rng).0),
                    "{domain:?}"
                );
                value = domain.mutate(value, &mut rng);
                assert!(domain.contains(value), "{domain:?} {value}");
                assert!(domain.simpler(value).iter().all(|v| domain.contains(*v)));
            }
        }
    }
}
