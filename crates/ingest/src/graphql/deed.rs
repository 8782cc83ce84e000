//! What a mutation does to which thing, by the words of its name.
//!
//! A verb alone is not enough: `removeBookFromShelf` changes a shelf, and a mutation that says
//! `add` and takes the ID of what it gives changes that. When in doubt it is a change: to hold
//! something for deleted that is not would make a fault of the service out of a guess.

use fossick_contract::{Deed, TypeId};

use super::keys::Owned;
use super::names::Names;
use super::pages::has_identity;
use super::thing::Found;
use super::verbs::{FILLERS, IN_FRONT, SURE, TURNS, Verb, look_up};
use super::words::{key, singular, words};

/// What a mutation does, and to what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) deed: Deed,
    pub(super) found: Found,
}

/// Decides for a mutation. `owned` tells how its arguments name one of these things already.
pub(super) fn of_mutation(
    name: &str,
    description: &str,
    found: Found,
    names: &Names<'_>,
    owned: &dyn Fn(TypeId) -> Owned,
) -> Subject {
    let said = spoken(name);
    if let Some(saying) = Saying::of_name(&said) {
        return saying.decide(found, names, owned);
    }
    if let Some(found) = part_of(&said, &found, names) {
        return Subject {
            deed: Deed::Update,
            found,
        };
    }
    match Saying::of_description(description) {
        Some(saying) => saying.decide(found, names, owned),
        None => Subject {
            deed: by_shape(&said, &found, names, owned),
            found: named_by(&said, found, names),
        },
    }
}

/// `hireEmployee(input): Employee`: whatever the verb is, what is given and was not named by the
/// caller is new, as long as it has an identity to be found by.
fn by_shape(
    said: &[String],
    found: &Found,
    names: &Names<'_>,
    owned: &dyn Fn(TypeId) -> Owned,
) -> Deed {
    let (Some(thing), Some((_, about))) = (found.thing, said.split_first()) else {
        return Deed::Other;
    };
    let is_called_so = !about.is_empty() && key(about) == key(&names.words(thing));
    if is_called_so && has_identity(names.graph.fields(thing)) && owned(thing) == Owned::Not {
        return Deed::Create;
    }
    Deed::Other
}

/// The words of a name; what is one verb in two words becomes one.
fn spoken(name: &str) -> Vec<String> {
    let mut said = words(name);
    let two = said.windows(2).position(|pair| pair == ["sign", "up"]);
    if let Some(at) = two {
        said.splice(at..at + 2, ["signup".to_owned()]);
    }
    said
}

/// `orderAddNote`: whatever is done behind the thing's name is done to a part of it.
fn part_of(said: &[String], found: &Found, names: &Names<'_>) -> Option<Found> {
    (1..said.len()).find_map(|at| {
        let (before, after) = said.split_at(at);
        let verb = after.first()?;
        look_up(SURE, verb).or_else(|| look_up(IN_FRONT, verb))?;
        let spoken = names.find(before);
        match found.thing {
            None => spoken.map(|thing| alone(Some(thing))),
            Some(thing) if spoken == Some(thing) || key(before) == key(&names.words(thing)) => {
                Some(found.clone())
            }
            Some(_) => None,
        }
    })
}

/// Where the answer does not hold the thing, the name may still say which it is.
fn named_by(said: &[String], found: Found, names: &Names<'_>) -> Found {
    match found.thing {
        Some(_) => found,
        None => alone(names.find_last(said)),
    }
}

/// A thing that the answer does not hold.
fn alone(thing: Option<TypeId>) -> Found {
    Found {
        thing,
        ..Found::default()
    }
}

/// A verb, what it is done to, and what follows a `from` or `to`.
#[derive(Debug)]
struct Saying {
    verb: Verb,
    about: Vec<String>,
    beyond: Option<(String, Vec<String>)>,
}

fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// `userDeleteById` says what it does before it turns to something else.
fn core(said: &[String]) -> &[String] {
    let turn = said
        .iter()
        .skip(1)
        .position(|word| TURNS.contains(&word.as_str()));
    let end = turn.map_or(said.len(), |at| at + 1);
    let mut core = said.get(..end).unwrap_or(said);
    while let [rest @ .., last] = core
        && !rest.is_empty()
        && is_filler(last)
    {
        core = rest;
    }
    core
}

impl Saying {
    fn of_name(said: &[String]) -> Option<Self> {
        let (first, after) = said.split_first()?;
        let (last, before) = core(said).split_last()?;
        let in_front = look_up(SURE, first).map(|verb| Self::new(verb, after));
        let at_end = || look_up(SURE, last).map(|verb| Self::whole(verb, before));
        let noun_too = || look_up(IN_FRONT, first).map(|verb| Self::new(verb, after));
        in_front.or_else(at_end).or_else(noun_too)
    }

    /// `Deletes a product.`: the first word, in the third person or not.
    fn of_description(description: &str) -> Option<Self> {
        let start: String = description.chars().take(120).collect();
        let sentence = start.split(['.', '\n', ',', ';', '(']).next().unwrap_or("");
        let said = words(sentence);
        let (first, after) = said.split_first()?;
        let verb = look_up(SURE, first)
            .or_else(|| look_up(SURE, &singular(first)))
            .or_else(|| look_up(IN_FRONT, &singular(first)))?;
        Some(Self::new(verb, after))
    }

    fn new(verb: Verb, rest: &[String]) -> Self {
        let turn = rest.iter().position(|word| TURNS.contains(&word.as_str()));
        let (about, tail) = rest.split_at(turn.unwrap_or(rest.len()));
        Self {
            beyond: tail
                .split_first()
                .map(|(turn, rest)| (turn.clone(), rest.to_vec())),
            ..Self::whole(verb, about)
        }
    }

    fn whole(verb: Verb, about: &[String]) -> Self {
        let about = about.iter().filter(|word| !is_filler(word));
        Self {
            verb,
            about: about.cloned().collect(),
            beyond: None,
        }
    }

    fn decide(&self, found: Found, names: &Names<'_>, owned: &dyn Fn(TypeId) -> Owned) -> Subject {
        let found = match found.thing {
            Some(_) => found,
            None => alone(self.spoken_of(names)),
        };
        let Some(thing) = found.thing else {
            let deed = self.of_nothing();
            return Subject { deed, found };
        };
        let relation = self.relation(thing, names);
        match self.verb {
            Verb::Create { .. } | Verb::Save => Subject {
                deed: self.making(relation, owned(thing)),
                found,
            },
            Verb::Delete { weak } => self.deleting(weak, relation, found),
            Verb::Replace => Subject {
                deed: Deed::Replace,
                found,
            },
            Verb::Update { of_itself } => Subject {
                deed: Deed::Update,
                found: match relation {
                    Relation::Other(thing) if of_itself => alone(Some(thing)),
                    _ => found,
                },
            },
        }
    }

    /// What is done where nobody can tell to what.
    fn of_nothing(&self) -> Deed {
        match self.verb {
            Verb::Create { weak: false } => Deed::Create,
            Verb::Create { weak: true } | Verb::Save | Verb::Delete { weak: true } => Deed::Other,
            Verb::Update { .. } => Deed::Update,
            Verb::Replace => Deed::Replace,
            Verb::Delete { weak: false } => Deed::Delete,
        }
    }

    /// Whether the thing is made, or something is made of it that was there before.
    fn making(&self, relation: Relation, owned: Owned) -> Deed {
        let there = match self.verb {
            Verb::Create { weak: true } => owned == Owned::ByName,
            Verb::Save => owned != Owned::Not,
            _ => false,
        };
        match relation {
            Relation::Unrelated if self.lets_in() => Deed::Other,
            Relation::Same if !there => Deed::Create,
            Relation::Unrelated if self.verb == (Verb::Create { weak: false }) => Deed::Create,
            _ => Deed::Update,
        }
    }

