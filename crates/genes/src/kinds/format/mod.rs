//! The string formats: texts of each, odd but valid ones, and broken ones.
//!
//! Dates, times, identifiers and Base64 have genes of their own; the rest are texts.

mod check;
mod odd;

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
            Self::Time => super::time::is_time(text),
            Self::DateTime => super::date_time::is_date_time(text),
            Self::Uuid => check::is_uuid(text),
            Self::Base64 => super::base64::is_valid(text),
            Self::Email => check::is_email(text),
            Self::Uri => check::is_uri(text),
            Self::UriReference => check::is_uri(text) || check::is_relative(text),
            Self::UriTemplate => check::is_template(text),
            Self::Hostname => check::is_hostname(text),
            Self::Ipv4 => text.parse::<std::net::Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<std::net::Ipv6Addr>().is_ok(),
            Self::Duration => check::is_duration(text),
            Self::JsonPointer => check::is_json_pointer(text),
            Self::RelativeJsonPointer => check::is_relative_pointer(text),
            Self::Regex => crate::pattern::is_readable(text),
            Self::Other(_) => true,
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
