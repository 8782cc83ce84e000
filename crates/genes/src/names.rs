//! What a name says about its value: an `email` wants an email, `created_at` a date with a time.
//!
//! Guesses only, used where a document gives neither format nor example. A wrong guess costs one
//! refused request; the pool of seen values mends it later.

use crate::Rng;
use crate::dice;
use crate::kinds::{Date, DateTime, format, recent_seconds};
use crate::source::Source;
use crate::words;

/// A name as the values know it: its normalised key, and what it hints at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Named {
    pub key: u64,
    pub hint: Hint,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hint {
    None,
    Email,
    Url,
    DateTime,
    Date,
    Time,
    Name,
    Person,
    Phone,
    Country,
    Currency,
    Language,
    Locale,
    Color,
    Version,
    Password,
    Ip,
    Host,
    Token,
    Cron,
    Slug,
    Uuid,
    /// The identifier of something else: `project_id`.
    Reference,
    Prose,
    /// What somebody looks for: `q`.
    Search,
    City,
    Street,
    Zip,
    Zone,
    MediaType,
    File,
    Page,
    Limit,
    Year,
    Month,
    Day,
    Port,
    Age,
    Percent,
    Latitude,
    Longitude,
    Price,
    Timestamp,
    Amount,
}

impl Named {
    pub(crate) const NOTHING: Self = Self {
        key: 0,
        hint: Hint::None,
    };

    pub(crate) fn of(name: &str) -> Self {
        Self {
            key: key(name),
            hint: hint(name),
        }
    }
}

/// The same for `project_id`, `projectId` and `Project-ID`.
pub(crate) fn key(name: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || !byte.is_ascii() {
            hash ^= u64::from(byte.to_ascii_lowercase());
            hash = hash.wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

pub(crate) fn hint(name: &str) -> Hint {
    let words = split(name);
    let mut backwards = words.rsplit(' ');
    let last = backwards.next().unwrap_or("");
    match (backwards.next(), last) {
        (Some("first" | "last" | "family" | "given" | "full" | "display"), "name") => Hint::Person,
        (Some("user" | "login"), "name") => Hint::Slug,
        (Some("file"), "name") => Hint::File,
        (Some("host"), "name") => Hint::Host,
        (Some("content" | "mime" | "media"), "type") => Hint::MediaType,
        (Some("time"), "zone") => Hint::Zone,
        (Some("post" | "postal" | "zip"), "code") => Hint::Zip,
        (Some("country"), "code") => Hint::Country,
        (Some("currency"), "code") => Hint::Currency,
        (Some("language" | "lang"), "code") => Hint::Language,
        (Some("phone" | "mobile" | "fax"), "number") => Hint::Phone,
        (Some("page"), "size") | (Some("per"), "page") => Hint::Limit,
        (Some(_), "at" | "datetime") => Hint::DateTime,
        (Some(_), "id" | "ids" | "ref") => Hint::Reference,
        (_, last) => single(last),
    }
}

fn single(word: &str) -> Hint {
    match word {
        "email" | "mail" | "emails" => Hint::Email,
        "url" | "uri" | "link" | "href" | "website" | "homepage" | "callback" | "webhook"
        | "endpoint" => Hint::Url,
        "datetime" => Hint::DateTime,
        "timestamp" => Hint::Timestamp,
        "date" | "birthday" | "dob" | "since" | "until" => Hint::Date,
        "time" => Hint::Time,
        "name" | "title" | "label" | "subject" => Hint::Name,
        "firstname" | "lastname" | "surname" | "fullname" | "author" => Hint::Person,
        "phone" | "mobile" | "fax" | "tel" | "telephone" | "msisdn" => Hint::Phone,
        "country" | "nationality" => Hint::Country,
        "currency" => Hint::Currency,
        "lang" | "language" => Hint::Language,
        "locale" => Hint::Locale,
        "color" | "colour" => Hint::Color,
        "version" => Hint::Version,
        "password" | "passwd" | "pwd" | "secret" | "passphrase" => Hint::Password,
        "ip" | "ipv4" | "ipaddress" => Hint::Ip,
        "host" | "hostname" | "domain" => Hint::Host,
        "token" | "apikey" | "jwt" | "nonce" | "hash" | "signature" => Hint::Token,
        "cron" | "schedule" => Hint::Cron,
        "id" | "key" | "slug" | "code" | "username" | "login" | "handle" | "identifier" => {
            Hint::Slug
        }
        "uuid" | "guid" => Hint::Uuid,
        "description" | "comment" | "text" | "body" | "message" | "content" | "note" | "notes"
        | "summary" | "bio" | "details" | "reason" => Hint::Prose,
        "q" | "query" | "search" | "term" | "terms" | "keyword" | "keywords" | "phrase" => {
            Hint::Search
        }
        "city" | "town" | "region" | "state" => Hint::City,
        "street" | "address" => Hint::Street,
        "zip" | "zipcode" | "postcode" | "postalcode" => Hint::Zip,
        "timezone" | "tz" => Hint::Zone,
        "mimetype" | "mime" => Hint::MediaType,
        "file" | "filename" | "path" | "folder" | "directory" => Hint::File,
        "page" | "pagenumber" => Hint::Page,
        "limit" | "size" | "pagesize" | "perpage" | "top" | "take" => Hint::Limit,
        "year" => Hint::Year,
        "month" => Hint::Month,
        "day" | "hour" => Hint::Day,
        "port" => Hint::Port,
        "age" => Hint::Age,
        "percent" | "percentage" | "progress" => Hint::Percent,
        "lat" | "latitude" => Hint::Latitude,
        "lon" | "lng" | "long" | "longitude" => Hint::Longitude,
        "price" | "cost" | "total" | "fee" => Hint::Price,
        "count" | "quantity" | "qty" | "amount" | "number" => Hint::Amount,
        _ => Hint::None,
    }
}

/// The words of a name in lower case, with a space between: `projectID` is `project id`.
fn split(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut previous = ' ';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let ends_acronym =
            previous.is_uppercase() && chars.peek().is_some_and(|n| n.is_lowercase());
        let begins = c.is_uppercase() && (previous.is_lowercase() || ends_acronym);
        let breaks = !c.is_alphanumeric() || begins;
        if breaks && !out.ends_with(' ') && !out.is_empty() {
            out.push(' ');
        }
        if c.is_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        }
        previous = c;
    }
    out.truncate(out.trim_end().len());
    out
}

