//! The known word that a misspelt one most likely meant.

/// None where no known word is near.
pub(crate) fn nearest<W: AsRef<str>>(
    word: &str,
    known: impl IntoIterator<Item = W>,
) -> Option<String> {
    known
        .into_iter()
        .map(|candidate| {
            let candidate = candidate.as_ref().to_owned();
            (distance(word, &candidate), candidate)
        })
        .min()
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 3)
        .map(|(_, candidate)| candidate)
}

/// What to add to an error of the TOML reader: its own words list what it expected, and that list
/// is always the right one.
pub(crate) fn hint(message: &str) -> String {
    unknown_word(message)
        .and_then(|word| nearest(word, known_words(message)))
        .map_or(String::new(), |near| format!("\n  did you mean `{near}`?"))
}

fn unknown_word(message: &str) -> Option<&str> {
    let rest = message
        .strip_prefix("unknown field `")
        .or_else(|| message.strip_prefix("unknown variant `"))?;
    rest.split('`').next()
}

fn known_words(message: &str) -> Vec<&str> {
    let expected = message.split("expected").nth(1).unwrap_or("");
    expected.split('`').skip(1).step_by(2).collect()
}

/// Levenshtein's distance, on short words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_offered_only_if_it_is_near() {
        let known = ["random", "mio", "mosa"];
        assert_eq!(nearest("randon", known).as_deref(), Some("random"));
        assert_eq!(nearest("annealing", known), None);
    }

    #[test]
    fn the_readers_own_list_gives_the_hint() {
        let message = "unknown field `p-e`, expected one of `p-s`, `prematch`";
        assert_eq!(hint(message), "\n  did you mean `p-s`?");
        assert_eq!(hint("invalid type"), "");
    }
}
