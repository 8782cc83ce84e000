//! Free text, within its lengths.

use crate::Rng;
use crate::dice;
use crate::gene::quoted;
use crate::source::Source;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    pub source: Source,
}

impl Text {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        quoted(&self.text, out);
    }
}

/// Texts that programs stumble over, the most telling first.
pub(crate) const SPECIAL: [&str; 34] = [
    "%",
    "a%",
    "'",
    "\"",
    "\\",
    "é",
    "ß",
    "漢字",
    "😀",
    "\u{202e}abc",
    "مرحبا",
    "e\u{301}",
    " ",
    " a",
    "a ",
    "a b",
    "null",
    "true",
    "0",
    "-1",
    "NaN",
    "undefined",
    "%00",
    "%s%n",
    "${x}",
    "{{7*7}}",
    "../",
    "../../etc/passwd",
    "<b>x</b>",
    "' OR '1'='1",
    "a\nb",
    "a\tb",
    "\u{feff}a",
    "İ",
];

const UNUSUAL: [char; 12] = [
    'é', 'ß', 'Ж', '漢', '😀', 'ع', '\u{301}', '\u{200b}', '\n', '\t', 'İ', '\u{ffff}',
];

/// A random text of `min` to `max` characters; mostly short, mostly plain.
pub(crate) fn random(min: usize, max: usize, rng: &mut Rng) -> String {
    const SHORT: usize = 16;
    const LONG: usize = 200;
    let reach = if dice::one_in(rng, 32) { LONG } else { SHORT };
    let length = dice::size(rng, min, max.min(reach).max(min));
    let taste = dice::below(rng, 20);
    let mut out = String::with_capacity(length);
    for _ in 0..length {
        out.push(character(taste, rng));
    }
    out
}

fn character(taste: u64, rng: &mut Rng) -> char {
    const PLAIN: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    match taste {
        0..14 => PLAIN[dice::index(rng, PLAIN.len())] as char,
        14..19 => printable(rng),
        _ if dice::one_in(rng, 3) => UNUSUAL[dice::index(rng, UNUSUAL.len())],
        _ => printable(rng),
    }
}

fn printable(rng: &mut Rng) -> char {
    (b' ' + dice::below(rng, 95) as u8) as char
}

/// One small step: change a character, drop the last, or add one while the text is short. Long texts
/// are drawn whole; whoever crept towards them would hardly arrive (smart, 4.1: at most 16).
pub(crate) fn mutate(text: &str, rng: &mut Rng) -> String {
    const MOST_CHARACTERS: usize = 16;
    let length = text.chars().count();
    let new = character(dice::below(rng, 20), rng);
    match dice::below(rng, 3) {
        1 if length > 0 => text.chars().take(length - 1).collect(),
        2 if length < MOST_CHARACTERS => text.chars().chain([new]).collect(),
        _ if length == 0 => new.into(),
        _ => {
            let at = dice::index(rng, length);
            let one = |(n, c)| if n == at { new } else { c };
            text.chars().enumerate().map(one).collect()
        }
    }
}

/// Texts with less in them: nothing, one end or the other, plainer characters.
pub(crate) fn simpler(text: &str, min: usize) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let length = chars.len();
    let part = |from: usize, to: usize| chars.get(from..to).map(|c| c.iter().collect::<String>());
    let half = (length / 2).max(min).min(length);
    let mut found = vec!["a".repeat(min), "a".repeat(min.max(1))];
    found.extend(part(0, min));
    found.extend(part(length.saturating_sub(min.max(1)), length));
    found.extend(part(0, half));
    found.extend(part(length - half, length));
    found.extend(part(0, length.saturating_sub(1)));
    found.extend(part(1, length));
    found.push("a".repeat(length));
    found.extend(plainer(&chars));
    found
}

/// The text with one of its characters made plain, for the first few that are not.
fn plainer(chars: &[char]) -> Vec<String> {
    const FEW: usize = 8;
    let plain_at = |at: usize| {
        let one = |(n, c): (usize, &char)| if n == at { 'a' } else { *c };
        chars.iter().enumerate().map(one).collect()
    };
    chars
        .iter()
        .enumerate()
        .filter(|(_, c)| **c != 'a')
        .take(FEW)
        .map(|(at, _)| plain_at(at))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    #[test]
    fn random_texts_keep_their_lengths() {
        let mut rng = Rng::seed_from_u64(1);
        for (min, max) in [(0, 5), (3, 3), (0, usize::MAX), (300, 400)] {
            for _ in 0..200 {
                let length = random(min, max, &mut rng).chars().count();
                assert!((min..=max).contains(&length));
            }
        }
    }

    #[test]
    fn a_mutation_is_one_step() {
        let mut rng = Rng::seed_from_u64(1);
        for _ in 0..200 {
            let length = mutate("häßlich", &mut rng).chars().count();
            assert!((6..=8).contains(&length));
        }
        assert_eq!(mutate("", &mut rng).chars().count(), 1);
    }
}
