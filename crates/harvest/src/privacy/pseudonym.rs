//! Another text of the same shape.
//!
//! It depends on the text and the key alone, not on where the text stood or whether it was a number
//! or a text there: so the id in a path and the id in a body stay the same id. Digits stay digits,
//! letters letters of the same case, punctuation stays; what carries a check digit gets a fitting
//! one. Two short texts may get the same pseudonym: there are only so many of that shape.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::numbers;
use super::shapes::{self, Shape};
use super::stream::{Keyed, Stream};

/// How often a pseudonym is made anew that is the text itself.
const TRIES: usize = 8;

pub(super) fn pseudonym(keyed: &Keyed, text: &str) -> String {
    let shape = shapes::shape(text);
    let mut stream = keyed.stream(text);
    for _ in 0..TRIES {
        let made = exchanged(text, shape, &mut stream);
        if made != text {
            return made;
        }
    }
    if shape == Shape::Number {
        return text.to_owned();
    }
    lettered(text, &mut stream)
}

fn exchanged(text: &str, shape: Shape, stream: &mut Stream) -> String {
    match shape {
        Shape::Email => email(text, stream),
        Shape::Uuid => hex(text, stream, &[14, 19]),
        Shape::Hex => hex(text, stream, &[]),
        Shape::Card => card(text, stream),
        Shape::Iban => iban(text, stream),
        Shape::Date => date(text, stream),
        Shape::Address(address) => another(address, stream).to_string(),
        Shape::Phone => kept(text, 3, stream),
        Shape::Number => numbers::another(text, stream),
        Shape::Other => other(text, stream),
    }
}

/// Where there is neither letter nor digit, every mark may be the secret.
fn lettered(text: &str, stream: &mut Stream) -> String {
    let letter = |c: char| if c.is_whitespace() { c } else { stream.lower() };
    text.chars().map(letter).collect()
}

/// A scheme before an address stays, or nobody could read it.
fn other(text: &str, stream: &mut Stream) -> String {
    let start = text.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = text.split_at(start);
    format!("{scheme}{}", alike(rest, stream))
}

fn alike(text: &str, stream: &mut Stream) -> String {
    let mut within = false;
    let one = |c: char| {
        let leads = c.is_numeric() && !within;
        within = c.is_numeric();
        match c {
            '0' if leads => '0',
            _ if leads => stream.leading(),
            _ => character(c, stream),
        }
    };
    text.chars().map(one).collect()
}

fn character(c: char, stream: &mut Stream) -> char {
    if c.is_numeric() {
        stream.digit()
    } else if c.is_uppercase() {
        stream.lower().to_ascii_uppercase()
    } else if c.is_alphabetic() {
        stream.lower()
    } else {
        c
    }
}

/// Of a domain that is nobody's. Its first part comes from the whole address: names are short.
fn email(text: &str, stream: &mut Stream) -> String {
    let local = text.split('@').next().unwrap_or_default();
    let local = alike(local, stream);
    let label: String = (0..6).map(|_| stream.lower()).collect();
    format!("{local}@{label}.example.com")
}

/// Positions in `fixed` stay: the version and variant of a UUID.
fn hex(text: &str, stream: &mut Stream, fixed: &[usize]) -> String {
    let one = |(at, c): (usize, char)| match c {
        c if fixed.contains(&at) => c,
        '0'..='9' => stream.digit(),
        'A'..='F' => stream.hex().to_ascii_uppercase(),
        'a'..='f' => stream.hex(),
        mark => mark,
    };
    text.chars().enumerate().map(one).collect()
}

/// The first digits stay, which say what network it is or what country.
fn kept(text: &str, first: usize, stream: &mut Stream) -> String {
    let mut seen = 0;
    let one = |c: char| {
        let stays = !c.is_ascii_digit() || seen < first;
        seen += usize::from(c.is_ascii_digit());
        if stays { c } else { stream.digit() }
    };
    text.chars().map(one).collect()
}

fn card(text: &str, stream: &mut Stream) -> String {
    let made = kept(text, 4, stream);
    let mut digits = shapes::digits(&made);
    if let Some(last) = digits.last_mut() {
        *last = 0;
    }
    let check = char::from(b'0' + shapes::check(&digits));
    let head = made.trim_end_matches(|c: char| !c.is_ascii_digit());
    let tail = made.get(head.len()..).unwrap_or_default();
    let head = head.get(..head.len().saturating_sub(1)).unwrap_or_default();
    format!("{head}{check}{tail}")
}

/// The country stays, and the two digits behind it become right again.
fn iban(text: &str, stream: &mut Stream) -> String {
    let plain: String = text.chars().filter(|c| *c != ' ').collect();
    let (country, account) = (plain.get(..2), plain.get(4..));
    let (Some(country), Some(account)) = (country, account) else {
        return alike(text, stream);
    };
    let account: String = account.chars().map(|c| character(c, stream)).collect();
    let check = 98 - remainder(&format!("{account}{country}00"));
    let mut made = format!("{country}{check:02}{account}")
        .into_bytes()
        .into_iter();
    let one = |c: char| {
        if c == ' ' {
            c
        } else {
            made.next().map_or(c, char::from)
        }
    };
    text.chars().map(one).collect()
}

/// By 97, letters counting from ten.
fn remainder(text: &str) -> u32 {
    let digits = text.chars().filter_map(|c| c.to_digit(36));
    digits.fold(0, |sum, digit| match digit {
        0..=9 => (sum * 10 + digit) % 97,
        _ => (sum * 100 + digit) % 97,
    })
}

/// A day that every month has; a time of day stays.
fn date(text: &str, stream: &mut Stream) -> String {
    let year = 1930 + stream.below(90);
    let (month, day) = (1 + stream.below(12), 1 + stream.below(28));
    let rest = text.get(10..).unwrap_or_default();
    format!("{year}-{month:02}-{day:02}{rest}")
}

/// In a network that is nobody's.
fn another(address: IpAddr, stream: &mut Stream) -> IpAddr {
    let mut byte = || stream.below(256) as u8;
    match address {
        IpAddr::V4(_) => Ipv4Addr::new(10, byte(), byte(), byte()).into(),
        IpAddr::V6(_) => {
            let mut group = || u16::from_le_bytes([byte(), byte()]);
            Ipv6Addr::new(
                0x2001,
                0xdb8,
                group(),
                group(),
                group(),
                group(),
                group(),
                group(),
            )
            .into()
        }
    }
}
