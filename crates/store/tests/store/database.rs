//! Statements that are run in somebody else's database.

use fossick_store::Database;

use crate::desk::{Desk, Folder, place, with_both};

/// A database with a table of two rows.
fn filled(desk: &Desk) -> Database {
    if !desk.text.contains("://") {
        std::fs::write(&desk.text, "").expect("an empty file is an empty database");
    }
    let mut database = Database::at(desk.place());
    database
        .run("CREATE TABLE orders (id INTEGER PRIMARY KEY); INSERT INTO orders VALUES (1), (2);")
        .expect("made");
    database
}

/// Fails unless the table has so many rows.
fn assert_rows(database: &mut Database, rows: usize) {
    let guard = format!(
        "CREATE TABLE seen (rows INTEGER CHECK (rows = {rows})); \
         INSERT INTO seen SELECT count(*) FROM orders; DROP TABLE seen;"
    );
    database.run(&guard).expect("as many as expected");
}

#[test]
fn statements_are_run_all_or_none() {
    with_both(|desk| {
        let mut database = filled(desk);
        let broken = database.run("DELETE FROM orders; DELETE FROM nowhere;");
        let told = broken.expect_err("there is no such table").to_string();
        assert!(told.contains("nowhere"), "{told}");
        assert_rows(&mut database, 2);
        database.run("DELETE FROM orders;").expect("emptied");
        assert_rows(&mut database, 0);
    });
}

#[test]
fn a_database_that_is_not_there_is_not_made() {
    let folder = Folder::new();
    let path = folder.path("missing.db");
    let mut database = Database::at(place(&path.display().to_string()));
    let told = database.run("SELECT 1").expect_err("nothing").to_string();
    assert!(told.contains("missing.db"), "{told}");
    assert!(!path.exists());
}
