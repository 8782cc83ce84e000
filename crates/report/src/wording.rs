//! Numbers, durations and counted things as people write them.

use std::time::Duration;

/// `51,204`
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 finding`, `6 findings`
pub(crate) fn counted(number: u64, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {one}{plural}", thousands(number))
}

/// Small numbers as words, for sentences: `One call`, `shrunk from four`.
pub(crate) fn in_words(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS
        .get(number)
        .map_or_else(|| thousands(number as u64), ToString::to_string)
}

pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// `0.4 s`, `60 s`, `2 min 5 s`, `1 h 3 min`
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 9.95 {
        let text = format!("{seconds:.1}");
        return format!("{} s", text.strip_suffix(".0").unwrap_or(&text));
    }
    let whole = seconds.round() as u64;
    match whole {
        0..120 => format!("{whole} s"),
        120..3600 if whole.is_multiple_of(60) => format!("{} min", whole / 60),
        120..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// `00:21`, `1:02:03`
pub(crate) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes:02}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_grouped() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(51_204), "51,204");
        assert_eq!(thousands(1_000_000), "1,000,000");
    }

    #[test]
    fn one_is_singular_and_none_is_plural() {
        assert_eq!(counted(1, "cause"), "1 cause");
        assert_eq!(counted(0, "cause"), "0 causes");
        assert_eq!(counted(2000, "cause"), "2,000 causes");
    }

    #[test]
    fn durations_read_naturally_at_every_length() {
        let texts: Vec<_> = [0.0, 0.42, 5.0, 9.99, 60.2, 125.0, 180.0, 3780.0]
            .map(duration)
            .into();
        let expected = [
            "0 s",
            "0.4 s",
            "5 s",
            "10 s",
            "60 s",
            "2 min 5 s",
            "3 min",
            "1 h 3 min",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_clock_shows_hours_only_when_there_are_some() {
        assert_eq!(clock(Duration::from_secs(21)), "00:21");
        assert_eq!(clock(Duration::from_secs(3723)), "1:02:03");
    }
}
