//! What the current call did, in arrays that any thread may write to.
//!
//! The tool sends one call at a time, so what happens belongs to the call in progress, or to call 0.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use crate::map::{Map, Relation, Site, What};
use crate::scalar::{nearness, Observed, Scalar};
use crate::wire::{Delta, Failure};

/// Observations of one place in one call, and how often it is listened to.
const MOST_OF_A_SITE: usize = 24;
const MOST_TRIES: u32 = 96;
/// Of one call.
const MOST: usize = 512;
const MOST_FAILURES: usize = 8;

static HITS: AtomicPtr<AtomicU8> = AtomicPtr::new(std::ptr::null_mut());
static LAST: AtomicU32 = AtomicU32::new(0);
static RECORD: OnceLock<Record> = OnceLock::new();

pub struct Record {
    pub map: Map,
    /// Guards, each with the targets of its lines.
    blocks: Vec<(usize, Vec<u32>)>,
    /// By guard.
    hits: Box<[AtomicU8]>,
    /// By target: the best value in this call, as the bits of a real.
    best: Box<[AtomicU64]>,
    /// By target: told as covered.
    silent: Box<[AtomicBool]>,
    /// By site.
    tries: Box<[AtomicU32]>,
    /// One more than the site, by the distance of its return address from the first.
    lookup: Box<[u32]>,
    first: usize,
    /// From an address in the file to one in memory.
    pub shift: usize,
    /// With the site.
    observations: Mutex<Vec<(usize, Option<u32>, Observed)>>,
    failures: Mutex<Vec<Failure>>,
    calls: Mutex<Calls>,
}

/// What is known of calls.
#[derive(Default)]
struct Calls {
    current: Option<u64>,
    /// What belonged to none.
    idle: Work,
}

#[derive(Default)]
struct Work {
    /// Ascending.
    values: Vec<(u32, f64)>,
    last: u32,
    observations: Vec<(Option<u32>, Observed)>,
    failures: Vec<Failure>,
}

/// A process may have been forked while another thread held a lock that is now held for ever.
fn patiently<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    for _ in 0..200 {
        if let Ok(guard) = mutex.try_lock() {
            return Some(guard);
        }
        std::thread::sleep(Duration::from_micros(50));
    }
    None
}

fn zeros<T: Default>(count: usize) -> Box<[T]> {
    std::iter::repeat_with(T::default).take(count).collect()
}

