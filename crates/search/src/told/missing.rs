//! Refusals that say that something which a call names is not there.

/// Whether a sentence is about a thing that is not there.
pub(crate) fn says_missing(text: &str) -> bool {
    const WORDS: [&str; 16] = [
        "there is no",
        "there's no",
        "not found",
        "not exist",
        "n't exist",
        "no such",
        "could not find",
        "couldn't find",
        "cannot find",
        "not present",
        "foreign key",
        "invalid id",
        "no values were",
        "unknown",
        "not_found",
        "no longer exist",
    ];
    let lower = text.to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}
