//! The string formats: texts of each, odd but valid ones, and broken ones.
//!
//! Dates, times, identifiers and Base64 have genes of their own; the rest are texts.

use std::fmt::Write as _;

use super::{Base64, Date, DateTime, Text, Time, Uuid};
use crate::Rng;
use crate::dice;
use crate::gene::Gene;
use crate::names::{self, Hint};
use crate::source::Source;
use crate::words;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Date,
    Time,
    DateTime,
    Uuid,
    Base64,
    Email,
    Uri,
    UriReference,
    UriTemplate,
    Hostname,
    Ipv4,
    Ipv6,
    Duration,
    JsonPointer,
    RelativeJsonPointer,
    Regex,
    /// Known to nobody but the author; its name may still hint at something.
    Other(Hint),
}

impl Format {
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "date" => Self::Date,
            "time" => Self::Time,
            "date-time" | "datetime" => Self::DateTime,
            "uuid" | "guid" => Self::Uuid,
            "byte" | "base64" => Self::Base64,
            "email" | "idn-email" => Self::Email,
            "uri" | "url" | "iri" => Self::Uri,
            "uri-reference" | "iri-reference" | "uriref" => Self::UriReference,
            "uri-template" => Self::UriTemplate,
            "hostname" | "idn-hostname" => Self::Hostname,
            "ipv4" | "ip" => Self::Ipv4,
            "ipv6" => Self::Ipv6,
            "duration" => Self::Duration,
            "json-pointer" => Self::JsonPointer,
            "relative-json-pointer" => Self::RelativeJsonPointer,
            "regex" => Self::Regex,
            other => Self::Other(names::hint(other)),
        }
    }

    /// A gene of this format that a service would likely take.
    pub(crate) fn sample(self, rng: &mut Rng, source: Source) -> Gene {
        match self {
            Self::Date => Gene::Date(Date::sample(rng, source)),
            Self::Time => Gene::Time(Time::sample(rng, source)),
            Self::DateTime => Gene::DateTime(DateTime::sample(rng, source)),
            Self::Uuid => Gene::Uuid(Uuid::random(rng, source)),
            Self::Base64 => Gene::Base64(Base64::sample(4, 24, rng, source)),
            other => Gene::Format(Text {
                text: other.text(rng),
                source,
            }),
        }
    }

    fn text(self, rng: &mut Rng) -> String {
        match self {
            Self::Email => email(rng),
            Self::Uri => url(rng),
            Self::UriReference => format!("/{}", words::unique_word(rng, "/")),
            Self::UriTemplate => format!("/{}/{{id}}", words::unique_word(rng, "-")),
            Self::Hostname => hostname(rng),
            Self::Ipv4 => ipv4(rng),
            Self::Ipv6 => ipv6(rng),
            Self::Duration => duration(rng),
            Self::JsonPointer => format!("/{}/{}", words::word(rng), dice::below(rng, 10)),
            Self::RelativeJsonPointer => format!("{}/{}", dice::below(rng, 4), words::word(rng)),
            Self::Regex => format!("^{}[0-9]+$", words::word(rng)),
            Self::Other(hint) => names::text(hint, rng),
            typed => typed
                .sample(rng, Source::Named)
                .value()
                .as_str()
                .unwrap_or_default()
                .to_owned(),
        }
    }

    /// The typed gene of a text, where there is one and it would be written the same.
    pub(crate) fn typed(self, text: &str, source: Source) -> Gene {
        let typed = match self {
            Self::Date => Date::parse(text, source).map(Gene::Date),
            Self::Time => Time::parse(text, source).map(Gene::Time),
            Self::DateTime => DateTime::parse(text, source).map(Gene::DateTime),
            Self::Uuid => Uuid::parse(text, source).map(Gene::Uuid),
            Self::Base64 => Base64::parse(text, source).map(Gene::Base64),
            _ => None,
        };
        typed.unwrap_or_else(|| {
            Gene::Format(Text {
                text: text.to_owned(),
                source,
            })
        })
    }

    /// Whether a text is of this format. Careful rather than complete: a few odd but valid texts
    /// are refused, no invalid one is let through.
    pub(crate) fn fits(self, text: &str) -> bool {
        match self {
            Self::Date => Date::parse(text, Source::Random).is_some(),
            Self::Time => super::when::is_time(text),
            Self::DateTime => super::when::is_date_time(text),
            Self::Uuid => is_uuid(text),
            Self::Base64 => super::base64::is_valid(text),
            Self::Email => is_email(text),
            Self::Uri => is_uri(text),
            Self::UriReference => is_uri(text) || is_relative(text),
            Self::UriTemplate => is_template(text),
            Self::Hostname => is_hostname(text),
            Self::Ipv4 => text.parse::<std::net::Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<std::net::Ipv6Addr>().is_ok(),
            Self::Duration => is_duration(text),
            Self::JsonPointer => is_json_pointer(text),
            Self::RelativeJsonPointer => is_relative_pointer(text),
            Self::Regex => crate::pattern::is_readable(text),
            Self::Other(_) => true,
        }
    }

    /// Valid texts that programs stumble over.
    pub(crate) fn odd(self) -> &'static [&'static str] {
        match self {
            Self::Date => &[
                "1970-01-01",
                "2024-02-29",
                "9999-12-31",
                "0001-01-01",
                "1900-01-01",
                "2000-02-29",
                "2023-12-31",
                "2038-01-19",
                "1969-12-31",
                "2024-04-30",
            ],
            Self::Time => &[
                "00:00:00Z",
                "23:59:59Z",
                "12:00:00+00:00",
                "23:59:60Z",
                "08:30:00.123456+05:30",
                "00:00:00-12:00",
            ],
            Self::DateTime => &[
                "1970-01-01T00:00:00Z",
                "2024-02-29T23:59:59Z",
                "9999-12-31T23:59:59Z",
                "0001-01-01T00:00:00Z",
                "1969-12-31T23:59:59Z",
                "2038-01-19T03:14:08Z",
                "2024-12-31T23:59:59.999Z",
                "2024-03-31T02:30:00+01:00",
                "2024-06-30T12:00:00-08:00",
                "2024-01-01T00:00:00.123456789Z",
                "2024-01-01T00:00:00+14:00",
                "1900-01-01T00:00:00Z",
                "2016-12-31T23:59:60Z",
            ],
            Self::Uuid => &[
                "00000000-0000-0000-0000-000000000000",
                "ffffffff-ffff-ffff-ffff-ffffffffffff",
                "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
                "018f2b1c-7d3a-7000-8000-000000000001",
            ],
            Self::Base64 => &["", "AA==", "AAA=", "////", "+/+/", "bnVsbA=="],
            Self::Email => &[
                "a@b.co",
                "user+tag@example.com",
                "first.last@sub.example.co.uk",
                "o'brien@example.com",
                "UPPER@EXAMPLE.COM",
                "1234567890@example.com",
                "_______@example.com",
                "a!#$%&*/=?^`{|}~b@example.com",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@example.com",
            ],
            Self::Uri => &[
                "http://localhost/",
                "https://example.com/a%20b?q=%27#top",
                "http://127.0.0.1:8080/x",
                "ftp://example.com/file",
                "urn:isbn:0451450523",
                "mailto:a@example.com",
                "https://example.com/?a=1&a=2&b=",
                "https://example.com",
                "file:///tmp/x",
                "https://example.com/~user/(x)",
            ],
            Self::UriReference => &[
                "/",
                "../up",
                "?q=1",
                "#top",
                "https://example.com/",
                "a/b",
                "",
            ],
            Self::UriTemplate => &["/{id}", "/a{?q,n}", "{+path}/x", "/plain"],
            Self::Hostname => &[
                "localhost",
                "a",
                "example.com",
                "xn--nxasmq6b.com",
                "a-b.c-d.example",
                "1.example",
                "EXAMPLE.COM",
            ],
            Self::Ipv4 => &[
                "0.0.0.0",
                "127.0.0.1",
                "255.255.255.255",
                "10.0.0.1",
                "1.1.1.1",
            ],
            Self::Ipv6 => &[
                "::",
                "::1",
                "fe80::1",
                "::ffff:192.0.2.1",
                "2001:db8::8a2e:370:7334",
            ],
            Self::Duration => &[
                "PT0S",
                "P1D",
                "P1W",
                "PT1S",
                "P1Y2M3DT4H5M6S",
                "P9999Y",
                "PT36H",
            ],
            Self::JsonPointer => &["", "/", "/a", "/a~1b/~0", "/0/-", "/a b"],
            Self::RelativeJsonPointer => &["0", "1#", "0/a", "2/b~1c"],
            Self::Regex => &["a", "^$", ".*", "[a-z]+", "(a|b)?"],
            Self::Other(_) => &[],
        }
    }

    /// Texts that are not of this format, and not by a hair.
    pub(crate) fn broken(self) -> &'static [&'static str] {
        match self {
            Self::Date => &["2024-02-30", "not-a-date", "2024-13-01"],
            Self::Time => &["25:00:00Z", "not-a-time"],
            Self::DateTime => &["2024-02-30T00:00:00Z", "not-a-date", "2024-01-01T25:00:00Z"],
            Self::Uuid => &["not-a-uuid", "00000000-0000-0000-0000-00000000000g"],
            Self::Base64 => &["****"],
            Self::Email => &["not-an-email", "a@", "@example.com"],
            Self::Uri => &["not a uri", "://missing"],
            Self::UriReference => &["a b\\c", "%zz"],
            Self::UriTemplate => &["/{unclosed", "}"],
            Self::Hostname => &["-bad-.example", "a..b", "under_score.example"],
            Self::Ipv4 => &["256.1.1.1", "not-an-ip", "1.2.3"],
            Self::Ipv6 => &["12345::", "not-an-ip", ":::1"],
            Self::Duration => &["1 day", "P", "PT"],
            Self::JsonPointer => &["a/b", "/~2"],
            Self::RelativeJsonPointer => &["-1", "/a", "01/x"],
            Self::Regex => &["(", "[a-", "*a"],
            Self::Other(_) => &[],
        }
    }
}

