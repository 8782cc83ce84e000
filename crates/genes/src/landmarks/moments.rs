//! Days and hours at which calendars and clocks do something odd.
//!
//! Leap days, ends of months and years, hours that a change of clocks skips or repeats, years at
//! which what follows can no longer be written, and offsets that carry a moment over such an end.
//! A text without a format is tried with them too where its name, its description or an example
//! says that it is a date. What a service's document does not admit is left out by whoever asks.

use fossick_contract::Shape;
use serde_json::Value;

use crate::kinds::format::Format;
use crate::names::Hint;

/// The commonest ones, such as the epoch, stand with their formats already.
const DAYS: [&str; 19] = [
    "2023-02-28",
    "2024-03-01",
    "2024-12-31",
    "2024-01-01",
    "2024-01-31",
    "2023-03-01",
    "2024-06-30",
    "2000-02-29",
    "2100-02-28",
    // Europe's clocks change, then America's.
    "2024-03-31",
    "2024-10-27",
    "2024-03-10",
    "2024-11-03",
    // Days whose week belongs to another year.
    "2024-12-30",
    "2023-01-01",
    "1999-12-31",
    "2000-01-01",
    "1582-10-15",
    "0000-01-01",
];

const MOMENTS: [&str; 26] = [
    "2023-12-31T23:59:59.999999Z",
    "2024-01-01T00:00:00Z",
    "2024-02-29T00:00:00Z",
    "2000-02-29T12:00:00Z",
    "2023-02-28T23:59:59.999999Z",
    "2024-03-01T00:00:00Z",
    // An offset away from the first and the last moment that can be written.
    "9999-12-31T23:59:59-12:00",
    "0001-01-01T00:00:00+14:00",
    "2024-01-01T00:00:00-12:00",
    "9999-12-31T23:59:59.999999Z",
    // Hours that Europe skips and repeats, by both clocks and by UTC.
    "2024-03-31T01:00:00Z",
    "2024-03-31T02:00:00+01:00",
    "2024-03-31T03:00:00+02:00",
    "2024-10-27T02:30:00+02:00",
    "2024-10-27T02:30:00+01:00",
    "2024-10-27T01:00:00Z",
    // And those that America does.
    "2024-03-10T02:30:00-05:00",
    "2024-03-10T03:00:00-04:00",
    "2024-11-03T01:30:00-04:00",
    "2024-11-03T01:30:00-05:00",
    "2024-01-31T23:59:59Z",
    "2024-04-30T23:59:59Z",
    "2024-12-31T00:00:00+05:45",
    "2100-02-28T23:59:59Z",
    "1582-10-15T00:00:00Z",
    "0000-01-01T00:00:00Z",
];

/// By a clock on some wall: nobody says which.
const LOCAL: [&str; 12] = [
    "2024-02-29T23:59:59",
    "2024-03-31T02:30:00",
    "2024-10-27T02:30:00",
    "2024-03-10T02:30:00",
    "2024-11-03T01:30:00",
    "2023-12-31T23:59:59",
    "2024-01-01T00:00:00",
    "1970-01-01T00:00:00",
    "2038-01-19T03:14:08",
    "9999-12-31T23:59:59",
    "0001-01-01T00:00:00",
    "2024-01-01T00:00:00.999999",
];

const CLOCKS: [&str; 8] = [
    "23:59:59.999999Z",
    "00:00:00.000001Z",
    "00:00:00+14:00",
    "23:59:59-12:00",
    "02:30:00+01:00",
    "01:30:00-05:00",
    "12:00:00Z",
    "00:00:00-00:00",
];

const LOCAL_CLOCKS: [&str; 6] = [
    "00:00:00",
    "23:59:59",
    "02:30:00",
    "23:59:59.999999",
    "12:00",
    "23:59",
];

/// What is said of a text beside its shape.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Said<'a> {
    pub(super) description: &'a str,
    pub(super) examples: &'a [Value],
}

/// Telling texts for a place of this format, or of none that says as much.
pub(super) fn moments(
    format: Option<Format>,
    hint: Hint,
    shape: &Shape,
    said: Said<'_>,
) -> Vec<String> {
    match format {
        Some(Format::Date) => owned(&DAYS),
        Some(Format::Time) => owned(&CLOCKS),
        Some(Format::DateTime) => owned(&MOMENTS),
        None | Some(Format::Other(_)) => by_looks(hint, shape, said),
        Some(_) => Vec::new(),
    }
}

/// How a text without a format looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Day,
    Clock,
    LocalClock,
    Moment,
    LocalMoment,
    /// The same with a space between day and hour, as databases write it.
    Spaced,
    /// A moment, with or without an offset.
    AnyMoment,
    /// A time of the day, with or without an offset.
    AnyClock,
}

fn by_looks(hint: Hint, shape: &Shape, said: Said<'_>) -> Vec<String> {
    let examples = shape.examples.iter().chain(&shape.default);
    let mut shown = examples.chain(said.examples).filter_map(Value::as_str);
    let described = || {
        let own = shape.description.as_deref().unwrap_or("");
        by_words(own).or_else(|| by_words(said.description))
    };
    // An example knows better than words do.
    let look = match shown.next() {
        Some(example) => by_example(example),
        None => described().or_else(|| by_hint(hint)),
    };
    look.map_or(Vec::new(), texts_of)
}

