//! Values that a description shows in the middle of its prose: "`h*t*k` finds *heart attack*".

/// So many of one description.
const MOST: usize = 4;
/// Longer ones are sentences.
const LONGEST: usize = 40;

/// What stands in backticks or double quotes, in order and each once.
pub(super) fn quoted(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for mark in ['`', '"'] {
        // Every second piece between marks was quoted; one that is never closed was not.
        let pieces: Vec<&str> = text.split(mark).collect();
        let closed = pieces.len().saturating_sub(1);
        for piece in pieces[..closed].iter().skip(1).step_by(2) {
            let is_value = !piece.trim().is_empty() && piece.chars().count() <= LONGEST;
            if is_value && !found.contains(piece) {
                found.push(piece);
            }
        }
    }
    found.truncate(MOST);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_found_once_and_in_order() {
        let text = "Only terms like this: `h*t*k` finds *heart attack*, `h*` and `h*t*k` too";
        assert_eq!(quoted(text), ["h*t*k", "h*"]);
        assert_eq!(quoted("either \"asc\" or \"desc\""), ["asc", "desc"]);
    }

    #[test]
    fn what_is_not_closed_or_empty_or_a_sentence_is_no_value() {
        assert!(quoted("a `lonely mark").is_empty());
        assert!(quoted("nothing `` here").is_empty());
        let long = format!("`{}`", "a".repeat(60));
        assert!(quoted(&long).is_empty());
        assert!(quoted("").is_empty());
    }
}
