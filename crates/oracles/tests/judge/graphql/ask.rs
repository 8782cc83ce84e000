//! Lines of a story that ask a GraphQL service, and the service that they ask.

use std::time::Duration;

use bytes::Bytes;
use fossick_contract::Method;
use fossick_ingest::{NoFetch, Source, read};
use fossick_trace::{Answer, Call, Exchange, Intent, Outcome, Payload, Request, Role, Text};
use fossick_validate::Validators;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::story::{Story, World};

const SCHEMA: &str = "
    scalar DateTime
    scalar Shade
    enum Genre { NOVEL POEM }

    interface Item { id: ID!  title: String! }
    type Film implements Item { id: ID!  title: String!  minutes: Int }
    type Book implements Item {
        id: ID!
        title: String!
        pages: Int!
        rating: Float
        inPrint: Boolean!
        genre: Genre
        tags: [String!]
        notes: [String]
        grid: [[Int!]!]
        author: Author!
        editor: Author
        reviews: [Review!]!
        added: DateTime
        shade: Shade
    }
    type Author { id: ID!  name: String!  born: Int  books: [Book!]! }
    type Review { stars: Int!  by: Author! }
    union Found = Book | Film | Author

    type PageInfo { hasNextPage: Boolean! }
    type BookEdge { node: Book }
    type BookConnection { edges: [BookEdge!]!  pageInfo: PageInfo! }
    type BookPayload { book: Book  userErrors: [UserError!]! }
    type UserError { message: String! }

    input BookInput { title: String!  pages: Int!  genre: Genre  authorId: ID }
    input BookPatch { title: String  pages: Int  tags: [String!] }
    input Paint { shade: Shade!  coats: Int! }

    type Query {
        book(id: ID!): Book
        books: [Book!]!
        allBooks: BookConnection!
        recentBooks: [Book!]!
        booksBy(minPages: Int, genre: Genre): [Book]
        surely(id: ID!): Book!
        item(id: ID!): Item
        items: [Item!]
        search(text: String!): [Found!]!
        author(id: ID!): Author
        count: Int!
        painted(with: Paint!, times: Int): Boolean
    }
    type Mutation {
        addBook(input: BookInput!): Book!
        updateBook(id: ID!, patch: BookPatch!): BookPayload
        deleteBook(id: ID!): Boolean!
        lendBook(id: ID!): Boolean
    }
";

/// A library of books.
pub(crate) fn library() -> World {
    let source = Source {
        name: "schema.graphql".to_owned(),
        text: SCHEMA.to_owned(),
    };
    let api = read(&source, &mut NoFetch).expect("it can be read").api;
    let validators = Validators::new(&api);
    World { api, validators }
}

/// The label of an operation and the key that it is about: those of its first root field, `query
/// book` and `it` for `{ it: book(id: 1) { id } }`.
fn label(query: &str) -> (String, String) {
    let is_mutation = query.starts_with("mutation");
    let kind = if is_mutation { "mutation" } else { "query" };
    let (_, inner) = query.split_once('{').expect("a selection");
    let ends = |c: char| !(c.is_alphanumeric() || "_: ".contains(c));
    let asked = inner.split(ends).next().unwrap_or("").trim();
    let (key, name) = asked.split_once(':').unwrap_or((asked, asked));
    let first = |text: &str| text.split_whitespace().next().unwrap_or("").to_owned();
    (format!("{kind} {}", first(name)), first(key))
}

impl Story<'_> {
    /// The next line: an operation, its variables, and a body with status 200.
    pub(crate) fn ask(self, query: &str, variables: Value, answer: Value) -> Self {
        self.ask_raw(query, variables, 200, &[], &answer.to_string())
    }

    pub(crate) fn ask_raw(
        self,
        query: &str,
        variables: Value,
        status: u16,
        headers: &[(&str, &str)],
        answer: &str,
    ) -> Self {
        let body = json!({"query": query, "variables": variables}).to_string();
        let request = (Method::Post, String::new(), Bytes::from(body));
        self.sent(query, request, status, headers, answer)
    }

    /// The same with GET.
    pub(crate) fn ask_by_get(self, query: &str, answer: Value) -> Self {
        let escaped = utf8_percent_encode(query, NON_ALPHANUMERIC);
        let request = (Method::Get, format!("?query={escaped}"), Bytes::new());
        self.sent(query, request, 200, &[], &answer.to_string())
    }

    fn sent(
        self,
        query: &str,
        (method, target, body): (Method, String, Bytes),
        status: u16,
        headers: &[(&str, &str)],
        answer: &str,
    ) -> Self {
        let (operation, key) = label(query);
        let headers = headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let bytes = Bytes::from(answer.to_owned());
        let answer = Answer::new(status, headers, bytes, false, Duration::ZERO).heard(&key);
        let call = Call {
            operation: operation.into(),
            method,
            target: Text::fixed(target.clone()),
            headers: vec![],
            payload: Payload::None,
            user: None,
            role: Role::Main,
            intent: Intent::Valid,
            graphql: Some(key.into()),
        };
        let request = Request {
            method,
            target,
            headers: vec![],
            body,
            user: None,
            anonymous: false,
        };
        let outcome = Outcome::Answered(answer);
        self.push(call, Exchange { request, outcome })
    }
}
