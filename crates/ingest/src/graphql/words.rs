//! Names taken apart into words, so that `bookId`, `book_id` and `BookID` are the same.

/// The words of a name in lower case: `HTTPServerId` is `http server id`.
pub(super) fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut found: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let after = letters.get(at + 1);
        if !letter.is_alphanumeric() || begins(before, *letter, after) {
            found.extend(taken(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
    }
    found.extend(taken(&mut word));
    found
}

/// A capital begins a word after a small letter, and where it ends a row of capitals.
fn begins(before: Option<&char>, letter: char, after: Option<&char>) -> bool {
    let after_small = before.is_some_and(|c| c.is_lowercase() || c.is_ascii_digit());
    let ends_capitals =
        before.is_some_and(|c| c.is_uppercase()) && after.is_some_and(|c| c.is_lowercase());
    letter.is_uppercase() && (after_small || ends_capitals)
}

fn taken(word: &mut String) -> Option<String> {
    let word = std::mem::take(word);
    (!word.is_empty()).then_some(word)
}

/// A word in the singular, as far as that can be told without a dictionary.
pub(super) fn singular(word: &str) -> String {
    let cut = |tail: usize| word.get(..word.len().saturating_sub(tail)).unwrap_or(word);
    let ends = |tail: &str| word.ends_with(tail);
    if word.len() > 4 && ends("ies") {
        return format!("{}y", cut(3));
    }
    if ["sses", "xes", "ches", "shes", "zzes"]
        .into_iter()
        .any(ends)
    {
        return cut(2).to_owned();
    }
    if word.len() > 2 && ends("s") && !["ss", "us", "is"].into_iter().any(ends) {
        return cut(1).to_owned();
    }
    word.to_owned()
}

/// Words as one key that plurals, case and spelling do not change.
pub(super) fn key<'w>(words: impl IntoIterator<Item = &'w String>) -> String {
    words.into_iter().map(|word| singular(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_however_they_are_written() {
        for (name, wanted) in [
            ("bookId", "book id"),
            ("book_id", "book id"),
            ("BookID", "book id"),
            ("HTTPServer", "http server"),
            ("__a__b", "a b"),
            ("delete_users_by_pk", "delete users by pk"),
            ("v2Book", "v2 book"),
            ("", ""),
        ] {
            assert_eq!(words(name).join(" "), wanted);
        }
    }

    #[test]
    fn plurals_are_told() {
        for (many, one) in [
            ("books", "book"),
            ("categories", "category"),
            ("boxes", "box"),
            ("classes", "class"),
            ("status", "status"),
            ("address", "address"),
            ("analysis", "analysis"),
            ("s", "s"),
        ] {
            assert_eq!(singular(many), one);
        }
    }

    #[test]
    fn a_key_is_the_same_for_one_and_many() {
        assert_eq!(key(&words("orderLines")), key(&words("OrderLine")));
    }
}
