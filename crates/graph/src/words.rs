//! Names as sequences of stems: `projectIds`, `project_id` and `Project-ID` are the same words.

use std::cell::RefCell;
use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

/// A normalised name: split, lower-cased, stemmed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Words(pub Vec<String>);

impl Words {
    pub fn of(name: &str) -> Self {
        Self(stem_words(name))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn last(&self) -> Option<&str> {
        self.0.last().map(String::as_str)
    }

    /// Says too little on its own: `id`, `name`, `key` of what?
    pub fn is_bare(&self) -> bool {
        matches!(self.0.as_slice(), [word] if GENERIC.contains(&word.as_str()))
    }

    /// Names an identifier rather than a quantity or a text.
    pub fn is_identifier(&self) -> bool {
        self.last().is_some_and(|word| IDENTIFYING.contains(&word))
    }

    /// `id` of `project` becomes `project id`; words already there are not said twice.
    pub fn qualified_by(&self, owner: &Self) -> Self {
        if owner.is_empty() || self.0.starts_with(&owner.0) {
            return self.clone();
        }
        Self(owner.0.iter().chain(&self.0).cloned().collect())
    }

    /// The words without a generic last one: `project id` is about `project`.
    pub fn subject(&self) -> Self {
        match self.0.split_last() {
            Some((last, rest)) if !rest.is_empty() && GENERIC.contains(&last.as_str()) => {
                Self(rest.to_vec())
            }
            _ => self.clone(),
        }
    }
}

const GENERIC: [&str; 14] = [
    "id", "uuid", "guid", "name", "key", "slug", "code", "type", "ref", "uri", "url", "number",
    "value", "handl",
];

const IDENTIFYING: [&str; 8] = ["id", "uuid", "guid", "key", "slug", "name", "ref", "handl"];

thread_local! {
    /// Words are few, and each is met again and again in names and refusals.
    static STEMS: RefCell<HashMap<String, String>> = RefCell::default();
}
/// A service that speaks in ever new words fills no memory.
const MOST_STEMS: usize = 8192;

/// Splits a name into stems.
pub fn stem_words(name: &str) -> Vec<String> {
    let words = split_words(name).into_iter();
    STEMS.with_borrow_mut(|known| words.map(|word| known_stem(known, word)).collect())
}

fn known_stem(known: &mut HashMap<String, String>, word: String) -> String {
    if let Some(stem) = known.get(&word) {
        return stem.clone();
    }
    let found = stem(&word);
    if known.len() < MOST_STEMS {
        known.insert(word, found.clone());
    }
    found
}

fn stem(word: &str) -> String {
    match word {
        // The stemmer would make `id` of `ids`, but nothing sensible of `uuids`.
        "ids" => "id".to_owned(),
        "uuids" => "uuid".to_owned(),
        _ => one_of_many(Stemmer::create(Algorithm::English).stem(word).into_owned()),
    }
}

/// Codes have plurals too: `vms` are `vm`, and `skus` are `sku`. The stemmer leaves the end of
/// words that have no other vowel, as it takes them for `gas` and `bus`; what it makes of those
/// does not matter as long as it is the same everywhere.
fn one_of_many(mut word: String) -> String {
    let is_code = |rest: &str| {
        let before = rest
            .char_indices()
            .next_back()
            .map_or("", |(at, _)| &rest[..at]);
        !rest.is_empty() && !before.contains(['a', 'e', 'i', 'o', 'u', 'y'])
    };
    if word.strip_suffix('s').is_some_and(is_code) {
        word.pop();
    }
    word
}

/// Splits at case changes, digits' ends and everything that is no letter or digit.
/// Splits a name into words as they stand, in lower case.
pub fn split_words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().take(MAX_NAME).collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let previous = at.checked_sub(1).map(|i| chars[i]);
        let next = chars.get(at + 1).copied();
        if starts_word(previous, c, next) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Longer names are no names.
const MAX_NAME: usize = 120;

fn starts_word(previous: Option<char>, c: char, next: Option<char>) -> bool {
    let Some(previous) = previous else {
        return false;
    };
    if !c.is_alphanumeric() || !previous.is_alphanumeric() {
        return true;
    }
    let hump = (previous.is_lowercase() || previous.is_numeric()) && c.is_uppercase();
    let acronym_ends =
        previous.is_uppercase() && c.is_uppercase() && next.is_some_and(char::is_lowercase);
    hump || acronym_ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_in_many_spellings_is_the_same_words() {
        let expected = Words::of("project_id");
        for spelling in ["projectId", "ProjectID", "project-ids", "projects.id"] {
            assert_eq!(Words::of(spelling), expected, "{spelling}");
        }
    }

    #[test]
    fn codes_have_plurals_too() {
        for (one, many) in [("vmId", "vms"), ("sku_id", "skus"), ("b8v25Id", "b8v25s")] {
            assert_eq!(Words::of(one).subject(), Words::of(many), "{many}");
        }
        assert_eq!(Words::of("address"), Words::of("addresses"));
    }

    #[test]
    fn digits_end_a_word() {
        assert_eq!(split_words("oauth2Token"), ["oauth2", "token"]);
    }

    #[test]
    fn acronyms_end_before_the_next_word() {
        assert_eq!(split_words("HTTPServerURL"), ["http", "server", "url"]);
        assert_eq!(split_words("APIToken"), ["api", "token"]);
        assert_eq!(split_words("s3BucketId"), ["s3", "bucket", "id"]);
    }

    #[test]
    fn a_bare_name_is_qualified_once() {
        let owner = Words::of("projects");
        assert_eq!(
            Words::of("id").qualified_by(&owner),
            Words::of("project_id")
        );
        assert_eq!(
            Words::of("projectId").qualified_by(&owner),
            Words::of("project_id")
        );
        assert!(Words::of("id").is_bare());
        assert_eq!(Words::of("project_id").subject(), Words::of("project"));
    }
}
