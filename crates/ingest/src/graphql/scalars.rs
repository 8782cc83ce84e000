//! What a custom scalar is in JSON: the user's word first, then its name, then what it says of
//! itself.
//!
//! GraphQL leaves that open, and everybody means the same by `DateTime` and `UUID`. Where nobody
//! can know, an answer may be anything, and a text is sent, because most scalars are texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use fossick_contract::{JsonKind, Kind, NumberShape, ObjectShape, StringShape};
use serde_json::Value;

use super::outline::{Definition, DefinitionKind};
use super::scalar_table::{TABLE, TAILS};
use super::words::words;

/// The user's own scalars, by name.
pub type Scalars = BTreeMap<String, ScalarRule>;

/// What the user says of a scalar.
#[derive(Debug, Clone, PartialEq)]
pub struct ScalarRule {
    pub json: JsonKind,
    /// `date-time`, `uuid`, …, in the words of JSON Schema.
    pub format: Option<String>,
    /// Values that the service takes.
    pub examples: Vec<Value>,
}

/// A scalar that is known: what comes back, and what to send.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) json: JsonKind,
    /// What answers are promised to look like; only where everybody agrees.
    pub(super) format: Option<&'static str>,
    pub(super) sent: Sent,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Sent {
    Any,
    Object,
    Text,
    Format(&'static str),
    Pattern(&'static str),
    Examples(&'static [&'static str]),
    Integer(f64, f64),
    Number(f64, f64),
}

/// What is held of a scalar in the end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rule {
    pub(super) json: JsonKind,
    pub(super) format: Option<Arc<str>>,
    pub(super) kind: Kind,
    pub(super) examples: Vec<Value>,
}

/// The rule for a scalar of this name; `declared` is what the schema says of it, if anything.
pub(super) fn rule(name: &str, declared: Option<&Definition>, user: &Scalars) -> Rule {
    if let Some(rule) = user_rule(name, user) {
        return from_user(rule);
    }
    let description = declared
        .and_then(|told| told.description.as_deref())
        .unwrap_or("");
    let specified = declared.and_then(|told| match &told.kind {
        DefinitionKind::Scalar { specified_by } => specified_by.as_deref(),
        _ => None,
    });
    by_name(name, description)
        .or_else(|| specified.and_then(by_url))
        .or_else(|| by_tail(name))
        .or_else(|| by_description(description))
        .map_or_else(unknown, from_known)
}

fn user_rule<'u>(name: &str, user: &'u Scalars) -> Option<&'u ScalarRule> {
    user.get(name).or_else(|| {
        let mut all = user.iter();
        all.find_map(|(key, rule)| key.eq_ignore_ascii_case(name).then_some(rule))
    })
}

fn from_user(rule: &ScalarRule) -> Rule {
    let format: Option<Arc<str>> = rule.format.as_deref().map(Arc::from);
    let kind = match rule.json {
        JsonKind::Integer => Kind::Integer(NumberShape::default()),
        JsonKind::Number => Kind::Number(NumberShape::default()),
        JsonKind::TextOrNumber if format.is_none() => Kind::Integer(NumberShape::default()),
        JsonKind::Any if format.is_none() => Kind::Any,
        JsonKind::Text | JsonKind::TextOrNumber | JsonKind::Any => text(format.clone(), None),
    };
    Rule {
        json: rule.json,
        format,
        kind,
        examples: rule.examples.clone(),
    }
}

fn text(format: Option<Arc<str>>, pattern: Option<&str>) -> Kind {
    Kind::String(StringShape {
        format,
        patterns: pattern.map(Arc::from).into_iter().collect(),
        ..StringShape::default()
    })
}

fn between(low: f64, high: f64) -> NumberShape {
    NumberShape {
        minimum: Some(low),
        maximum: Some(high),
        ..NumberShape::default()
    }
}

fn from_known(known: Known) -> Rule {
    let kind = match known.sent {
        Sent::Any => Kind::Any,
        Sent::Object => Kind::Object(ObjectShape::default()),
        Sent::Text | Sent::Examples(_) => text(None, None),
        Sent::Format(format) => text(Some(format.into()), None),
        Sent::Pattern(pattern) => text(None, Some(pattern)),
        Sent::Integer(low, high) => Kind::Integer(between(low, high)),
        Sent::Number(low, high) => Kind::Number(between(low, high)),
    };
    let examples = match known.sent {
        // Where anything may stand, services mostly want an object.
        Sent::Any => vec![Value::Object(serde_json::Map::new())],
        Sent::Examples(all) => all.iter().map(|one| Value::from(*one)).collect(),
        _ => Vec::new(),
    };
    Rule {
        json: known.json,
        format: known.format.map(Arc::from),
        kind,
        examples,
    }
}

