//! Words of names, for people.

use std::collections::BTreeSet;

/// Lower-case words of ASCII letters and digits: `projectId`, `project-id` and `PROJECT_ID` all
/// are *project id*. Other letters are left out: names of tests and variables must be ASCII.
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    for c in text.chars() {
        let starts =
            c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
        if (starts || !c.is_ascii_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// One of several, by the common rules of English; a word that only looks like several stays.
pub fn singular(word: &str) -> String {
    const ALIKE: [&str; 4] = ["ss", "us", "is", "ews"];
    if word.len() < 4 || ALIKE.iter().any(|end| word.ends_with(end)) {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    for end in ["sses", "xes", "ches", "shes"] {
        if word.ends_with(end) {
            return word[..word.len() - 2].to_owned();
        }
    }
    word.strip_suffix('s').unwrap_or(word).to_owned()
}

/// A name that is not taken: the wanted one, or with the next free number.
pub fn unique(wanted: &str, between: &str, taken: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|n| format!("{wanted}{between}{n}"));
    let mut candidates = std::iter::once(wanted.to_owned()).chain(numbered);
    let name = candidates
        .find(|name| !taken.contains(name))
        .unwrap_or_default();
    taken.insert(name.clone());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_make_have_the_same_words() {
        for name in [
            "projectId",
            "project-id",
            "PROJECT_ID",
            "Project id",
            "«project» id",
        ] {
            assert_eq!(words(name), ["project", "id"], "{name}");
        }
        assert!(words("«»").is_empty());
    }

    #[test]
    fn one_of_several_is_told_by_the_common_rules() {
        let pairs = [
            ("projects", "project"),
            ("categories", "category"),
            ("boxes", "box"),
            ("classes", "class"),
            ("status", "status"),
            ("news", "news"),
            ("bus", "bus"),
        ];
        for (several, one) in pairs {
            assert_eq!(singular(several), one);
        }
    }
}
