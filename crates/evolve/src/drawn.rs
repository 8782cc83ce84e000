//! Numbers drawn by their type alone, as the literature draws them.
//!
//! The maker of genes likes edges, and numbers from a few edges meet often: where they are keys,
//! a test refers to what it made by mere luck. An experiment that repeats one of the literature
//! must not have that luck. Texts are left to the maker.

use fossick_contract::{Kind, NumberShape, ShapeId};
use fossick_genes::{Gene, Integer, Rng, Source};

use crate::Slide;
use crate::dice;
use crate::places::{Bound, Node, Visit, Walk};
use crate::workshop::Workshop;

/// Most numbers lie between zero and this (peer).
const SMALL: i64 = 1000;
const MOSTLY: f64 = 0.95;
/// Powers of two by which a number is changed (peer).
const POWERS: Slide = Slide {
    start: 30.0,
    end: 10.0,
};

/// How often a whole number is changed by a step where values are known.
const STEPS: f64 = 0.75;

impl Workshop<'_> {
    /// Draws every whole number of a fresh value anew, where settings say so.
    pub(crate) fn redraw(&mut self, gene: &mut Gene, shape: ShapeId) {
        if !self.settings.draws_values() {
            return;
        }
        let walk = Walk {
            api: self.api,
            bound: &Bound::default(),
        };
        let node = Node {
            name: "",
            shape,
            key: 0,
        };
        walk.visit(gene, node, &mut Redraw { workshop: self });
    }

    /// One small step of a value. Whole numbers move by a power of two, far at first and nearer as
    /// the search goes on; now and then the maker draws one that others know instead.
    pub(crate) fn mutate(&mut self, gene: &mut Gene, name: &str, shape: ShapeId) {
        let number = match &self.api.shape(shape).kind {
            Kind::Integer(number) if number.multiple_of.is_none() => Some(number),
            _ => None,
        };
        let steps = self.settings.draws_values() || dice::chance(self.rng, STEPS);
        if let (Gene::Integer(integer), Some(number), true) = (&mut *gene, number, steps) {
            let power = POWERS.at(self.spent, self.settings.focus_start).round() as usize;
            integer.value = nudged(integer.value, range(number), power, self.rng);
            integer.source = Source::Random;
            return;
        }
        self.maker(fossick_genes::Manner::Varied)
            .mutate(gene, name, shape);
    }
}

struct Redraw<'r, 'w> {
    workshop: &'r mut Workshop<'w>,
}

impl Visit for Redraw<'_, '_> {
    fn place(&mut self, gene: &mut Gene, node: Node<'_>) {
        if let Kind::Integer(number) = &self.workshop.api.shape(node.shape).kind
            && number.multiple_of.is_none()
            && let Gene::Integer(_) = gene
        {
            *gene = Gene::Integer(Integer {
                value: drawn(range(number), self.workshop.rng),
                source: Source::Random,
            });
        }
    }
}

/// Both included.
fn range(number: &NumberShape) -> (i64, i64) {
    let (least, most) = match number.format.as_deref() {
        Some("int64") => (i64::MIN, i64::MAX),
        _ => (i64::from(i32::MIN), i64::from(i32::MAX)),
    };
    let above = number.exclusive_minimum.map(|edge| edge.floor() + 1.0);
    let below = number.exclusive_maximum.map(|edge| edge.ceil() - 1.0);
    let low = number.minimum.map(f64::ceil).into_iter().chain(above);
    let high = number.maximum.map(f64::floor).into_iter().chain(below);
    (
        low.map(|edge| edge as i64).fold(least, i64::max),
        high.map(|edge| edge as i64).fold(most, i64::min),
    )
}

fn drawn((low, high): (i64, i64), rng: &mut Rng) -> i64 {
    let wide = i128::from(high) - i128::from(low) >= i128::from(SMALL);
    if !wide || !dice::chance(rng, MOSTLY) {
        return between(low, high, rng);
    }
    if low <= 0 && high >= SMALL {
        between(0, SMALL, rng)
    } else if dice::chance(rng, 0.5) {
        between(low, low + SMALL, rng)
    } else {
        between(high - SMALL, high, rng)
    }
}

fn between(low: i64, high: i64, rng: &mut Rng) -> i64 {
    let span = (i128::from(high) - i128::from(low)).max(0) as u128 + 1;
    let span = u64::try_from(span).unwrap_or(u64::MAX);
    low.wrapping_add(dice::index(rng, span as usize) as i64)
}

fn nudged(value: i64, (low, high): (i64, i64), highest: usize, rng: &mut Rng) -> i64 {
    let delta = 1_i64 << dice::index(rng, highest.clamp(0, 61) + 1);
    let up = value <= low || (value < high && dice::chance(rng, 0.5));
    let moved = if up {
        value.saturating_add(delta)
    } else {
        value.saturating_sub(delta)
    };
    moved.clamp(low, high.max(low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ValueSource;
    use crate::workshop::tests::{Bench, rest};
    use fossick_plan::Spot;
    use fossick_trace::Role;
    use rand::SeedableRng as _;
    use serde_json::json;

    #[test]
    fn most_numbers_are_small_and_none_leaves_its_range() {
        let rng = &mut Rng::seed_from_u64(1);
        let all = range(&NumberShape::default());
        let small = (0..1000).filter(|_| (0..=SMALL).contains(&drawn(all, rng)));
        assert!((900..=990).contains(&small.count()));
        for _ in 0..200 {
            assert!((5..=7).contains(&drawn((5, 7), rng)));
            assert!((i64::MIN..=i64::MAX).contains(&drawn((i64::MIN, i64::MAX), rng)));
            assert!((10..=5000).contains(&drawn((10, 5000), rng)));
        }
    }

    #[test]
    fn a_nudge_moves_and_stays_inside() {
        let rng = &mut Rng::seed_from_u64(2);
        let mut value = 3;
        for _ in 0..500 {
            let moved = nudged(value, (0, 9), 10, rng);
            assert!((0..=9).contains(&moved) && moved != value);
            value = moved;
        }
        assert_eq!(nudged(4, (4, 4), 10, rng), 4);
    }

    #[test]
    fn ids_that_are_drawn_hardly_ever_meet() {
        let meetings = |values: ValueSource| {
            let mut bench = Bench::of(counters(), 3);
            bench.settings.values = values;
            let get = bench.api.find("GET /counters/{id}").expect("declared");
            let mut seen = std::collections::BTreeMap::new();
            for _ in 0..300 {
                let step = bench.workshop().step(get, Role::Main);
                let id = step.value_at(&Spot::Parameter(0)).expect("is required");
                *seen.entry(id.to_string()).or_insert(0) += 1;
            }
            seen.into_values().max().expect("300 were drawn")
        };
        assert!(meetings(ValueSource::Drawn) < 10);
        assert!(meetings(ValueSource::Known) > 20);
    }

    fn counters() -> fossick_contract::Api {
        let id = json!({"type": "integer", "format": "int32"});
        let hole = json!({"name": "id", "in": "path", "required": true, "schema": id});
        rest(json!({"/counters/{id}": {"get": {
            "parameters": [hole],
            "responses": {"200": {"description": "fine"}},
        }}}))
    }

    #[test]
    fn edges_of_the_document_are_kept() {
        let shape = NumberShape {
            exclusive_minimum: Some(2.0),
            maximum: Some(9.5),
            ..NumberShape::default()
        };
        assert_eq!(range(&shape), (3, 9));
    }
}
