//! Moments: a date with a time, and how far the clock is from UTC.

use super::calendar::{
    DAY, FIRST_DAY, LAST_DAY, offset, parse_date, parse_number, parse_offset, parse_time,
    push_date, push_number, push_offset, push_time, recent_seconds,
};
use super::step;
use super::time::is_time;
use crate::Rng;
use crate::dice;
use crate::gene::quoted;
use crate::source::Source;

/// A moment: seconds since 1970 as the clock on the wall shows them, and how far that clock is
/// from UTC, in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateTime {
    pub seconds: i64,
    pub millis: u16,
    pub offset: i16,
    pub source: Source,
}

impl DateTime {
    pub(crate) fn to_text(self) -> String {
        let mut out = self.date_text();
        out.push('T');
        push_time(self.seconds.rem_euclid(DAY), &mut out);
        if self.millis > 0 {
            out.push('.');
            push_number(u64::from(self.millis), 3, &mut out);
        }
        push_offset(self.offset, &mut out);
        out
    }

    pub(crate) fn date_text(self) -> String {
        let mut out = String::with_capacity(30);
        push_date(self.seconds.div_euclid(DAY), &mut out);
        out
    }

    /// Reads a moment back, if it is written the way we write it.
    pub(crate) fn parse(text: &str, source: Source) -> Option<Self> {
        let (date, rest) = text.split_once('T')?;
        let (second, rest) = parse_time(rest)?;
        let (millis, rest) = match rest.strip_prefix('.') {
            Some(fraction) => (parse_number(fraction.get(..3)?)? as u16, fraction.get(3..)?),
            None => (0, rest),
        };
        let moment = Self {
            seconds: parse_date(date)? * DAY + second,
            millis,
            offset: parse_offset(rest)?,
            source,
        };
        (moment.to_text() == text).then_some(moment)
    }

    pub(crate) fn sample(rng: &mut Rng, source: Source) -> Self {
        Self {
            seconds: recent_seconds(rng),
            millis: 0,
            offset: 0,
            source,
        }
    }

    pub(crate) fn mutate(&mut self, rng: &mut Rng) {
        let moved = self.seconds.saturating_add(step(rng, 30));
        self.seconds = moved.clamp(FIRST_DAY * DAY, LAST_DAY * DAY + DAY - 1);
        match dice::below(rng, 8) {
            0 => self.offset = offset(rng),
            1 => self.millis = dice::below(rng, 1000) as u16,
            _ => {}
        }
        self.source = Source::Random;
    }

    pub(crate) fn write(self, out: &mut Vec<u8>) {
        quoted(&self.to_text(), out);
    }

    /// The epoch, and this moment with less detail.
    pub(crate) fn simpler(self) -> Vec<Self> {
        let plain = |seconds| Self {
            seconds,
            millis: 0,
            offset: 0,
            source: self.source,
        };
        let midnight = self.seconds.div_euclid(DAY) * DAY;
        vec![plain(0), plain(midnight), plain(self.seconds)]
    }
}

pub(crate) fn is_date_time(text: &str) -> bool {
    text.split_once('T')
        .is_some_and(|(date, time)| parse_date(date).is_some() && is_time(time))
}

#[cfg(test)]
mod tests {
    use super::super::Time;
    use super::*;

    #[test]
    fn a_moment_is_read_back_as_written() {
        for text in [
            "2024-02-29T23:59:59Z",
            "1969-12-31T00:00:00.007+05:30",
            "0000-01-01T00:00:00-12:00",
        ] {
            let moment = DateTime::parse(text, Source::Example).expect(text);
            assert_eq!(moment.to_text(), text);
        }
        assert_eq!(
            DateTime::parse("2024-02-29t23:59:59z", Source::Example),
            None
        );
        assert_eq!(
            DateTime::parse("2024-02-29T23:59:60Z", Source::Example),
            None
        );
        assert!(Time::parse("08:30:00+01:00", Source::Example).is_some());
        assert!(Time::parse("é", Source::Example).is_none());
    }
}
