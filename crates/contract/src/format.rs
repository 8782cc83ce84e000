//! How texts of known formats are written: dates, times, identifiers, addresses.
//!
//! Read generously, because libraries differ in what they write (a zone left out, a space for the
//! `T`), and whoever is held to a format by the name of a scalar alone should not be held to more
//! than its name says. [`format_pattern`] says the same for whoever has patterns only.

/// Formats that nobody here knows are fulfilled by anything.
pub fn fits_format(format: &str, text: &str) -> bool {
    match format {
        "date" => is_date(text),
        "time" => is_time(text),
        "date-time" => match text.split_once(['T', 't', ' ']) {
            Some((date, time)) => is_date(date) && is_time(time),
            None => false,
        },
        "uuid" => {
            let digits = text.bytes().filter(u8::is_ascii_hexdigit).count();
            let others = text.bytes().filter(|b| !b.is_ascii_hexdigit());
            digits == 32 && others.into_iter().all(|b| b == b'-')
        }
        "email" => text
            .rsplit_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty()),
        "uri" | "url" => text.contains(':') && !text.contains(char::is_whitespace),
        _ => true,
    }
}

/// `2024-05-17`; years may be longer or before Christ.
fn is_date(text: &str) -> bool {
    let mut parts = text.trim_start_matches(['+', '-']).split('-');
    let mut number = |digits: usize, most: u32| {
        parts.next().is_some_and(|part| {
            let whole = part.len() >= digits && part.bytes().all(|b| b.is_ascii_digit());
            whole && (most == 0 || part.parse().is_ok_and(|n: u32| (1..=most).contains(&n)))
        })
    };
    number(4, 0) && number(2, 12) && number(2, 31) && parts.next().is_none()
}

/// `10:30`, `10:30:00.123Z`, `10:30:00+02:00`: a zone may be missing.
fn is_time(text: &str) -> bool {
    let clock = text.split(['Z', 'z', '+', '-']).next().unwrap_or("");
    let mut parts = clock.trim_end().split(':');
    let mut number = |most: f64| {
        parts.next().is_some_and(|part| {
            let plain = part.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            plain && part.parse().is_ok_and(|n: f64| (0.0..=most).contains(&n))
        })
    };
    number(24.0) && number(59.0) && (number(61.0) || clock.matches(':').count() == 1)
}

/// The same as a pattern that the common engines read alike; `None` where anything goes.
pub fn format_pattern(format: &str) -> Option<&'static str> {
    Some(match format {
        "date" => r"^[+-]?[0-9]{4,}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
        "time" => r"^([01][0-9]|2[0-4]):[0-5][0-9](:[0-6][0-9]([.][0-9]+)?)?( ?[Zz].*| ?[+-].+)?$",
        "date-time" => {
            r"^[+-]?[0-9]{4,}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt ]([01][0-9]|2[0-4]):[0-5][0-9](:[0-6][0-9]([.][0-9]+)?)?( ?[Zz].*| ?[+-].+)?$"
        }
        "uuid" => {
            r"^[0-9A-Fa-f]{8}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{12}$"
        }
        "email" => r"^.+@[^@]+$",
        "uri" | "url" => r"^\S*:\S*$",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read_generously() {
        for (format, right) in [
            ("date", "2024-02-29"),
            ("date", "-0044-03-15"),
            ("time", "10:30"),
            ("time", "10:30:00.5Z"),
            ("date-time", "2024-05-17T10:30:00Z"),
            ("date-time", "2024-05-17T10:30:00.123456+02:00"),
            ("date-time", "2024-05-17 10:30:00"),
            ("uuid", "9F8E7D6C-1234-4a5b-8c7d-001122334455"),
            ("email", "ada@example.org"),
            ("uri", "https://example.org/a?b=c"),
            ("duration", "whatever"),
        ] {
            assert!(fits_format(format, right), "{format} {right}");
        }
        for (format, wrong) in [
            ("date", "17 May 2024"),
            ("date", "2024-13-01"),
            ("date", ""),
            ("time", "half past ten"),
            ("date-time", "2024-05-17"),
            ("date-time", "Fri May 17 2024 10:30:00 GMT+0200"),
            ("uuid", "17"),
            ("email", "ada"),
            ("uri", "no uri"),
        ] {
            assert!(!fits_format(format, wrong), "{format} {wrong}");
        }
    }
}
