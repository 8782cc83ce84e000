//! Days.

use super::calendar::{DAY, FIRST_DAY, LAST_DAY, parse_date, push_date, recent_seconds};
use super::step;
use crate::Rng;
use crate::gene::quoted;
use crate::source::Source;

/// A day, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Date {
    pub days: i32,
    pub source: Source,
}

impl Date {
    pub(crate) fn to_text(self) -> String {
        let mut out = String::with_capacity(10);
        push_date(i64::from(self.days), &mut out);
        out
    }

    pub(crate) fn parse(text: &str, source: Source) -> Option<Self> {
        let days = parse_date(text)? as i32;
        Some(Self { days, source })
    }

    pub(crate) fn sample(rng: &mut Rng, source: Source) -> Self {
        let days = (recent_seconds(rng) / DAY) as i32;
        Self { days, source }
    }

    pub(crate) fn mutate(&mut self, rng: &mut Rng) {
        let days = i64::from(self.days).saturating_add(step(rng, 12));
        self.days = days.clamp(FIRST_DAY, LAST_DAY) as i32;
        self.source = Source::Random;
    }

    pub(crate) fn write(self, out: &mut Vec<u8>) {
        quoted(&self.to_text(), out);
    }
}
