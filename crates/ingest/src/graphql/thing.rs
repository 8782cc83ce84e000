//! The thing that an operation is about, found from what it gives: payloads, pages and
//! connections taken off.
//!
//! By the habits that schemas have, since GraphQL itself knows none of these notions. The rule
//! behind all of them: something with an identity of its own is a thing, and is never taken off.

use std::sync::Arc;

use fossick_contract::{Field, TypeId, TypeKind};

use super::names::{Names, is_root};
use super::pages::{complains, connection, has_identity, is_housekeeping, is_payload_name};
use super::words::{key, words};

/// Payloads in payloads end here.
const HOPS: usize = 3;

/// What an operation gives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) thing: Option<TypeId>,
    pub(super) way: Vec<Arc<str>>,
    pub(super) listed: bool,
}

/// Looks for the thing in what a root field gives; `said` are the words of the field's name.
pub(super) fn find(names: &Names<'_>, field: &Field, said: &[String], mutation: bool) -> Found {
    let mut search = Search {
        names,
        said,
        mutation,
        found: Found {
            listed: field.returns.lists() > 0,
            ..Found::default()
        },
    };
    search.found.thing = search.within(field.returns.named, HOPS);
    if search.found.thing.is_none() {
        search.found.way.clear();
    }
    search.found
}

struct Search<'s> {
    names: &'s Names<'s>,
    said: &'s [String],
    mutation: bool,
    found: Found,
}

impl<'s> Search<'s> {
    fn within(&mut self, id: TypeId, hops: usize) -> Option<TypeId> {
        let graph = self.names.graph;
        if is_root(graph, id) || !graph.get(id).is_composite() {
            return None;
        }
        if let TypeKind::Union(members) = &graph.get(id).kind {
            return self.within_union(id, members, hops);
        }
        if let Some((way, node)) = connection(graph, id) {
            self.found.way.extend(way);
            self.found.listed = true;
            return Some(node);
        }
        match self.payload(id, hops == HOPS) {
            Payload::Not => Some(id),
            Payload::Empty => None,
            Payload::Holds(inside) if hops > 0 => {
                self.found.way.push(Arc::clone(&inside.name));
                self.found.listed |= inside.returns.lists() > 0;
                self.within(inside.returns.named, hops - 1)
            }
            Payload::Holds(inside) => Some(inside.returns.named),
        }
    }

    /// `Book | NotFoundError` is about a book; a union of several things is about itself.
    fn within_union(&mut self, id: TypeId, members: &[TypeId], hops: usize) -> Option<TypeId> {
        let mut fine = members.iter().filter(|member| !self.is_complaint(**member));
        match (fine.next(), fine.next()) {
            (Some(only), None) if members.len() > 1 => self.within(*only, hops),
            _ => Some(self.spoken_of(members).unwrap_or(id)),
        }
    }

    /// Of several things, the one that the name of a mutation speaks of.
    fn spoken_of(&self, members: &[TypeId]) -> Option<TypeId> {
        let said = key(self.said);
        let spoken = |id: &&TypeId| said.contains(&key(&self.names.words(**id)));
        let mut spoken = members.iter().filter(spoken).filter(|_| self.mutation);
        match (spoken.next(), spoken.next()) {
            (Some(only), None) => Some(*only),
            _ => None,
        }
    }

    fn is_complaint(&self, id: TypeId) -> bool {
        const BAD: [&str; 7] = [
            "error",
            "errors",
            "failure",
            "problem",
            "exception",
            "fault",
            "invalid",
        ];
        let words = words(&self.names.graph.get(id).name);
        words.iter().any(|word| BAD.contains(&word.as_str()))
    }

    /// What a payload holds. Only the outermost is told by its fields; further in, what looks like
    /// a payload is more likely a part of the thing.
    fn payload(&self, id: TypeId, outermost: bool) -> Payload<'s> {
        let graph = self.names.graph;
        let name = &graph.get(id).name;
        let named = is_payload_name(name) || key(&words(name)) == key(self.said);
        if !named && !outermost {
            return Payload::Not;
        }
        let fields = graph.fields(id);
        if has_identity(fields) && !(named && self.mutation) {
            return Payload::Not;
        }
        let inside: Vec<&Field> = fields
            .iter()
            .filter(|field| graph.get(field.returns.named).is_composite())
            .filter(|field| !is_housekeeping(&field.name) && !is_root(graph, field.returns.named))
            .collect();
        let bare = fields
            .iter()
            .filter(|field| !graph.get(field.returns.named).is_composite())
            .all(|field| is_housekeeping(&field.name));
        match (inside.as_slice(), self.mutation) {
            ([only], true) if named || bare => Payload::Holds(only),
            ([only], false) if named && bare => Payload::Holds(only),
            ([], true) if named || bare => Payload::Empty,
            ([_, ..], true) if named || (bare && complains(fields)) => self.chosen(&inside),
            _ => Payload::Not,
        }
    }

    /// Of several, the one that the operation's name speaks of, else the first with an identity.
    fn chosen<'f>(&self, inside: &[&'f Field]) -> Payload<'f> {
        let said = key(self.said);
        let spoken = inside
            .iter()
            .map(|field| {
                let named = key(&self.names.words(field.returns.named));
                let called = key(&words(&field.name));
                let fit = |key: &str| if said.contains(key) { key.len() } else { 0 };
                (fit(&named).max(fit(&called)), *field)
            })
            .rev()
            .max_by_key(|(fit, _)| *fit);
        match spoken {
            Some((fit, field)) if fit > 0 => Payload::Holds(field),
            _ => {
                let graph = self.names.graph;
                let whole = |field: &&&Field| has_identity(graph.fields(field.returns.named));
                let first = inside.iter().find(whole).or_else(|| inside.first());
                first.map_or(Payload::Not, |field| Payload::Holds(field))
            }
        }
    }
}

