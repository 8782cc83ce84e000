//! Texts worth trying: lengths, and characters that mean something to the next program.

use fossick_trace::Class;

use super::Landmark;
use crate::Rng;
use crate::kinds::{patterned, string};
use crate::names::{self, Hint};
use crate::pattern::Aim;
use crate::recipe::StringRecipe;
use crate::source::Source;
use crate::words;

/// Longer texts are not tried, whatever a schema allows.
const LONGEST: usize = 5000;

const PUNCTUATION: [char; 32] = [
    '%', '\'', '"', '\\', '/', '<', '>', '&', ';', '#', '?', '+', '=', '*', '$', '{', '}', '[',
    ']', '(', ')', '|', '^', '~', '`', '!', '@', ',', '.', ':', '-', '_',
];

/// Punctuation that also matters at the beginning, alone or twice.
const LOUD: [char; 14] = [
    '%', '\'', '"', '\\', '/', '<', '&', '-', '.', '#', '$', '=', '@', '+',
];

/// `moments` are dates and times that the place may hold.
pub(super) fn texts(
    recipe: &StringRecipe,
    hint: Hint,
    moments: &[String],
    rng: &mut Rng,
) -> Vec<Landmark> {
    let mut marks = Marks {
        recipe,
        found: Vec::new(),
    };
    if let Some(format) = recipe.format {
        for _ in 0..2 {
            let text = format.sample(rng, Source::Named).value();
            marks.add(text.as_str().unwrap_or_default(), Source::Named);
        }
        for text in format.odd() {
            marks.add(text, Source::Special);
        }
    }
    if !recipe.patterns.is_empty() {
        patterned_marks(&mut marks, hint, rng);
    }
    let base = base_word(recipe, hint, rng);
    if recipe.format.is_none() && recipe.patterns.is_empty() {
        let text = names::text(hint, rng);
        let text = words::fit_length(rng, text, recipe.min, recipe.max);
        marks.add(&text, Source::Named);
    }
    let filler = base.chars().next().filter(char::is_ascii_alphanumeric);
    edge_marks(&mut marks, filler.unwrap_or('a'));
    for text in moments {
        marks.add(text, Source::Special);
    }
    if recipe.format.is_none() {
        character_marks(&mut marks, &base, words::word(rng));
    }
    long_marks(&mut marks, filler.unwrap_or('a'));
    marks.found
}

struct Marks<'a> {
    recipe: &'a StringRecipe,
    found: Vec<Landmark>,
}

impl Marks<'_> {
    /// Adds a text if it is valid; true if it was.
    fn add(&mut self, text: &str, source: Source) -> bool {
        let fits = self.recipe.fits(text);
        if fits {
            let mut mark = Landmark::new(text, source);
            mark.class = text.is_empty().then_some(Class::Empty);
            self.found.push(mark);
        }
        fits
    }

    fn add_of_class(&mut self, text: &str, class: Class) {
        if self.add(text, Source::Boundary)
            && let Some(mark) = self.found.last_mut()
        {
            mark.class = mark.class.or(Some(class));
        }
    }
}

/// A short text that the other landmarks vary: a word of the right length, or a walked one.
fn base_word(recipe: &StringRecipe, hint: Hint, rng: &mut Rng) -> String {
    if !recipe.patterns.is_empty() {
        return patterned::sample(recipe, Aim::Tidy, rng).unwrap_or_default();
    }
    // Room for a character more, where the length allows it.
    let room = recipe.max.saturating_sub(1).max(recipe.min);
    let word = match hint {
        Hint::Email | Hint::Url => names::text(hint, rng),
        _ => words::word(rng).to_owned(),
    };
    words::fit_length(rng, word, recipe.min, room)
}

fn patterned_marks(marks: &mut Marks<'_>, hint: Hint, rng: &mut Rng) {
    const WALKS: usize = 6;
    if hint != Hint::None {
        marks.add(&names::text(hint, rng), Source::Named);
    }
    for aim in [Aim::Shortest, Aim::Longest] {
        if let Some(text) = patterned::extreme(marks.recipe, aim, rng) {
            marks.add(&text, Source::Boundary);
        }
    }
    for at in 0..WALKS {
        let aim = if at % 2 == 0 { Aim::Tidy } else { Aim::Wide };
        if let Some(text) = patterned::sample(marks.recipe, aim, rng) {
            marks.add(&text, Source::Random);
        }
    }
}

/// The characters: each punctuation mark at the end first, because that is where most parsers
/// of somebody else's text go wrong.
fn character_marks(marks: &mut Marks<'_>, base: &str, short: &str) {
    for c in PUNCTUATION {
        let fitted = marks.add(&format!("{base}{c}"), Source::Special);
        if !fitted && !marks.add(&format!("{short}{c}"), Source::Special) {
            // No room for one more: the last character makes way.
            let mut cut = base.to_owned();
            cut.pop();
            marks.add(&format!("{cut}{c}"), Source::Special);
        }
    }
    for text in string::SPECIAL {
        marks.add(text, Source::Special);
        if !text.bytes().all(|b| b.is_ascii_alphanumeric()) {
            marks.add(&format!("{base}{text}"), Source::Special);
        }
    }
    for c in LOUD {
        marks.add(&format!("{c}{base}"), Source::Special);
        marks.add(&c.to_string(), Source::Special);
        marks.add(&format!("{base}{c}{c}"), Source::Special);
    }
}

fn edge_marks(marks: &mut Marks<'_>, filler: char) {
    let (min, max) = (marks.recipe.min, marks.recipe.max);
    let of_length = |length: usize| filler.to_string().repeat(length);
    marks.add_of_class(&of_length(min), Class::Minimum);
    marks.add(&of_length(min + 1), Source::Boundary);
    if max <= LONGEST {
        marks.add_of_class(&of_length(max), Class::Maximum);
        marks.add(&of_length(max.saturating_sub(1)), Source::Boundary);
    }
}

/// Lengths at which columns and buffers like to end.
fn long_marks(marks: &mut Marks<'_>, filler: char) {
    for length in [255, 256, 1000, LONGEST] {
        if length < marks.recipe.max {
            marks.add(&filler.to_string().repeat(length), Source::Boundary);
        }
    }
}

/// Whether a text can stand in a path segment and be read back as it is: not empty, no slash in
/// either spelling, not one of the dots that servers and proxies resolve away, nothing that cannot
/// be sent.
pub fn is_path_safe(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    !text.is_empty()
        && text != "."
        && text != ".."
        && !text.contains(['/', '\\', '\0'])
        && !text.chars().any(char::is_control)
        && !lower.contains("%2f")
        && !lower.contains("%5c")
        && !lower.contains("%00")
        && !lower.contains("%2e")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_segment_must_survive_the_way() {
        for text in ["a", "a%", "ä b", "...", "a.b"] {
            assert!(is_path_safe(text), "{text}");
        }
        for text in ["", ".", "..", "a/b", "a\\b", "%2F", "a\nb", "x%00"] {
            assert!(!is_path_safe(text), "{text}");
        }
    }
}
