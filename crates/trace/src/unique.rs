//! Values that must be new each time a script is run, and how each is made anew.
//!
//! A script is run by somebody who knows nothing of schemas. So whoever writes it down says how a
//! value may change without becoming another kind of value: which letters of a text, how far a
//! number may go. All chance comes from a salt; salts that follow each other never give the same
//! value twice before everything that there is was given.

use fossick_contract::is_uuid;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calendar::moved_by;

/// A value that must be new each time.
///
/// A text without more stands as it is, which is how all of them were stored once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Unique {
    /// Its last letters and digits may be exchanged for others of their kind.
    Text(String),
    /// Only some places of it may change.
    Masked { text: String, free: Vec<Free> },
    /// A whole number, the bounds included. Numbers that mean something else may be equal, so it
    /// is told by its field.
    Number {
        number: i64,
        least: i64,
        most: i64,
        field: String,
    },
    /// A date, or a moment of it: another day will do.
    Day { day: String },
}

/// A place of a text that may change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Free {
    /// Which character.
    pub at: usize,
    /// What may stand there.
    pub among: String,
}

/// So many places of a plain text change.
const CHANGED: usize = 5;
/// Days that a date is moved by, at most.
const DAYS: u128 = 3_000;

impl Unique {
    pub fn value(&self) -> Value {
        match self {
            Self::Text(text) | Self::Masked { text, .. } | Self::Day { day: text } => {
                Value::from(text.as_str())
            }
            Self::Number { number, .. } => Value::from(*number),
        }
    }

    /// The text of one that changes in the plain way.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Another value of the same make; equal salts give equal values.
    pub fn anew(&self, salt: u64) -> Self {
        match self {
            Self::Text(text) => Self::Text(exchanged(text, &last_places(text), salt)),
            Self::Masked { text, free } => Self::Masked {
                text: exchanged(text, free, salt),
                free: free.clone(),
            },
            Self::Number {
                number,
                least,
                most,
                field,
            } => Self::Number {
                number: another(*number, *least, *most, salt),
                least: *least,
                most: *most,
                field: field.clone(),
            },
            Self::Day { day } => {
                let days = other(0, DAYS, salt) as i64;
                let moved = moved_by(day, days);
                Self::Day {
                    day: moved.unwrap_or_else(|| day.clone()),
                }
            }
        }
    }
}

/// One of `total` others, never the old one; neighbouring salts give different ones.
fn other(old: u128, total: u128, salt: u64) -> u128 {
    // A prime: its multiples meet all that there is before they meet one twice.
    const STEP: u128 = 0x9e37_79b1_85eb_ca87;
    match total {
        0 | 1 => old,
        _ => (old + 1 + u128::from(salt) * STEP % (total - 1)) % total,
    }
}

fn another(number: i64, least: i64, most: i64, salt: u64) -> i64 {
    let size = i128::from(most) - i128::from(least) + 1;
    let from = i128::from(number) - i128::from(least);
    let (Ok(size), Ok(from)) = (u128::try_from(size), u128::try_from(from)) else {
        return number;
    };
    if from >= size {
        return number;
    }
    let new = i128::from(least) + other(from, size, salt) as i128;
    i64::try_from(new).unwrap_or(number)
}

/// The last letters and digits of a text, each among others of its kind, so that the text keeps
/// its length and its make, and most patterns and bounds hold as before.
fn last_places(text: &str) -> Vec<Free> {
    let hex = is_uuid(text);
    let mut places = Vec::new();
    for (at, c) in text.chars().enumerate() {
        let among = match c {
            'a'..='z' if hex => "abcdef",
            'A'..='Z' if hex => "ABCDEF",
            'a'..='z' => "abcdefghijklmnopqrstuvwxyz",
            'A'..='Z' => "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            '0'..='9' => "0123456789",
            _ => continue,
        };
        places.push(Free {
            at,
            among: among.to_owned(),
        });
    }
    places.split_off(places.len().saturating_sub(CHANGED))
}

