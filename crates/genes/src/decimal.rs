//! Numbers as people write them: `0.01` is one hundredth, not its nearest binary fraction.
//!
//! Needed for `multipleOf`, where binary arithmetic gives answers that nobody means.

/// `mantissa` tenths, hundredths, … by `places`; negative places are powers of ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub mantissa: i128,
    pub places: i32,
}

impl Decimal {
    /// The shortest decimal that reads back as this number; none for what is not finite.
    pub(crate) fn of(number: f64) -> Option<Self> {
        if !number.is_finite() {
            return None;
        }
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e')?;
        let exponent: i32 = exponent.parse().ok()?;
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mantissa: i128 = format!("{whole}{fraction}").parse().ok()?;
        Some(Self {
            mantissa,
            places: fraction.len() as i32 - exponent,
        })
    }

    pub(crate) fn to_f64(self) -> f64 {
        format!("{}e{}", self.mantissa, -self.places)
            .parse()
            .unwrap_or(0.0)
    }

    /// This number `k` times, if it can still be written exactly.
    pub(crate) fn times(self, k: i64) -> Option<f64> {
        // Up to fifteen digits a decimal survives the way into binary and back.
        const EXACT: i128 = 1_000_000_000_000_000;
        let mantissa = self.mantissa.checked_mul(i128::from(k))?;
        (mantissa.abs() < EXACT).then(|| {
            Self {
                mantissa,
                places: self.places,
            }
            .to_f64()
        })
    }

    /// The smallest whole number that is a multiple of this one.
    pub(crate) fn whole_step(self) -> Option<i64> {
        let mantissa = self.mantissa.checked_abs()?;
        let step = if self.places <= 0 {
            mantissa.checked_mul(10_i128.checked_pow(self.places.unsigned_abs())?)?
        } else {
            let scale = 10_i128.checked_pow(self.places.unsigned_abs())?;
            mantissa / common_divisor(mantissa, scale)
        };
        i64::try_from(step).ok().filter(|step| *step > 0)
    }

    /// Whether a number is this one taken some whole number of times.
    pub(crate) fn divides(self, number: f64) -> bool {
        let Some(other) = Self::of(number) else {
            return false;
        };
        let places = self.places.max(other.places);
        let scaled = |decimal: Self| {
            let power = 10_i128.checked_pow((places - decimal.places).unsigned_abs())?;
            decimal.mantissa.checked_mul(power)
        };
        match (scaled(other), scaled(self)) {
            (Some(number), Some(step)) if step != 0 => number % step == 0,
            _ => false,
        }
    }
}

fn common_divisor(a: i128, b: i128) -> i128 {
    if b == 0 {
        a.max(1)
    } else {
        common_divisor(b, a % b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(number: f64) -> Decimal {
        Decimal::of(number).expect("finite")
    }

    #[test]
    fn multiples_are_what_people_mean() {
        assert_eq!(decimal(0.01).times(3), Some(0.03));
        assert_eq!(decimal(0.1).times(3), Some(0.3));
        assert!(decimal(0.01).divides(0.07));
        assert!(!decimal(0.01).divides(0.075));
        assert!(decimal(2.5).divides(1e3));
        assert!(decimal(1e20).divides(0.0));
    }

    #[test]
    fn a_fraction_has_a_whole_step() {
        assert_eq!(decimal(0.5).whole_step(), Some(1));
        assert_eq!(decimal(2.5).whole_step(), Some(5));
        assert_eq!(decimal(30.0).whole_step(), Some(30));
        assert_eq!(decimal(1e30).whole_step(), None);
        assert_eq!(decimal(0.0).whole_step(), None);
    }

    #[test]
    fn what_is_too_long_to_be_exact_is_refused() {
        assert_eq!(decimal(0.001).times(i64::MAX), None);
        assert!(Decimal::of(f64::NAN).is_none());
    }
}
