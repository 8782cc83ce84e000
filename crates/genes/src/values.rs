//! What is known of good values, and how well each source of values did.
//!
//! Everything is bounded: a service that answers for hours must not fill the memory. Names are
//! normalised, so `projectId` in an answer serves `project_id` in a request. One `Values` serves
//! one API; it also keeps what was worked out about that API's shapes.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use fossick_contract::{Api, TypeId};
use serde_json::Value;

use crate::Rng;
use crate::dice;
use crate::names;
use crate::recipe::Recipes;
use crate::source::{Source, Sources};

#[derive(Debug, Clone)]
pub struct Values {
    /// By the key of the normalised name; looked up, never iterated.
    pools: HashMap<u64, Pool>,
    tallies: [Tally; Source::ALL.len()],
    weights: [u64; Source::ALL.len()],
    /// Fields of GraphQL types whose resolvers failed where the operation itself did not.
    sour: HashSet<(TypeId, u32)>,
    /// How deep GraphQL selections go.
    depth: usize,
    /// Keys of GraphQL things name the type of the thing.
    global_keys: bool,
    /// Values of real traffic were told.
    harvest: bool,
    recipes: OnceLock<Arc<Recipes>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Pool {
    pub seen: Vec<Value>,
    pub told: Vec<Value>,
    pub words: Vec<Value>,
    pub harvested: Vec<Value>,
}

impl Pool {
    /// What was seen first.
    pub(crate) fn anchors(&self) -> impl Iterator<Item = &Value> {
        self.seen.iter().take(ANCHORS)
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    good: u64,
    bad: u64,
}

/// As deep as EvoMaster goes: deeper ones cost much and show little.
const DEPTH: usize = 4;
const NAMES: usize = 4096;
const RING: usize = 24;
/// The first of them stay: they were there before the run began to make and remove things.
const ANCHORS: usize = 6;
const LONGEST: usize = 256;

impl Default for Values {
    fn default() -> Self {
        Self::new()
    }
}

impl Values {
    pub fn new() -> Self {
        let mut values = Self {
            pools: HashMap::new(),
            tallies: [Tally::default(); Source::ALL.len()],
            weights: [0; Source::ALL.len()],
            sour: HashSet::new(),
            depth: DEPTH,
            global_keys: false,
            harvest: false,
            recipes: OnceLock::new(),
        };
        for source in Source::ALL {
            values.weigh(source);
        }
        values
    }

    /// A scalar that stood under this name in a successful answer.
    pub fn see(&mut self, name: &str, value: &Value) {
        if is_worth_keeping(value)
            && let Some(pool) = self.pool_mut(names::key(name))
        {
            keep(&mut pool.seen, value.clone());
        }
    }

    /// A value of a custom scalar in a successful answer, wherever it stood.
    pub fn see_scalar(&mut self, scalar: &str, value: &Value) {
        if is_worth_keeping(value)
            && let Some(pool) = self.pool_mut(scalar_key(scalar))
        {
            keep(&mut pool.seen, value.clone());
        }
    }

    /// A value that the service named as acceptable, for one operation or for all.
    pub fn tell(&mut self, operation: Option<&str>, name: &str, value: Value) {
        if !is_worth_keeping(&value) {
            return;
        }
        if let Some(operation) = operation
            && let Some(pool) = self.pool_mut(key_in(operation, name))
        {
            keep(&mut pool.told, value.clone());
        }
        if let Some(pool) = self.pool_mut(names::key(name)) {
            keep(&mut pool.told, value);
        }
    }

    /// A value that real traffic sent to a place of an operation. `name` is what the place is
    /// called elsewhere.
    pub fn harvest(&mut self, operation: &str, place: &str, name: &str, value: &Value) {
        if !is_worth_keeping(value) {
            return;
        }
        self.harvest = true;
        for key in [key_in(operation, place), names::key(name)] {
            if let Some(pool) = self.pool_mut(key) {
                keep(&mut pool.harvested, value.clone());
            }
        }
    }

