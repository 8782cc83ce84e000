//! The arguments that say which existing thing is meant.
//!
//! By name and type: an `id`, a `bookId` where a book is meant, whatever is of type `ID!`. Looked
//! for where schemas put them: among the arguments, or one or two levels inside what selects
//! (`where`, `input`), never in what is to be written.

use std::sync::Arc;

use fossick_contract::{Deed, Field, TypeId};

use super::names::Names;
use super::outline::{Outline, Taken};
use super::words::{key, words};

/// More than this name no single thing.
const MOST: usize = 4;

/// What an operation is about, as far as its keys matter.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) outline: &'a Outline,
    pub(super) names: &'a Names<'a>,
    pub(super) thing: Option<TypeId>,
    pub(super) deed: Deed,
}

/// Pointers into the arguments, in their order.
pub(super) fn keys(asked: Asked<'_>, arguments: &[Taken]) -> Vec<String> {
    if asked.deed == Deed::Create {
        return Vec::new();
    }
    let mut found = asked.candidates(arguments);
    if asked.thing.is_none() {
        found.retain(|found| found.required);
    }
    let chosen = choose(&found, asked.deed);
    chosen
        .into_iter()
        .take(MOST)
        .map(|found| found.pointer.clone())
        .collect()
}

/// How the arguments name one of the things: not at all, by a bare `id`, or by `bookId`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owned {
    Not,
    Barely,
    ByName,
}

/// How surely the arguments already name one of these things.
pub(super) fn owned(asked: Asked<'_>, arguments: &[Taken]) -> Owned {
    let found = asked.candidates(arguments);
    let keys = found
        .iter()
        .filter(|found| found.rank == Rank::Id && found.required);
    let surely = |found: &Candidate| {
        let name = found.pointer.rsplit('/').next().unwrap_or("");
        if words(name).len() > 1 || asked.is_thing(&words(name)) {
            Owned::ByName
        } else {
            Owned::Barely
        }
    };
    keys.map(surely).max().unwrap_or(Owned::Not)
}

#[derive(Debug)]
struct Candidate {
    pointer: String,
    rank: Rank,
    required: bool,
}

/// How surely an argument is a key of the thing, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// `id`, `bookId`.
    Id,
    /// `slug`, `key`.
    Slug,
    /// Called like a field of the thing.
    Field,
    /// The key of something else, of which the thing may be a part.
    Foreign,
}

/// Of the candidates, those that together mean one thing.
fn choose(found: &[Candidate], deed: Deed) -> Vec<&Candidate> {
    let own: Vec<&Candidate> = found.iter().filter(|c| c.rank < Rank::Foreign).collect();
    let needed = |own: &[&Candidate]| own.iter().any(|c| c.required);
    let best = own
        .iter()
        .filter(|c| c.required || !needed(&own))
        .map(|c| c.rank)
        .min();
    let Some(best) = best else {
        let foreign = found.iter().filter(|c| c.required);
        return foreign.collect();
    };
    let mut chosen: Vec<&Candidate> = if needed(&own) {
        // Where something is changed, an `id` is enough and the rest may be what it is changed to;
        // a slug or a name may need the others to be one of its kind.
        let is_key = |c: &&Candidate| match best {
            Rank::Id if !matches!(deed, Deed::Read | Deed::Delete) => c.rank == Rank::Id,
            _ => c.rank < Rank::Foreign,
        };
        found.iter().filter(|c| c.required).filter(is_key).collect()
    } else {
        // Several optional ones are ways to say the same; together they might contradict.
        own.into_iter().filter(|c| c.rank == best).take(1).collect()
    };
    // What is to be changed may get new relatives; what is read or deleted has only old ones.
    if !matches!(deed, Deed::Update | Deed::Replace) {
        let parents = found
            .iter()
            .filter(|c| c.rank == Rank::Foreign && c.required);
        chosen.extend(parents);
        chosen.sort_by_key(|c| found.iter().position(|other| other.pointer == c.pointer));
    }
    chosen
}

