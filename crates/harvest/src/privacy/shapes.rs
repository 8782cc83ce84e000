//! What shape a text has, as far as somebody may check it.

use std::net::IpAddr;

use fossick_contract::is_uuid;

/// A shape that a pseudonym must keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Email,
    Uuid,
    /// Hexadecimal digits, with dashes perhaps.
    Hex,
    Card,
    Iban,
    /// `2001-05-30`, with a time behind it perhaps.
    Date,
    Address(IpAddr),
    /// `+49 170 1234567`
    Phone,
    Number,
    Other,
}

type Test = fn(&str) -> bool;

pub(super) fn shape(text: &str) -> Shape {
    if is_email(text) {
        return Shape::Email;
    }
    if let Ok(address) = text.parse() {
        return Shape::Address(address);
    }
    let tests: [(Test, Shape); 7] = [
        (is_uuid, Shape::Uuid),
        (is_card, Shape::Card),
        (is_number, Shape::Number),
        (is_date, Shape::Date),
        (is_phone, Shape::Phone),
        (is_iban, Shape::Iban),
        (is_hex, Shape::Hex),
    ];
    let found = tests.into_iter().find(|(holds, _)| holds(text));
    found.map_or(Shape::Other, |(_, shape)| shape)
}

/// One `@` between a name and a domain with a dot.
pub(super) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    let plain = |c: char| c.is_alphanumeric() || "._%+-'/=!#$&*?^`{|}~".contains(c);
    !local.is_empty() && local.chars().all(plain) && is_domain(domain)
}

fn is_domain(text: &str) -> bool {
    let Some((labels, last)) = text.rsplit_once('.') else {
        return false;
    };
    let plain = |c: char| c.is_alphanumeric() || c == '-';
    let whole = |label: &str| !label.is_empty() && label.chars().all(plain);
    labels.split('.').all(whole)
        && last.chars().count() > 1
        && last.chars().all(char::is_alphabetic)
}

/// Both digits and letters, so that it is no word and no number.
pub(crate) fn is_hex(text: &str) -> bool {
    let bytes = || text.bytes();
    text.len() >= 8
        && bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && bytes().any(|byte| byte.is_ascii_digit())
        && bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// As JSON writes it: `-12`, `1.50`, `1e-7`.
pub(crate) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (digits, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let all = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = |text: &str| all(text.strip_prefix(['+', '-']).unwrap_or(text));
    all(whole) && fraction.is_none_or(all) && exponent.is_none_or(unsigned)
}

pub(crate) fn is_date(text: &str) -> bool {
    let day = text.get(..10).unwrap_or_default();
    let rest = text.get(10..).unwrap_or_default();
    let holds = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    day.len() == 10
        && day.bytes().enumerate().all(holds)
        && (rest.is_empty() || rest.starts_with(['T', 't', ' ']))
}

fn is_phone(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('+') else {
        return false;
    };
    let digits = rest.bytes().filter(u8::is_ascii_digit).count();
    let plain = |c: char| c.is_ascii_digit() || " -./()".contains(c);
    (7..=15).contains(&digits) && rest.chars().all(plain)
}

fn is_iban(text: &str) -> bool {
    let plain: Vec<u8> = text.bytes().filter(|byte| *byte != b' ').collect();
    (15..=34).contains(&plain.len())
        && plain
            .iter()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        && plain.iter().take(2).all(u8::is_ascii_uppercase)
        && plain.iter().skip(2).take(2).all(u8::is_ascii_digit)
        && plain.iter().filter(|b| b.is_ascii_digit()).count() >= 8
}

/// Digits of a payment card, in groups perhaps. One in ten numbers has a fitting check digit, so
/// length and beginning must be a network's as well; the rare ones of nineteen digits are not
/// told from the ids that many databases make.
pub(super) fn is_card(text: &str) -> bool {
    let grouped = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b' ' | b'-'));
    let digits: Vec<u8> = digits(text);
    grouped && of_a_network(&digits) && check(&digits) == 0
}

pub(super) fn digits(text: &str) -> Vec<u8> {
    let digits = text.bytes().filter(u8::is_ascii_digit);
    digits.map(|byte| byte - b'0').collect()
}

fn of_a_network(digits: &[u8]) -> bool {
    let first = digits.iter().take(4);
    let first = first.fold(0, |sum, digit| sum * 10 + u16::from(*digit));
    match first {
        4000..=4999 => matches!(digits.len(), 13 | 16),
        3400..=3499 | 3700..=3799 => digits.len() == 15,
        3000..=3099 | 3600..=3699 | 3800..=3899 => digits.len() == 14,
        2221..=2720 | 3528..=3589 | 5000..=5899 | 6000..=6999 => digits.len() == 16,
        _ => false,
    }
}

/// What is missing to a sum that Luhn's rule allows.
pub(super) fn check(digits: &[u8]) -> u8 {
    let weighed = digits.iter().rev().enumerate().map(|(at, digit)| {
        let doubled = digit * 2;
        match at % 2 {
            0 => *digit,
            _ if doubled > 9 => doubled - 9,
            _ => doubled,
        }
    });
    let sum: u32 = weighed.map(u32::from).sum();
    ((10 - sum % 10) % 10) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_told_apart() {
        for (text, expected) in [
            ("ada@example.org", Shape::Email),
            ("ada@localhost", Shape::Other),
            ("6f1d2c3b-0a1b-4c2d-8e3f-0123456789ab", Shape::Uuid),
            ("5f43a1b2c9", Shape::Hex),
            ("deadbeef", Shape::Other),
            ("4111 1111 1111 1111", Shape::Card),
            ("4111111111111112", Shape::Number),
            ("1693832749132", Shape::Number),
            ("DE89 3704 0044 0532 0130 00", Shape::Iban),
            ("1987-06-05", Shape::Date),
            ("1987-06-05T10:00:00Z", Shape::Date),
            ("+49 170 1234567", Shape::Phone),
            ("-12.50", Shape::Number),
            ("1e-7", Shape::Number),
            ("1.2.3", Shape::Other),
            (
                "10.1.2.3",
                Shape::Address("10.1.2.3".parse().expect("an address")),
            ),
            ("hunter2", Shape::Other),
            ("", Shape::Other),
        ] {
            assert_eq!(shape(text), expected, "{text}");
        }
    }
}
