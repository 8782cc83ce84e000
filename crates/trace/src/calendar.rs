//! Days of the calendar, as far as moving a date by some of them asks for it.

/// A text that begins with a date, moved by so many days; `None` if it does not.
pub(crate) fn moved_by(text: &str, days: i64) -> Option<String> {
    let (day, rest) = leading_day(text)?;
    let (year, month, day) = date_of(day + days);
    Some(format!("{year:04}-{month:02}-{day:02}{rest}"))
}

/// The date that a text begins with, as a number of days, and what follows it.
pub fn leading_day(text: &str) -> Option<(i64, &str)> {
    let (date, rest) = text.split_at_checked("2024-05-17".len())?;
    let mut parts = date.split('-').map(number);
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    Some((day_of(year, month, day), rest))
}

fn number(text: &str) -> Option<i64> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// Days since the first of March of the year 0, when leap days come last in their year.
fn day_of(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let month = (month + 9) % 12;
    365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
        - 1
}

fn date_of(days: i64) -> (i64, i64, i64) {
    const ERA: i64 = 146_097;
    let (era, within) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (within - within / 1460 + within / 36_524 - within / 146_096) / 365;
    let in_year = within - (365 * year + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year + i64::from(month >= 10);
    (year, (month + 2) % 12 + 1, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_move_over_the_ends_of_months_and_years() {
        let moved = |text, days| moved_by(text, days).unwrap_or_default();
        assert_eq!(moved("2024-02-28", 1), "2024-02-29");
        assert_eq!(moved("2023-02-28", 1), "2023-03-01");
        assert_eq!(moved("1999-12-31T23:00:00Z", 1), "2000-01-01T23:00:00Z");
        assert_eq!(moved("2000-03-01", -1), "2000-02-29");
        assert_eq!(moved("2024-01-31", 366), "2025-01-31");
    }

    #[test]
    fn every_day_of_four_centuries_is_its_own() {
        for days in 600_000..746_097 {
            let (year, month, day) = date_of(days);
            assert_eq!(day_of(year, month, day), days);
        }
    }

    #[test]
    fn what_is_no_date_is_not_moved() {
        for text in [
            "",
            "2024-05",
            "2024-13-01",
            "tomorrow",
            "2024/05/17",
            "20240517xx",
        ] {
            assert_eq!(moved_by(text, 1), None, "{text}");
        }
    }
}
