//! The way to an argument: which names on it say what the argument is about.
//!
//! Input objects are full of names that only say how something is meant: `input`, `data`,
//! `where`, `connect`, `equalTo`. They are the same in every schema, so one list of them serves.

use std::sync::Arc;

use crate::Words;

/// Names from the argument down to a scalar, with the input types between them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trail {
    /// Each name, and the input type of the value that it holds.
    steps: Vec<(Words, Option<Arc<str>>)>,
}

/// Words that only wrap what they hold.
const WRAPS: [&str; 47] = [
    "input",
    "data",
    "where",
    "connect",
    "link",
    "field",
    "object",
    "valu",
    "filter",
    "set",
    "condit",
    "attribut",
    "payload",
    "param",
    "arg",
    "bodi",
    "patch",
    "chang",
    "creat",
    "updat",
    "add",
    "remov",
    "delet",
    "disconnect",
    "unlink",
    "upsert",
    "entiti",
    "record",
    "item",
    "and",
    "or",
    "by",
    "one",
    "mani",
    "pk",
    "column",
    "detail",
    "new",
    "request",
    "command",
    "info",
    "list",
    "uniqu",
    "queri",
    "some",
    "everi",
    "none",
];

/// Comparisons that name the very value.
const EQUALS: [&str; 6] = ["eq", "equal", "is", "in", "to", "ani"];

/// Comparisons that name anything but.
const DIFFERS: [&str; 24] = [
    "not", "ne", "neq", "nin", "lt", "lte", "gt", "gte", "less", "greater", "than", "contain",
    "with", "like", "ilik", "similar", "regex", "distinct", "from", "exist", "between", "some",
    "start", "end",
];

/// Steps below which something that is there already is picked.
const PICKS: [&str; 9] = [
    "where",
    "connect",
    "disconnect",
    "link",
    "unlink",
    "filter",
    "remov",
    "delet",
    "condit",
];

impl Trail {
    pub(crate) fn step(&self, name: &Words, input: Option<&Arc<str>>) -> Self {
        let mut steps = self.steps.clone();
        steps.push((name.clone(), input.cloned()));
        Self { steps }
    }

    /// The nearest name above that says something.
    pub(crate) fn holder(&self) -> Option<&Words> {
        let mut above = self.steps.iter().rev().map(|(name, _)| name);
        above.find(|name| !only_wraps(name))
    }

    /// The input type that holds the scalar; what is below a holder that says something is its.
    pub(crate) fn input(&self) -> Option<&Arc<str>> {
        self.steps.last()?.1.as_ref()
    }

    /// Whether something that exists is picked here.
    pub(crate) fn picks(&self) -> bool {
        self.any_step(&PICKS)
    }

    /// Whether all this is about something to be made on the way.
    pub(crate) fn makes(&self) -> bool {
        self.any_step(&["creat"])
    }

    fn any_step(&self, words: &[&str]) -> bool {
        let starts = |name: &Words| name.0.first().is_some_and(|w| words.contains(&w.as_str()));
        self.steps.iter().any(|(name, _)| starts(name))
    }

    /// A comparison's own name gives way to the name of what it compares: `id: {eq: …}` is `id`.
    /// `None` where it is compared with something else than itself, or with a set: `id_in`.
    pub(crate) fn named(&self, name: &Words) -> Option<(Words, Self)> {
        let equals = name.0.iter().all(|word| EQUALS.contains(&word.as_str()));
        if equals && !self.steps.is_empty() {
            let mut above = self.clone();
            let (name, _) = above.steps.pop()?;
            return Some((name, above));
        }
        (!compares(name)).then(|| (name.clone(), self.clone()))
    }
}

/// `lessThan`, `notIn`, and `id_not_in`, which says what is compared as well.
fn compares(name: &Words) -> bool {
    let compares =
        |word: &String| EQUALS.contains(&word.as_str()) || DIFFERS.contains(&word.as_str());
    let what = name.0.iter().rposition(|word| !compares(word));
    let id = |at: usize| at + 1 < name.0.len() && matches!(name.0[at].as_str(), "id" | "uuid");
    what.is_none_or(id)
}

/// Whether a name says nothing of what it holds.
pub(crate) fn only_wraps(name: &Words) -> bool {
    name.0.iter().all(|word| WRAPS.contains(&word.as_str()))
}

/// A name without what only wraps: `userPatch` and `newUser` are a `user`.
pub(crate) fn core_of(name: &Words) -> Words {
    let says = |word: &&String| !WRAPS.contains(&word.as_str());
    Words(name.0.iter().filter(says).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trail(names: &[&str]) -> Trail {
        let start = Trail::default();
        names
            .iter()
            .fold(start, |trail, name| trail.step(&Words::of(name), None))
    }

    #[test]
    fn wrapping_names_do_not_hold() {
        let way = trail(&["data", "author", "connect"]);
        assert_eq!(way.holder(), Some(&Words::of("author")));
        assert!(way.picks() && !way.makes());
        assert_eq!(trail(&["input", "where"]).holder(), None);
        assert!(trail(&["input", "createAndLink"]).makes());
    }

    #[test]
    fn a_comparison_is_called_what_it_compares() {
        let way = trail(&["where", "objectId"]);
        for equal in ["_eq", "equalTo", "in", "eq"] {
            let (name, above) = way.named(&Words::of(equal)).expect("it names the value");
            assert_eq!(name, Words::of("objectId"), "{equal}");
            assert!(above.holder().is_none());
        }
        for other in ["_neq", "lessThan", "notIn", "_nin", "id_not", "id_in"] {
            assert!(way.named(&Words::of(other)).is_none(), "{other}");
        }
    }
}
