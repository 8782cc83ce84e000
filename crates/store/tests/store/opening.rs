//! What is opened, made, led to the newest format, or refused and left as it is.

use std::fs;
use std::path::{Path, PathBuf};

use fossick_store::{Access, Store, StoreError};
use postgres::{Client, NoTls};

use crate::desk::{Desk, Folder, all, flow, place, place_of, query, seen, total, with_both};

const BOTH: [Access; 2] = [Access::Read, Access::Write];

fn sample(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.join("../../testdata/harvest").join(name)
}

fn refusal(path: &Path, access: Access) -> String {
    let refused = Store::open(&place_of(path), access);
    refused.expect_err("no store").to_string()
}

fn psql(url: &str, text: &str) {
    let mut client = Client::connect(url, NoTls).expect("a connection");
    client.batch_execute(text).expect("done");
}

#[test]
fn where_there_is_nothing_there_is_nothing_to_read() {
    with_both(|desk| {
        let missing = Store::open(&desk.place(), Access::Read).expect_err("nothing");
        assert!(missing.to_string().contains("record or import calls first"));
        assert!(!Path::new(&desk.text).exists());
        desk.open();
        let mut store = Store::open(&desk.place(), Access::Read).expect("made");
        assert_eq!(total(&mut store), 0);
    });
}

#[test]
fn a_folder_that_is_missing_is_named() {
    let folder = Folder::new();
    let path = folder.path("no/calls.db");
    assert!(refusal(&path, Access::Write).contains("/no does not exist: make it"));
    assert!(refusal(&path, Access::Read).contains("there is no store"));
    let dir = folder.path("");
    assert!(refusal(&dir, Access::Write).contains("it is a folder"));
}

#[test]
fn what_is_no_store_is_refused_and_untouched() {
    let folder = Folder::new();
    let text = folder.path("notes.txt");
    fs::write(&text, "my notes").expect("written");
    let other = folder.path("other.db");
    let connection = rusqlite::Connection::open(&other).expect("a database");
    let made = connection.execute_batch("CREATE TABLE records (a); INSERT INTO records VALUES (1)");
    made.expect("made");
    drop(connection);
    for (path, why) in [(text, "another kind of file"), (other, "another program")] {
        let before = fs::read(&path).expect("read");
        for access in BOTH {
            let told = refusal(&path, access);
            assert!(
                told.contains(why) && told.contains("left as it is"),
                "{told}"
            );
        }
        assert_eq!(fs::read(&path).expect("read"), before);
    }
    let left = fs::read_dir(folder.path("")).expect("a folder").count();
    assert_eq!(left, 2, "nothing was put beside them");
}

#[test]
fn a_store_that_is_damaged_is_refused_in_words() {
    let folder = Folder::new();
    let path = folder.path("calls.db");
    let mut bytes = fs::read(sample("store-v1.db")).expect("a sample");
    for byte in bytes.iter_mut().skip(100) {
        *byte = 0xa5;
    }
    fs::write(&path, bytes).expect("written");
    for access in BOTH {
        let told = refusal(&path, access);
        assert!(told.contains("damaged"), "{told}");
    }
}

#[test]
fn an_empty_file_and_a_store_whose_making_was_cut_short_are_made_whole() {
    let folder = Folder::new();
    let empty = folder.path("empty.db");
    fs::write(&empty, "").expect("written");
    let begun = folder.path("begun.db");
    let connection = rusqlite::Connection::open(&begun).expect("a database");
    connection
        .pragma_update(None, "application_id", 0x666f_7373)
        .expect("marked");
    drop(connection);
    for path in [empty, begun] {
        assert!(refusal(&path, Access::Read).contains("there is no store"));
        let mut store = Store::open(&place_of(&path), Access::Write).expect("a store");
        store.add(&[seen(query(1), 1)], &[]).expect("added");
    }
}

#[test]
fn a_newer_format_is_refused_with_its_number() {
    let file = Desk::file();
    file.open();
    let connection = rusqlite::Connection::open(&file.text).expect("a database");
    connection
        .execute_batch("UPDATE meta SET version = 99")
        .expect("done");
    drop(connection);
    newer_is_refused(&file);
    if let Some(desk) = Desk::server() {
        desk.open();
        psql(&desk.text, "UPDATE fossick.meta SET version = 99");
        newer_is_refused(&desk);
    }
}

fn newer_is_refused(desk: &Desk) {
    for access in BOTH {
        let told = Store::open(&desk.place(), access)
            .expect_err("too new")
            .to_string();
        assert!(
            told.contains("format is 99") && told.contains("update fossick"),
            "{told}"
        );
    }
}