impl Asked<'_> {
    fn candidates(&self, arguments: &[Taken]) -> Vec<Candidate> {
        let among = self.among(arguments, "", true);
        if !among.is_empty() {
            return among;
        }
        let several = arguments
            .iter()
            .filter(|taken| self.is_input(taken))
            .count()
            > 1;
        let selecting = arguments
            .iter()
            .filter(|taken| !(several && is_written(&taken.name)));
        self.inside(selecting.collect(), "", true, 2)
    }

    /// A one-of is not looked into: a key put beside another choice would break it.
    fn is_input(&self, taken: &Taken) -> bool {
        let input = self.outline.input(&taken.kind.named);
        !taken.kind.is_list() && input.is_some_and(|input| !input.one_of)
    }

    /// Keys among arguments or fields.
    fn among(&self, taken: &[Taken], prefix: &str, required: bool) -> Vec<Candidate> {
        let found = taken
            .iter()
            .filter(|one| self.is_scalar(one))
            .filter_map(|one| {
                Some(Candidate {
                    pointer: format!("{prefix}/{}", one.name),
                    rank: self.rank(one)?,
                    required: required && one.required(),
                })
            });
        found.collect()
    }

    /// Keys inside input objects, those of the nearest level that has any.
    fn inside(
        &self,
        taken: Vec<&Taken>,
        prefix: &str,
        required: bool,
        levels: usize,
    ) -> Vec<Candidate> {
        let inputs: Vec<(String, &Taken, bool)> = taken
            .into_iter()
            .filter(|one| self.is_input(one))
            .map(|one| {
                (
                    format!("{prefix}/{}", one.name),
                    one,
                    required && one.required(),
                )
            })
            .collect();
        let mut found = Vec::new();
        for (at, one, required) in &inputs {
            let fields = self.fields(one);
            found.extend(self.among(fields, at, *required));
            found.extend(self.compared(one, at, *required));
        }
        if found.is_empty() && levels > 1 {
            for (at, one, required) in &inputs {
                let fields = self
                    .fields(one)
                    .iter()
                    .filter(|field| !is_written(&field.name));
                found.extend(self.inside(fields.collect(), at, *required, levels - 1));
            }
        }
        found
    }

    fn fields(&self, taken: &Taken) -> &[Taken] {
        let input = self.outline.input(&taken.kind.named);
        input.map_or(&[], |input| input.fields.as_slice())
    }

    /// `where: {id: {_eq: 1}}`: a key that is compared with.
    fn compared(&self, taken: &Taken, at: &str, required: bool) -> Vec<Candidate> {
        let by_id = self.fields(taken).iter().filter(|field| {
            self.is_input(field)
                && self
                    .rank_by_name(&field.name)
                    .is_some_and(|r| r == Rank::Id)
        });
        let compared = by_id.filter_map(|field| {
            let equals = self.fields(field).iter().find(|one| is_equals(&one.name))?;
            self.is_scalar(equals).then(|| Candidate {
                pointer: format!("{at}/{}/{}", field.name, equals.name),
                rank: Rank::Id,
                required: required && field.required(),
            })
        });
        compared.collect()
    }

    fn is_scalar(&self, taken: &Taken) -> bool {
        !taken.kind.is_list() && self.outline.is_scalar(&taken.kind.named)
    }

    fn rank(&self, taken: &Taken) -> Option<Rank> {
        let is_id = &*taken.kind.named == "ID";
        let by_name = self.rank_by_name(&taken.name);
        let by_thing = || (is_id && self.is_called_like_the_thing(&taken.name)).then_some(Rank::Id);
        let by_field = || {
            let plain = taken.required() && !ends_in_id(&taken.name);
            (plain && self.is_a_field(&taken.name)).then_some(Rank::Field)
        };
        let foreign = || {
            let refers = is_id || ends_in_id(&taken.name);
            (refers && taken.required()).then_some(Rank::Foreign)
        };
        by_name.or_else(by_thing).or_else(by_field).or_else(foreign)
    }

    fn rank_by_name(&self, name: &str) -> Option<Rank> {
        const IDS: [&str; 11] = [
            "id",
            "uuid",
            "guid",
            "nodeid",
            "pk",
            "uid",
            "oid",
            "objectid",
            "globalid",
            "recordid",
            "documentid",
        ];
        const SLUGS: [&str; 4] = ["slug", "key", "handle", "identifier"];
        let said = words(name);
        let plain = said.concat();
        if IDS.contains(&plain.as_str()) {
            return self.has_identity().then_some(Rank::Id);
        }
        if SLUGS.contains(&plain.as_str()) {
            return Some(Rank::Slug);
        }
        let (last, before) = said.split_last()?;
        if !self.is_thing(before) {
            return None;
        }
        match last.as_str() {
            id if is_id_word(id) => Some(Rank::Id),
            "slug" | "key" | "number" | "code" => Some(Rank::Slug),
            _ => None,
        }
    }

    /// Whether the thing can be told apart; a count or a token has no `id` that could be asked for.
    fn has_identity(&self) -> bool {
        let graph = self.names.graph;
        let Some(thing) = self.thing else {
            return true;
        };
        let fields = graph.fields(thing);
        let is_id = |name: &str| name == "ID" || name == "UUID";
        let ends = |name: &str| words(name).last().is_some_and(|last| is_id_word(last));
        let told = |field: &Field| is_id(&graph.get(field.returns.named).name) || ends(&field.name);
        fields.is_empty() || fields.iter().any(told)
    }

    fn is_called_like_the_thing(&self, name: &str) -> bool {
        self.is_thing(&words(name))
    }

    /// Whether these words mean the thing, in whole or by its last words.
    fn is_thing(&self, said: &[String]) -> bool {
        let thing = self.thing.map(|id| key(&self.names.words(id)));
        let said = key(said);
        !said.is_empty() && thing.is_some_and(|thing| thing.ends_with(&said))
    }

    /// Whether the thing has a plain field of this name; asked only where one thing is looked up.
    fn is_a_field(&self, name: &str) -> bool {
        let looked_up = matches!(self.deed, Deed::Read | Deed::Delete);
        let graph = self.names.graph;
        let field = self.thing.and_then(|id| graph.field(id, name));
        looked_up
            && field.is_some_and(|field| {
                field.returns.lists() == 0 && !graph.get(field.returns.named).is_composite()
            })
    }
}

