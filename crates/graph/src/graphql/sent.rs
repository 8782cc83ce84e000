//! What a creation is told of the thing it makes: keys of the caller's choice.

use std::collections::VecDeque;

use fossick_contract::{Api, Deed, OperationIndex, ShapeId, TypeId};

use super::arguments::{arguments, is_composite, properties, sort_of};
use super::names::{Names, Sort};
use super::subject::Subject;
use super::trail::core_of;
use crate::Words;

#[derive(Debug, Clone)]
pub(crate) struct Sent {
    pub(crate) thing: TypeId,
    pub(crate) maker: OperationIndex,
    pub(crate) pointer: String,
    pub(crate) words: Words,
    pub(crate) sort: Sort,
    pub(crate) required: bool,
}

/// `createUser(input: {user: {name}})` is as deep as it gets.
const DEPTH: usize = 3;
const MOST_SENT: usize = 40;

/// Everything that creations are sent and that could be a key, sorted by what they make.
pub(crate) fn sent(api: &Api, names: &Names<'_>, subjects: &[Option<Subject>]) -> Vec<Sent> {
    let mut all = Vec::new();
    for ((maker, operation), subject) in api.indexed().zip(subjects) {
        let thing = subject.as_ref().and_then(|subject| subject.thing);
        if let (Deed::Create, Some(thing), Some(shape)) =
            (operation.deed(), thing, arguments(operation))
        {
            let from = all.len();
            read(api, names.words(thing), (maker, thing), shape, &mut all);
            all.truncate(from + MOST_SENT);
        }
    }
    all.sort_by_key(|sent| sent.thing);
    all
}

/// Only what describes the thing itself is looked into.
pub(crate) fn read(
    api: &Api,
    owner: &Words,
    (maker, thing): (OperationIndex, TypeId),
    shape: ShapeId,
    all: &mut Vec<Sent>,
) {
    let mut rooms = VecDeque::from([(shape, String::new(), true, 0)]);
    while let Some((room, above, needed, depth)) = rooms.pop_front() {
        for property in properties(api, room) {
            let words = Words::of(&property.name);
            let pointer = format!("{above}/{}", fossick_contract::escape_token(&property.name));
            let required = needed && property.required;
            if is_composite(api, property.shape) {
                let core = core_of(&words);
                let own = core.is_empty() || core == *owner;
                if own && depth < DEPTH && rooms.len() < MOST_SENT {
                    rooms.push_back((property.shape, pointer, required, depth + 1));
                }
            } else if let Some(sort) = sort_of(api, api.shape(property.shape)) {
                all.push(Sent {
                    thing,
                    maker,
                    pointer,
                    words,
                    sort,
                    required,
                });
            }
        }
    }
}
