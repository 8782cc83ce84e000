//! Which test comes first, and which are left out.
//!
//! First whatever adds most to the coverage of the schema; of equals the one that is used most,
//! then the one that takes least. When nothing adds any more, the rest follows by use and cost.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::time::Duration;

use super::Why;
use crate::Key;
use crate::tuples::Tuple;

pub(super) struct Offer {
    pub(super) tuples: Vec<Tuple>,
    pub(super) used: u64,
    pub(super) took: Duration,
    pub(super) key: Key,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    /// Places of the offers, the first test first.
    pub(super) chosen: Vec<usize>,
    pub(super) left_out: Vec<(usize, Why)>,
}

pub(super) fn order(offers: &[Offer], fewest: bool, time: Option<Duration>) -> Order {
    let (adding, others) = greedily(offers);
    let mut order = Order::default();
    if fewest {
        let needed = needed(offers, &adding);
        let idle = adding
            .iter()
            .filter(|at| !needed.contains(at))
            .chain(&others);
        order.left_out.extend(idle.map(|at| (*at, Why::Idle)));
        order.chosen = adding
            .into_iter()
            .filter(|at| needed.contains(at))
            .collect();
    } else {
        order.chosen = adding.into_iter().chain(others).collect();
    }
    if let Some(time) = time {
        cut(offers, time, &mut order);
    }
    order
}

/// Those that add something, and the rest.
fn greedily(offers: &[Offer]) -> (Vec<usize>, Vec<usize>) {
    let by_number = numbered(offers);
    let rank = |gain: usize, at: usize| {
        let offer = &offers[at];
        (
            gain,
            offer.used,
            Reverse(offer.took),
            Reverse(offer.key),
            at,
        )
    };
    let mut covered = HashSet::new();
    let gain = |at: usize, covered: &HashSet<usize>| {
        let tuples = by_number[at].iter();
        tuples.filter(|tuple| !covered.contains(*tuple)).count()
    };
    let all = 0..offers.len();
    let mut waiting: BinaryHeap<_> = all.map(|at| rank(gain(at, &covered), at)).collect();
    let (mut adding, mut others) = (Vec::new(), Vec::new());
    while let Some((before, .., at)) = waiting.pop() {
        let now = gain(at, &covered);
        // Gains only fall, so what still leads with its true gain leads indeed.
        if now < before {
            waiting.push(rank(now, at));
            continue;
        }
        covered.extend(by_number[at].iter().copied());
        if now > 0 { &mut adding } else { &mut others }.push(at);
    }
    (adding, others)
}

/// Tuples as small numbers: there are far fewer than tests.
fn numbered(offers: &[Offer]) -> Vec<Vec<usize>> {
    let mut numbers: HashMap<&Tuple, usize> = HashMap::new();
    let all = offers.iter().map(|offer| {
        let tuples = offer.tuples.iter().map(|tuple| {
            let next = numbers.len();
            *numbers.entry(tuple).or_insert(next)
        });
        tuples.collect()
    });
    all.collect()
}

/// Those whose tuples the others do not reach as well.
fn needed(offers: &[Offer], adding: &[usize]) -> HashSet<usize> {
    let targets = adding.iter().map(|at| fossick_suite::Offer {
        targets: offers[*at].tuples.iter().collect::<Vec<_>>(),
        cost: offers[*at].took.as_micros() as usize,
    });
    let kept = fossick_suite::fewest(&targets.collect::<Vec<_>>());
    kept.into_iter().map(|place| adding[place]).collect()
}

/// Ends where the time is up; a test whose time nobody knows takes as long as the others do.
fn cut(offers: &[Offer], time: Duration, order: &mut Order) {
    let usual = usual(offers);
    let mut spent = Duration::ZERO;
    let fits = |at: &usize| {
        let took = offers[*at].took;
        spent += if took.is_zero() { usual } else { took };
        spent <= time
    };
    let mut fits = fits;
    let end = order.chosen.iter().position(|at| !fits(at));
    let late = order.chosen.split_off(end.unwrap_or(order.chosen.len()));
    order
        .left_out
        .extend(late.into_iter().map(|at| (at, Why::TimeIsUp)));
}

/// A tenth of a second where nothing was timed at all.
fn usual(offers: &[Offer]) -> Duration {
    let mut timed: Vec<Duration> = offers.iter().map(|offer| offer.took).collect();
    timed.retain(|took| !took.is_zero());
    timed.sort_unstable();
    let middle = timed.get(timed.len() / 2).copied();
    middle.unwrap_or(Duration::from_millis(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(name: u8, tuples: &[&str], used: u64, took: u64) -> Offer {
        let tuple = |field: &&str| Tuple {
            on: "Query".into(),
            field: (*field).into(),
        };
        Offer {
            tuples: tuples.iter().map(tuple).collect(),
            used,
            took: Duration::from_millis(took),
            key: Key([name; 16]),
        }
    }

    #[test]
    fn what_adds_most_comes_first_then_what_is_used_most_then_what_costs_least() {
        let offers = [
            offer(0, &["a"], 900, 1),
            offer(1, &["a", "b", "c"], 1, 9),
            offer(2, &["d"], 5, 9),
            offer(3, &["e"], 5, 3),
        ];
        assert_eq!(order(&offers, false, None).chosen, [1, 3, 2, 0]);
        let fewest = order(&offers, true, None);
        assert_eq!(fewest.chosen, [1, 3, 2]);
        assert_eq!(fewest.left_out, [(0, Why::Idle)]);
    }

    #[test]
    fn a_test_that_later_ones_make_idle_is_left_out() {
        let offers = [
            offer(0, &["a", "b", "c", "d"], 1, 9),
            offer(1, &["a", "b", "e"], 1, 1),
            offer(2, &["c", "d", "f"], 1, 1),
        ];
        assert_eq!(order(&offers, true, None).chosen, [1, 2]);
        assert_eq!(order(&offers, false, None).chosen, [0, 1, 2]);
    }

    #[test]
    fn as_many_are_taken_as_the_time_allows() {
        let offers = [
            offer(0, &["a"], 3, 40),
            offer(1, &["b"], 2, 0),
            offer(2, &["c"], 1, 40),
        ];
        let order = order(&offers, false, Some(Duration::from_millis(80)));
        assert_eq!(order.chosen, [0, 1]);
        assert_eq!(order.left_out, [(2, Why::TimeIsUp)]);
    }
}
