//! A batch on its way into the store.
//!
//! Sightings of one call are added up here already, and rows come sorted by key: then no statement
//! touches a row twice, and two recorders that touch the same rows wait for each other in the same
//! order, never in a circle.

use std::collections::BTreeMap;

use fossick_harvest::{Key, Sighting};

use crate::numbers::Numbers;

/// The name of a batch. Whoever does not know whether a batch went in adds it again under the
/// same name: it is counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BatchId(pub [u8; 16]);

impl BatchId {
    /// One that nobody else has.
    pub fn random() -> Self {
        let mut id = [0; 16];
        getrandom::fill(&mut id).expect("the system gives random bytes");
        Self(id)
    }
}

/// How deep the JSON of a call may be. Its reader stops at 128, and what can't be read again must
/// not get in: it would spoil every listing.
const DEEPEST: usize = 120;

pub(crate) struct Row {
    pub(crate) key: Key,
    /// As compact JSON.
    pub(crate) call: String,
    pub(crate) numbers: Numbers,
}

/// A batch as both engines take it.
pub(crate) struct Batch {
    pub(crate) id: BatchId,
    pub(crate) rows: Vec<Row>,
    /// Calls that are nested too deeply to be read again.
    pub(crate) left_out: u64,
}

impl Batch {
    pub(crate) fn new(id: BatchId, sightings: &[Sighting]) -> Self {
        let mut rows = BTreeMap::new();
        for sighting in sightings {
            count(&mut rows, sighting);
        }
        let all = rows.len();
        let rows: Vec<Row> = rows.into_values().filter(can_be_read).collect();
        Self {
            id,
            left_out: (all - rows.len()) as u64,
            rows,
        }
    }
}

fn count(rows: &mut BTreeMap<Key, Row>, sighting: &Sighting) {
    let numbers = Numbers::of(sighting);
    if let Some(row) = rows.get_mut(&sighting.key) {
        row.numbers.merge(&numbers);
        return;
    }
    let row = Row {
        key: sighting.key,
        call: serde_json::to_string(&sighting.call).expect("plain data becomes JSON"),
        numbers,
    };
    rows.insert(sighting.key, row);
}

fn can_be_read(row: &Row) -> bool {
    depth(&row.call) <= DEEPEST
}

/// How deep a text of JSON is nested.
fn depth(text: &str) -> usize {
    let (mut deepest, mut now) = (0, 0_usize);
    let (mut quoted, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => {
                now += 1;
                deepest = deepest.max(now);
            }
            b'}' | b']' if !quoted => now = now.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