pub(crate) fn email(rng: &mut Rng) -> String {
    let mut out = words::unique_word(rng, ".");
    out.push_str("@example.com");
    out
}

pub(crate) fn url(rng: &mut Rng) -> String {
    let mut out = "https://example.com/".to_owned();
    words::push_unique(rng, 6, &mut out);
    out
}

pub(crate) fn hostname(rng: &mut Rng) -> String {
    let mut out = words::unique_word(rng, "-");
    out.push_str(".example.com");
    out
}

pub(crate) fn ipv4(rng: &mut Rng) -> String {
    let mut out = "10".to_owned();
    for _ in 0..3 {
        let _ = write!(out, ".{}", dice::below(rng, 256));
    }
    out
}

fn ipv6(rng: &mut Rng) -> String {
    format!(
        "2001:db8::{:x}:{:x}",
        dice::between(rng, 1, 0xffff),
        dice::between(rng, 1, 0xffff)
    )
}

fn duration(rng: &mut Rng) -> String {
    let n = dice::between(rng, 1, 59);
    match dice::below(rng, 4) {
        0 => format!("P{n}D"),
        1 => format!("PT{n}M"),
        2 => format!("PT{n}S"),
        _ => format!("P{n}W"),
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&b);
    let atoms = local
        .split('.')
        .all(|atom| !atom.is_empty() && atom.bytes().all(plain));
    atoms && local.len() <= 64 && text.len() <= 254 && domain.contains('.') && is_hostname(domain)
}

