//! Whole numbers, and the domain that a schema allows them.

use fossick_contract::{Api, NumberShape, Shape};

use super::step;
use crate::Rng;
use crate::decimal::Decimal;
use crate::dice;
use crate::names::{self, Hint};
use crate::source::Source;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integer {
    pub value: i64,
    pub source: Source,
}

impl Integer {
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        crate::gene::written(&self.value, out);
    }
}

/// Up to here floating point counts every whole number.
const EXACT: i64 = 1 << 53;

/// All multiples of `step` from `first` to `last`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Whole {
    pub first: i64,
    pub last: i64,
    pub step: i64,
    /// The document bounds it from below, or from above.
    pub floor: bool,
    pub ceiling: bool,
}

impl Whole {
    pub(crate) fn of(api: &Api, shape: &Shape, number: &NumberShape) -> Self {
        let (mut least, mut most) = format_range(number.format.as_deref());
        if number.multiple_of.is_some_and(|of| of.fract() != 0.0) {
            // Validators divide by a fraction in floating point: stay where that is exact.
            (least, most) = (least.max(-EXACT), most.min(EXACT));
        }
        let low = lowest(api, shape, number);
        let high = highest(api, shape, number);
        let step = number
            .multiple_of
            .and_then(Decimal::of)
            .filter(|step| step.mantissa != 0)
            .map_or(1, |step| step.whole_step().unwrap_or(i64::MAX));
        let (first, last) = (
            low.unwrap_or(least).max(least),
            high.unwrap_or(most).min(most),
        );
        Self {
            first: round_up(first, step),
            last: round_down(last, step),
            step,
            floor: low.is_some(),
            ceiling: high.is_some(),
        }
    }

    /// How many members there are.
    pub(crate) fn count(&self) -> u128 {
        let span = i128::from(self.last) - i128::from(self.first);
        if span < 0 {
            0
        } else {
            span as u128 / self.step as u128 + 1
        }
    }

    pub(crate) fn contains(&self, value: i64) -> bool {
        (self.first..=self.last).contains(&value) && value % self.step == 0
    }

    /// The member nearest to a number.
    pub(crate) fn nearest(&self, value: i64) -> i64 {
        if self.last < self.first {
            return self.first;
        }
        let value = value.clamp(self.first, self.last);
        round_down(value, self.step).max(self.first)
    }

    /// The member that a person would call the simplest: nearest to zero.
    pub(crate) fn simplest(&self) -> i64 {
        self.nearest(0)
    }

    /// A modest member, as a person would type it.
    pub(crate) fn plausible(&self, hint: Hint, rng: &mut Rng) -> (i64, Source) {
        if let Some(value) = names::whole(hint, rng).filter(|v| self.contains(*v)) {
            return (value, Source::Named);
        }
        let low = self.first.max(1);
        if low > self.last {
            return (self.nearest(1), Source::Random);
        }
        let high = self.last.min(low.saturating_add(99 * self.step.min(1000)));
        (self.nearest(dice::between(rng, low, high)), Source::Random)
    }

    /// Any member; modest ones more often than huge ones.
    pub(crate) fn random(&self, rng: &mut Rng) -> i64 {
        let modest = self.count() > 10_000;
        let (low, high) = match dice::below(rng, 20) {
            0..10 if modest => (0, 100),
            10..14 if modest => (0, 10_000),
            14..17 if modest => (-100, 100),
            17..19 if modest => (i64::from(i32::MIN), i64::from(i32::MAX)),
            _ => (self.first, self.last),
        };
        let (low, high) = (low.max(self.first), high.min(self.last));
        if low > high {
            let near = self
                .first
                .saturating_add(100 * self.step.min(1000))
                .min(self.last);
            return self.nearest(dice::between(rng, self.first, near));
        }
        self.nearest(dice::between(rng, low, high))
    }

    /// An edge, or the member beside it.
    pub(crate) fn boundary(&self, rng: &mut Rng) -> i64 {
        let inside = self.step * dice::between(rng, 0, 1);
        if dice::one_in(rng, 2) {
            self.nearest(self.first.saturating_add(inside))
        } else {
            self.nearest(self.last.saturating_sub(inside))
        }
    }

    pub(crate) fn mutate(&self, value: i64, rng: &mut Rng) -> i64 {
        let delta = step(rng, 10).saturating_mul(self.step);
        let moved = self.nearest(value.saturating_add(delta));
        if moved != value {
            return moved;
        }
        let moved = self.nearest(value.saturating_sub(delta));
        if moved == value {
            self.random(rng)
        } else {
            moved
        }
    }

