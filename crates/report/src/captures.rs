//! Short names for the values that flow between the calls of a script.
//!
//! A reader meets the same name in the steps of a finding and in its shell line: `$p` for what
//! came of `POST /projects`.

use fossick_suite::{Piece, jq};
use fossick_trace::{Call, Capture, Episode, Part, Take, Text};
use serde_json::Value;

/// Each value that a later call takes.
#[derive(Debug, Default)]
pub(crate) struct Names(Vec<Named>);

#[derive(Debug)]
struct Named {
    capture: Capture,
    name: String,
    /// It was a number when it was last seen: the same text in a URL and in JSON.
    is_number: bool,
}

impl Names {
    pub(crate) fn of(episode: &Episode) -> Self {
        let mut names = Self::default();
        for (at, call) in episode.script.calls.iter().enumerate() {
            for capture in call.captures().filter(|c| c.call < at) {
                names.add(capture, episode);
            }
        }
        names
    }

    fn add(&mut self, capture: &Capture, episode: &Episode) {
        if self.find(capture).is_some() {
            return;
        }
        let from = episode.script.calls.get(capture.call);
        let letter = from.map_or('v', |call| initial(&call.operation));
        let taken = self.0.iter().filter(|named| named.name.starts_with(letter));
        let name = numbered(letter, taken.count() + 1);
        let seen = episode
            .answer(capture.call)
            .and_then(|answer| capture.take.from(answer));
        self.0.push(Named {
            capture: capture.clone(),
            name,
            is_number: seen.is_some_and(|value| matches!(value, Value::Number(_))),
        });
    }

    fn find(&self, capture: &Capture) -> Option<&Named> {
        self.0.iter().find(|named| named.capture == *capture)
    }

    /// The name of the value as it goes into a URL or a header.
    pub(crate) fn get(&self, capture: &Capture) -> Option<&str> {
        self.find(capture).map(|named| named.name.as_str())
    }

    /// The name of the value as it goes into a JSON document: quoted, where it is text.
    pub(crate) fn get_json(&self, capture: &Capture) -> Option<String> {
        let named = self.find(capture)?;
        let suffix = if named.is_number { "" } else { "_json" };
        Some(format!("{}{suffix}", named.name))
    }

    /// What is taken from one call.
    pub(crate) fn taken_from(&self, call: usize) -> impl Iterator<Item = (&Take, &str)> {
        self.0
            .iter()
            .filter(move |named| named.capture.call == call)
            .map(|named| (&named.capture.take, named.name.as_str()))
    }

    /// The text with names in its holes; `None` if a hole has no name.
    pub(crate) fn pieces(&self, text: &Text) -> Option<Vec<Piece>> {
        text.0
            .iter()
            .map(|part| match part {
                Part::Fixed(fixed) => Some(Piece::Fixed(fixed.clone())),
                Part::Captured(capture) => Some(Piece::Variable(self.get(capture)?.to_owned())),
            })
            .collect()
    }
}

fn numbered(letter: char, number: usize) -> String {
    match number {
        1 => letter.to_string(),
        _ => format!("{letter}{number}"),
    }
}

/// The first letter of what an operation is about: `p` for `POST /api/projects/{id}`, `b` for
/// `mutation addBook`.
fn initial(operation: &str) -> char {
    let path = operation.split_once(' ').map_or("", |(_, path)| path);
    if !path.contains('/') {
        return initial_of_field(path);
    }
    path.rsplit('/')
        .filter(|segment| !segment.contains('{'))
        .find_map(|segment| segment.chars().find(char::is_ascii_alphabetic))
        .map_or('v', |c| c.to_ascii_lowercase())
}

/// Words in the names of mutations that say what is done, and not to what.
const VERBS: [&str; 12] = [
    "add", "create", "insert", "make", "new", "post", "put", "register", "save", "set", "update",
    "upsert",
];

fn initial_of_field(name: &str) -> char {
    words(name)
        .find(|word| !VERBS.contains(&word.as_str()))
        .and_then(|word| word.chars().find(char::is_ascii_alphabetic))
        .unwrap_or('v')
}

/// The words of `addBook` and `insert_books_one`, in small letters.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        if c == '_' || c.is_ascii_uppercase() {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut().filter(|_| c != '_') {
            last.push(c.to_ascii_lowercase());
        }
    }
    words.into_iter().filter(|word| !word.is_empty())
}

/// Where a value lies in the answer to a call, for people. A GraphQL call is about one key of
/// `data`, which need not be said.
pub(crate) fn place_in(call: &Call, take: &Take) -> String {
    let whole = place(take);
    let below = call.graphql.as_ref().and_then(|key| {
        let rest = whole.strip_prefix("data.")?.strip_prefix(&**key)?;
        rest.strip_prefix('.').map(str::to_owned)
    });
    below.unwrap_or(whole)
}

/// Where a value lies, for people: `id`, `data.items.0.id`, `Location`.
fn place(take: &Take) -> String {
    match take {
        Take::Location => "Location".to_owned(),
        Take::Header(name) => name.clone(),
        Take::Pointer(pointer) if pointer.is_empty() => "body".to_owned(),
        Take::Pointer(pointer) => jq::segments(pointer).collect::<Vec<_>>().join("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_what_the_operation_makes() {
        assert_eq!(initial("POST /api/v1/projects"), 'p');
        assert_eq!(initial("PUT /projects/{id}"), 'p');
        assert_eq!(initial("POST /projects/{id}/Tasks"), 't');
        assert_eq!(initial("POST /"), 'v');
        assert_eq!(initial("mutation addBook"), 'b');
        assert_eq!(initial("mutation insert_authors_one"), 'a');
        assert_eq!(initial("mutation bookCreate"), 'b');
        assert_eq!(initial("mutation create"), 'v');
    }

    #[test]
    fn places_are_told_in_plain_words() {
        assert_eq!(place(&Take::Pointer("/data/0/id".into())), "data.0.id");
        assert_eq!(place(&Take::Pointer(String::new())), "body");
        assert_eq!(place(&Take::Location), "Location");
    }
}