enum Payload<'f> {
    Not,
    /// It only tells how it went.
    Empty,
    Holds(&'f Field),
}

#[cfg(test)]
mod tests {
    use crate::graphql::tests::{api_of, root};

    /// What a query or mutation gives: `Book [edges node] many`.
    fn given(label: &str, text: &str) -> String {
        let api = api_of(text);
        let root = root(&api, label);
        let thing = root.thing.map(|id| api.types.get(id).name.to_string());
        let many = if root.listed { " many" } else { "" };
        format!(
            "{} [{}]{many}",
            thing.unwrap_or_default(),
            root.way.join(" ")
        )
    }

    const BOOK: &str = "type Book { id: ID! title: String pages: [Page] } type Page { n: Int } ";

    fn query(returns: &str, types: &str) -> String {
        given(
            "query q",
            &format!("{BOOK} {types} type Query {{ q: {returns} }}"),
        )
    }

    fn mutation(name: &str, returns: &str, types: &str) -> String {
        let text =
            format!("{BOOK} {types} type Query {{ q: Int }} type Mutation {{ {name}: {returns} }}");
        given(&format!("mutation {name}"), &text)
    }

    #[test]
    fn things_and_lists_of_them_stand_for_themselves() {
        assert_eq!(query("Book", ""), "Book []");
        assert_eq!(query("[Book!]!", ""), "Book [] many");
        assert_eq!(query("[String]", ""), " [] many");
        assert_eq!(query("Query", ""), " []");
        assert_eq!(
            query("A", "interface A { id: ID } type B implements A { id: ID }"),
            "A []"
        );
    }

    #[test]
    fn connections_and_pages_are_taken_off() {
        let page = "type PageInfo { hasNextPage: Boolean }";
        for (types, way) in [
            (
                "type L { edges: [E] pageInfo: PageInfo } type E { cursor: ID node: Book }",
                "edges node",
            ),
            ("type L { nodes: [Book] totalCount: Int }", "nodes"),
            ("type L { items: [Book!]! nextToken: String }", "items"),
            (
                "type L { results: [Book] count: Int next: String previous: String } type BookList { a: Int }",
                "",
            ),
            ("type L { data: [Book] paginatorInfo: PageInfo }", "data"),
            ("type L { books: [Book] pageInfo: PageInfo }", "books"),
        ] {
            let wanted = if way.is_empty() {
                "L []".to_owned()
            } else {
                format!("Book [{way}] many")
            };
            assert_eq!(query("L", &format!("{page} {types}")), wanted, "{types}");
        }
        let named = "type BookPage { results: [Book] next: String }";
        assert_eq!(query("BookPage", named), "Book [results] many");
    }

    #[test]
    fn what_has_an_identity_is_never_taken_off() {
        assert_eq!(
            query("Order", "type Order { id: ID! items: [Book] total: Int }"),
            "Order []"
        );
        let author = "type Author { id: ID! name: String book: Book }";
        assert_eq!(mutation("addAuthor", "Author", author), "Author []");
    }

    #[test]
    fn payloads_are_taken_off() {
        for (name, returns, types, wanted) in [
            (
                "createBook",
                "P",
                "type P { book: Book errors: [String!]! }",
                "Book [book]",
            ),
            (
                "bookCreate",
                "BookCreate",
                "type Err { m: String } type BookCreate { bookErrors: [Err] book: Book }",
                "Book [book]",
            ),
            (
                "createBooks",
                "BooksPayload",
                "type BooksPayload { books: [Book!] }",
                "Book [books] many",
            ),
            (
                "login",
                "AuthPayload",
                "type AuthPayload { token: String user: U } type U { id: ID }",
                "U [user]",
            ),
            (
                "createBook",
                "CreateBookPayload",
                "type CreateBookPayload { clientMutationId: String page: Page book: Book query: Query bookEdge: E } type E { node: Book }",
                "Book [book]",
            ),
            (
                "insert_books",
                "books_mutation_response",
                "type books_mutation_response { affected_rows: Int! returning: [Book!]! }",
                "Book [returning] many",
            ),
            (
                "deleteBook",
                "DeletePayload",
                "type DeletePayload { deletedBookId: ID }",
                "Book []",
            ),
            ("deleteBook", "Boolean", "", "Book []"),
            ("ping", "Boolean", "", " []"),
        ] {
            assert_eq!(mutation(name, returns, types), wanted, "{name}: {returns}");
        }
        let response = "type BookResponse { book: Book errors: [String] }";
        assert_eq!(query("BookResponse", response), "Book [book]");
    }

    #[test]
    fn a_union_with_errors_is_about_what_is_none() {
        let types = "union R = Book | NotFoundError type NotFoundError { message: String }";
        assert_eq!(mutation("createBook", "R", types), "Book []");
        let wrapped = "union R = CreateBookSuccess | BaseError type BaseError { message: String }
            type CreateBookSuccess { data: Book }";
        assert_eq!(mutation("createBook", "R", wrapped), "Book [data]");
        assert_eq!(query("S", "union S = Book | Page"), "S []");
    }
}
