//! When something happened, in the ways that logs tell it.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::{rfc2822, strtime};
use jiff::tz::TimeZone;

/// Milliseconds since 1970; earlier times count as 1970.
pub(super) fn when(text: &str) -> Option<u64> {
    let text = text.trim();
    number(text).or_else(|| calendar(text))
}

/// Seconds, milliseconds, microseconds or nanoseconds: whichever makes it a time of ours.
fn number(text: &str) -> Option<u64> {
    if let Ok(whole) = text.parse::<u64>() {
        return Some(match whole {
            0..100_000_000_000 => whole * 1000,
            100_000_000_000..100_000_000_000_000 => whole,
            100_000_000_000_000..100_000_000_000_000_000 => whole / 1000,
            _ => whole / 1_000_000,
        });
    }
    let begins = text.starts_with(|first: char| first.is_ascii_digit());
    let seconds: f64 = text.parse().ok().filter(|_| begins)?;
    let millis = if seconds < 1e11 {
        seconds * 1e3
    } else {
        seconds
    };
    (millis < 1e14).then(|| millis.round() as u64)
}

fn calendar(text: &str) -> Option<u64> {
    let stamp = text
        .parse::<Timestamp>()
        .ok()
        .or_else(|| {
            strtime::parse("%d/%b/%Y:%H:%M:%S %z", text)
                .ok()?
                .to_timestamp()
                .ok()
        })
        .or_else(|| rfc2822::DateTimeParser::new().parse_timestamp(text).ok())
        .or_else(|| without_zone(text))?;
    Some(u64::try_from(stamp.as_millisecond()).unwrap_or(0))
}

/// Such a log means UTC, or nobody knows what.
fn without_zone(text: &str) -> Option<Timestamp> {
    let civil: DateTime = text.parse().ok()?;
    Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// A length of time in microseconds: a number of `unit` microseconds, unless it names its unit.
pub(super) fn took(text: &str, unit: f64) -> Option<u64> {
    let text = text.trim();
    let end = text
        .find(|c: char| c.is_ascii_alphabetic() || c == 'µ')
        .unwrap_or(text.len());
    let (number, named) = text.split_at_checked(end)?;
    let unit = match named {
        "" => unit,
        "ns" => 1e-3,
        "us" | "µs" => 1.0,
        "ms" => 1e3,
        "s" | "sec" => 1e6,
        _ => return None,
    };
    let micros = number.trim().parse::<f64>().ok()? * unit;
    (0.0..1e15).contains(&micros).then(|| micros.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_moment_is_understood_however_it_is_told() {
        for told in [
            "2021-09-04T13:25:49.132Z",
            "2021-09-04 13:25:49.132835+00:00",
            "2021-09-04T15:25:49.132+0200",
            "2021-09-04 13:25:49.132",
            "1630761949.132",
            "1630761949132",
            "1630761949132835",
            "1630761949132835123",
        ] {
            assert_eq!(when(told), Some(1_630_761_949_132), "{told}");
        }
        for told in [
            "04/Sep/2021:13:25:49 +0000",
            "Sat, 04 Sep 2021 13:25:49 GMT",
            "2021-09-04T13:25:49+00:00",
            "1630761949",
        ] {
            assert_eq!(when(told), Some(1_630_761_949_000), "{told}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for told in [
            "",
            "-",
            "yesterday",
            "inf",
            "NaN",
            "-5",
            "2021-13-01T00:00:00Z",
        ] {
            assert_eq!(when(told), None, "{told}");
        }
        assert_eq!(when("1969-12-31T23:59:59Z"), Some(0));
    }

    #[test]
    fn lengths_keep_to_the_unit_that_they_name() {
        assert_eq!(took("0.005", 1e6), Some(5000));
        assert_eq!(took("12.5 ms", 1e6), Some(12_500));
        assert_eq!(took("3µs", 1e3), Some(3));
        assert_eq!(took("7", 1e3), Some(7000));
        assert_eq!(took("-1", 1e3), None);
        assert_eq!(took("0.1, 0.2", 1e6), None);
        assert_eq!(took("4 furlongs", 1e3), None);
    }
}
