//! The calendar and the clock, as RFC 3339 writes them.
//!
//! A moment is a count of seconds, so that a small step of a mutation is a small step in time.
//! Years are kept from 0000 to 9999, which is all the format can write.

use crate::Rng;
use crate::dice;

pub(super) const DAY: i64 = 86_400;
/// 0000-01-01 and 9999-12-31, in days since 1970.
pub(super) const FIRST_DAY: i64 = -719_528;
pub(super) const LAST_DAY: i64 = 2_932_896;

/// A moment of the years 2020 to 2029: there is no clock here, and most services are content.
pub(crate) fn recent_seconds(rng: &mut Rng) -> i64 {
    dice::between(rng, 1_577_836_800, 1_893_455_999)
}

/// A distance from UTC, in minutes.
pub(super) fn offset(rng: &mut Rng) -> i16 {
    const OFFSETS: [i16; 6] = [0, 60, -480, 330, 840, -720];
    OFFSETS[dice::index(rng, OFFSETS.len())]
}

pub(super) fn push_date(days: i64, out: &mut String) {
    let (year, month, day) = civil(days);
    push_number(year, 4, out);
    out.push('-');
    push_number(month, 2, out);
    out.push('-');
    push_number(day, 2, out);
}

pub(super) fn push_time(second: i64, out: &mut String) {
    let second = second.unsigned_abs();
    push_number(second / 3600, 2, out);
    out.push(':');
    push_number(second / 60 % 60, 2, out);
    out.push(':');
    push_number(second % 60, 2, out);
}

pub(super) fn push_offset(minutes: i16, out: &mut String) {
    if minutes == 0 {
        out.push('Z');
        return;
    }
    out.push(if minutes < 0 { '-' } else { '+' });
    push_number(u64::from(minutes.unsigned_abs() / 60), 2, out);
    out.push(':');
    push_number(u64::from(minutes.unsigned_abs() % 60), 2, out);
}

pub(super) fn push_number(number: u64, width: u32, out: &mut String) {
    for place in (0..width).rev() {
        out.push((b'0' + (number / 10_u64.pow(place) % 10) as u8) as char);
    }
}

pub(super) fn parse_number(text: &str) -> Option<i64> {
    text.bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}

/// The day of a date that exists.
pub(super) fn parse_date(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if (year.len(), month.len(), day.len()) != (4, 2, 2) {
        return None;
    }
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
pub(super) fn parse_time(text: &str) -> Option<(i64, &str)> {
    let clock = text.get(..8)?;
    let mut parts = clock.split(':');
    let (h, m, s) = (parts.next()?, parts.next()?, parts.next()?);
    let (h, m, s) = (parse_number(h)?, parse_number(m)?, parse_number(s)?);
    (h < 24 && m < 60 && s < 60).then(|| (h * 3600 + m * 60 + s, &text[8..]))
}

pub(super) fn parse_offset(text: &str) -> Option<i16> {
    if text == "Z" {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = text.get(1..)?.split_once(':')?;
    let (hours, minutes) = (parse_number(hours)?, parse_number(minutes)?);
    (hours < 24 && minutes < 60).then(|| sign * (hours * 60 + minutes) as i16)
}

/// The second since 1970 at which a text stands: a day, a moment or a time of the day, in any of
/// the usual spellings. Without an offset it is UTC's.
pub(crate) fn instant(text: &str) -> Option<i64> {
    match text.get(..10).and_then(parse_date) {
        Some(day) if text.len() == 10 => Some(day * DAY),
        Some(day) => {
            let time = text[10..].strip_prefix(['T', 't', ' '])?;
            Some(day * DAY + second_of(time)?)
        }
        None => second_of(text),
    }
}

fn second_of(time: &str) -> Option<i64> {
    let (second, rest) = parse_time(time)?;
    let digits = |c: char| c == '.' || c.is_ascii_digit();
    let offset = match rest.trim_start_matches(digits) {
        "" => 0,
        rest => parse_offset(rest)?,
    };
    Some(second - i64::from(offset) * 60)
}

/// A text that begins with a day, so many days later; what follows the day stays.
pub(crate) fn other_day(text: &str, days: i64) -> Option<String> {
    let day = parse_date(text.get(..10)?)?.checked_add(days)?;
    let mut out = String::with_capacity(text.len());
    if !(FIRST_DAY..=LAST_DAY).contains(&day) {
        return None;
    }
    push_date(day, &mut out);
    out.push_str(&text[10..]);
    Some(out)
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
        for text in [
            "nonsense",
            "999999999999999999-01-01",
            "2023-1-1",
            "-001-01-01",
            "",
        ] {
            assert_eq!(parse_date(text), None);
        }
        assert_eq!(parse_offset("+999999999999999999:00"), None);
    }
}