    /// `tokenCreate` gives a user, but one who was there before.
    fn lets_in(&self) -> bool {
        const PASSES: [&str; 6] = ["token", "session", "login", "auth", "jwt", "password"];
        self.about
            .iter()
            .any(|word| PASSES.contains(&word.as_str()))
    }

    fn deleting(&self, weak: bool, relation: Relation, found: Found) -> Subject {
        let gone = |found| Subject {
            deed: Deed::Delete,
            found,
        };
        match relation {
            _ if self.only_takes_out() => {}
            Relation::Same => return gone(found),
            Relation::Unrelated if !weak => return gone(found),
            Relation::Other(thing) => return gone(alone(Some(thing))),
            Relation::Part | Relation::Unrelated => {}
        }
        Subject {
            deed: Deed::Update,
            found,
        }
    }

    /// The thing that the name means: behind a `from` or `to` where something is put in or out.
    fn spoken_of(&self, names: &Names<'_>) -> Option<TypeId> {
        let beyond = self
            .beyond
            .as_ref()
            .filter(|_| self.puts_in() || self.only_takes_out());
        beyond
            .and_then(|(_, rest)| names.find_last(rest))
            .or_else(|| names.find_last(&self.about))
    }

    /// `removeBookFromShelf`: the book stays.
    fn only_takes_out(&self) -> bool {
        let from = self.beyond.as_ref().is_some_and(|(turn, _)| turn == "from");
        self.verb == Verb::Delete { weak: true } && from
    }

    /// `addBookToShelf`: the book is there already.
    fn puts_in(&self) -> bool {
        let to = |turn: &str| matches!(turn, "to" | "into");
        self.verb == Verb::Create { weak: true }
            && self.beyond.as_ref().is_some_and(|(turn, _)| to(turn))
    }

    fn relation(&self, thing: TypeId, names: &Names<'_>) -> Relation {
        let of_thing = names.words(thing);
        let (said, is) = (key(&self.about), key(&of_thing));
        if said.is_empty() || said == is {
            return Relation::Same;
        }
        match names.find(&self.about) {
            Some(other) if names.is_kin(other, thing) => Relation::Same,
            Some(other) => Relation::Other(other),
            None if said.ends_with(&is) || is.ends_with(&said) || is.starts_with(&said) => {
                Relation::Same
            }
            None if is_sort_of(&self.about, &of_thing) => Relation::Same,
            None => {
                let shared = |word: &String| of_thing.iter().any(|w| singular(w) == singular(word));
                let part = self.about.iter().any(shared);
                if part {
                    Relation::Part
                } else {
                    Relation::Unrelated
                }
            }
        }
    }
}

/// Whether words name a special sort of a thing: `shelf audio book` is a `shelf book`.
fn is_sort_of(said: &[String], thing: &[String]) -> bool {
    let mut rest = said.iter();
    let in_order = thing
        .iter()
        .all(|word| rest.any(|other| singular(other) == singular(word)));
    thing.len() > 1 && in_order && rest.next().is_none()
}

/// How what a name speaks of stands to what is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Same,
    /// Another type, and which.
    Other(TypeId),
    /// Something of the thing: `userAvatar` of a user.
    Part,
    Unrelated,
}

#[cfg(test)]
mod tests {
    use crate::graphql::tests::{api_of, root};

    const TYPES: &str = "type Query { a: Int }
        type Book { id: ID! title: String } type Shelf { id: ID! books: [Book] }
        type Comment { id: ID! } type Post { id: ID! comments: [Comment] }
        type UserType { id: ID! name: String } type ToDo { id: ID! }
        type BookPayload { book: Book errors: [String] } ";

    /// What a mutation does and to what: `delete Book`.
    fn done(field: &str) -> String {
        let api = api_of(&format!("{TYPES} type Mutation {{ {field} }}"));
        let root = root(&api, &api.operations.last().expect("the mutation").label);
        let thing = root.thing.map(|id| api.types.get(id).name.to_string());
        format!("{:?} {}", root.deed, thing.unwrap_or_default()).to_lowercase()
    }

