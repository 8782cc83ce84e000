//! Plain words and unique endings, for texts that a person could have typed.
//!
//! Names that must be unique in a service get a random ending, so that "already taken" is rare;
//! the same seed still gives the same name.

use crate::Rng;
use crate::dice;

const WORDS: [&str; 48] = [
    "amber", "apple", "arrow", "basil", "birch", "brook", "cedar", "cloud", "coral", "crane",
    "daisy", "delta", "ember", "fern", "field", "finch", "flint", "forest", "garnet", "grove",
    "hazel", "heron", "ivory", "jade", "juniper", "lake", "larch", "lilac", "maple", "meadow",
    "mint", "north", "oak", "olive", "opal", "otter", "pearl", "pine", "plum", "quartz", "reed",
    "river", "robin", "sage", "stone", "thyme", "willow", "wren",
];

pub(crate) fn word(rng: &mut Rng) -> &'static str {
    WORDS[dice::index(rng, WORDS.len())]
}

/// Letters and digits that are unlikely to come twice.
pub(crate) fn push_unique(rng: &mut Rng, length: usize, out: &mut String) {
    const SIGNS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    for _ in 0..length {
        out.push(SIGNS[dice::index(rng, SIGNS.len())] as char);
    }
}

pub(crate) fn push_digits(rng: &mut Rng, length: usize, out: &mut String) {
    for _ in 0..length {
        out.push((b'0' + dice::below(rng, 10) as u8) as char);
    }
}

/// `cedar-x7k2q`
pub(crate) fn unique_word(rng: &mut Rng, between: &str) -> String {
    let mut out = String::with_capacity(16);
    out.push_str(word(rng));
    out.push_str(between);
    push_unique(rng, 5, &mut out);
    out
}

/// Cuts or fills a text to a length; the end is kept, because the unique part stands there.
pub(crate) fn fit_length(rng: &mut Rng, text: String, min: usize, max: usize) -> String {
    let length = text.chars().count();
    if length > max {
        return text.chars().skip(length - max).collect();
    }
    let mut text = text;
    for at in length..min {
        text.push(if at % 7 == 6 && at + 1 < min {
            ' '
        } else {
            (b'a' + dice::below(rng, 26) as u8) as char
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    #[test]
    fn lengths_are_kept_in_characters() {
        let mut rng = Rng::seed_from_u64(1);
        let long = unique_word(&mut rng, "-");
        assert_eq!(fit_length(&mut rng, long, 3, 4).chars().count(), 4);
        assert_eq!(fit_length(&mut rng, "é".into(), 9, 9).chars().count(), 9);
        assert_eq!(fit_length(&mut rng, "abc".into(), 0, 0), "");
    }

    #[test]
    fn names_rarely_come_twice() {
        let mut rng = Rng::seed_from_u64(1);
        let mut names: Vec<_> = (0..2000).map(|_| unique_word(&mut rng, " ")).collect();
        names.sort();
        names.dedup();
        assert!(names.len() > 1995);
    }
}
