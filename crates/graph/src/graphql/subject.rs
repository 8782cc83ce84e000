//! What a GraphQL operation is about.

use fossick_contract::{Api, Operation, TypeId};

use super::names::Names;
use crate::Words;

/// The thing that an operation works on, as far as type or name tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subject {
    pub(crate) thing: Option<TypeId>,
    pub(crate) words: Words,
}

/// The contract says it where the answer holds the thing. `deleteBook: Boolean` only has its name.
pub(crate) fn subject_of(api: &Api, names: &Names<'_>, operation: &Operation) -> Option<Subject> {
    let root = operation.graphql.as_ref()?;
    let of_type = |on: TypeId| Subject {
        thing: Some(on),
        words: names.words(on).clone(),
    };
    if let Some(thing) = root.thing {
        return Some(of_type(thing));
    }
    let name = Words::of(&api.root_field(root).name);
    let named = names.type_within(&name, |_| true).map(of_type);
    named.or_else(|| {
        let words = without_verb(&name)?;
        Some(Subject { thing: None, words })
    })
}

/// What a name speaks of. The verb stands first or last: `createBook`, `bookCreate`.
pub(crate) fn without_verb(name: &Words) -> Option<Words> {
    let (verb, rest) = name.0.split_first()?;
    let words = if is_verb(verb) {
        rest
    } else {
        name.0.split_last()?.1
    };
    Some(Words(words.to_vec()))
}

fn is_verb(word: &str) -> bool {
    const VERBS: [&str; 14] = [
        "creat", "add", "insert", "regist", "new", "make", "save", "upsert", "post", "put",
        "delet", "remov", "updat", "set",
    ];
    VERBS.contains(&word)
}