fn by_example(text: &str) -> Option<Look> {
    let is_day = |text: &str| Format::Date.fits(text);
    let as_utc = |text: &str| format!("{text}Z");
    match () {
        () if is_day(text) => Some(Look::Day),
        () if Format::DateTime.fits(text) => Some(Look::Moment),
        () if Format::DateTime.fits(&as_utc(text)) => Some(Look::LocalMoment),
        () if Format::DateTime.fits(&as_utc(&text.replacen(' ', "T", 1))) => Some(Look::Spaced),
        () if Format::Time.fits(text) => Some(Look::Clock),
        () if Format::Time.fits(&as_utc(text)) => Some(Look::LocalClock),
        () => None,
    }
}

/// What a description says of how dates are written.
fn by_words(description: &str) -> Option<Look> {
    const MOST: usize = 400;
    let start: String = description.chars().take(MOST).collect();
    let plain = start.to_lowercase().replace([' ', '-', '_'], "");
    let says = |words: &[&str]| words.iter().any(|word| plain.contains(word));
    if says(&["duration", "interval"]) || !says(&["date", "time", "day", "yyyymmdd", "moment"]) {
        return None;
    }
    match () {
        () if says(&["yyyymmddthh", "yyyymmddhh"]) => Some(Look::AnyMoment),
        () if says(&["yyyymmdd"]) => Some(Look::Day),
        () if says(&["iso8601", "rfc3339"]) => Some(Look::AnyMoment),
        () => None,
    }
}

fn by_hint(hint: Hint) -> Option<Look> {
    match hint {
        Hint::Date => Some(Look::Day),
        Hint::DateTime | Hint::Timestamp => Some(Look::AnyMoment),
        Hint::Time => Some(Look::AnyClock),
        _ => None,
    }
}

fn texts_of(look: Look) -> Vec<String> {
    match look {
        Look::Day => both(Format::Date.odd(), &DAYS),
        Look::Clock => owned(&CLOCKS),
        Look::LocalClock => owned(&LOCAL_CLOCKS),
        Look::Moment => both(Format::DateTime.odd(), &MOMENTS),
        Look::LocalMoment => owned(&LOCAL),
        Look::Spaced => LOCAL
            .iter()
            .map(|text| text.replacen('T', " ", 1))
            .collect(),
        Look::AnyMoment => both(&LOCAL, &MOMENTS),
        Look::AnyClock => both(&LOCAL_CLOCKS, &CLOCKS),
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn both(first: &[&str], second: &[&str]) -> Vec<String> {
    owned(&[first, second].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::hint;

    fn of(name: &str, shape: &Shape) -> Vec<String> {
        moments(None, hint(name), shape, Said::default())
    }

    fn described(text: &str) -> Shape {
        Shape {
            description: Some(text.into()),
            ..Shape::default()
        }
    }

    #[test]
    fn all_of_them_are_of_their_format() {
        let all = |format: Format, texts: &[&str]| {
            for text in texts {
                assert!(format.fits(text), "{text}");
            }
        };
        all(Format::Date, &DAYS);
        all(Format::DateTime, &MOMENTS);
        all(Format::Time, &CLOCKS);
        for text in LOCAL {
            assert!(Format::DateTime.fits(&format!("{text}Z")), "{text}");
        }
    }

    #[test]
    fn a_name_tells_a_date() {
        let plain = Shape::default();
        assert!(of("birth_date", &plain).contains(&"2024-02-29".to_owned()));
        assert!(of("startedAt", &plain).contains(&"2024-03-31T02:30:00".to_owned()));
        assert_eq!(of("colour", &plain), Vec::<String>::new());
        assert_eq!(of("candidate", &plain), Vec::<String>::new());
    }

    #[test]
    fn a_description_tells_a_date() {
        let day = described("The day of departure, as YYYY-MM-DD.");
        assert!(of("x", &day).contains(&"2024-12-31".to_owned()));
        let moment = described("Date and time in ISO 8601");
        assert!(of("x", &moment).contains(&"2024-03-31T01:00:00Z".to_owned()));
        for innocent in [
            "An ISO 8601 duration",
            "a country of ISO 3166",
            "up to date",
        ] {
            assert_eq!(
                of("x", &described(innocent)),
                Vec::<String>::new(),
                "{innocent}"
            );
        }
    }

    #[test]
    fn an_example_tells_how_dates_are_written() {
        let like = |example: &str| {
            let shape = Shape {
                examples: vec![Value::from(example)],
                ..Shape::default()
            };
            of("start_date", &shape)
        };
        assert!(like("2021-05-06 10:00:00").contains(&"2024-03-31 02:30:00".to_owned()));
        assert!(like("2021-05-06T10:00:00").contains(&"2024-03-31T02:30:00".to_owned()));
        assert!(like("2021-05-06").iter().all(|text| text.len() == 10));
        // Somebody writes dates in another way: ours would only be refused.
        assert_eq!(like("6 May 2021"), Vec::<String>::new());
    }
}