    /// Members on the way to the simplest one, the nearest to it first.
    pub(crate) fn simpler(&self, value: i64) -> Vec<i64> {
        let goal = self.simplest();
        let away = i128::from(value) - i128::from(goal);
        let mut found: Vec<i64> = vec![goal];
        if value < 0 && value != i64::MIN {
            found.push(self.nearest(-value));
        }
        for part in [8, 4, 2] {
            found.push(self.nearest((i128::from(goal) + away / part) as i64));
        }
        let toward = if away > 0 { -1 } else { 1 };
        for steps in [10, 1] {
            found
                .push(self.nearest(value.saturating_add(self.step.saturating_mul(toward * steps))));
        }
        found
    }
}

fn round_up(value: i64, step: i64) -> i64 {
    match value.rem_euclid(step) {
        0 => value,
        rest => value.saturating_add(step - rest),
    }
}

fn round_down(value: i64, step: i64) -> i64 {
    value.saturating_sub(value.rem_euclid(step))
}

fn format_range(format: Option<&str>) -> (i64, i64) {
    match format {
        Some("int8") => (i64::from(i8::MIN), i64::from(i8::MAX)),
        Some("int16" | "short") => (i64::from(i16::MIN), i64::from(i16::MAX)),
        Some("int32" | "int" | "integer") => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Some("uint8") => (0, i64::from(u8::MAX)),
        Some("uint16") => (0, i64::from(u16::MAX)),
        Some("uint32" | "uint") => (0, i64::from(u32::MAX)),
        Some("uint64" | "ulong") => (0, i64::MAX),
        _ => (i64::MIN, i64::MAX),
    }
}

fn lowest(api: &Api, shape: &Shape, number: &NumberShape) -> Option<i64> {
    let inclusive = bound(api, shape, "minimum", number.minimum, f64::ceil);
    let exclusive = bound(
        api,
        shape,
        "exclusiveMinimum",
        number.exclusive_minimum,
        f64::floor,
    )
    .map(|bound| bound.saturating_add(1));
    inclusive.max(exclusive)
}

fn highest(api: &Api, shape: &Shape, number: &NumberShape) -> Option<i64> {
    let inclusive = bound(api, shape, "maximum", number.maximum, f64::floor);
    let exclusive = bound(
        api,
        shape,
        "exclusiveMaximum",
        number.exclusive_maximum,
        f64::ceil,
    )
    .map(|bound| bound.saturating_sub(1));
    [inclusive, exclusive].into_iter().flatten().min()
}

/// A bound as a whole number. Beyond what a float holds exactly, the schema's text is asked.
fn bound(
    api: &Api,
    shape: &Shape,
    keyword: &str,
    bound: Option<f64>,
    round: fn(f64) -> f64,
) -> Option<i64> {
    let bound = bound?;
    if bound.abs() < EXACT as f64 {
        return Some(round(bound) as i64);
    }
    let written = api
        .schemas
        .request
        .pointer(&shape.pointer)
        .and_then(|schema| schema.get(keyword)?.as_i64());
    Some(written.unwrap_or(bound as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    fn whole(first: i64, last: i64, step: i64) -> Whole {
        Whole {
            first: round_up(first, step),
            last: round_down(last, step),
            step,
            floor: true,
            ceiling: true,
        }
    }

    #[test]
    fn members_are_counted_and_kept_to_the_step() {
        let domain = whole(-7, 8, 5);
        assert_eq!((domain.first, domain.last, domain.count()), (-5, 5, 3));
        assert_eq!(domain.nearest(4), 0);
        assert_eq!(domain.nearest(-100), -5);
        assert_eq!(whole(i64::MIN, i64::MAX, 1).count(), 1 << 64);
        assert_eq!(whole(3, 2, 1).count(), 0);
    }

    #[test]
    fn everything_made_is_a_member() {
        let mut rng = Rng::seed_from_u64(7);
        for domain in [
            whole(1, 100, 1),
            whole(-1000, 1000, 7),
            whole(i64::MIN, i64::MAX, 1),
            whole(i64::MAX - 5, i64::MAX, 3),
            whole(5, 5, 5),
        ] {
            let mut value = domain.simplest();
            for _ in 0..300 {
                assert!(domain.contains(domain.random(&mut rng)), "{domain:?}");
                assert!(domain.contains(domain.boundary(&mut rng)), "{domain:?}");
                assert!(
                    domain.contains(domain.plausible(Hint::Year, &mut rng).0),
                    "{domain:?}"
                );
                value = domain.mutate(value, &mut rng);
                assert!(domain.contains(value), "{domain:?} {value}");
                assert!(domain.simpler(value).iter().all(|v| domain.contains(*v)));
            }
        }
    }
}