    /// Values that real traffic sent to this very place, the newest last.
    pub fn harvested(&self, operation: &str, place: &str) -> &[Value] {
        if !self.harvest {
            return &[];
        }
        self.pool(key_in(operation, place))
            .map_or(&[], |pool| &pool.harvested)
    }

    pub fn has_harvest(&self) -> bool {
        self.harvest
    }

    /// Whether a value of traffic is taken where one of another source stands: by their merits.
    pub fn prefers_harvest(&self, other: Source, rng: &mut Rng) -> bool {
        let both = Sources::default()
            .with(Source::Harvested, true)
            .with(other, true);
        self.choose(both, rng) == Some(Source::Harvested)
    }

    /// Lets GraphQL selections go so deep and no deeper: things inside things.
    pub fn select_to_depth(&mut self, depth: usize) {
        self.depth = depth.max(1);
    }

    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// A key was seen that names the type of its thing, so that others can be guessed.
    pub fn see_global_key(&mut self) {
        self.global_keys = true;
    }

    pub fn has_global_keys(&self) -> bool {
        self.global_keys
    }

    /// A GraphQL field failed deep inside an operation: asking for it spoils the rest.
    pub fn turn_sour(&mut self, on: TypeId, field: u32) {
        if self.sour.len() < NAMES {
            self.sour.insert((on, field));
        }
    }

    pub(crate) fn is_sour(&self, on: TypeId, field: u32) -> bool {
        self.sour.contains(&(on, field))
    }

    /// A word of the user's dictionary. It is kept whatever its length: the user knows.
    pub fn add_word(&mut self, name: &str, value: Value) {
        let pool = self.pools.entry(names::key(name)).or_default();
        if !pool.words.contains(&value) {
            pool.words.push(value);
        }
    }

    /// Values seen under this name, the newest last.
    pub fn seen(&self, name: &str) -> &[Value] {
        self.pool(names::key(name)).map_or(&[], |pool| &pool.seen)
    }

    pub fn latest(&self, name: &str) -> Option<&Value> {
        self.seen(name).last()
    }

    /// Values told for this name, the newest last: those for the operation if there are any.
    pub fn told(&self, operation: Option<&str>, name: &str) -> &[Value] {
        let own = operation.and_then(|operation| self.pool(key_in(operation, name)));
        own.or_else(|| self.pool(names::key(name)))
            .map_or(&[], |pool| &pool.told)
    }

    /// A value of this source was sent, and the call went well or not.
    pub fn credit(&mut self, source: Source, good: bool) {
        const MEMORY: u64 = 400;
        let tally = &mut self.tallies[source.index()];
        if good {
            tally.good += 1;
        } else {
            tally.bad += 1;
        }
        // Old merits fade, so that a source can recover when a service changes its mind.
        if tally.good + tally.bad > MEMORY {
            tally.good /= 2;
            tally.bad /= 2;
        }
        self.weigh(source);
    }

    fn weigh(&mut self, source: Source) {
        let tally = self.tallies[source.index()];
        let base = prior(source);
        let earned = base * 1000 * (tally.good + 2) / (tally.good + tally.bad + 4);
        // The floor keeps a source alive that failed so far for reasons of its neighbours.
        self.weights[source.index()] = earned.max(base * 50);
    }

    /// One of the sources, by their merits; none if the set is empty.
    pub(crate) fn choose(&self, among: Sources, rng: &mut Rng) -> Option<Source> {
        let present = || Source::ALL.into_iter().filter(|s| among.contains(*s));
        let total: u64 = present().map(|s| self.weights[s.index()]).sum();
        let mut left = dice::below(rng, total);
        present().find(|source| {
            let weight = self.weights[source.index()];
            let hit = left < weight;
            left = left.saturating_sub(weight);
            hit
        })
    }

    pub(crate) fn pool(&self, key: u64) -> Option<&Pool> {
        self.pools.get(&key)
    }

    fn pool_mut(&mut self, key: u64) -> Option<&mut Pool> {
        if self.pools.len() >= NAMES && !self.pools.contains_key(&key) {
            return None;
        }
        Some(self.pools.entry(key).or_default())
    }