fn is_hostname(text: &str) -> bool {
    let label = |label: &str| {
        let bytes = label.as_bytes();
        (1..=63).contains(&bytes.len())
            && bytes
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || *b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
            && bytes.get(2..4) != Some(b"--")
    };
    text.len() <= 253 && text.split('.').all(label)
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let scheme_ok = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    let authority_ok = match rest.strip_prefix("//") {
        Some(rest) => is_authority(rest.split(['/', '?', '#']).next().unwrap_or("")),
        None => true,
    };
    scheme_ok && authority_ok && are_uri_characters(rest)
}

fn is_authority(text: &str) -> bool {
    let (host, port) = text.split_once(':').unwrap_or((text, ""));
    host.bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b))
        && port.bytes().all(|b| b.is_ascii_digit())
}

fn is_relative(text: &str) -> bool {
    let first = text.split(['/', '?', '#']).next().unwrap_or("");
    !text.starts_with("//") && !first.contains(':') && are_uri_characters(text)
}

fn are_uri_characters(text: &str) -> bool {
    let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
    let legal = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&b);
    before.bytes().chain(fragment.bytes()).all(legal) && escapes_are_whole(text)
}

fn escapes_are_whole(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit))
    })
}

fn is_template(text: &str) -> bool {
    let mut rest = text;
    let literal = |t: &str| {
        t.bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"/-._~:?=&".contains(&b))
    };
    while let Some((before, after)) = rest.split_once('{') {
        let Some((body, tail)) = after.split_once('}') else {
            return false;
        };
        let names = body.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']);
        let name =
            |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !literal(before) || body.len() > names.len() + 1 || !names.split(',').all(name) {
            return false;
        }
        rest = tail;
    }
    literal(rest)
}

