//! A batch on its way into the store.
//!
//! Sightings of one call are added up here already, and rows come sorted by key: then no statement
//! touches a row twice, and two recorders that touch the same rows wait for each other in the same
//! order, never in a circle.

use std::collections::{BTreeMap, BTreeSet};

use fossick_harvest::{Flow, How, Key, Redaction, Sighting};
use sha2::{Digest as _, Sha256};

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
    pub(crate) redactions: BTreeSet<RedactionRow>,
}

/// Each with a digest of its texts, by which it is known again.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RedactionRow {
    pub(crate) id: [u8; 16],
    pub(crate) place: String,
    pub(crate) how: &'static str,
}

pub(crate) struct FlowRow {
    pub(crate) id: [u8; 16],
    /// From, pointer, to, place.
    pub(crate) texts: [String; 4],
    pub(crate) times: i64,
}

/// A batch as both engines take it.
pub(crate) struct Batch {
    pub(crate) id: BatchId,
    pub(crate) rows: Vec<Row>,
    pub(crate) flows: Vec<FlowRow>,
    /// Calls that are nested too deeply to be read again.
    pub(crate) left_out: u64,
}

impl Batch {
    pub(crate) fn new(id: BatchId, sightings: &[Sighting], flows: &[Flow]) -> Self {
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
            flows: added_up(flows),
        }
    }
}

fn count(rows: &mut BTreeMap<Key, Row>, sighting: &Sighting) {
    let numbers = Numbers::of(sighting);
    let redactions = sighting.redactions.iter().map(RedactionRow::of);
    if let Some(row) = rows.get_mut(&sighting.key) {
        row.numbers.merge(&numbers);
        row.redactions.extend(redactions);
        return;
    }
    let row = Row {
        key: sighting.key,
        call: serde_json::to_string(&sighting.call).expect("plain data becomes JSON"),
        numbers,
        redactions: redactions.collect(),
    };
    rows.insert(sighting.key, row);
}

fn added_up(flows: &[Flow]) -> Vec<FlowRow> {
    let mut rows: BTreeMap<[u8; 16], FlowRow> = BTreeMap::new();
    for flow in flows {
        let row = FlowRow::of(flow);
        let times = row.times;
        rows.entry(row.id)
            .and_modify(|known| known.times = known.times.saturating_add(times))
            .or_insert(row);
    }
    rows.into_values().collect()
}

impl RedactionRow {
    fn of(Redaction { place, how }: &Redaction) -> Self {
        let place = storable(place);
        let how = match how {
            How::Dropped => "dropped",
            How::Pseudonym => "pseudonym",
        };
        Self {
            id: digest(&[&place, how]),
            place,
            how,
        }
    }
}

impl FlowRow {
    fn of(flow: &Flow) -> Self {
        let texts = [&flow.from, &flow.pointer, &flow.to, &flow.place].map(|text| storable(text));
        let [from, pointer, to, place] = &texts;
        Self {
            id: digest(&[from, pointer, to, place]),
            texts,
            times: i64::try_from(flow.times).unwrap_or(i64::MAX),
        }
    }
}

/// PostgreSQL keeps no text with a zero byte, and one such name must not stop a batch.
fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

fn digest(texts: &[&str]) -> [u8; 16] {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    }
    let whole = hash.finalize();
    let mut half = [0; 16];
    half.copy_from_slice(&whole[..16]);
    half
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn brackets_in_texts_are_not_depth() {
        for (text, expected) in [
            ("1", 0),
            (r#"{"a":[{}]}"#, 3),
            (r#"["[[[", "\"[[", "\\"]"#, 1),
            (r"[[1],[[2]]]", 3),
        ] {
            assert_eq!(depth(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_that_run_together_alike_have_digests_of_their_own() {
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_eq!(digest(&["ab", "c"]), digest(&["ab", "c"]));
    }

    #[test]
    fn no_two_batches_have_the_same_name() {
        assert_ne!(BatchId::random(), BatchId::random());
    }

    fn deepest(value: &Value) -> usize {
        match value {
            Value::Array(items) => 1 + items.iter().map(deepest).max().unwrap_or(0),
            Value::Object(members) => 1 + members.values().map(deepest).max().unwrap_or(0),
            _ => 0,
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = "[\\[\\]{}\"\\\\a]{0,6}".prop_map(Value::String);
        leaf.prop_recursive(5, 40, 4, |inside| {
            let pair = ("[{\"]{0,3}", inside.clone());
            prop_oneof![
                prop::collection::vec(inside, 0..4).prop_map(Value::Array),
                prop::collection::vec(pair, 0..4)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_depth_of_a_text_is_that_of_its_value(value in any_json()) {
            prop_assert_eq!(depth(&value.to_string()), deepest(&value));
        }
    }
}
