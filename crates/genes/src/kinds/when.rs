//! Moments: dates, times, and both, as RFC 3339 writes them.
//!
//! A moment is a count of seconds, so that a small step of a mutation is a small step in time.
//! The year is kept from 0000 to 9999, which is all the format can write.

use super::step;
use crate::Rng;
use crate::dice;
use crate::gene::quoted;
use crate::source::Source;

pub(crate) const DAY: i64 = 86_400;
/// 0000-01-01 and 9999-12-31, in days since 1970.
const FIRST_DAY: i64 = -719_528;
const LAST_DAY: i64 = 2_932_896;

/// A day, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Date {
    pub days: i32,
    pub source: Source,
}

/// A second of the day, with an offset from UTC in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    pub second: u32,
    pub offset: i16,
    pub source: Source,
}

/// A moment: seconds since 1970 as the clock on the wall shows them, and how far that clock is
/// from UTC, in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateTime {
    pub seconds: i64,
    pub millis: u16,
    pub offset: i16,
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
            source,
            ..recent(rng)
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
}

/// A moment of the years 2020 to 2029: there is no clock here, and most services are content.
pub(crate) fn recent(rng: &mut Rng) -> DateTime {
    DateTime {
        seconds: recent_seconds(rng),
        millis: 0,
        offset: 0,
        source: Source::Named,
    }
}

fn recent_seconds(rng: &mut Rng) -> i64 {
    dice::between(rng, 1_577_836_800, 1_893_455_999)
}

fn offset(rng: &mut Rng) -> i16 {
    const OFFSETS: [i16; 6] = [0, 60, -480, 330, 840, -720];
    OFFSETS[dice::index(rng, OFFSETS.len())]
}

/// Dates and moments simpler than this one, as texts: the epoch, and this one with less detail.
pub(crate) fn simpler(moment: &DateTime) -> Vec<DateTime> {
    let plain = |seconds| DateTime {
        seconds,
        millis: 0,
        offset: 0,
        source: moment.source,
    };
    vec![
        plain(0),
        plain(moment.seconds.div_euclid(DAY) * DAY),
        plain(moment.seconds),
    ]
}

fn push_date(days: i64, out: &mut String) {
    let (year, month, day) = civil(days);
    push_number(year, 4, out);
    out.push('-');
    push_number(month, 2, out);
    out.push('-');
    push_number(day, 2, out);
}

fn push_time(second: i64, out: &mut String) {
    let second = second.unsigned_abs();
    push_number(second / 3600, 2, out);
    out.push(':');
    push_number(second / 60 % 60, 2, out);
    out.push(':');
    push_number(second % 60, 2, out);
}

fn push_offset(minutes: i16, out: &mut String) {
    if minutes == 0 {
        out.push('Z');
        return;
    }
    out.push(if minutes < 0 { '-' } else { '+' });
    push_number(u64::from(minutes.unsigned_abs() / 60), 2, out);
    out.push(':');
    push_number(u64::from(minutes.unsigned_abs() % 60), 2, out);
}

fn push_number(number: u64, width: u32, out: &mut String) {
    for place in (0..width).rev() {
        out.push((b'0' + (number / 10_u64.pow(place) % 10) as u8) as char);
    }
}

fn parse_number(text: &str) -> Option<i64> {
    text.bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}

/// The day of a date that exists.
fn parse_date(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let days = days_from_civil(
        parse_number(year)?,
        parse_number(month)?,
        parse_number(day)?,
    );
    let mut back = String::with_capacity(10);
    push_date(days.clamp(FIRST_DAY, LAST_DAY), &mut back);
    (back == text).then_some(days)
}

/// The second of the day, and what follows it.
fn parse_time(text: &str) -> Option<(i64, &str)> {
    let clock = text.get(..8)?;
    let mut parts = clock.split(':');
    let (h, m, s) = (parts.next()?, parts.next()?, parts.next()?);
    let (h, m, s) = (parse_number(h)?, parse_number(m)?, parse_number(s)?);
    (h < 24 && m < 60 && s < 60).then(|| (h * 3600 + m * 60 + s, &text[8..]))
}

fn parse_offset(text: &str) -> Option<i16> {
    if text == "Z" {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = text.get(1..)?.split_once(':')?;
    let (hours, minutes) = (parse_number(hours)?, parse_number(minutes)?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes) as i16)
}

/// Year, month and day of a count of days, by eras of 400 years that begin in March.
fn civil(days: i64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let part = (5 * of_year + 2) / 153;
    let day = of_year - (153 * part + 2) / 5 + 1;
    let month = if part < 10 { part + 3 } else { part - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (
        year.unsigned_abs(),
        month.unsigned_abs(),
        day.unsigned_abs(),
    )
}

fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
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

pub(crate) fn is_date_time(text: &str) -> bool {
    text.split_once('T')
        .is_some_and(|(date, time)| parse_date(date).is_some() && is_time(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, text) in [
            (0, "1970-01-01"),
            (19_782, "2024-02-29"),
            (-1, "1969-12-31"),
            (LAST_DAY, "9999-12-31"),
            (FIRST_DAY, "0000-01-01"),
        ] {
            let mut out = String::new();
            push_date(days, &mut out);
            assert_eq!(out, text);
            assert_eq!(parse_date(text), Some(days));
        }
        assert_eq!(parse_date("2023-02-29"), None);
        assert_eq!(parse_date("2023-13-01"), None);
        assert_eq!(parse_date("nonsense"), None);
    }

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
