//! Rules that the names of fields alone suggest: `start` comes before `end`.
//!
//! A list of words, because nothing else in a document says it; and a weak hint, because names
//! deceive.

use super::Relation;
use super::mentions::{Names, plain};

/// Words of which the first comes before the second, where all else of two names is the same.
const ORDERED: [(&str, &str); 20] = [
    ("start", "end"),
    ("start", "finish"),
    ("start", "stop"),
    ("begin", "end"),
    ("begin", "finish"),
    ("from", "to"),
    ("from", "until"),
    ("from", "till"),
    ("since", "until"),
    ("after", "before"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("lower", "upper"),
    ("low", "high"),
    ("earliest", "latest"),
    ("open", "close"),
    ("checkin", "checkout"),
    ("departure", "arrival"),
    ("gte", "lte"),
    ("gt", "lt"),
];

/// What the names of fields suggest.
pub fn paired(fields: &[&str]) -> Vec<Relation> {
    let plain: Vec<String> = fields.iter().map(|field| plain(field)).collect();
    let mut found = Vec::new();
    for (at, name) in plain.iter().enumerate() {
        for (first, then) in ORDERED {
            let other = name.contains(first).then(|| name.replacen(first, then, 1));
            let end = other.and_then(|other| plain.iter().position(|name| *name == other));
            if let Some(end) = end.filter(|end| *end != at) {
                found.push(Relation::NotAfter(at, end));
                break;
            }
        }
    }
    let names = Names::of(fields);
    for at in 0..fields.len() {
        if let Some(twin) = names.confirms(at).filter(|twin| *twin > at) {
            found.push(Relation::Equal(at, twin));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_by_one_telling_word_are_a_pair() {
        for (first, then) in [
            ("startDate", "endDate"),
            ("valid_from", "valid_until"),
            ("from", "to"),
            ("min_price", "max_price"),
            ("starts_at", "ends_at"),
            ("begin", "finish"),
            ("createdAfter", "createdBefore"),
        ] {
            let expected = [Relation::NotAfter(1, 0)];
            assert_eq!(paired(&[then, first]), expected, "{first}");
        }
        let twice = paired(&["password", "password_confirmation"]);
        assert_eq!(twice, [Relation::Equal(0, 1)]);
    }

    #[test]
    fn names_that_only_look_so_are_none() {
        for fields in [
            ["start", "finished"],
            ["minutes", "maximum"],
            ["customer", "tomer"],
            ["first_name", "last_name"],
            ["start_date", "end_time"],
            ["password", "password_hint"],
        ] {
            assert_eq!(paired(&fields), [], "{fields:?}");
        }
    }
}