/// A text that suits the hint; a word with a unique ending where there is none.
pub(crate) fn text(hint: Hint, rng: &mut Rng) -> String {
    match hint {
        Hint::Email => format::email(rng),
        Hint::Url => format::url(rng),
        Hint::DateTime | Hint::Timestamp => DateTime::sample(rng, Source::Named).to_text(),
        Hint::Date => Date::sample(rng, Source::Named).to_text(),
        Hint::Time => "12:30:00".to_owned(),
        Hint::Person => pick(
            rng,
            &[
                "Ada Lovelace",
                "Alan Kay",
                "Grace Hopper",
                "Edsger Dijkstra",
            ],
        ),
        Hint::Phone => phone(rng),
        Hint::Country => pick(rng, &["DE", "US", "FR", "JP", "BR"]),
        Hint::Currency => pick(rng, &["EUR", "USD", "GBP", "JPY"]),
        Hint::Language => pick(rng, &["en", "de", "fr", "ja"]),
        Hint::Locale => pick(rng, &["en-US", "de-DE", "fr-FR"]),
        Hint::Color => format!("#{:06x}", dice::below(rng, 0x0100_0000)),
        Hint::Version => format!("1.{}.{}", dice::below(rng, 10), dice::below(rng, 10)),
        Hint::Password => password(rng),
        Hint::Ip => format::ipv4(rng),
        Hint::Host => format::hostname(rng),
        Hint::Token => unique(rng, 24),
        Hint::Cron => pick(rng, &["0 5 * * *", "*/15 * * * *", "0 0 * * 1"]),
        Hint::Slug | Hint::Reference => words::unique_word(rng, ""),
        Hint::Uuid => crate::kinds::Uuid::random(rng, Source::Named).to_text(),
        Hint::Prose => prose(rng),
        Hint::Search => sought(rng),
        Hint::City => pick(rng, &["Berlin", "Oslo", "Kyoto", "Lisbon"]),
        Hint::Street => format!("{} Main Street", dice::between(rng, 1, 200)),
        Hint::Zip => digits(rng, 5),
        Hint::Zone => pick(rng, &["UTC", "Europe/Berlin", "America/New_York"]),
        Hint::MediaType => pick(rng, &["application/json", "text/plain", "image/png"]),
        Hint::File => words::unique_word(rng, "-") + ".txt",
        // Names with spaces are refused by many services; titles and prose have them.
        _ => words::unique_word(rng, "-"),
    }
}

