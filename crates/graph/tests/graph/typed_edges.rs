//! Who gives what GraphQL operations need.

use fossick_graph::Evidence;
use serde_json::json;

use crate::desk::Desk;
use crate::schemas::{LIBRARY, PARSE, POSTGRAPHILE, RELAY, SALEOR};

#[test]
fn whoever_makes_an_author_gives_the_author_of_a_book() {
    let desk = Desk::schema(LIBRARY);
    let author = "Creator mutation addAuthor /data/addAuthor/id";
    assert_eq!(desk.best_at("mutation addBook", "/book/authorId"), author);
    assert_eq!(desk.best_at("query author", "/id"), author);
    let ways = desk.ways_at("query author", "/id");
    assert_eq!(ways[1], "Lister query authors /data/authors/0/id");
    let book = "Creator mutation addBook /data/addBook/id";
    for (label, pointer) in [
        ("query book", "/id"),
        ("mutation updateBook", "/id"),
        ("mutation deleteBook", "/bookId"),
        ("mutation lendBook", "/book"),
        ("query books", "/ids/0"),
    ] {
        assert_eq!(desk.best_at(label, pointer), book, "{label}");
    }
    let tag = "Creator mutation addTag /data/addTag/id";
    assert_eq!(desk.best_at("mutation tagBook", "/tagIds/0"), tag);
}

#[test]
fn changes_make_nothing_and_reading_by_key_does_not_either() {
    let desk = Desk::schema(LIBRARY);
    let ways = desk.ways_at("query book", "/id");
    for other in ["updateBook", "tagBook", "query book "] {
        assert!(ways.iter().all(|way| !way.contains(other)), "{ways:?}");
    }
    let desk = Desk::schema(SALEOR);
    let ways = desk.ways_at("query product", "/id");
    let creates = ways.iter().filter(|way| way.starts_with("Creator"));
    assert_eq!(creates.count(), 1, "{ways:?}");
}

#[test]
fn a_name_of_the_callers_choice_is_a_key() {
    let desk = Desk::schema(LIBRARY);
    let best = desk.best_at("query tenant", "/name");
    assert_eq!(best, "Creator mutation createTenant sent /name");
}

#[test]
fn an_answer_may_be_the_key_itself() {
    let desk = Desk::schema(LIBRARY);
    let best = desk.best_at("mutation removeMember", "/memberId");
    assert_eq!(best, "Creator mutation createMember /data/createMember");
    let ways = desk.ways_at("mutation removeMember", "/memberId");
    assert!(ways.contains(&"Caller query me /data/me/id".to_owned()));
}

#[test]
fn keys_are_found_in_payloads_and_edges() {
    let desk = Desk::schema(RELAY);
    let faction = "Creator mutation createFaction /data/createFaction/faction/id";
    let ways = desk.ways_at("mutation introduceShip", "/input/factionId");
    assert_eq!(ways[0], faction);
    assert_eq!(
        desk.best_at("mutation createShip", "/input/faction"),
        faction
    );
    let ships = desk.makers("mutation removeShip", "id", Evidence::Creator);
    assert!(ships.contains(&"mutation createShip"), "{ships:?}");
    let ways = desk.ways_at("query ship", "/id");
    let lister = "Lister query ships /data/ships/edges/0/node/id".to_owned();
    assert!(ways.contains(&lister), "{ways:?}");
}

#[test]
fn any_node_will_do_for_a_node() {
    let desk = Desk::schema(RELAY);
    let makers = desk.makers("query node", "id", Evidence::Creator);
    for maker in ["mutation createShip", "mutation createFaction"] {
        assert!(makers.contains(&maker), "{makers:?}");
    }
    let desk = Desk::schema(POSTGRAPHILE);
    let ways = desk.ways_at("query node", "/nodeId");
    assert!(ways[0].ends_with("/nodeId"), "{ways:?}");
    for way in [
        "Creator mutation createUser /data/createUser/user/nodeId",
        "Creator mutation createPost /data/createPost/post/nodeId",
    ] {
        assert!(ways.contains(&way.to_owned()), "{ways:?}");
    }
}

#[test]
fn every_key_is_met_by_its_own_kind() {
    let desk = Desk::schema(POSTGRAPHILE);
    let made = |field: &str| format!("Creator mutation createUser /data/createUser/user/{field}");
    for (label, pointer, field) in [
        ("query userById", "/id", "id"),
        ("query user", "/nodeId", "nodeId"),
        ("query userByEmail", "/email", "email"),
        ("mutation updateUserById", "/input/id", "id"),
        ("mutation deleteUser", "/input/nodeId", "nodeId"),
    ] {
        assert_eq!(desk.best_at(label, pointer), made(field), "{label}");
    }
    let ways = desk.ways_at("query userByEmail", "/email");
    let sent = "Creator mutation createUser sent /input/user/email".to_owned();
    assert!(ways.contains(&sent), "{ways:?}");
}

