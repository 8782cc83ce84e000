//! Dates and moments as people write them.

use jiff::civil::{Date, DateTime};
use jiff::{Span, ToSpan as _};

/// A date or a moment that was read out of a text, and what stood around it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moment {
    pub(crate) at: DateTime,
    has_time: bool,
    /// `T` or a blank.
    between: char,
    /// An offset, `Z` or nothing.
    zone: String,
}

impl Moment {
    pub(crate) fn read(text: &str) -> Option<Self> {
        let date: Date = text.get(..10)?.parse().ok()?;
        let rest = &text[10..];
        if rest.is_empty() {
            return Some(Self {
                at: date.at(0, 0, 0, 0),
                has_time: false,
                between: 'T',
                zone: String::new(),
            });
        }
        let between = rest
            .chars()
            .next()
            .filter(|c| matches!(c, 'T' | 't' | ' '))?;
        let zone = rest.rfind(['Z', 'z', '+', '-']).unwrap_or(rest.len());
        let time = rest.get(1..zone)?.parse().ok()?;
        Some(Self {
            at: date.to_datetime(time),
            has_time: true,
            between,
            zone: rest[zone..].to_owned(),
        })
    }

    /// Another moment, written in the same way.
    pub(crate) fn write(&self, at: DateTime) -> String {
        if !self.has_time {
            return at.date().to_string();
        }
        format!("{}{}{}{}", at.date(), self.between, at.time(), self.zone)
    }

    /// The same and its neighbours on both sides, a day and a second away.
    pub(crate) fn around(&self, at: DateTime) -> Vec<String> {
        let steps = [0.days(), 1.day(), (-1).days(), 1.second(), (-1).seconds()];
        let some = if self.has_time { 5 } else { 3 };
        let moved = |step: &Span| at.checked_add(*step).ok();
        let all = steps.iter().take(some).filter_map(moved);
        all.map(|at| self.write(at)).collect()
    }
}

/// What programs take out of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Year,
    Month,
    Day,
    /// Monday is 0.
    WeekdayFromMonday,
    /// Sunday is 0.
    WeekdayFromSunday,
    /// January is 0.
    MonthFromZero,
    DayOfYear,
    Hour,
    Minute,
    Second,
    /// The weekday of the same day in another year.
    WeekdayFromMondayByYear,
    WeekdayFromSundayByYear,
}

impl Part {
    pub(crate) const ALL: [Self; 12] = [
        Self::Year,
        Self::Month,
        Self::Day,
        Self::WeekdayFromMonday,
        Self::WeekdayFromSunday,
        Self::MonthFromZero,
        Self::DayOfYear,
        Self::Hour,
        Self::Minute,
        Self::Second,
        Self::WeekdayFromMondayByYear,
        Self::WeekdayFromSundayByYear,
    ];

    pub(crate) fn of(self, text: &str) -> Option<i64> {
        let moment = Moment::read(text)?;
        let at = moment.at;
        let timed = |value: i8| moment.has_time.then_some(i64::from(value));
        match self {
            Self::Year => Some(i64::from(at.year())),
            Self::Month => Some(i64::from(at.month())),
            Self::Day => Some(i64::from(at.day())),
            Self::WeekdayFromMonday | Self::WeekdayFromMondayByYear => {
                Some(i64::from(at.weekday().to_monday_zero_offset()))
            }
            Self::WeekdayFromSunday | Self::WeekdayFromSundayByYear => {
                Some(i64::from(at.weekday().to_sunday_zero_offset()))
            }
            Self::MonthFromZero => Some(i64::from(at.month()) - 1),
            Self::DayOfYear => Some(i64::from(at.day_of_year())),
            Self::Hour => timed(at.hour()),
            Self::Minute => timed(at.minute()),
            Self::Second => timed(at.second()),
        }
    }