/// A whole number that suits the hint, if it says anything of numbers.
pub(crate) fn whole(hint: Hint, rng: &mut Rng) -> Option<i64> {
    Some(match hint {
        Hint::Page | Hint::Amount => 1,
        Hint::Limit => 10,
        Hint::Year => dice::between(rng, 2000, 2030),
        Hint::Month => dice::between(rng, 1, 12),
        Hint::Day => dice::between(rng, 1, 23),
        Hint::Port => dice::between(rng, 1024, 9999),
        Hint::Age => dice::between(rng, 18, 80),
        Hint::Percent => dice::between(rng, 0, 100),
        Hint::Latitude | Hint::Longitude => dice::between(rng, -80, 80),
        Hint::Price => dice::between(rng, 1, 200),
        Hint::Timestamp | Hint::DateTime | Hint::Date => recent_seconds(rng),
        _ => return None,
    })
}

/// Whether the hint has something to say of numbers.
pub(crate) fn is_numeric(hint: Hint) -> bool {
    matches!(
        hint,
        Hint::Page
            | Hint::Amount
            | Hint::Limit
            | Hint::Year
            | Hint::Month
            | Hint::Day
            | Hint::Port
            | Hint::Age
            | Hint::Percent
            | Hint::Latitude
            | Hint::Longitude
            | Hint::Price
            | Hint::Timestamp
            | Hint::DateTime
            | Hint::Date
    )
}

fn pick(rng: &mut Rng, all: &[&str]) -> String {
    dice::pick(rng, all).map_or_else(String::new, |text| (*text).to_owned())
}

fn phone(rng: &mut Rng) -> String {
    "+4930".to_owned() + &digits(rng, 7)
}

fn password(rng: &mut Rng) -> String {
    let mut out = "Aa1!".to_owned();
    words::push_unique(rng, 8, &mut out);
    out
}

fn unique(rng: &mut Rng, length: usize) -> String {
    let mut out = String::with_capacity(length);
    words::push_unique(rng, length, &mut out);
    out
}

fn digits(rng: &mut Rng, length: usize) -> String {
    let mut out = String::with_capacity(length);
    words::push_digits(rng, length, &mut out);
    out
}

fn prose(rng: &mut Rng) -> String {
    let (first, second) = (words::word(rng), words::word(rng));
    format!("The {first} and the {second} {}", dice::below(rng, 1000))
}

/// Something that names of ours contain, two words, or what nothing has.
fn sought(rng: &mut Rng) -> String {
    let word = words::word(rng);
    match dice::below(rng, 3) {
        0 => word.to_owned(),
        1 => format!("{word} {}", words::word(rng)),
        _ => words::unique_word(rng, "-"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_does_not_matter() {
        assert_eq!(key("project_id"), key("projectId"));
        assert_eq!(key("Project-ID"), key("projectId"));
        assert_ne!(key("project"), key("projectId"));
    }

    #[test]
    fn names_are_split_where_people_see_words() {
        assert_eq!(split("projectID"), "project id");
        assert_eq!(split("HTTPServerURL"), "http server url");
        assert_eq!(split("X-Request_Id"), "x request id");
        assert_eq!(split(""), "");
    }

    #[test]
    fn names_hint_at_their_values() {
        for (name, expected) in [
            ("contactEmail", Hint::Email),
            ("callback_url", Hint::Url),
            ("createdAt", Hint::DateTime),
            ("birth_date", Hint::Date),
            ("title", Hint::Name),
            ("project_id", Hint::Reference),
            ("id", Hint::Slug),
            ("per_page", Hint::Limit),
            ("country_code", Hint::Country),
            ("searchTerm", Hint::Search),
            ("flavour", Hint::None),
        ] {
            assert_eq!(hint(name), expected, "{name}");
        }
    }
}
