//! What was added is given back: in order, as far as it is wanted.

use std::ops::ControlFlow;

use fossick_harvest::Record;
use fossick_store::{Filter, Glob, Kind, Roots, Store};

use crate::desk::{Desk, all, dropped, listed, mutation, query, rest, seen, with_both};

/// Five calls, the n-th seen n times, first at n × 100.
fn filled(desk: &Desk) -> Store {
    let mut store = desk.open();
    let calls = [
        rest("GET", "/projects"),
        query(1),
        mutation(),
        rest("POST", "/projects"),
        query(2),
    ];
    for (call, number) in calls.into_iter().zip([1, 2, 3, 4, 5]).rev() {
        let mut sighting = seen(call, 100 * number);
        sighting.times = number;
        sighting.last_at = 100 * number + 50;
        store.add(&[sighting], &[]).expect("added");
    }
    store
}

fn times(records: &[Record]) -> Vec<u64> {
    records.iter().map(|record| record.times_called).collect()
}

#[test]
fn records_come_in_the_order_in_which_calls_were_first_seen() {
    with_both(|desk| {
        let mut store = filled(desk);
        assert_eq!(times(&all(&mut store)), [1, 2, 3, 4, 5]);
        assert_eq!(all(&mut store), all(&mut desk.open()));
    });
}

#[test]
fn only_what_is_wanted_comes() {
    let none = Filter::default();
    let operation = |pattern: &str| Filter {
        operation: Some(Glob::new(pattern)),
        ..Filter::default()
    };
    let cases = [
        (none.clone(), vec![1, 2, 3, 4, 5]),
        (
            Filter {
                min_calls: 4,
                ..none.clone()
            },
            vec![4, 5],
        ),
        (
            Filter {
                since: Some(350),
                ..none.clone()
            },
            vec![3, 4, 5],
        ),
        (
            Filter {
                until: Some(200),
                ..none.clone()
            },
            vec![1, 2],
        ),
        (
            Filter {
                since: Some(151),
                until: Some(399),
                ..none.clone()
            },
            vec![2, 3],
        ),
        (
            Filter {
                kind: Some(Kind::Rest),
                ..none.clone()
            },
            vec![1, 4],
        ),
        (
            Filter {
                kind: Some(Kind::GraphQl),
                min_calls: 3,
                ..none.clone()
            },
            vec![3, 5],
        ),
        (
            Filter {
                roots: Roots::Mutations,
                ..none.clone()
            },
            vec![3, 4],
        ),
        (
            Filter {
                roots: Roots::Queries,
                ..none.clone()
            },
            vec![1, 2, 5],
        ),
        (operation("project"), vec![2, 5]),
        (operation("create*"), vec![3]),
        (operation("* /projects"), vec![1, 4]),
    ];
    with_both(|desk| {
        let mut store = filled(desk);
        for (filter, expected) in &cases {
            assert_eq!(times(&listed(&mut store, filter)), *expected, "{filter:?}");
            let count = store.count(filter).expect("a count");
            assert_eq!(count, expected.len() as u64, "{filter:?}");
        }
    });
}

#[test]
fn a_listing_ends_when_its_reader_has_enough() {
    with_both(|desk| {
        let mut store = filled(desk);
        let mut heard = 0;
        let done = store.records(&Filter::default(), &mut |_| {
            heard += 1;
            if heard < 2 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        done.expect("a listing");
        assert_eq!(heard, 2);
        assert_eq!(all(&mut store).len(), 5);
    });
}

#[test]
fn a_listing_longer_than_what_is_fetched_at_a_time_is_whole() {
    with_both(|desk| {
        let mut store = desk.open();
        let many: Vec<_> = (0..1234).map(|n| seen(query(n), 10_000 - n)).collect();
        store.add(&many, &[]).expect("added");
        let records = all(&mut store);
        assert_eq!(records.len(), 1234);
        assert!(records.is_sorted_by_key(|record| (record.created_at, record.key)));
    });
}

#[test]
fn a_record_is_found_by_the_beginning_of_its_key() {
    with_both(|desk| {
        let mut store = filled(desk);
        for record in all(&mut store) {
            let key = record.key.to_string();
            assert!(store.get(&key[..5]).expect("found").contains(&record));
            assert_eq!(store.get(&key).expect("found"), [record]);
        }
        assert!(store.get("no key").expect("an answer").is_empty());
        assert!(store.get(&"0".repeat(32)).expect("an answer").is_empty());
    });
}

#[test]
fn what_was_not_seen_for_long_can_be_forgotten() {
    with_both(|desk| {
        let mut store = filled(desk);
        let mut redacted = seen(rest("GET", "/projects"), 100);
        redacted.redactions = vec![dropped("header cookie")];
        store.add(&[redacted.clone()], &[]).expect("added");
        assert_eq!(store.forget(250).expect("forgotten"), 1);
        assert_eq!(store.forget(251).expect("forgotten"), 1);
        assert_eq!(times(&all(&mut store)), [3, 4, 5]);
        store.compact().expect("compacted");
        redacted.redactions.clear();
        store.add(&[redacted], &[]).expect("added");
        let again = &all(&mut store)[0];
        assert_eq!((again.times_called, again.redactions.len()), (1, 0));
    });
}
