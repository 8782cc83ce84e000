//! Round numbers along an axis.

/// An axis from `low` to `high` with a tick at every `step`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) step: f64,
}

impl Axis {
    /// For values: begins at a tick, and leaves a little air above the highest.
    pub(super) fn around(low: f64, high: f64, about: u32) -> Self {
        let step = nice_step(high - low, about);
        let low = (low / step).floor() * step;
        let high = (high + (high - low) * 0.06).max(low + step);
        Self { low, high, step }
    }

    /// Keeps the range as it is; the last tick may stand before its end.
    pub(super) fn within(low: f64, high: f64, about: u32) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self {
            low,
            high,
            step: nice_step(high - low, about),
        }
    }

    pub(super) fn ticks(&self) -> Vec<f64> {
        let count = ((self.high - self.low) / self.step + 1e-9)
            .floor()
            .clamp(0.0, 100.0) as u32;
        let tick = |place: u32| self.low + f64::from(place) * self.step;
        (0..=count).map(tick).collect()
    }

    /// As short as the step allows: 20k, 1.5M, 0.25.
    pub(super) fn tick_label(&self, value: f64) -> String {
        if value.abs() < self.step / 2.0 {
            return "0".to_owned();
        }
        let (unit, letter) = match self.step {
            step if step >= 1e6 => (1e6, "M"),
            step if step >= 1e3 => (1e3, "k"),
            _ => (1.0, ""),
        };
        let decimals = (-(self.step / unit).log10().floor()).clamp(0.0, 9.0) as usize;
        format!("{:.decimals$}{letter}", value / unit)
    }

    /// Share of the axis below the value.
    pub(super) fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// 1, 2 or 5 times a power of ten, so that about so many steps fill the range.
fn nice_step(range: f64, about: u32) -> f64 {
    if !(range.is_finite() && range > 0.0) {
        return 1.0;
    }
    let rough = range / f64::from(about.max(1));
    let power = 10_f64.powf(rough.log10().floor());
    let times = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|times| rough <= times * power * 1.000_001);
    times.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: Axis) -> Vec<String> {
        axis.ticks()
            .iter()
            .map(|tick| axis.tick_label(*tick))
            .collect()
    }

    #[test]
    fn ticks_stand_at_round_numbers() {
        assert_eq!(
            labels(Axis::around(0.0, 758.0, 5)),
            ["0", "200", "400", "600", "800"]
        );
        assert_eq!(
            labels(Axis::around(0.0, 0.83, 5)),
            ["0", "0.2", "0.4", "0.6", "0.8"]
        );
        assert_eq!(
            labels(Axis::around(-3.0, 4.0, 4)),
            ["-4", "-2", "0", "2", "4"]
        );
        assert_eq!(
            labels(Axis::within(0.0, 100_000.0, 5)),
            ["0", "20k", "40k", "60k", "80k", "100k"]
        );
        assert_eq!(
            labels(Axis::within(0.0, 3_000_000.0, 3)),
            ["0", "1M", "2M", "3M"]
        );
        assert_eq!(
            labels(Axis::within(0.0, 1700.0, 4)),
            ["0", "500", "1000", "1500"]
        );
    }

    #[test]
    fn an_axis_without_a_range_is_still_one() {
        assert_eq!(labels(Axis::around(0.0, 0.0, 5)), ["0", "1"]);
        assert_eq!(labels(Axis::around(f64::NAN, f64::INFINITY, 5)).len(), 1);
        assert_eq!(
            labels(Axis::within(0.0, 0.0, 5))
                .first()
                .map(String::as_str),
            Some("0")
        );
    }
}