fn is_id_word(word: &str) -> bool {
    matches!(word, "id" | "uuid" | "guid" | "pk")
}

fn ends_in_id(name: &str) -> bool {
    let said = words(name);
    said.len() > 1
        && said.concat() != "clientmutationid"
        && said.last().is_some_and(|last| is_id_word(last))
}

fn is_equals(name: &Arc<str>) -> bool {
    matches!(&**name, "_eq" | "eq" | "equals" | "equalTo" | "is")
}

/// Whether it holds new values rather than what they are for.
fn is_written(name: &str) -> bool {
    const WRITTEN: [&str; 15] = [
        "data",
        "set",
        "patch",
        "change",
        "value",
        "object",
        "create",
        "update",
        "attribute",
        "inc",
        "field",
        "body",
        "content",
        "append",
        "prepend",
    ];
    let last = words(name).pop();
    last.is_some_and(|last| WRITTEN.contains(&super::words::singular(&last).as_str()))
}

#[cfg(test)]
mod tests {
    use crate::graphql::tests::{api_of, root};

    const TYPES: &str = "type Book { id: ID! title: String isbn: String author: Author }
        type Author { id: ID! name: String } type ProductVariant { id: ID! }
        input ById { id: ID! note: String } input Where { id: IdExp title: String }
        input IdExp { _eq: Int _in: [Int!] } input Write { id: ID title: String }
        input Relay { clientMutationId: String nodeId: ID! bookPatch: Write! }
        input Outer { selector: ById! data: Write! } ";

    fn keys(kind: &str, field: &str) -> String {
        let query = if kind == "query" { field } else { "a: Int" };
        let mutation = if kind == "query" { "a: Int" } else { field };
        let api = api_of(&format!(
            "{TYPES} type Query {{ {query} }} type Mutation {{ {mutation} }}"
        ));
        let name = field.split(['(', ':']).next().unwrap_or("");
        root(&api, &format!("{kind} {name}")).keys.join(" ")
    }

    #[test]
    fn ids_are_found_by_name_and_type() {
        for (field, wanted) in [
            ("book(id: ID!): Book", "/id"),
            ("book(bookId: Int!): Book", "/bookId"),
            ("book(book_uuid: String!): Book", "/book_uuid"),
            ("book(book: ID!): Book", "/book"),
            ("variant(variantId: ID!): ProductVariant", "/variantId"),
            ("book(nodeId: ID!, verbose: Boolean): Book", "/nodeId"),
            ("book(slug: String!): Book", "/slug"),
            ("book(isbn: String!): Book", "/isbn"),
            ("book(thing: ID!): Book", "/thing"),
            ("book(verbose: Boolean!): Book", ""),
            ("books(authorId: ID!): [Book]", ""),
            ("isTaken(name: String!): Boolean", ""),
        ] {
            assert_eq!(keys("query", field), wanted, "{field}");
        }
    }

    #[test]
    fn parents_stand_beside_and_alternatives_do_not() {
        assert_eq!(
            keys("query", "book(authorId: ID!, id: ID!): Book"),
            "/authorId /id"
        );
        assert_eq!(keys("query", "book(id: ID, slug: String): Book"), "/id");
        assert_eq!(keys("query", "book(slug: String, id: ID): Book"), "/id");
        assert_eq!(
            keys("query", "book(id: ID!, key: String!): Book"),
            "/id /key"
        );
        let both = "book(authorId: ID!, slug: String!): Book";
        assert_eq!(keys("query", both), "/authorId /slug");
        assert_eq!(keys("query", "count(id: ID): Int"), "");
        let many = "book(a: ID!, b: ID!, c: ID!, d: ID!, e: ID!): Book";
        assert_eq!(keys("query", many), "/a /b /c /d");
    }

    #[test]
    fn keys_are_found_inside_what_selects() {
        for (field, wanted) in [
            ("deleteBook(input: ById!): Book", "/input/id"),
            ("updateBook(where: ById!, data: Write!): Book", "/where/id"),
            (
                "updateBook(pk_columns: ById!, _set: Write): Book",
                "/pk_columns/id",
            ),
            ("updateBook(input: Relay!): Book", "/input/nodeId"),
            ("updateBook(input: Outer!): Book", "/input/selector/id"),
            ("deleteBook(where: Where!): Book", "/where/id/_eq"),
            ("updateBook(id: ID!, input: ById!): Book", "/id"),
            ("updateBook(id: ID!, authorId: ID!): Book", "/id"),
            ("updateBook(input: Write!): Book", "/input/id"),
        ] {
            assert_eq!(keys("mutation", field), wanted, "{field}");
        }
    }

    #[test]
    fn what_is_made_has_no_key_yet() {
        assert_eq!(
            keys("mutation", "createBook(authorId: ID!, id: ID!): Book"),
            ""
        );
        assert_eq!(
            keys("mutation", "deleteBook(isbn: String!): Boolean"),
            "/isbn"
        );
    }
}