#[test]
fn tables_of_others_in_our_schema_are_left_alone() {
    let Some(desk) = Desk::server() else { return };
    psql(
        &desk.text,
        "CREATE SCHEMA fossick; CREATE TABLE fossick.stones (weight int)",
    );
    for access in BOTH {
        let told = Store::open(&desk.place(), access)
            .expect_err("others")
            .to_string();
        assert!(told.contains("holds other tables"), "{told}");
    }
}

#[test]
fn an_older_file_is_read_as_it_is() {
    let folder = Folder::new();
    let path = folder.path("calls.db");
    fs::copy(sample("store-v1.db"), &path).expect("copied");
    let before = fs::read(&path).expect("read");
    let mut store = Store::open(&place_of(&path), Access::Read).expect("a store");
    as_version_one(&mut store);
    drop(store);
    assert_eq!(fs::read(&path).expect("read"), before);
}

#[test]
fn an_older_store_is_led_to_the_newest_format() {
    let file = Desk::file();
    fs::copy(sample("store-v1.db"), &file.text).expect("copied");
    led_to_the_newest(&file);
    if let Some(desk) = Desk::server() {
        let text = fs::read_to_string(sample("store-v1.sql")).expect("a sample");
        psql(&desk.text, &text);
        let mut old = Store::open(&desk.place(), Access::Read).expect("a store");
        as_version_one(&mut old);
        led_to_the_newest(&desk);
    }
}

fn led_to_the_newest(desk: &Desk) {
    let mut store = desk.open();
    as_version_one(&mut store);
    let mut again = seen(all(&mut store)[0].call.clone(), 1);
    again.statuses.with_errors = 3;
    again.redactions = vec![crate::desk::dropped("header cookie")];
    store.add(&[again], &[flow("GET /a", 1)]).expect("added");
    let mut store = Store::open(&desk.place(), Access::Read).expect("a store");
    let record = &all(&mut store)[0];
    assert_eq!((record.times_called, record.statuses.with_errors), (4, 3));
    assert_eq!(record.redactions.len(), 1);
    assert_eq!(store.flows().expect("flows").len(), 1);
}

/// What the sample of the first format holds.
fn as_version_one(store: &mut Store) {
    let records = all(store);
    let times: Vec<u64> = records.iter().map(|record| record.times_called).collect();
    assert_eq!(times, [3, 6, 9, 12]);
    for record in &records {
        assert_eq!(record.key, record.call.key());
        assert_eq!(record.statuses.with_errors, 0);
        assert!(record.redactions.is_empty());
    }
    assert_eq!(records[3].took.total, 18_000);
    assert!(store.flows().expect("flows").is_empty());
    assert_eq!(
        store.get(&records[2].key.to_string()).expect("found").len(),
        1
    );
}

#[test]
fn a_store_where_nothing_may_be_written_can_still_be_listed() {
    let folder = Folder::new();
    let path = folder.path("calls & 100%.db");
    fs::copy(sample("store-v1.db"), &path).expect("copied");
    // Root may write anywhere, so what a reader would share with writers is blocked instead.
    fs::create_dir(folder.path("calls & 100%.db-shm")).expect("made");
    let mut store = Store::open(&place_of(&path), Access::Read).expect("a store");
    as_version_one(&mut store);
}

#[test]
fn a_file_that_is_removed_while_in_use_is_missed() {
    let desk = Desk::file();
    let mut store = desk.open();
    store.add(&[seen(query(1), 1)], &[]).expect("added");
    fs::remove_file(&desk.text).expect("removed");
    let lost = store.add(&[seen(query(1), 1)], &[]);
    assert!(matches!(lost, Err(StoreError::Gone { .. })), "{lost:?}");
}

#[test]
fn a_server_that_is_not_there_is_told_without_the_password() {
    let nobody = place("postgres://u:secret@127.0.0.1:1/calls");
    let error = Store::open(&nobody, Access::Write).expect_err("nobody");
    assert!(error.may_pass());
    let told = format!("{error} {error:?}");
    assert!(told.contains("u:***@127.0.0.1:1/calls"), "{told}");
    assert!(
        told.contains("refused") && !told.contains("secret"),
        "{told}"
    );
}

#[test]
fn a_database_that_is_not_there_is_told_with_what_to_do() {
    let Some(desk) = Desk::server() else { return };
    let told = Store::open(&place(&format!("{}_not", desk.text)), Access::Write);
    let told = told.expect_err("no database").to_string();
    assert!(
        told.contains("does not exist") && told.contains("createdb"),
        "{told}"
    );
}
