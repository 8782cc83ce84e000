//! Strings that must match regular expressions, and keep lengths and a format besides.

use crate::Rng;
use crate::dice;
use crate::pattern::Aim;
use crate::recipe::StringRecipe;

/// A text that fits, or none within a fixed number of tries.
pub(crate) fn sample(recipe: &StringRecipe, aim: Aim, rng: &mut Rng) -> Option<String> {
    const TRIES: usize = 40;
    const SHORT: usize = 32;
    for attempt in 0..TRIES {
        let pattern = recipe
            .patterns
            .get(attempt % recipe.patterns.len().max(1))?;
        // The first tries are tidy; what tidy strings cannot satisfy, wider ones may.
        let aim = if attempt < TRIES / 3 { aim } else { Aim::Wide };
        let reach = if attempt < TRIES / 2 { SHORT } else { 256 };
        let hi = recipe.max.min(reach.max(recipe.min));
        let lo = if attempt > TRIES / 2 {
            dice::size(rng, recipe.min, hi)
        } else {
            recipe.min
        };
        if let Some(text) = pattern.attempt(lo, hi, aim, rng)
            && recipe.fits(&text)
        {
            return Some(text);
        }
    }
    None
}

/// The shortest or longest text that the walk can find.
pub(crate) fn extreme(recipe: &StringRecipe, aim: Aim, rng: &mut Rng) -> Option<String> {
    const TRIES: usize = 8;
    let hi = recipe.max.min(5000);
    (0..TRIES)
        .flat_map(|_| &recipe.patterns)
        .filter_map(|pattern| pattern.attempt(recipe.min, hi, aim, rng))
        .find(|text| recipe.fits(text))
}

/// A neighbour that still matches, or a new text.
pub(crate) fn mutate(recipe: &StringRecipe, text: &str, rng: &mut Rng) -> Option<String> {
    const TRIES: usize = 6;
    (0..TRIES)
        .map(|_| super::string::mutate(text, rng))
        .find(|new| recipe.fits(new))
        .or_else(|| sample(recipe, Aim::Tidy, rng))
}