fn unknown() -> Rule {
    Rule {
        json: JsonKind::Any,
        format: None,
        kind: text(None, None),
        examples: Vec::new(),
    }
}

fn look_up(key: &str) -> Option<Known> {
    let found = TABLE.iter().find(|(names, _)| names.contains(&key));
    found.map(|(_, known)| *known)
}

fn by_name(name: &str, description: &str) -> Option<Known> {
    let key: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    // Some mean eight bits by it, some any number of bytes.
    if key == "byte" && by_description(description).is_some() {
        return by_description(description);
    }
    look_up(&key)
}

/// `MarketingDateTime` is a `DateTime` of somebody's.
fn by_tail(name: &str) -> Option<Known> {
    let words = words(name);
    let ends = |tail: &[&str]| {
        let start = words.len().checked_sub(tail.len());
        start
            .and_then(|start| words.get(start..))
            .is_some_and(|end| end == tail)
    };
    TAILS
        .iter()
        .find(|(tail, _)| ends(tail))
        .and_then(|(_, key)| look_up(key))
}

/// Standards by what their addresses hold.
const ADDRESSES: &[(&str, &str)] = &[
    ("rfc3339", "datetime"),
    ("rfc4122", "uuid"),
    ("rfc9562", "uuid"),
    ("rfc3986", "uri"),
    ("rfc1738", "uri"),
    ("url.spec.whatwg", "uri"),
    ("rfc5321", "email"),
    ("rfc5322", "email"),
    ("valid-e-mail", "email"),
    ("rfc4648", "base64"),
    ("rfc2673", "ipv4"),
    ("rfc4291", "ipv6"),
    ("rfc5646", "locale"),
    ("ecma-404", "json"),
    ("rfc8259", "json"),
    ("json.org", "json"),
    ("4217", "currency"),
];

fn by_url(url: &str) -> Option<Known> {
    let url = url.to_ascii_lowercase();
    let standard = ADDRESSES.iter().find(|(part, _)| url.contains(part));
    let key = standard.map_or_else(
        || {
            let last = url.trim_end_matches('/').rsplit('/').next().unwrap_or("");
            let last = last.trim_end_matches(".html");
            last.chars().filter(char::is_ascii_alphanumeric).collect()
        },
        |(_, key)| (*key).to_owned(),
    );
    look_up(&key)
}

