//! Call sequences, best first and one at a time.
//!
//! The paper visits every schema, joins what produces it to what consumes it, concatenates what
//! fits together, and filters the whole set in the end. That set has as many sequences as the
//! graph has walks. Here the same walks grow from a queue: the most promising beginning is taken,
//! is a sequence itself, and leaves its continuations behind. Beginnings that break the order of
//! making and removing are never continued, since no continuation mends that. Operations that are
//! joined to nothing are sequences of one call.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use fossick_contract::{Api, Deed, OperationIndex};

use crate::Graph;

/// Operations in order, each joined to an earlier one or to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence {
    pub operations: Vec<OperationIndex>,
}

#[derive(Debug, Default)]
pub struct Sequences {
    queue: BinaryHeap<Growing>,
    /// What may come after an operation, the surest first; as of one state of the graph.
    after: Vec<Vec<(OperationIndex, f64)>>,
    version: Option<u64>,
    /// How often each sequence was taken, by its number.
    taken: HashMap<u64, u32>,
    since: usize,
}

/// Longer ones fail before they end.
const LONGEST: usize = 6;
/// Continuations of one operation that are looked at.
const MOST_NEXT: usize = 24;
/// What is not promising enough to be among so many is made again when its time comes.
const MOST_GROWING: usize = 4096;
const MOST_TAKEN: usize = 100_000;
/// Beginnings looked at for one sequence.
const MOST_LOOKS: usize = 256;
/// The queue begins anew after so many rounds of all operations: what is worth a call has changed.
const ROUNDS: usize = 1;
/// What a sequence brings is shared by its calls, but the later ones show what the first can't.
const COST: f64 = 0.7;
/// A parameter that only shares its name with a property leads less far than a need.
const LOOSE: f64 = 0.4;

#[derive(Debug)]
struct Growing {
    operations: Vec<OperationIndex>,
    /// How likely all of it works.
    chance: f64,
    promise: f64,
    /// It was looked at and left its continuations already.
    grown: bool,
}

/// How promising it is to make a second thing of a kind: less than what surely follows.
const ONCE_MORE: f64 = 0.5;

impl Sequences {
    /// The most promising sequence. `worth` says what a success of an operation would bring; those
    /// worth nothing are left out.
    pub fn next(
        &mut self,
        graph: &Graph,
        api: &Api,
        worth: impl Fn(OperationIndex) -> f64,
    ) -> Option<Sequence> {
        let version = Some(graph.properties.version);
        if self.version != version {
            self.version = version;
            self.after = graph.continuations(api);
            self.begin(api, &worth);
        }
        if self.since >= ROUNDS * api.operations.len() || self.queue.is_empty() {
            self.begin(api, &worth);
        }
        let found = self.grow(graph, api, &worth)?;
        self.since += 1;
        self.note(&found);
        Some(Sequence { operations: found })
    }

    /// Counts a sequence as taken, wherever it came from.
    pub fn note(&mut self, operations: &[OperationIndex]) {
        let number = number(operations);
        if self.taken.len() < MOST_TAKEN || self.taken.contains_key(&number) {
            *self.taken.entry(number).or_insert(0) += 1;
        }
    }

    /// Different sequences that were taken.
    pub fn distinct(&self) -> usize {
        self.taken.len()
    }

    /// Every operation on its own.
    fn begin(&mut self, api: &Api, worth: &impl Fn(OperationIndex) -> f64) {
        self.queue.clear();
        self.since = 0;
        for (index, _) in api.indexed() {
            self.push(vec![index], 1.0, worth);
        }
    }

    fn grow(
        &mut self,
        graph: &Graph,
        api: &Api,
        worth: &impl Fn(OperationIndex) -> f64,
    ) -> Option<Vec<OperationIndex>> {
        for _ in 0..MOST_LOOKS {
            let growing = self.queue.pop()?;
            if growing.grown {
                return Some(growing.operations);
            }
            self.continue_with(graph, api, &growing, worth);
            let times = self.taken.get(&number(&growing.operations));
            let fresh = 1.0 / (1.0 + f64::from(times.copied().unwrap_or(0)));
            self.queue.push(Growing {
                promise: growing.promise * fresh,
                grown: true,
                ..growing
            });
        }
        let found = self.queue.pop()?;
        Some(found.operations)
    }

