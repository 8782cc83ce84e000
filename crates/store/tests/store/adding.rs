//! What is added is added up.

use fossick_harvest::{How, Redaction, Sighting, Statuses, Took};
use fossick_store::{Access, Added, BatchId, Store, StoreError};
use serde_json::{Value, json};

use crate::desk::{all, dropped, flow, query, rest, seen, total, with_both};

const DONE: Added = Added {
    before: false,
    left_out: 0,
};

fn rich(times: u64, at: u64, redactions: Vec<Redaction>) -> Sighting {
    Sighting {
        first_at: at,
        last_at: at + 10,
        times,
        statuses: Statuses {
            informational: times,
            successful: 2 * times,
            redirected: 3 * times,
            client_error: 4 * times,
            server_error: 5 * times,
            with_errors: 6 * times,
        },
        took: Took {
            answers: 7 * times,
            total: 8 * times,
            most: 9 * times,
        },
        redactions,
        ..seen(rest("PUT", "/projects/1"), 0)
    }
}

#[test]
fn sightings_of_one_call_become_one_record() {
    with_both(|desk| {
        let mut store = desk.open();
        let pseudonym = Redaction {
            place: "body /name".to_owned(),
            how: How::Pseudonym,
        };
        let twice = [
            rich(1, 500, vec![dropped("header cookie")]),
            rich(2, 100, vec![]),
        ];
        assert_eq!(store.add(&twice, &[]).expect("added"), DONE);
        let later = rich(4, 900, vec![pseudonym.clone(), dropped("header cookie")]);
        assert_eq!(store.add(&[later], &[]).expect("added"), DONE);

        let records = all(&mut store);
        let [record] = records.as_slice() else {
            panic!("one call, {} records", records.len());
        };
        assert_eq!(record.call, rest("PUT", "/projects/1"));
        assert_eq!(record.key, record.call.key());
        assert_eq!((record.created_at, record.updated_at), (100, 910));
        let expected = rich(7, 0, vec![]);
        assert_eq!(record.times_called, 7);
        assert_eq!(record.statuses, expected.statuses);
        let took = Took {
            most: 36,
            ..expected.took
        };
        assert_eq!(record.took, took);
        assert_eq!(record.redactions, [pseudonym, dropped("header cookie")]);
    });
}

#[test]
fn flows_are_added_up_too() {
    with_both(|desk| {
        let mut store = desk.open();
        let (read, remove) = ("GET /projects/{}", "DELETE /projects/{}");
        let first = [flow(read, 2), flow(remove, 1), flow(read, 3)];
        store.add(&[], &first).expect("added");
        store.add(&[], &[flow(read, 10)]).expect("added");
        let flows = store.flows().expect("flows");
        assert_eq!(flows, [flow(remove, 1), flow(read, 15)]);
    });
}

#[test]
fn a_batch_that_comes_again_is_not_counted_again() {
    with_both(|desk| {
        let id = BatchId::random();
        let batch = [seen(query(1), 5), seen(query(2), 5)];
        let add = |store: &mut Store| store.add_once(id, &batch, &[flow("GET /a", 1)]);
        assert!(!add(&mut desk.open()).expect("added").before);
        let mut store = desk.open();
        assert!(add(&mut store).expect("known").before);
        assert_eq!(total(&mut store), 2);
        assert_eq!(store.flows().expect("flows"), [flow("GET /a", 1)]);
        store.add(&batch, &[]).expect("added");
        assert_eq!(total(&mut store), 4);
    });
}

#[test]
fn numbers_that_no_database_knows_stop_at_the_largest() {
    with_both(|desk| {
        let mut store = desk.open();
        let mut huge = rich(1, 7, vec![]);
        huge.times = u64::MAX;
        huge.last_at = u64::MAX;
        huge.took.total = i64::MAX as u64 - 1;
        for _ in 0..2 {
            let batch = [huge.clone()];
            store
                .add(&batch, &[flow("GET /a", u64::MAX)])
                .expect("added");
        }
        let record = &all(&mut store)[0];
        let largest = i64::MAX as u64;
        assert_eq!((record.times_called, record.updated_at), (largest, largest));
        assert_eq!(record.took.total, largest);
        assert_eq!(record.statuses.successful, 4);
        assert_eq!(store.flows().expect("flows"), [flow("GET /a", largest)]);
    });
}

#[test]
fn a_call_too_deep_to_be_read_again_is_left_out_and_told() {
    with_both(|desk| {
        let mut store = desk.open();
        let deep = |levels| {
            let mut call = rest("POST", "/deep");
            if let fossick_harvest::Call::Rest(rest) = &mut call {
                let nested = (0..levels).fold(json!(1), |inside, _| Value::Array(vec![inside]));
                rest.content = fossick_harvest::Content::Json {
                    media_type: "application/json".to_owned(),
                    value: nested,
                };
            }
            seen(call, 1)
        };
        let added = store.add(&[deep(200), deep(118), seen(query(1), 1)], &[]);
        assert_eq!(added.expect("added").left_out, 1);
        assert_eq!(all(&mut store).len(), 2);
    });
}

#[test]
fn texts_of_any_kind_and_length_get_in() {
    with_both(|desk| {
        let mut store = desk.open();
        let long = "ä/\"\\\n".repeat(20_000);
        let mut sighting = rich(1, 1, vec![dropped(&long), dropped("body /a\u{0}b")]);
        sighting.call = rest("POST", &long);
        sighting.key = sighting.call.key();
        let strange = flow("GET /\u{0}", 1);
        store
            .add(&[sighting.clone()], &[flow(&long, 1), strange])
            .expect("added");
        let record = &all(&mut store)[0];
        assert_eq!(record.call, sighting.call);
        assert_eq!(
            record.redactions,
            [dropped("body /a\u{fffd}b"), dropped(&long)]
        );
        let flows = store.flows().expect("flows");
        assert_eq!(flows, [flow("GET /\u{fffd}", 1), flow(&long, 1)]);
    });
}

#[test]
fn a_store_opened_for_reading_takes_nothing() {
    with_both(|desk| {
        desk.open().add(&[seen(query(1), 1)], &[]).expect("added");
        let mut store = Store::open(&desk.place(), Access::Read).expect("a store");
        for refused in [
            store.add(&[seen(query(1), 1)], &[]).map(|_| ()),
            store.forget(9).map(|_| ()),
            store.compact(),
        ] {
            assert!(matches!(refused, Err(StoreError::ReadOnly { .. })));
        }
        assert_eq!(total(&mut store), 1);
    });
}