/// No type is called `Author`; only the field of a post says that its author is a user.
#[test]
fn a_role_is_played_by_what_the_field_of_that_name_holds() {
    let desk = Desk::schema(
        "type Query { post(id: ID!): Post user(id: ID!): User }
         type Mutation { createUser(name: String!): User createPost(authorId: ID!): Post }
         type User { id: ID! name: String } type Post { id: ID! author: User }",
    );
    let best = desk.best_at("mutation createPost", "/authorId");
    assert_eq!(best, "Creator mutation createUser /data/createUser/id");
}

#[test]
fn a_column_leads_to_what_a_field_says_it_leads_to() {
    let desk = Desk::schema(POSTGRAPHILE);
    let best = desk.best_at("mutation createPost", "/input/post/authorId");
    let user = "Creator mutation createUser /data/createUser/user/id";
    assert_eq!(best, user);
}

#[test]
fn where_no_type_tells_the_name_does() {
    let desk = Desk::schema(
        "type Query { orders: [Order!]! }
         type Mutation { redeem(couponKey: String!): Int }
         type Order { number: Int couponKey: String }",
    );
    let coupon = desk.ways_at("mutation redeem", "/couponKey");
    assert_eq!(coupon, ["Lister query orders /data/orders/0/couponKey"]);
}

#[test]
fn a_payload_may_give_the_key_and_nothing_more() {
    let desk = Desk::schema(
        "type Query { a: Int } type CreateShopPayload { shopId: ID! }
         type Mutation { createShop(name: String!): CreateShopPayload
                         closeShop(shopId: ID!): Boolean }",
    );
    let best = desk.best_at("mutation closeShop", "/shopId");
    assert_eq!(best, "Creator mutation createShop /data/createShop/shopId");
}

#[test]
fn a_role_is_learned_from_whoever_makes_it() {
    let desk = Desk::schema(
        "type Query { a: Int } type User { id: ID! } type Cart { id: ID! }
         type Mutation { customerCreate(name: String): User
                         cartAttach(cartId: ID!, customerId: ID!): Cart }",
    );
    let best = desk.best_at("mutation cartAttach", "/customerId");
    assert_eq!(
        best,
        "Creator mutation customerCreate /data/customerCreate/id"
    );
}

#[test]
fn a_type_without_the_key_is_not_meant() {
    let desk = Desk::schema(
        "type Query { a: Int } type Image { url: String } type ProductImage { id: ID! }
         type Product { id: ID! cover: Image images: [ProductImage!]! }
         type Mutation { productImageCreate(url: String!): ProductImage
                         showImage(imageId: ID!): Boolean }",
    );
    let best = desk.best_at("mutation showImage", "/imageId");
    let image = "Creator mutation productImageCreate /data/productImageCreate/id";
    assert_eq!(best, image);
}

#[test]
fn things_come_before_verbs_as_well_as_after() {
    let desk = Desk::schema(SALEOR);
    let made = |verb: &str, thing: &str| format!("Creator mutation {verb} /data/{verb}/{thing}/id");
    for (label, pointer, expected) in [
        (
            "mutation productCreate",
            "/input/category",
            made("categoryCreate", "category"),
        ),
        (
            "mutation productCreate",
            "/input/productType",
            made("productTypeCreate", "productType"),
        ),
        (
            "mutation productDelete",
            "/id",
            made("productCreate", "product"),
        ),
        (
            "mutation productBulkDelete",
            "/ids/0",
            made("productCreate", "product"),
        ),
        ("query category", "/id", made("categoryCreate", "category")),
    ] {
        assert_eq!(desk.best_at(label, pointer), expected, "{label} {pointer}");
    }
}

#[test]
fn links_are_met_by_whoever_makes_what_they_link() {
    let desk = Desk::schema(PARSE);
    let author = "Creator mutation createAuthor /data/createAuthor/author/id";
    let link = "/input/fields/author/link";
    assert_eq!(desk.best_at("mutation createBook", link), author);
    let ways = desk.ways_at("mutation createBook", link);
    let object = "Creator mutation createAuthor /data/createAuthor/author/objectId".to_owned();
    assert!(ways.contains(&object), "the other key is worth a try");
    let tag = desk.ways_at("mutation createBook", "/input/fields/tags/add/0");
    let lister = "Lister query books /data/books/edges/0/node/tags/edges/0/node/id".to_owned();
    assert!(tag.contains(&lister), "{tag:?}");
    let object = desk.best_at("query books", "/where/objectId/equalTo");
    let made = "Creator mutation createBook /data/createBook/book/objectId";
    assert_eq!(object, made);
}