    #[test]
    fn the_first_or_the_last_word_tells() {
        for (field, wanted) in [
            ("createBook(title: String): Book", "create book"),
            ("bookCreate(title: String): BookPayload", "create book"),
            ("insert_books_one(title: String): Book", "create book"),
            ("newBook: Book", "create book"),
            ("createToVideoDo(to: ID!): ToDo", "create todo"),
            ("updateBook(id: ID!): Book", "update book"),
            ("bookUpdate(id: ID!): BookPayload", "update book"),
            ("postUpdate(id: ID!): Post", "update post"),
            ("upsertBook(id: ID): Book", "update book"),
            ("replaceBook(id: ID!): Book", "replace book"),
            ("deleteBook(id: ID!): Book", "delete book"),
            ("bookBulkDelete(ids: [ID!]!): Int", "delete book"),
            ("delete_books_by_pk(id: ID!): Book", "delete book"),
            ("deleteUser(id: ID!): UserType", "delete usertype"),
            ("createUser(name: String): UserType", "create usertype"),
            ("signUp(name: String): UserType", "create usertype"),
            ("likePost(id: ID!): Post", "other post"),
            ("copyBook(id: ID!): Book", "create book"),
            ("login(name: String): String", "other "),
            ("createToken(name: String): UserType", "other usertype"),
            ("clearAll: Int", "other "),
            ("sendMail(to: String): String", "other "),
            ("bookDeleteById(id: ID!): Boolean", "delete book"),
            ("toDoDelete(id: ID!): Boolean", "delete todo"),
            ("bookSetTitle(id: ID!): Boolean", "update book"),
            ("bookUpdateAll(title: String): Book", "update book"),
        ] {
            assert_eq!(done(field), wanted, "{field}");
        }
    }

    #[test]
    fn a_thing_is_found_by_name_where_the_answer_does_not_hold_it() {
        assert_eq!(done("deleteBook(id: ID!): Boolean"), "delete book");
        assert_eq!(done("createBooks(n: Int): Boolean!"), "create book");
        assert_eq!(done("deleteComment(id: ID!): Post"), "delete comment");
        assert_eq!(done("updateComment(id: ID!): Post"), "update comment");
        assert_eq!(done("publishBook(id: ID!): Boolean"), "update book");
    }

    #[test]
    fn putting_in_and_taking_out_are_changes() {
        assert_eq!(
            done("addBookToShelf(book: ID!, shelf: ID!): Shelf"),
            "update shelf"
        );
        assert_eq!(
            done("removeBookFromShelf(book: ID!): Shelf"),
            "update shelf"
        );
        assert_eq!(
            done("removeBookFromShelf(book: ID!): Boolean"),
            "update shelf"
        );
        assert_eq!(done("addComment(post: ID!): Post"), "update post");
        assert_eq!(done("shelfRemoveLabel(id: ID!): Shelf"), "update shelf");
        assert_eq!(done("deleteBookCover(id: ID!): Book"), "update book");
        assert_eq!(done("removeCover(id: ID!): Book"), "update book");
    }

    #[test]
    fn adding_what_is_named_already_is_a_change() {
        assert_eq!(
            done("saveBook(bookId: ID!, title: String): Book"),
            "update book"
        );
        assert_eq!(done("saveBook(title: String): Book"), "create book");
        assert_eq!(done("saveBook(id: ID!): Book"), "update book");
        assert_eq!(done("addBook(id: ID!): Book"), "create book");
        assert_eq!(done("addBook(bookId: ID!): Book"), "update book");
        assert_eq!(done("createBook(id: ID!): Book"), "create book");
    }

    #[test]
    fn descriptions_help_where_names_do_not() {
        assert_eq!(
            done("\"Creates a new book.\" bookFun(title: String): Book"),
            "create book"
        );
        assert_eq!(
            done("\"Deletes the given book\" bookBye(id: ID!): Book"),
            "delete book"
        );
        assert_eq!(
            done("\"Removes a label from a book\" bookFun(id: ID!): Book"),
            "update book"
        );
        assert_eq!(done("\"A book.\" bookFun(id: ID!): Book"), "other book");
    }
}
