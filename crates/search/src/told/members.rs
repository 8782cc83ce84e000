//! Values that a list must hold: "input cost is required" of a list called `costs`.

use fossick_contract::plain;

use super::{Told, asks_for_more};

/// Words before the name of a list that say how many, and not which.
const COUNTING: [&str; 16] = [
    "a", "an", "any", "at", "each", "every", "least", "missing", "more", "no", "of", "one", "or",
    "some", "the", "this",
];

/// Members that a refusal misses, told by the word before the name of the list. A word that is
/// itself the name of the list's holder still counts: services name things as they like.
pub(crate) fn members(refusal: &str, lists: &[String]) -> Vec<Told> {
    let lower = refusal.to_lowercase();
    if !asks_for_more(&lower) {
        return Vec::new();
    }
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
        .filter(|word| !word.is_empty())
        .collect();
    let mut found = Vec::new();
    for pair in words.windows(2) {
        let [value, named] = pair else { continue };
        let telling = value.len() > 1 && !COUNTING.contains(value);
        let list = lists.iter().find(|list| plain(list) == plain(named));
        if let Some(list) = list.filter(|_| telling) {
            found.push(Told::Member(list.clone(), (*value).to_owned()));
        }
    }
    found.truncate(4);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_before_a_list_is_a_member_that_it_misses() {
        let lists = ["costs".to_owned(), "tags".to_owned()];
        let told = members("input cost is required", &lists);
        assert_eq!(told, [Told::Member("costs".into(), "input".into())]);
        assert!(members("at least one cost is required", &lists).is_empty());
        assert!(members("input cost is too high", &lists).is_empty());
    }
}
