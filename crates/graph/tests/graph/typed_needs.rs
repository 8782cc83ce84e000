//! What GraphQL operations need.

use crate::desk::Desk;
use crate::schemas::{LIBRARY, PARSE, POSTGRAPHILE, RELAY, SALEOR};

fn told(desk: &Desk, label: &str) -> Vec<String> {
    let needs = desk.pointers(label).into_iter();
    needs.map(|(at, words)| format!("{at} {words}")).collect()
}

#[test]
fn keys_are_called_after_the_thing_they_pick() {
    let desk = Desk::schema(LIBRARY);
    assert_eq!(told(&desk, "query book"), ["/id book id"]);
    assert_eq!(told(&desk, "query tenant"), ["/name tenant name"]);
    assert_eq!(told(&desk, "mutation deleteBook"), ["/bookId book id"]);
    assert_eq!(
        told(&desk, "mutation removeMember"),
        ["/memberId member id"]
    );
}

#[test]
fn references_are_needed_and_texts_are_not() {
    let desk = Desk::schema(LIBRARY);
    let lent = told(&desk, "mutation lendBook");
    assert_eq!(lent, ["/book book id", "/member member id"]);
    assert_eq!(told(&desk, "mutation addAuthor"), [""; 0]);
    assert_eq!(told(&desk, "mutation createMember"), [""; 0]);
    assert_eq!(told(&desk, "query me"), [""; 0]);
    assert_eq!(told(&desk, "mutation rateBook"), ["/isbnKey book isbn key"]);
}

#[test]
fn of_a_list_the_first_item_is_needed() {
    let desk = Desk::schema(LIBRARY);
    let tags = told(&desk, "mutation tagBook");
    assert_eq!(tags, ["/bookId book id", "/tagIds/0 tag id"]);
    let books = told(&desk, "query books");
    assert_eq!(books, ["/authorId author id", "/ids/0 book id"]);
    let desk = Desk::schema(SALEOR);
    let bulk = told(&desk, "mutation productBulkDelete");
    assert_eq!(bulk, ["/ids/0 product id"]);
}

/// The caller chooses the key of what is new, and nobody changes the key of what is there.
#[test]
fn the_own_key_of_what_is_written_is_no_reference() {
    let desk = Desk::schema(LIBRARY);
    let added = told(&desk, "mutation addBook");
    assert_eq!(
        added,
        ["/book/authorId author id", "/book/parent/id parent id"]
    );
    let updated = told(&desk, "mutation updateBook");
    assert_eq!(updated, ["/id book id", "/book/authorId author id"]);
    let desk = Desk::schema(POSTGRAPHILE);
    assert_eq!(told(&desk, "mutation createUser"), [""; 0]);
    let updated = told(&desk, "mutation updateUserById");
    assert_eq!(updated, ["/input/id user id"]);
}

/// A player's `facebookId` is nobody's key here; it must not be another player's.
#[test]
fn a_value_of_the_things_own_is_no_reference() {
    let desk = Desk::schema(
        "type Query { a: Int } type Player { id: ID! facebookId: String }
         type Match { id: ID! winner: Player }
         input PlayerInput { facebookId: String } input MatchInput { winner: PlayerInput }
         type Mutation { createMatch(input: MatchInput): Match
                         updatePlayer(id: ID!, facebookId: String): Player }",
    );
    assert_eq!(told(&desk, "mutation createMatch"), [""; 0]);
    assert_eq!(told(&desk, "mutation updatePlayer"), ["/id player id"]);
}

#[test]
fn a_type_keeps_its_whole_name_where_another_has_the_rest() {
    let desk = Desk::schema(
        "type Query { product(id: ID!): Product productType(id: ID!): ProductType
                      user(id: ID!): UserType }
         type Product { id: ID! } type ProductType { id: ID! } type UserType { id: ID! }",
    );
    assert_eq!(told(&desk, "query productType"), ["/id product type id"]);
    assert_eq!(told(&desk, "query user"), ["/id user id"]);
}

#[test]
fn what_must_be_there_all_the_way_is_required() {
    let desk = Desk::schema(LIBRARY);
    let needs = desk.needs("mutation addBook");
    let required: Vec<bool> = needs.iter().map(|need| need.required).collect();
    assert_eq!(required, [true, false], "`parent` may be left out");
    assert!(desk.needs("query book")[0].required);
}

#[test]
fn the_number_of_a_mutation_refers_to_nothing() {
    let desk = Desk::schema(RELAY);
    let ship = told(&desk, "mutation introduceShip");
    assert_eq!(ship, ["/input/factionId faction id"]);
    let ship = told(&desk, "mutation createShip");
    assert_eq!(ship, ["/input/faction faction id"]);
    assert_eq!(told(&desk, "query ships"), [""; 0]);
}

#[test]
fn keys_are_found_inside_inputs() {
    let desk = Desk::schema(POSTGRAPHILE);
    let node = told(&desk, "mutation deleteUser");
    assert_eq!(node, ["/input/nodeId user node id"]);
    let post = told(&desk, "mutation createPost");
    assert_eq!(post, ["/input/post/authorId author id"]);
    let desk = Desk::schema(SALEOR);
    let product = told(&desk, "mutation productCreate");
    let expected = [
        "/input/category categori id",
        "/input/productType product type id",
        "/input/collections/0 collect id",
    ];
    assert_eq!(product, expected);
}

#[test]
fn a_link_is_called_after_what_it_links() {
    let desk = Desk::schema(PARSE);
    let book = told(&desk, "mutation createBook");
    let expected = [
        "/input/fields/author/link author id",
        "/input/fields/tags/add/0 tag id",
        "/input/fields/tags/remove/0 tag id",
    ];
    assert_eq!(book, expected);
}

#[test]
fn a_comparison_is_called_after_what_it_compares() {
    let desk = Desk::schema(PARSE);
    let books = told(&desk, "query books");
    let expected = [
        "/where/objectId/equalTo book object id",
        "/where/objectId/in/0 book object id",
        "/where/author/objectId/equalTo author object id",
        "/where/author/objectId/in/0 author object id",
    ];
    assert_eq!(books, expected);
}

#[test]
fn an_input_that_contains_itself_has_an_end() {
    let desk = Desk::schema(
        "type Query { find(by: By): Thing } type Thing { id: ID! }
         input By { and: [By!] or: By not: Not ownerId: ID } input Not { by: By roomId: ID }",
    );
    let needs = desk.needs("query find").len();
    assert!((2..=24).contains(&needs), "{needs}");
}

#[test]
fn too_many_needs_keep_what_is_required() {
    let fields: Vec<String> = (0..40).map(|n| format!("f{n}Id: ID")).collect();
    let fields = fields.join(" ");
    let desk = Desk::schema(&format!(
        "type Query {{ find(by: By!): ID }} input By {{ {fields} ownerId: ID! }}"
    ));
    let needs = desk.needs("query find");
    assert_eq!(needs.len(), 24);
    assert!(needs.iter().any(|need| need.name == "ownerId"));
}