fn by_description(description: &str) -> Option<Known> {
    // What it is stands at the beginning; further on come examples and warnings.
    let said: String = description.chars().take(400).collect();
    let said = said.to_lowercase();
    let has = |any: &[&str]| any.iter().any(|word| said.contains(word));
    let key = if has(&[
        "iso 8601", "iso8601", "iso-8601", "rfc 3339", "rfc3339", "rfc-3339",
    ]) {
        match (has(&["time"]), has(&["date"]), has(&["duration"])) {
            (_, _, true) => "duration",
            (true, _, _) => "datetime",
            (_, true, _) => "date",
            _ => return None,
        }
    } else if has(&["uuid"]) {
        "uuid"
    } else if has(&["base64", "base 64", "base-64"]) {
        "base64"
    } else if has(&["64-bit", "64 bit", "eight-byte"]) {
        "bigint"
    } else if has(&["arbitrary json", "json value", "json object", "any json"]) {
        "json"
    } else {
        return None;
    };
    look_up(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn declared(description: &str, specified_by: Option<&str>) -> Definition {
        Definition {
            description: (!description.is_empty()).then(|| description.into()),
            spot: None,
            kind: DefinitionKind::Scalar {
                specified_by: specified_by.map(str::to_owned),
            },
        }
    }

    fn of(name: &str) -> Rule {
        rule(name, None, &Scalars::new())
    }

    fn format_sent(rule: &Rule) -> Option<&str> {
        match &rule.kind {
            Kind::String(text) => text.format.as_deref(),
            _ => None,
        }
    }

    #[test]
    fn names_are_known_however_they_are_written() {
        for (names, format) in [
            (
                vec![
                    "DateTime",
                    "Datetime",
                    "timestamptz",
                    "ISO8601DateTime",
                    "Instant",
                ],
                "date-time",
            ),
            (vec!["Date", "DATE", "DateOnly"], "date"),
            (vec!["UUID", "Guid", "uuid"], "uuid"),
            (vec!["URL", "URI", "Url"], "uri"),
            (vec!["Email", "EmailAddress"], "email"),
            (vec!["MarketingDateTime"], "date-time"),
        ] {
            for name in names {
                let rule = of(name);
                assert_eq!(rule.format.as_deref(), Some(format), "{name}");
                assert_eq!(format_sent(&rule), Some(format), "{name}");
                assert_eq!(rule.json, JsonKind::Text, "{name}");
            }
        }
    }

    #[test]
    fn large_numbers_come_as_text_or_number_and_go_as_numbers() {
        for name in ["BigInt", "Long", "Int64", "bigint"] {
            let rule = of(name);
            assert_eq!(rule.json, JsonKind::TextOrNumber, "{name}");
            assert!(matches!(rule.kind, Kind::Integer(_)), "{name}");
        }
        for name in ["Decimal", "BigDecimal", "Money", "BigFloat"] {
            let rule = of(name);
            assert_eq!(rule.json, JsonKind::TextOrNumber, "{name}");
            assert!(matches!(rule.kind, Kind::Number(_)), "{name}");
        }
    }

    #[test]
    fn ranges_are_those_of_the_names() {
        for (name, low, high) in [
            ("PositiveInt", 1.0, 2_147_483_647.0),
            ("NonNegativeInt", 0.0, 2_147_483_647.0),
            ("UnsignedInt", 0.0, 2_147_483_647.0),
            ("Short", -32_768.0, 32_767.0),
            ("Port", 0.0, 65_535.0),
        ] {
            let Kind::Integer(number) = of(name).kind else {
                panic!("{name} is an integer");
            };
            assert_eq!(
                (number.minimum, number.maximum),
                (Some(low), Some(high)),
                "{name}"
            );
        }
    }

    #[test]
    fn json_is_anything_and_its_text_is_text() {
        for name in [
            "JSON",
            "JSONObject",
            "Any",
            "_Any",
            "Upload",
            "GenericScalar",
        ] {
            assert_eq!(of(name).json, JsonKind::Any, "{name}");
        }
        assert_eq!(of("JSONString").json, JsonKind::Text);
        assert!(matches!(of("JSONObject").kind, Kind::Object(_)));
    }

    #[test]
    fn an_unknown_one_is_anything_to_hear_and_text_to_say() {
        let rule = of("WeightScalar");
        assert_eq!(rule.json, JsonKind::Any);
        assert!(matches!(rule.kind, Kind::String(_)));
    }

    #[test]
    fn what_a_scalar_says_of_itself_counts() {
        let none = Scalars::new();
        let by = |description, url| rule("X", Some(&declared(description, url)), &none).format;
        assert_eq!(
            by("", Some("https://tools.ietf.org/html/rfc4122")).as_deref(),
            Some("uuid")
        );
        let registry = "https://scalars.graphql.org/andimarek/date-time.html";
        assert_eq!(by("", Some(registry)).as_deref(), Some("date-time"));
        assert_eq!(
            by("An ISO-8601 encoded UTC date and time.", None).as_deref(),
            Some("date-time")
        );
        assert_eq!(by("Anything at all.", None), None);
        let byte = |description| rule("Byte", Some(&declared(description, None)), &none).kind;
        assert!(matches!(byte("Base64 encoded."), Kind::String(_)));
        assert!(matches!(byte("Eight bits."), Kind::Integer(_)));
    }

    #[test]
    fn the_users_word_comes_first() {
        let mine = ScalarRule {
            json: JsonKind::Text,
            format: Some("date".to_owned()),
            examples: vec![json!("2024-01-01")],
        };
        let user = Scalars::from([("DateTime".to_owned(), mine)]);
        let rule = rule("datetime", None, &user);
        assert_eq!(rule.format.as_deref(), Some("date"));
        assert_eq!(rule.examples, [json!("2024-01-01")]);
    }

    #[test]
    fn every_row_of_the_table_can_be_reached() {
        let mut seen = std::collections::BTreeSet::new();
        for (names, _) in TABLE {
            for name in *names {
                assert!(seen.insert(*name), "{name} stands twice");
                let plain = name
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
                assert!(plain, "{name} is not in its plain form");
            }
        }
        for (_, key) in TAILS {
            assert!(seen.contains(key), "{key}");
        }
        for (_, key) in ADDRESSES {
            assert!(seen.contains(key), "{key}");
        }
    }
}
