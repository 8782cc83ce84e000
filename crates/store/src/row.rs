//! A row of the database as a record.

use fossick_harvest::{Call, How, Key, Record, Redaction};

use crate::StoreError;
use crate::numbers::{Numbers, Told};

/// What a database gives.
pub(crate) struct Raw {
    pub(crate) key: Vec<u8>,
    pub(crate) call: String,
    pub(crate) numbers: Numbers,
    /// A list of places and how each was treated, as JSON.
    pub(crate) redactions: Option<String>,
}

impl Raw {
    pub(crate) fn record(self, place: &str) -> Result<Record, StoreError> {
        let key = key(&self.key);
        let unreadable = |error: serde_json::Error| StoreError::Unreadable {
            place: place.to_owned(),
            key,
            why: error.to_string(),
        };
        let call: Call = serde_json::from_str(&self.call).map_err(unreadable)?;
        let redactions = redactions(self.redactions.as_deref()).map_err(unreadable)?;
        let Told {
            created_at,
            updated_at,
            times_called,
            statuses,
            took,
        } = self.numbers.told();
        Ok(Record {
            key,
            call,
            created_at,
            updated_at,
            times_called,
            statuses,
            took,
            redactions,
        })
    }
}

fn redactions(text: Option<&str>) -> serde_json::Result<Vec<Redaction>> {
    let pairs: Vec<(String, How)> = text.map_or_else(|| Ok(Vec::new()), serde_json::from_str)?;
    let redactions = pairs
        .into_iter()
        .map(|(place, how)| Redaction { place, how });
    let mut redactions: Vec<Redaction> = redactions.collect();
    redactions.sort();
    Ok(redactions)
}

/// A key that is too short, as only another's hand can make it, ends in zeros.
fn key(bytes: &[u8]) -> Key {
    let mut key = [0; 16];
    for (to, from) in key.iter_mut().zip(bytes) {
        *to = *from;
    }
    Key(key)
}

/// The first and the last key that begin with these hexadecimal digits.
pub(crate) fn keys_from(prefix: &str) -> Option<([u8; 16], [u8; 16])> {
    let digits: Vec<u8> = prefix.chars().map(digit).collect::<Option<_>>()?;
    if digits.is_empty() || digits.len() > 32 {
        return None;
    }
    let at = |place: usize, rest: u8| digits.get(place).copied().unwrap_or(rest);
    let key = |rest: u8| std::array::from_fn(|n| at(2 * n, rest) << 4 | at(2 * n + 1, rest));
    Some((key(0), key(15)))
}

fn digit(letter: char) -> Option<u8> {
    letter
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_key_is_a_range_of_keys() {
        let (first, last) = keys_from("aBc").expect("three digits");
        assert!(Key(first).to_string().starts_with("abc000"));
        assert!(Key(last).to_string().starts_with("abcfff"));
        let whole = "0123456789abcdef0123456789abcdef";
        let (first, last) = keys_from(whole).expect("a whole key");
        assert_eq!(first, last);
        assert_eq!(Key(first).to_string(), whole);
    }

    #[test]
    fn what_is_no_beginning_of_a_key_is_no_range() {
        for text in ["", "xyz", "ä", &"0".repeat(33)] {
            assert!(keys_from(text).is_none(), "{text}");
        }
    }
}
