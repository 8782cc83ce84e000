//! Operations that undo what others do: a label can be taken off only where it was put on.
//!
//! Told by their names alone: `removeTagFromPost` undoes `addTagToPost`.

use std::collections::BTreeMap;

use fossick_contract::{Api, Operation, OperationIndex};
use fossick_graph::{Words, stem_words};
use fossick_plan::{Spot, Step};

/// What undoes, and what it undoes, as they are written.
const PAIRS: [(&str, &[&str]); 18] = [
    ("remove", &["add", "assign", "attach", "set"]),
    ("unset", &["set"]),
    ("unassign", &["assign"]),
    ("detach", &["attach"]),
    ("unlink", &["link"]),
    ("disconnect", &["connect"]),
    ("dissociate", &["associate"]),
    ("leave", &["join"]),
    ("unsubscribe", &["subscribe"]),
    ("unlike", &["like"]),
    ("unfollow", &["follow"]),
    ("unpin", &["pin"]),
    ("unlock", &["lock"]),
    ("unarchive", &["archive"]),
    ("unpublish", &["publish"]),
    ("revoke", &["grant"]),
    ("reopen", &["close"]),
    ("unstar", &["star"]),
];

/// Words that only join others.
const JOINING: [&str; 6] = ["from", "to", "of", "on", "in", "for"];

/// For each operation the one that it undoes, if there is such a one.
pub(crate) fn undone(api: &Api) -> Vec<Option<OperationIndex>> {
    let pairs: Vec<(String, Vec<String>)> = PAIRS
        .iter()
        .map(|(undo, does)| (stem(undo), does.iter().map(|word| stem(word)).collect()))
        .collect();
    let names: Vec<Vec<String>> = api.operations.iter().map(|o| name(api, o)).collect();
    let mut by_name = BTreeMap::new();
    for (name, (index, _)) in names.iter().zip(api.indexed()) {
        by_name.entry(name.clone()).or_insert(index);
    }
    let of = |name: &Vec<String>| {
        let (at, does) = name.iter().enumerate().find_map(|(at, word)| {
            let (_, does) = pairs.iter().find(|(undo, _)| undo == word)?;
            Some((at, does))
        })?;
        does.iter().find_map(|word| {
            let mut other = name.clone();
            other.get_mut(at)?.clone_from(word);
            by_name.get(&other).copied()
        })
    };
    names.iter().map(of).collect()
}

fn stem(word: &str) -> String {
    stem_words(word).concat()
}

/// The words of a GraphQL operation's name; none for others, whose paths say what they are.
fn name(api: &Api, operation: &Operation) -> Vec<String> {
    let Some(root) = &operation.graphql else {
        return Vec::new();
    };
    let words = Words::of(&api.root_field(root).name).0;
    let telling = words.into_iter();
    telling.filter(|word| !JOINING.contains(&&**word)).collect()
}

/// Makes a step act on the very things that another acts on, as far as both name them alike.
pub(crate) fn follow(step: &mut Step, other: &Step) {
    for bind in &other.binds {
        let Spot::Body(pointer) = &bind.spot else {
            continue;
        };
        let body = step.body.as_ref();
        if body.is_some_and(|body| body.gene.at(pointer).is_some()) {
            step.binds.retain(|own| own.spot != bind.spot);
            step.binds.push(bind.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use fossick_ingest::{NoFetch, Source, read};

    use super::*;

    #[test]
    fn what_undoes_knows_what_it_undoes() {
        let text = "type Query { a: Int } type Mutation {
            addTagToPost(tag: ID!, post: ID!): Int removeTagFromPost(tag: ID!, post: ID!): Int
            setLabels(ids: [ID!]!): Int unsetLabels(ids: [ID!]!): Int removePost(id: ID!): Int }";
        let source = Source {
            name: "schema.graphql".to_owned(),
            text: text.to_owned(),
        };
        let api = read(&source, &mut NoFetch).expect("it can be read").api;
        let undone = undone(&api);
        let of = |label: &str| {
            let at = api.find(label).expect("it is there").0 as usize;
            undone[at].map(|index| api.operation(index).label.as_str())
        };
        let add = Some("mutation addTagToPost");
        assert_eq!(of("mutation removeTagFromPost"), add);
        assert_eq!(of("mutation unsetLabels"), Some("mutation setLabels"));
        assert_eq!(of("mutation removePost"), None);
        assert_eq!(of("mutation addTagToPost"), None);
    }
}
