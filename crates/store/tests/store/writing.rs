//! The thread that owns a store, for those who must not wait.

use fossick_store::{BatchId, StoreError, Writer};

use crate::desk::{Desk, flow, query, seen, total, with_both};

#[test]
fn what_was_handed_over_is_written_even_if_nobody_waits_for_it() {
    with_both(|desk| {
        let writer = Writer::open(&desk.place(), 64).expect("a writer");
        for number in 0..50 {
            let sightings = vec![seen(query(number), 1)];
            let outcome = writer.add(BatchId::random(), sightings, vec![flow("GET /a", 1)]);
            drop(outcome.expect("room in the queue"));
        }
        writer.finish();
        let mut store = desk.open();
        assert_eq!(total(&mut store), 50);
        assert_eq!(store.flows().expect("flows"), [flow("GET /a", 50)]);
    });
}

#[tokio::test]
async fn an_outcome_can_be_waited_for() {
    let desk = Desk::file();
    let place = desk.place();
    let writer = tokio::task::spawn_blocking(move || Writer::open(&place, 4));
    let writer = writer.await.expect("no panic").expect("a writer");
    let id = BatchId::random();
    for before in [false, true] {
        let outcome = writer.add(id, vec![seen(query(1), 1)], Vec::new());
        let added = outcome
            .expect("room")
            .await
            .expect("an answer")
            .expect("added");
        assert_eq!(added.before, before);
    }
}

#[test]
fn a_full_queue_gives_the_batch_back() {
    let desk = Desk::file();
    let writer = Writer::open(&desk.place(), 1).expect("a writer");
    // Somebody else has the store, so the thread stands and the queue fills.
    let other = rusqlite::Connection::open(&desk.text).expect("a connection");
    other.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    let mut kept = 0;
    let refused = loop {
        match writer.add(BatchId::random(), vec![seen(query(7), 1)], Vec::new()) {
            Ok(_) => kept += 1,
            Err(refused) => break refused,
        }
    };
    assert!(kept <= 2, "{kept} found room for one");
    assert_eq!(refused.sightings, [seen(query(7), 1)]);
    other.execute_batch("ROLLBACK").expect("let go");
    writer.finish();
    assert_eq!(total(&mut desk.open()), kept);
}

#[test]
fn a_file_that_was_moved_away_is_begun_again() {
    let desk = Desk::file();
    let writer = Writer::open(&desk.place(), 4).expect("a writer");
    let add = || {
        let outcome = writer.add(BatchId::random(), vec![seen(query(1), 1)], Vec::new());
        outcome.expect("room").blocking_recv().expect("an answer")
    };
    add().expect("added");
    std::fs::rename(&desk.text, format!("{}.old", desk.text)).expect("moved");
    for ending in ["-wal", "-shm"] {
        std::fs::rename(
            format!("{}{ending}", desk.text),
            format!("{}.old{ending}", desk.text),
        )
        .expect("moved");
    }
    add().expect("added to a new one");
    assert_eq!(total(&mut desk.open()), 1);
}

#[test]
fn a_folder_that_was_removed_is_told_each_time() {
    let desk = Desk::file();
    let writer = Writer::open(&desk.place(), 4).expect("a writer");
    let folder = std::path::Path::new(&desk.text).parent().expect("a folder");
    std::fs::remove_dir_all(folder).expect("removed");
    for _ in 0..2 {
        let outcome = writer.add(BatchId::random(), vec![seen(query(1), 1)], Vec::new());
        let told = outcome.expect("room").blocking_recv().expect("an answer");
        assert!(matches!(told, Err(StoreError::NoFolder { .. })), "{told:?}");
    }
}