    /// The same date with another part; the day gives way where the month is too short.
    pub(crate) fn set(self, text: &str, value: i64) -> Option<String> {
        let moment = Moment::read(text)?;
        let at = moment.at;
        let small = i8::try_from(value).ok();
        let new = match self {
            Self::Year => {
                let year = leap_like(at, i16::try_from(value).ok()?);
                on(at, year, at.month(), at.day())
            }
            Self::Month => on(at, at.year(), small?, at.day()),
            Self::MonthFromZero => on(at, at.year(), small?.checked_add(1)?, at.day()),
            Self::Day => in_any_month(at, small?),
            Self::WeekdayFromMonday => {
                shifted(at, value - i64::from(at.weekday().to_monday_zero_offset()))
            }
            Self::WeekdayFromSunday => {
                shifted(at, value - i64::from(at.weekday().to_sunday_zero_offset()))
            }
            Self::DayOfYear => shifted(at, value - i64::from(at.day_of_year())),
            Self::WeekdayFromMondayByYear => in_another_year(at, |at| {
                i64::from(at.weekday().to_monday_zero_offset()) == value
            }),
            Self::WeekdayFromSundayByYear => in_another_year(at, |at| {
                i64::from(at.weekday().to_sunday_zero_offset()) == value
            }),
            Self::Hour => at.with().hour(small?).build().ok(),
            Self::Minute => at.with().minute(small?).build().ok(),
            Self::Second => at.with().second(small?).build().ok(),
        };
        Some(moment.write(new?))
    }
}

fn on(at: DateTime, year: i16, month: i8, day: i8) -> Option<DateTime> {
    let first = Date::new(year, month, 1).ok()?;
    let day = day.min(first.days_in_month());
    Some(first.with().day(day).build().ok()?.to_datetime(at.time()))
}

/// Of the 29th of February, the next leap year on the way from the old year and beyond the new.
fn leap_like(at: DateTime, year: i16) -> i16 {
    if (at.month(), at.day()) != (2, 29) {
        return year;
    }
    let step = if year < at.year() { -1 } else { 1 };
    let leap = |year: &i16| Date::new(*year, 2, 29).is_ok();
    (0..8)
        .map(|n| year.saturating_add(n * step))
        .find(leap)
        .unwrap_or(year)
}

/// A day that this month does not have may be there in another, or in another year.
fn in_any_month(at: DateTime, day: i8) -> Option<DateTime> {
    let here = at.with().day(day).build();
    here.or_else(|_| at.with().year(2024).day(day).build())
        .or_else(|_| at.with().month(1).day(day).build())
        .ok()
}

/// The same month and day in the nearest year for which something holds.
fn in_another_year(at: DateTime, holds: impl Fn(&DateTime) -> bool) -> Option<DateTime> {
    // Leap days fall on the same weekday every 28 years, with a gap at most centuries.
    const FARTHEST: i16 = 48;
    let years = (1..=FARTHEST).flat_map(|n| [at.year() - n, at.year() + n]);
    let mut dates = years.filter_map(|year| at.with().year(year).build().ok());
    dates.find(holds)
}

fn shifted(at: DateTime, days: i64) -> Option<DateTime> {
    at.checked_add(Span::new().try_days(days).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_they_were_read() {
        for text in [
            "2024-02-29",
            "2024-02-29T10:20:30Z",
            "2024-02-29 10:20:30+02:00",
        ] {
            let moment = Moment::read(text).expect(text);
            assert_eq!(moment.write(moment.at), text);
        }
        for text in [
            "",
            "2024-02-30",
            "marker-1234",
            "2024-02-29x",
            "20240229T101010",
        ] {
            assert_eq!(Moment::read(text), None, "{text}");
        }
    }

    #[test]
    fn parts_are_set_one_at_a_time() {
        let set = |part: Part, value| part.set("2023-01-31", value);
        assert_eq!(set(Part::Month, 2).as_deref(), Some("2023-02-28"));
        assert_eq!(set(Part::Year, 2001).as_deref(), Some("2001-01-31"));
        // A Tuesday.
        assert_eq!(
            set(Part::WeekdayFromMonday, 4).as_deref(),
            Some("2023-02-03")
        );
        let sunday = Part::WeekdayFromMondayByYear.set("2024-02-29", 6);
        assert_eq!(sunday.as_deref(), Some("2032-02-29"));
        assert_eq!(set(Part::Hour, 3), Some("2023-01-31".to_owned()));
        assert_eq!(Part::Hour.of("2023-01-31"), None);
        assert_eq!(set(Part::Month, 13), None);
        assert_eq!(
            Part::Year.set("2024-02-29", 1999).as_deref(),
            Some("1996-02-29")
        );
        let february = Part::Day.set("2023-02-10", 29);
        assert_eq!(february.as_deref(), Some("2024-02-29"));
    }

    #[test]
    fn neighbours_are_a_day_and_a_second_away() {
        let moment = Moment::read("2024-03-01").expect("is one");
        let around = moment.around(moment.at);
        assert_eq!(around, ["2024-03-01", "2024-03-02", "2024-02-29"]);
    }
}