impl Record {
    /// `shift` is what lies between an address in the file and in memory.
    pub fn begin(map: Map, shift: usize) -> &'static Self {
        let guards = map.blocks.keys().max().map_or(0, |most| most + 2);
        let addresses = map.sites.iter().map(|site| site.returns);
        let first = addresses.clone().min().unwrap_or(0);
        let span = addresses.max().map_or(0, |last| last - first + 1);
        let mut lookup = vec![0; span].into_boxed_slice();
        for (number, site) in (1..).zip(&map.sites) {
            lookup[site.returns - first] = number;
        }
        let mut blocks: Vec<(usize, Vec<u32>)> = Vec::new();
        for (number, block) in &map.blocks {
            blocks.push((number + 1, block.lines.clone()));
        }
        blocks.sort_unstable();
        let record = Self {
            blocks,
            hits: zeros(guards),
            best: zeros(map.targets.len()),
            silent: zeros(map.targets.len()),
            tries: zeros(map.sites.len()),
            lookup,
            first: first.wrapping_add(shift),
            shift,
            observations: Mutex::default(),
            failures: Mutex::default(),
            calls: Mutex::default(),
            map,
        };
        let record = RECORD.get_or_init(|| record);
        HITS.store(record.hits.as_ptr().cast_mut(), Ordering::Release);
        record
    }

    pub fn get() -> Option<&'static Self> {
        RECORD.get()
    }

    /// The place that a callback returns to.
    pub fn site(&self, returns: usize) -> Option<(usize, &Site)> {
        let number = *self.lookup.get(returns.wrapping_sub(self.first))?;
        let at = (number as usize).checked_sub(1)?;
        Some((at, &self.map.sites[at]))
    }

    /// Whether nobody wants to know of any of these.
    pub fn are_silent(&self, targets: &[u32]) -> bool {
        let silent = |id: &u32| self.silent[*id as usize].load(Ordering::Relaxed);
        targets.iter().all(silent)
    }

    pub fn reach(&self, target: u32, value: f64) {
        let best = &self.best[target as usize];
        let bits = value.to_bits();
        // Positive reals are ordered as their bits are.
        if best.load(Ordering::Relaxed) < bits && !self.are_silent(&[target]) {
            best.fetch_max(bits, Ordering::Relaxed);
        }
    }

    /// Both sides of a condition, with the distance to the side that was not taken.
    pub fn decide(&self, sides: [u32; 2], holds: bool, distance: f64) {
        let [taken, other] = if holds { sides } else { [sides[1], sides[0]] };
        self.reach(taken, 1.0);
        self.reach(other, nearness(distance));
    }

    /// Whether a place may still tell of something in this call.
    pub fn listens(&self, site: usize) -> bool {
        let tries = &self.tries[site];
        tries.load(Ordering::Relaxed) < MOST_TRIES
            && tries.fetch_add(1, Ordering::Relaxed) < MOST_TRIES
    }

    pub fn note(&self, site: usize, target: Option<u32>, observed: Observed) {
        // Whoever can't have the lock at once may be inside of it already.
        let Ok(mut all) = self.observations.try_lock() else {
            return;
        };
        let of_site = all.iter().filter(|(known, ..)| *known == site);
        let count = of_site.clone().count();
        let is_known = of_site.clone().any(|(_, _, known)| *known == observed);
        if !is_known && count < MOST_OF_A_SITE && all.len() < MOST {
            all.push((site, target, observed));
        }
    }

    pub fn fail(&self, failure: Failure) {
        if let Some(mut failures) = patiently(&self.failures) {
            if !failures.contains(&failure) {
                failures.push(failure);
            }
        }
    }

    /// What was done since this was last asked.
    fn take(&self) -> Work {
        let mut work = Work {
            last: LAST.swap(0, Ordering::AcqRel),
            ..Work::default()
        };
        for (guard, lines) in &self.blocks {
            let hit = &self.hits[*guard];
            if hit.load(Ordering::Relaxed) != 0 {
                hit.store(0, Ordering::Relaxed);
                lines.iter().for_each(|id| self.reach(*id, 1.0));
            }
        }
        for (id, best) in (0..).zip(&self.best) {
            if best.load(Ordering::Relaxed) != 0 {
                let value = f64::from_bits(best.swap(0, Ordering::Relaxed));
                work.values.push((id, value));
            }
        }
        for tries in &self.tries {
            tries.store(0, Ordering::Relaxed);
        }
        if let Some(mut all) = patiently(&self.observations) {
            let all = std::mem::take(&mut *all).into_iter();
            work.observations = all.map(|(_, target, what)| (target, what)).collect();
        }
        if let Some(mut all) = patiently(&self.failures) {
            work.failures = std::mem::take(&mut *all);
        }
        work
    }

    pub fn begin_call(&self, call: u64) {
        let Some(mut calls) = patiently(&self.calls) else {
            return;
        };
        let work = self.take();
        if calls.current.is_none() {
            calls.idle.add(work);
        }
        // A call that is begun again starts empty.
        calls.current = (call != 0).then_some(call);
    }

    pub fn end_call(&self, call: u64) -> Delta {
        let nothing = Delta {
            call,
            ..Delta::default()
        };
        let Some(mut calls) = patiently(&self.calls) else {
            return nothing;
        };
        let work = if call == 0 {
            if calls.current.is_none() {
                let work = self.take();
                calls.idle.add(work);
            }
            std::mem::take(&mut calls.idle)
        } else if calls.current == Some(call) {
            calls.current = None;
            self.take()
        } else {
            return nothing;
        };
        self.delta(call, work)
    }

    fn delta(&self, call: u64, work: Work) -> Delta {
        let values = work.values.into_iter();
        let failures = work.failures;
        let oldest = failures.len().saturating_sub(MOST_FAILURES);
        Delta {
            call,
            hits: values.filter(|(id, _)| !self.are_silent(&[*id])).collect(),
            last_line: self.place(work.last),
            failures: failures[oldest..].to_vec(),
            observations: work.observations,
        }
    }

    /// The last line of a block.
    fn place(&self, guard: u32) -> Option<(String, u32)> {
        let block = self.map.blocks.get(&(guard as usize).checked_sub(1)?)?;
        let target = &self.map.targets[*block.lines.last()? as usize];
        Some((target.file.clone(), target.line))
    }

    pub fn covered(&self, ids: &[u32]) {
        for id in ids {
            if let Some(silent) = self.silent.get(*id as usize) {
                silent.store(true, Ordering::Relaxed);
            }
        }
    }

    pub fn reset(&self) {
        for silent in &self.silent {
            silent.store(false, Ordering::Relaxed);
        }
        if let Some(mut calls) = patiently(&self.calls) {
            self.take();
            *calls = Calls::default();
        }
    }
}

