//! The formats and patterns that the document uses, each as a small predicate.
//!
//! Not a regular-expression engine: a pattern is known by its text, and a test makes sure that
//! the document has no other. A format that is not listed demands nothing.

use std::net::{Ipv4Addr, Ipv6Addr};

pub(crate) fn has_format(name: &str, text: &str) -> bool {
    match name {
        "uuid" => is_uuid(text),
        "date" => is_date(text),
        "email" => is_email(text),
        _ => true,
    }
}

/// `None` for a pattern that nobody has translated.
pub(crate) fn matches(pattern: &str, text: &str) -> Option<bool> {
    match pattern {
        "^[A-Z]{2}-[0-9]{4}$" => Some(fits(text, "AA-0000")),
        "^[0-9]{4}$" => Some(fits(text, "0000")),
        _ => None,
    }
}

/// Compares with a picture in which `A` is any capital, `0` any digit and `h` any hex digit.
fn fits(text: &str, picture: &str) -> bool {
    text.len() == picture.len()
        && text.bytes().zip(picture.bytes()).all(|(c, p)| match p {
            b'A' => c.is_ascii_uppercase(),
            b'0' => c.is_ascii_digit(),
            b'h' => c.is_ascii_hexdigit(),
            literal => c == literal,
        })
}

fn is_uuid(text: &str) -> bool {
    fits(text, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh")
}

fn is_date(text: &str) -> bool {
    if !fits(text, "0000-00-00") {
        return false;
    }
    let part = |at: std::ops::Range<usize>| text.get(at).and_then(|p| p.parse::<u32>().ok());
    let (Some(year), Some(month), Some(day)) = (part(0..4), part(5..7), part(8..10)) else {
        return false;
    };
    (1..=days_in(year, month)).contains(&day)
}

/// A moment of RFC 3339; a leap second counts.
pub(crate) fn is_date_time(text: &str) -> bool {
    let parts = text.split_at_checked(10).zip(text.get(11..));
    let Some(((date, rest), time)) = parts else {
        return false;
    };
    is_date(date) && rest.starts_with(['T', 't']) && is_time_with_offset(time)
}

fn is_time_with_offset(text: &str) -> bool {
    let Some((clock, rest)) = text.split_at_checked(8) else {
        return false;
    };
    let digits = rest.strip_prefix('.').map_or(0, |fraction| {
        fraction.bytes().take_while(u8::is_ascii_digit).count()
    });
    let offset = match digits {
        0 => Some(rest),
        some => rest.get(some + 1..),
    };
    is_clock(clock, 60) && offset.is_some_and(is_offset)
}

fn is_offset(text: &str) -> bool {
    let clock = text.strip_prefix(['+', '-']);
    matches!(text, "Z" | "z") || clock.is_some_and(|clock| is_clock(&format!("{clock}:00"), 0))
}

fn is_clock(text: &str, last_second: u32) -> bool {
    let within = |at: std::ops::Range<usize>, last: u32| {
        let part = text.get(at).and_then(|part| part.parse().ok());
        part.is_some_and(|part: u32| part <= last)
    };
    fits(text, "00:00:00") && within(0..2, 23) && within(3..5, 59) && within(6..8, last_second)
}

fn days_in(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

/// A mailbox of RFC 5321. Odd ones count too: refusing them would be a fault of ours.
fn is_email(text: &str) -> bool {
    text.rsplit_once('@')
        .is_some_and(|(local, domain)| is_local_part(local) && is_domain(domain))
}

fn is_local_part(local: &str) -> bool {
    let quoted = local
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let fits = match quoted {
        Some(inside) => is_quoted_content(inside),
        None => local.split('.').all(is_atom),
    };
    fits && local.len() <= 64
}

fn is_quoted_content(inside: &str) -> bool {
    let mut bytes = inside.bytes();
    while let Some(byte) = bytes.next() {
        let fine = match byte {
            b'\\' => bytes.next().is_some_and(is_printable),
            b'"' => false,
            other => is_printable(other),
        };
        if !fine {
            return false;
        }
    }
    true
}

fn is_printable(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte)
}

fn is_atom(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b))
}

fn is_domain(domain: &str) -> bool {
    let literal = domain.strip_prefix('[').and_then(|d| d.strip_suffix(']'));
    match literal {
        Some(address) => is_address(address),
        None => domain.len() <= 253 && domain.split('.').all(is_label),
    }
}

fn is_address(address: &str) -> bool {
    match address.strip_prefix("IPv6:") {
        Some(v6) => v6.parse::<Ipv6Addr>().is_ok(),
        None => address.parse::<Ipv4Addr>().is_ok(),
    }
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        for date in ["2024-02-29", "2000-02-29", "1999-12-31"] {
            assert!(has_format("date", date), "{date}");
        }
        for date in [
            "2023-02-29",
            "1900-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-4-1",
        ] {
            assert!(!has_format("date", date), "{date}");
        }
    }

    #[test]
    fn moments_have_a_time_and_an_offset() {
        for moment in [
            "2024-02-29T23:59:59Z",
            "2024-02-29t00:00:60z",
            "2024-02-29T12:00:00.125+05:30",
            "2024-02-29T12:00:00-23:59",
        ] {
            assert!(is_date_time(moment), "{moment}");
        }
        for moment in [
            "",
            "2024-02-29",
            "2024-02-29T12:00:00",
            "2024-02-30T12:00:00Z",
            "2024-02-29T24:00:00Z",
            "2024-02-29T12:00:00.Z",
            "2024-02-29T12:00:00+24:00",
            "2024-02-29T12:00:00Zz",
            "2024-02-29é12:00:00Z",
        ] {
            assert!(!is_date_time(moment), "{moment}");
        }
    }

    #[test]
    fn mailboxes_may_be_odd_but_not_broken() {
        for email in [
            "a@b",
            "o'x+y@ex-ample.com",
            "\"a b\"@x.org",
            "a@[127.0.0.1]",
        ] {
            assert!(has_format("email", email), "{email}");
        }
        for email in [
            "",
            "a",
            "@b",
            "a@",
            "a..b@c.de",
            "a@b c",
            "a@-b.de",
            "é@b.de",
        ] {
            assert!(!has_format("email", email), "{email}");
        }
    }

    #[test]
    fn uuids_may_be_written_large() {
        assert!(has_format("uuid", "00000000-0000-4000-8000-00000000ABCD"));
        assert!(!has_format("uuid", "00000000-0000-4000-8000-00000000abc"));
        assert!(!has_format("uuid", "00000000000040008000000000000abcd---"));
    }

    #[test]
    fn patterns_hold_from_end_to_end() {
        assert_eq!(matches("^[A-Z]{2}-[0-9]{4}$", "ME-0042"), Some(true));
        assert_eq!(matches("^[A-Z]{2}-[0-9]{4}$", "ME-0042\n"), Some(false));
        assert_eq!(matches("^[0-9]{4}$", "١٢"), Some(false));
        assert_eq!(matches("^x$", "x"), None);
    }
}
