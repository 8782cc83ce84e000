//! Which queries show what other operations make, change or remove.

use crate::desk::Desk;
use crate::schemas::{LIBRARY, PARSE, POSTGRAPHILE, RELAY, SALEOR};

fn first_reader<'d>(desk: &'d Desk, maker: &str) -> &'d str {
    let maker = desk.index(maker);
    desk.label(desk.graph.first_reader(&desk.api, maker))
}

fn reader_of<'d>(desk: &'d Desk, label: &str) -> &'d str {
    desk.label(desk.graph.reader_of(&desk.api, desk.index(label)))
}

fn lister_of<'d>(desk: &'d Desk, label: &str) -> &'d str {
    desk.label(desk.graph.lister_of(&desk.api, desk.index(label)))
}

#[test]
fn what_is_made_can_be_read() {
    let desk = Desk::schema(LIBRARY);
    assert_eq!(first_reader(&desk, "mutation addBook"), "query book");
    assert_eq!(first_reader(&desk, "mutation createTenant"), "query tenant");
    assert_eq!(first_reader(&desk, "mutation addTag"), "");
    assert_eq!(first_reader(&desk, "mutation updateBook"), "");
}

#[test]
fn the_query_of_the_very_type_is_preferred() {
    let desk = Desk::schema(RELAY);
    assert_eq!(first_reader(&desk, "mutation createShip"), "query ship");
    assert_eq!(first_reader(&desk, "mutation createFaction"), "query node");
    let desk = Desk::schema(PARSE);
    assert_eq!(first_reader(&desk, "mutation createBook"), "query book");
}

#[test]
fn whoever_changes_a_thing_is_checked_by_the_same_keys() {
    let desk = Desk::schema(POSTGRAPHILE);
    for (change, reader) in [
        ("mutation updateUser", "query user"),
        ("mutation updateUserById", "query userById"),
        ("mutation deleteUser", "query user"),
        ("mutation deleteUserById", "query userById"),
        ("mutation createUser", ""),
        ("query user", ""),
    ] {
        assert_eq!(reader_of(&desk, change), reader, "{change}");
    }
    let desk = Desk::schema(LIBRARY);
    assert_eq!(reader_of(&desk, "mutation deleteBook"), "query book");
    let desk = Desk::schema(SALEOR);
    assert_eq!(reader_of(&desk, "mutation productUpdate"), "query product");
    assert_eq!(reader_of(&desk, "mutation productDelete"), "query product");
    let desk = Desk::schema(PARSE);
    assert_eq!(reader_of(&desk, "mutation updateBook"), "query book");
}

#[test]
fn a_list_of_the_same_things_is_found() {
    let desk = Desk::schema(POSTGRAPHILE);
    assert_eq!(lister_of(&desk, "mutation createUser"), "query allUsers");
    assert_eq!(lister_of(&desk, "mutation deleteUser"), "query allUsers");
    assert_eq!(lister_of(&desk, "query allUsers"), "", "it is one itself");
    let desk = Desk::schema(LIBRARY);
    assert_eq!(lister_of(&desk, "mutation addBook"), "query books");
    assert_eq!(lister_of(&desk, "mutation addTag"), "");
}

#[test]
fn paths_tell_for_the_others() {
    let nothing = crate::desk::gives(&serde_json::json!({}));
    let desk = Desk::of(&serde_json::json!({
        "/things": {"get": nothing}, "/things/{id}": {"get": nothing, "delete": nothing}}));
    assert_eq!(reader_of(&desk, "DELETE /things/{id}"), "");
    assert_eq!(lister_of(&desk, "DELETE /things/{id}"), "");
}
