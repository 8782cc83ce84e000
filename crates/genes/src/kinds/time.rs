//! Times of the day.

use super::calendar::{DAY, offset, parse_offset, parse_time, push_offset, push_time};
use super::step;
use crate::Rng;
use crate::dice;
use crate::gene::quoted;
use crate::source::Source;

/// A second of the day, with an offset from UTC in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    pub second: u32,
    pub offset: i16,
    pub source: Source,
}

impl Time {
    pub(crate) fn to_text(self) -> String {
        let mut out = String::with_capacity(14);
        push_time(i64::from(self.second), &mut out);
        push_offset(self.offset, &mut out);
        out
    }

    pub(crate) fn parse(text: &str, source: Source) -> Option<Self> {
        let (second, rest) = parse_time(text)?;
        let time = Self {
            second: second as u32,
            offset: parse_offset(rest)?,
            source,
        };
        (time.to_text() == text).then_some(time)
    }

    pub(crate) fn sample(rng: &mut Rng, source: Source) -> Self {
        Self {
            second: dice::below(rng, DAY as u64) as u32,
            offset: 0,
            source,
        }
    }

    pub(crate) fn mutate(&mut self, rng: &mut Rng) {
        let moved = i64::from(self.second) + step(rng, 14);
        self.second = moved.rem_euclid(DAY) as u32;
        if dice::one_in(rng, 4) {
            self.offset = offset(rng);
        }
        self.source = Source::Random;
    }

    pub(crate) fn write(self, out: &mut Vec<u8>) {
        quoted(&self.to_text(), out);
    }
}

/// A time as RFC 3339 has it, in any of its spellings but the lower-case ones.
pub(crate) fn is_time(text: &str) -> bool {
    if text == "23:59:60Z" {
        return true;
    }
    let Some((_, rest)) = parse_time(text) else {
        return false;
    };
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => {
            let tail = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if tail.len() == fraction.len() {
                return false;
            }
            tail
        }
        None => rest,
    };
    is_offset(rest)
}

fn is_offset(text: &str) -> bool {
    text == "Z" || (text.len() == 6 && text.starts_with(['+', '-']) && parse_offset(text).is_some())
}