    fn continue_with(
        &mut self,
        graph: &Graph,
        api: &Api,
        growing: &Growing,
        worth: &impl Fn(OperationIndex) -> f64,
    ) {
        let Some(last) = growing.operations.last() else {
            return;
        };
        if growing.operations.len() >= LONGEST {
            return;
        }
        let mut next = self.after.get(last.0 as usize).cloned().unwrap_or_default();
        next.push((*last, ONCE_MORE));
        for (index, sure) in next {
            if graph.properties.may_follow(api, &growing.operations, index) {
                let mut operations = growing.operations.clone();
                operations.push(index);
                self.push(operations, growing.chance * sure, worth);
            }
        }
        if self.queue.len() > MOST_GROWING {
            self.prune();
        }
    }

    fn push(
        &mut self,
        operations: Vec<OperationIndex>,
        chance: f64,
        worth: &impl Fn(OperationIndex) -> f64,
    ) {
        let value = last_worth(&operations, worth);
        if value <= 0.0 {
            return;
        }
        self.queue.push(Growing {
            promise: chance * value / (operations.len() as f64).powf(COST),
            operations,
            chance,
            grown: false,
        });
    }

    fn prune(&mut self) {
        let mut all = std::mem::take(&mut self.queue).into_sorted_vec();
        let kept = all.split_off(all.len() - MOST_GROWING / 2);
        self.queue = kept.into();
    }
}

fn last_worth(operations: &[OperationIndex], worth: &impl Fn(OperationIndex) -> f64) -> f64 {
    operations.last().map_or(0.0, |last| worth(*last))
}

/// A number for a sequence (FNV-1a over its operations).
fn number(operations: &[OperationIndex]) -> u64 {
    let bytes = operations.iter().flat_map(|index| index.0.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl Graph {
    /// What may come after each operation because it takes what the operation gives.
    fn continuations(&self, api: &Api) -> Vec<Vec<(OperationIndex, f64)>> {
        let mut after: Vec<BTreeMap<OperationIndex, f64>> = vec![BTreeMap::new(); self.needs.len()];
        let mut join = |maker: OperationIndex, consumer: OperationIndex, sure: f64| {
            if maker != consumer {
                let best = after[maker.0 as usize].entry(consumer).or_insert(0.0);
                *best = best.max(sure);
            }
        };
        for (consumer, operation) in api.indexed() {
            let ways = &self.edges[consumer.0 as usize];
            for edge in ways.iter().flatten().filter(|edge| !edge.removed) {
                join(edge.maker, consumer, edge.confidence());
            }
            for consumes in &self.properties.consumes[consumer.0 as usize] {
                let makes = operation.deed() == Deed::Create && consumes.property.is_none();
                if makes || !consumes.standing.is_used() {
                    continue;
                }
                let sure = LOOSE * consumes.standing.confidence();
                let producers = self.properties.producers.get(&consumes.schema);
                for maker in producers.into_iter().flatten() {
                    join(*maker, consumer, sure);
                }
            }
        }
        after.into_iter().map(surest).collect()
    }
}

fn surest(all: BTreeMap<OperationIndex, f64>) -> Vec<(OperationIndex, f64)> {
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.truncate(MOST_NEXT);
    all
}

impl PartialEq for Growing {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Growing {}

impl PartialOrd for Growing {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By promise; the order of the document decides between equals.
impl Ord for Growing {
    fn cmp(&self, other: &Self) -> Ordering {
        let promise = self.promise.total_cmp(&other.promise);
        promise.then_with(|| other.operations.cmp(&self.operations))
    }
}
