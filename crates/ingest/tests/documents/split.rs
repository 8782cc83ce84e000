//! One API in several documents.

use crate::support::{body_shape, check_texts, operation, property, read_file};
use fossick_contract::{Kind, Level, Location};

#[test]
fn references_lead_from_file_to_file() {
    let reading = read_file("split", "openapi.yaml");
    let api = &reading.api;
    assert_eq!(api.operations.len(), 2);
    assert!(api.unusable.is_empty());
    let book = body_shape(api, "POST /books");
    assert_eq!(book.name.as_deref(), Some("Book"));
    let title = property(api, book, "title");
    assert!(matches!(&title.kind, Kind::String(string) if string.min_length == 1));
    let sequel = property(api, book, "sequel");
    assert!(
        std::ptr::eq(sequel, book),
        "a file that refers to itself is one shape"
    );
    let id = operation(api, "GET /books/{id}")
        .parameter(Location::Path, "id")
        .expect("there");
    assert!(matches!(&api.shape(id.shape).kind, Kind::Integer(n) if n.minimum == Some(1.0)));
    check_texts(api);
}

#[test]
fn what_can_not_be_fetched_costs_only_itself() {
    let reading = read_file("split", "openapi.yaml");
    let told: Vec<_> = reading
        .diagnostics
        .iter()
        .map(|d| (d.level, d.message.as_str()))
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().all(|(level, _)| *level == Level::Warning));
    assert!(told[0].1.contains("no such file"), "{told:?}");
    assert!(told[1].1.contains("another host"), "{told:?}");
    let show = operation(&reading.api, "GET /books/{id}");
    assert_eq!(
        show.response(404).expect("declared").contents[0].shape,
        None
    );
}
