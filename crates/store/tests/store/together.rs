//! Many add to one store at the same time, and every count is kept.

use std::process::Child;
use std::sync::Barrier;

use fossick_store::Store;

use crate::desk::{Desk, all, flow, query, seen, total, with_both};
use crate::killed::{CALLS, start};

const THREADS: u64 = 8;
const ROUNDS: u64 = 30;
const KEYS: u64 = 50;
/// Each visits every key once in a round.
const STEPS: [u64; THREADS as usize] = [1, 3, 7, 9, 11, 13, 47, 49];

/// The same calls, each thread in an order of its own.
fn add_in_my_order(store: &mut Store, thread: u64) {
    for round in 0..ROUNDS {
        let calls = (0..KEYS).map(|n| (n * STEPS[thread as usize] + round) % KEYS);
        let sightings: Vec<_> = calls.map(|n| seen(query(n), 1 + thread)).collect();
        store.add(&sightings, &[flow("GET /a", 1)]).expect("added");
    }
}

#[test]
fn threads_that_add_the_same_calls_lose_no_count() {
    with_both(|desk| {
        let together = Barrier::new(THREADS as usize);
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let together = &together;
                scope.spawn(move || {
                    // The store is made by whoever comes first.
                    together.wait();
                    add_in_my_order(&mut desk.open(), thread);
                });
            }
        });
        let mut store = desk.open();
        let records = all(&mut store);
        assert_eq!(records.len() as u64, KEYS);
        for record in &records {
            assert_eq!(record.times_called, THREADS * ROUNDS);
            assert_eq!(record.statuses.successful, record.times_called);
            assert_eq!(record.took.total, 100 * record.times_called);
            assert_eq!(record.updated_at, THREADS);
        }
        let times = THREADS * ROUNDS;
        assert_eq!(store.flows().expect("flows"), [flow("GET /a", times)]);
    });
}

#[test]
fn programs_that_add_the_same_calls_lose_no_count() {
    const PROGRAMS: u64 = 4;
    const BATCHES: u64 = 60;
    with_both(|desk: &Desk| {
        let running: Vec<Child> = (0..PROGRAMS)
            .map(|writer| start(desk, writer, 0, BATCHES))
            .collect();
        for program in running {
            let done = program.wait_with_output().expect("ended");
            assert!(done.status.success());
        }
        assert_eq!(total(&mut desk.open()), PROGRAMS * BATCHES * CALLS);
    });
}