impl Work {
    fn add(&mut self, other: Self) {
        if !other.values.is_empty() {
            let mut best: BTreeMap<u32, f64> = self.values.drain(..).collect();
            for (id, value) in other.values {
                let known = best.entry(id).or_insert(value);
                *known = known.max(value);
            }
            self.values = best.into_iter().collect();
        }
        if other.last != 0 {
            self.last = other.last;
        }
        self.observations.extend(other.observations);
        self.observations.truncate(MOST);
        self.failures.extend(other.failures);
    }
}

/// A block of the user's own code was entered.
pub fn ran(guard: u32) {
    let hits = HITS.load(Ordering::Relaxed);
    if hits.is_null() {
        return;
    }
    // SAFETY: guards have numbers below the length of the array, which is never given back.
    unsafe { &*hits.add(guard as usize) }.store(1, Ordering::Relaxed);
    LAST.store(guard, Ordering::Relaxed);
}

/// A number with the sign that its comparison gave it. Nobody sends what does not fit.
fn whole(bits: u64, bytes: u8, signed: bool) -> i64 {
    let unused = 64 - u32::from(bytes) * 8;
    if signed {
        ((bits << unused) as i64) >> unused
    } else {
        i64::try_from((bits << unused) >> unused).unwrap_or(i64::MAX)
    }
}

pub fn compared(returns: usize, left: u64, right: u64) {
    let Some(record) = RECORD.get() else { return };
    let Some((at, site)) = record.site(returns) else {
        return;
    };
    let What::Compare {
        relation,
        bytes,
        signed,
    } = &site.what
    else {
        return;
    };
    if record.are_silent(&site.sides) {
        return;
    }
    let left = whole(left, *bytes, *signed);
    let right = whole(right, *bytes, *signed);
    let (holds, distance) = judged(*relation, left, right);
    record.decide(site.sides, holds, distance);
    if record.listens(at) {
        let wanted = site.sides[usize::from(holds)];
        let (left, right) = (Scalar::Whole(left), Scalar::Whole(right));
        let observed = match relation {
            Relation::Equal => Observed::Equal(left, right),
            _ => Observed::Order(left, right),
        };
        record.note(at, Some(wanted), observed);
    }
}

/// Whether a relation holds, and how far it is from being otherwise.
fn judged(relation: Relation, left: i64, right: i64) -> (bool, f64) {
    let apart = left.abs_diff(right) as f64;
    let is_equal = left == right;
    match relation {
        Relation::Equal => (is_equal, if is_equal { 1.0 } else { apart }),
        Relation::Less | Relation::NotLess => {
            let is_less = left < right;
            let distance = if is_less { apart } else { apart + 1.0 };
            (is_less == (relation == Relation::Less), distance)
        }
        Relation::Greater | Relation::NotGreater => {
            let is_greater = left > right;
            let distance = if is_greater { apart } else { apart + 1.0 };
            (is_greater == (relation == Relation::Greater), distance)
        }
    }
}

pub fn switched(returns: usize, value: u64) {
    let Some(record) = RECORD.get() else { return };
    let Some((at, site)) = record.site(returns) else {
        return;
    };
    let What::Switch { bytes, cases } = &site.what else {
        return;
    };
    let mut wanted = None;
    for (case, target) in cases {
        if *case == value {
            record.reach(*target, 1.0);
        } else {
            record.reach(*target, nearness(case.abs_diff(value) as f64));
            if !record.are_silent(&[*target]) {
                wanted = wanted.or(Some(*target));
            }
        }
    }
    if wanted.is_some() && record.listens(at) {
        let scalar = |bits: u64| Scalar::Whole(whole(bits, *bytes, true));
        let candidates = cases.iter().take(64).map(|(case, _)| scalar(*case));
        let observed = Observed::Member(scalar(value), candidates.collect());
        record.note(at, wanted, observed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relation_and_its_other_side() {
        use Relation::{Equal, Greater, Less, NotGreater, NotLess};
        assert_eq!(judged(Equal, 41, 42), (false, 1.0));
        assert_eq!(judged(Equal, 42, 42), (true, 1.0));
        assert_eq!(judged(Less, 5, 5), (false, 1.0));
        assert_eq!(judged(Less, 3, 5), (true, 2.0));
        assert_eq!(judged(NotLess, 3, 5), (false, 2.0));
        assert_eq!(judged(Greater, 100, 1000), (false, 901.0));
        assert_eq!(judged(NotGreater, 1001, 1000), (false, 1.0));
    }

    #[test]
    fn numbers_have_the_sign_that_their_comparison_gives_them() {
        assert_eq!(whole(0xffff_ffff, 4, true), -1);
        assert_eq!(whole(0xffff_ffff, 4, false), 0xffff_ffff);
        assert_eq!(whole(200, 1, false), 200);
        assert_eq!(whole(u64::MAX, 8, true), -1);
        assert_eq!(whole(u64::MAX, 8, false), i64::MAX);
    }
}