fn is_duration(text: &str) -> bool {
    let Some(body) = text.strip_prefix('P') else {
        return false;
    };
    if let Some(weeks) = body.strip_suffix('W') {
        return !weeks.is_empty() && weeks.bytes().all(|b| b.is_ascii_digit());
    }
    let (date, time) = body
        .split_once('T')
        .map_or((body, None), |(d, t)| (d, Some(t)));
    let time_ok = time.is_none_or(|time| !time.is_empty() && are_parts(time, "HMS"));
    !body.is_empty() && are_parts(date, "YMD") && time_ok
}

/// Numbers with units in order and without a gap: `1H2M`, not `1H2S`.
fn are_parts(text: &str, units: &str) -> bool {
    let mut last: Option<usize> = None;
    let mut digits = 0;
    for c in text.chars() {
        match (c.is_ascii_digit(), units.find(c)) {
            (true, _) => digits += 1,
            (false, Some(at)) if digits > 0 && last.is_none_or(|last| at == last + 1) => {
                (last, digits) = (Some(at), 0);
            }
            _ => return false,
        }
    }
    digits == 0
}

fn is_json_pointer(text: &str) -> bool {
    let escapes = text
        .split('~')
        .skip(1)
        .all(|rest| rest.starts_with(['0', '1']));
    (text.is_empty() || text.starts_with('/')) && escapes
}

fn is_relative_pointer(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    !number.is_empty()
        && (number == "0" || !number.starts_with('0'))
        && (rest == "#" || is_json_pointer(rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    const ALL: [Format; 16] = [
        Format::Date,
        Format::Time,
        Format::DateTime,
        Format::Uuid,
        Format::Base64,
        Format::Email,
        Format::Uri,
        Format::UriReference,
        Format::UriTemplate,
        Format::Hostname,
        Format::Ipv4,
        Format::Ipv6,
        Format::Duration,
        Format::JsonPointer,
        Format::RelativeJsonPointer,
        Format::Regex,
    ];

    #[test]
    fn what_is_sampled_is_of_its_format() {
        let mut rng = Rng::seed_from_u64(9);
        for format in ALL {
            for _ in 0..50 {
                let text = format.text(&mut rng);
                assert!(format.fits(&text), "{format:?} {text}");
                let typed = format.typed(&text, Source::Named).value();
                assert_eq!(typed.as_str(), Some(text.as_str()));
            }
        }
    }

    #[test]
    fn broken_texts_are_not_of_their_format() {
        for format in ALL {
            for text in format.broken() {
                assert!(!format.fits(text), "{format:?} {text}");
            }
        }
    }
}
