//! Numbers worth trying: edges and their neighbours, small domains whole, and numbers at which
//! machine words end.

use fossick_trace::Class;

use super::Landmark;
use crate::kinds::{Real, Whole};
use crate::source::Source;

/// Domains up to this size are tried member by member.
const SMALL: u128 = 256;

pub(super) fn whole(domain: &Whole) -> Vec<Landmark> {
    let mut found = edges(domain);
    let mark = |value: i64| match value {
        0 => Landmark::new(0, Source::Boundary).of_class(Class::Zero),
        v if v < 0 => Landmark::new(v, Source::Boundary).of_class(Class::Negative),
        v => Landmark::new(v, Source::Boundary),
    };
    if domain.count() <= SMALL {
        let members = (0..domain.count() as i64).map(|n| domain.first + n * domain.step);
        found.extend(members.map(mark));
        return found;
    }
    let common = [
        0, 1, -1, 2, 10, 42, 100, 7, 99, 1000, 255, 256, 65_535, 65_536,
    ];
    let near = powers_near(domain).into_iter();
    let words = [
        i64::from(i32::MAX),
        i64::from(i32::MIN),
        1 << 31,
        i64::from(u32::MAX),
        1 << 32,
        1 << 53,
        (1 << 53) + 1,
        i64::MAX,
        i64::MIN,
    ];
    let multiples = [1, 2, 3, 10, -1].map(|n: i64| n.saturating_mul(domain.step));
    let all = common.into_iter().chain(multiples).chain(near).chain(words);
    found.extend(all.filter(|value| domain.contains(*value)).map(mark));
    found
}

/// Both ends and what lies next to them. An end that only the machine sets comes last elsewhere.
fn edges(domain: &Whole) -> Vec<Landmark> {
    let mut found = Vec::new();
    let mut edge = |value: i64, class: Option<Class>| {
        if domain.contains(value) {
            let mut mark = Landmark::new(value, Source::Boundary);
            mark.class = class;
            found.push(mark);
        }
    };
    if domain.floor {
        edge(domain.first, Some(Class::Minimum));
        edge(domain.first.saturating_add(domain.step), None);
    }
    if domain.ceiling {
        edge(domain.last, Some(Class::Maximum));
        edge(domain.last.saturating_sub(domain.step), None);
    }
    found
}

/// Powers of two beside the bounds, where tables and buffers like to end.
fn powers_near(domain: &Whole) -> Vec<i64> {
    let mut found = Vec::new();
    for bound in [domain.first, domain.last] {
        let size = bound.unsigned_abs().max(1);
        let power = 1_i64.checked_shl(size.ilog2()).unwrap_or(0);
        found.extend([power, power.saturating_sub(1), power.saturating_add(1)]);
    }
    found
}

pub(super) fn real(domain: &Real) -> Vec<Landmark> {
    let mut found = Vec::new();
    let mut add = |value: f64, class: Option<Class>| {
        if value.is_finite() && domain.contains(value) {
            let mut mark = Landmark::new(value, Source::Boundary);
            mark.class = class;
            found.push(mark);
        }
    };
    if domain.floor {
        add(domain.nearest(domain.low), Some(Class::Minimum));
        add(domain.nearest(domain.low + 1.0), None);
    }
    if domain.ceiling {
        add(domain.nearest(domain.high), Some(Class::Maximum));
        add(domain.nearest(domain.high - 1.0), None);
    }
    add(0.0, Some(Class::Zero));
    for value in [-0.5, -1.0] {
        add(value, Some(Class::Negative));
    }
    for value in [
        1.0,
        0.1,
        0.5,
        2.0,
        10.0,
        42.0,
        100.0,
        0.3,
        1e-9,
        99.99,
        1.0 / 3.0,
        1e6,
        1e15,
        1e16,
    ] {
        add(value, None);
    }
    for value in [2_147_483_648.0, -2_147_483_649.0, 1e100, -1e100, f64::MAX] {
        add(value, None);
    }
    add(domain.simplest(), None);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn domain(first: i64, last: i64, step: i64) -> Whole {
        Whole {
            first,
            last,
            step,
            floor: true,
            ceiling: true,
        }
    }

    #[test]
    fn a_small_domain_is_tried_whole_with_its_edges_first() {
        let found = whole(&domain(1, 100, 1));
        let values: Vec<i64> = found.iter().filter_map(|m| m.value.as_i64()).collect();
        assert_eq!(values[..4], [1, 2, 100, 99]);
        assert!((1..=100).all(|n| values.contains(&n)));
        assert_eq!(found[0].class, Some(Class::Minimum));
        assert_eq!(found[2].class, Some(Class::Maximum));
    }

    #[test]
    fn a_large_domain_gets_its_edges_and_famous_numbers() {
        let values: Vec<_> = whole(&domain(0, 1_000_000, 1))
            .into_iter()
            .map(|m| m.value)
            .collect();
        for wanted in [0, 1, 2, 10, 42, 100, 999_999, 1_000_000, 524_288] {
            assert!(values.contains(&json!(wanted)), "{wanted}");
        }
        assert!(values.len() < 60);
    }
}