/// A text with other characters at its free places, read as the digits of one number.
fn exchanged(text: &str, free: &[Free], salt: u64) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let mut sets: Vec<(usize, Vec<char>, u128)> = Vec::new();
    let (mut total, mut old) = (1_u128, 0_u128);
    for place in free {
        let among: Vec<char> = place.among.chars().collect();
        let stands = chars
            .get(place.at)
            .and_then(|c| among.iter().position(|a| a == c));
        let (Some(digit), Some(more)) = (stands, total.checked_mul(among.len() as u128)) else {
            continue;
        };
        old += digit as u128 * total;
        sets.push((place.at, among, total));
        total = more;
    }
    let new = other(old, total, salt);
    for (at, among, weight) in sets {
        chars[at] = among[(new / weight % among.len() as u128) as usize];
    }
    chars.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn made(unique: &Unique, salts: std::ops::Range<u64>) -> BTreeSet<String> {
        salts
            .map(|salt| unique.anew(salt).value().to_string())
            .collect()
    }

    fn text(text: &str) -> Unique {
        Unique::Text(text.to_owned())
    }

    #[test]
    fn neighbouring_salts_never_give_the_same() {
        let number = Unique::Number {
            number: 30,
            least: 11,
            most: 60,
            field: "bin".to_owned(),
        };
        let others = made(&number, 5..54);
        assert_eq!(others.len(), 49, "all but the one that was there");
        assert!(!others.contains("30") && others.contains("11") && others.contains("60"));
        assert_eq!(made(&text("amber-x6fch"), 0..2000).len(), 2000);
        assert_eq!(made(&text("ab"), 0..675).len(), 675);
    }

    #[test]
    fn the_make_of_a_text_stays() {
        let make = |text: &str| -> String {
            text.chars()
                .map(|c| match c {
                    'a'..='z' => 'a',
                    'A'..='Z' => 'A',
                    '0'..='9' => '0',
                    c => c,
                })
                .collect()
        };
        for salt in 0..20 {
            let Unique::Text(new) = text("ABC-12-xyz").anew(salt) else {
                panic!("a text");
            };
            assert_eq!(make(&new), make("ABC-12-xyz"));
        }
    }

    #[test]
    fn an_identifier_stays_one() {
        for salt in 0..50 {
            let new = text("5a79db59-9527-4b83-ae87-64a9065cfedc").anew(salt);
            assert!(new.as_text().is_some_and(is_uuid), "{new:?}");
        }
    }

    #[test]
    fn a_mask_is_kept_to() {
        let free = |at, among: &str| Free {
            at,
            among: among.to_owned(),
        };
        let masked = Unique::Masked {
            text: "DE-0417".to_owned(),
            free: vec![free(5, "1234"), free(6, "789")],
        };
        let made = made(&masked, 0..11);
        assert_eq!(made.len(), 11);
        assert!(
            made.iter().all(|new| new.starts_with("\"DE-04")),
            "{made:?}"
        );
    }

    #[test]
    fn a_day_becomes_another_day_and_a_moment_keeps_its_hour() {
        let day = |text: &str| Unique::Day {
            day: text.to_owned(),
        };
        let all = made(&day("2024-02-29"), 0..500);
        assert_eq!(all.len(), 500);
        assert!(!all.contains("\"2024-02-29\""));
        let moment = day("2024-12-31T10:30:00Z").anew(3).value();
        assert!(
            moment.as_str().is_some_and(|m| m.ends_with("T10:30:00Z")),
            "{moment}"
        );
    }

    #[test]
    fn what_has_no_other_stays() {
        let only = Unique::Number {
            number: 3,
            least: 3,
            most: 3,
            field: String::new(),
        };
        assert_eq!(only.anew(9), only);
        let outside = Unique::Number {
            number: 3,
            least: 5,
            most: i64::MAX,
            field: String::new(),
        };
        assert_eq!(outside.anew(9), outside);
        for fixed in [
            text(""),
            text("---"),
            Unique::Day {
                day: "soon".to_owned(),
            },
        ] {
            assert_eq!(fixed.anew(9), fixed);
        }
    }

    #[test]
    fn texts_are_stored_as_they_always_were() {
        let stored = r#"["amber-x6fch",{"number":4711,"least":1,"most":9999,"field":"taxNumber"}]"#;
        let read: Vec<Unique> = serde_json::from_str(stored).expect("it can be read");
        assert_eq!(read[0], text("amber-x6fch"));
        assert_eq!(serde_json::to_string(&read).expect("and written"), stored);
    }
}