    /// The recipes kept here, unless they were made for another API.
    pub(crate) fn recipes(&self, api: &Api) -> Option<&Recipes> {
        let recipes = self.recipes.get_or_init(|| Arc::new(Recipes::of(api)));
        recipes.belong_to(api).then_some(&**recipes)
    }
}

/// The pool of a custom scalar; no field has such a name.
pub(crate) fn scalar_key(scalar: &str) -> u64 {
    !names::key(scalar)
}

fn key_in(operation: &str, name: &str) -> u64 {
    names::key(operation).rotate_left(17) ^ names::key(name)
}

/// How much a source is trusted before anything is known.
fn prior(source: Source) -> u64 {
    match source {
        Source::Told | Source::Dictionary | Source::Harvested => 6,
        Source::Named => 4,
        Source::Example | Source::Seen => 3,
        Source::Boundary | Source::Random | Source::Enum => 2,
        Source::Fixed | Source::Default | Source::Special | Source::Compared => 1,
    }
}

fn is_worth_keeping(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() <= LONGEST,
        Value::Number(_) | Value::Bool(_) => true,
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

/// Adds a value as the newest; of its type the oldest goes when there are too many.
fn keep(ring: &mut Vec<Value>, value: Value) {
    let alike = |other: &Value| std::mem::discriminant(other) == std::mem::discriminant(&value);
    let known = ring.iter().position(|other| *other == value);
    let stale = known.or_else(|| {
        let full = ring.iter().filter(|other| alike(other)).count() >= RING;
        let late = ring.iter().enumerate().skip(ANCHORS);
        late.filter(|(_, other)| full && alike(other))
            .map(|(at, _)| at)
            .next()
    });
    match stale {
        // An anchor that is seen again stays where it is.
        Some(at) if known.is_some() && at < ANCHORS => return,
        Some(at) => drop(ring.remove(at)),
        None => {}
    }
    ring.push(value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;
    use serde_json::json;

    #[test]
    fn the_newest_values_are_kept_once_each() {
        let mut values = Values::new();
        for n in 0..100 {
            values.see("projectId", &json!(n));
        }
        values.see("project_id", &json!(90));
        assert_eq!(values.seen("project-id").len(), RING);
        assert_eq!(values.latest("projectID"), Some(&json!(90)));
        values.see("project_id", &json!("x".repeat(300)));
        values.see("project_id", &json!({}));
        assert_eq!(values.seen("projectId").len(), RING);
        values.see("project_id", &json!("text"));
        assert_eq!(values.seen("projectId").len(), RING + 1);
        assert!(values.seen("other").is_empty());
    }

    #[test]
    fn names_are_bounded() {
        let mut values = Values::new();
        for n in 0..NAMES + 10 {
            values.see(&format!("n{n}"), &json!(1));
        }
        assert_eq!(values.pools.len(), NAMES);
        values.add_word("mine", json!(1));
        assert_eq!(
            values.pool(names::key("mine")).map(|p| p.words.len()),
            Some(1)
        );
    }

    #[test]
    fn what_was_told_for_an_operation_comes_first() {
        let mut values = Values::new();
        values.tell(None, "sort", json!("name"));
        values.tell(Some("GET /a"), "sort", json!("date"));
        assert_eq!(values.told(Some("GET /a"), "sort"), [json!("date")]);
        assert_eq!(values.told(None, "sort"), [json!("name"), json!("date")]);
        assert_eq!(values.told(Some("GET /b"), "sort").len(), 2);
    }

    #[test]
    fn sources_that_do_well_are_drawn_more_often_and_none_starves() {
        let mut values = Values::new();
        for _ in 0..200 {
            values.credit(Source::Seen, true);
            values.credit(Source::Named, false);
        }
        let both = Sources::default()
            .with(Source::Seen, true)
            .with(Source::Named, true);
        let mut rng = Rng::seed_from_u64(1);
        let named = (0..1000)
            .filter(|_| values.choose(both, &mut rng) == Some(Source::Named))
            .count();
        assert!((20..300).contains(&named), "{named}");
        assert_eq!(values.choose(Sources::default(), &mut rng), None);
    }
}