#[test]
fn what_only_an_implementer_has_is_found_through_the_interface() {
    let desk = Desk::schema(
        "interface Pet { name: String } type Cat implements Pet { id: ID! name: String }
         type Query { pets: [Pet!]! cat(id: ID!): Cat } union Any = Cat
         type Mutation { find: [Any!]! }",
    );
    let ways = desk.ways_at("query cat", "/id");
    assert!(ways.contains(&"Lister query pets /data/pets/0/id".to_owned()));
    assert!(ways.contains(&"SameName mutation find /data/find/0/id".to_owned()));
}

#[test]
fn fields_with_required_arguments_and_the_root_are_not_entered() {
    let desk = Desk::schema(
        "type Query { rooms: [Room!]! desk(id: ID!): Desk }
         type Room { desks(floor: Int!): [Desk!]! query: Query } type Desk { id: ID! }",
    );
    assert_eq!(desk.ways_at("query desk", "/id"), [""; 0]);
}

#[test]
fn a_value_that_worked_joins_the_two_places() {
    let mut desk = Desk::schema(LIBRARY);
    let (lister, reader) = (desk.index("query books"), desk.index("query tenant"));
    let body = json!({"data": {"books": [{"__typename": "Bookish", "tags": [{"label": "k7-amber"}]}]},
                      "extensions": {"trace": "t-000001"}});
    assert!(!desk.graph.see(&desk.api, lister, &body));
    desk.graph.note_values(lister, &body);
    for value in ["k7-amber", "Bookish", "t-000001"] {
        desk.graph.worked(&desk.api, reader, 0, &json!(value));
    }
    let ways = desk.ways_at("query tenant", "/name");
    let seen: Vec<&String> = ways.iter().filter(|w| w.starts_with("Seen")).collect();
    assert_eq!(seen, ["SeenValue query books /data/books/0/tags/0/label"]);
}

#[test]
fn what_is_made_last_is_recorded() {
    let mut desk = Desk::schema(LIBRARY);
    let (consumer, maker) = (desk.index("query book"), desk.index("mutation addBook"));
    let edge = desk.graph.edges(consumer, 0)[0].clone();
    assert_eq!(edge.maker, maker);
    desk.graph.record(consumer, 0, maker, &edge.yields, true);
    assert!(desk.graph.edges(consumer, 0)[0].confidence() > edge.confidence());
}

const SHELVES: &str = "type Query { shelf(id: ID!): Shelf }
    type Shelf { id: ID! books: [Book!]! } type Book { id: ID! title: String }
    type Cover { id: ID! bookId: ID! color: String }
    input NewBook { title: String! }
    type Mutation {
        createShelf(name: String!): Shelf addToShelf(shelfId: ID!, books: [NewBook!]!): Shelf
        renameBook(bookId: ID!, title: String!): Book setCover(bookId: ID!, color: String!): Cover
        peelCover(coverId: ID!): Boolean
    }";

#[test]
fn what_is_brought_into_another_thing_is_made() {
    let desk = Desk::schema(SHELVES);
    let brought = "Creator mutation addToShelf /data/addToShelf/books/0/id";
    assert_eq!(desk.best_at("mutation renameBook", "/bookId"), brought);
}

#[test]
fn a_thing_that_is_set_on_another_needs_the_other() {
    let desk = Desk::schema(SHELVES);
    let brought = "Creator mutation addToShelf /data/addToShelf/books/0/id";
    assert_eq!(desk.best_at("mutation setCover", "/bookId"), brought);
    let set = "SameName mutation setCover /data/setCover/id".to_owned();
    let ways = desk.ways_at("mutation peelCover", "/coverId");
    assert!(ways.contains(&set), "{ways:?}");
}

#[test]
fn a_maker_called_like_the_one_in_need_comes_first() {
    let desk = Desk::schema(
        "type Query { a: Int } type Book { id: ID! title: String }
        type Mutation {
            createPaperBook(title: String!): Book createAudioBook(title: String!): Book
            updatePaperBook(id: ID!): Book updateAudioBook(id: ID!): Book
        }",
    );
    let best = |label: &str| desk.best_at(label, "/id");
    let audio = "Creator mutation createAudioBook /data/createAudioBook/id";
    let paper = "Creator mutation createPaperBook /data/createPaperBook/id";
    assert_eq!(best("mutation updateAudioBook"), audio);
    assert_eq!(best("mutation updatePaperBook"), paper);
}
