//! Places that are the two ends of a range: `min_price` and `max_price`, `startDate` and `endDate`.
//!
//! A service that minds the order refuses what breaks it, and nothing is learned about the telling
//! value. So the other end moves along, and both ends equal are a case of their own.

use std::cmp::Ordering;

use fossick_contract::ShapeId;
use fossick_genes::{beside, order};
use fossick_graph::stem_words;
use fossick_plan::Spot;
use fossick_validate::{Direction, Validators};
use serde_json::Value;

use crate::edges::Row;

/// Rows of the two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: usize,
    pub(crate) high: usize,
}

impl Range {
    /// The other end, and whether it is the high one.
    fn partner(self, of: usize) -> Option<(usize, bool)> {
        match of {
            of if of == self.low => Some((self.high, true)),
            of if of == self.high => Some((self.low, false)),
            _ => None,
        }
    }
}

/// Words that tell the ends apart, as stems.
const ENDS: [(&str, &str); 17] = [
    ("min", "max"),
    ("minimum", "maximum"),
    ("from", "to"),
    ("from", "until"),
    ("from", "through"),
    ("start", "end"),
    ("start", "stop"),
    ("start", "finish"),
    ("begin", "end"),
    ("lower", "upper"),
    ("low", "high"),
    ("sinc", "until"),
    ("after", "befor"),
    ("gte", "lte"),
    ("earliest", "latest"),
    ("open", "close"),
    ("in", "out"),
];

/// The ranges among places, each place in one at most.
pub(crate) fn ranges(rows: &[Row]) -> Vec<Range> {
    let is_end = |word: &String| ENDS.iter().any(|(low, high)| word == low || word == high);
    let ends: Vec<(usize, Vec<String>)> = (rows.iter().enumerate())
        .filter(|(_, row)| has_order(row))
        .map(|(at, row)| (at, stem_words(&row.name)))
        .filter(|(_, words)| words.iter().any(is_end))
        .collect();
    let mut found: Vec<Range> = Vec::new();
    for (low, low_words) in &ends {
        let high = ends.iter().find(|(high, high_words)| {
            let free = |at: usize| found.iter().all(|range| range.partner(at).is_none());
            are_ends(low_words, high_words)
                && stand_together(&rows[*low].spot, &rows[*high].spot)
                && free(*low)
                && free(*high)
        });
        found.extend(high.map(|(high, _)| Range {
            low: *low,
            high: *high,
        }));
    }
    found
}

/// Whether values here follow each other: numbers do, and texts that are dates.
fn has_order(row: &Row) -> bool {
    let mut values = row.marks.iter().map(|mark| &mark.value);
    values.any(|value| order(value, value).is_some())
}

/// Whether two names differ in one word, and that says which end it is.
fn are_ends(low: &[String], high: &[String]) -> bool {
    let mut others = low.iter().zip(high).filter(|(a, b)| a != b);
    let (first, second) = (others.next(), others.next());
    let tells = |(a, b): (&String, &String)| ENDS.contains(&(a.as_str(), b.as_str()));
    low.len() == high.len() && second.is_none() && first.is_some_and(tells)
}

/// Whether two spots are parameters of one call, or fields of one object.
fn stand_together(a: &Spot, b: &Spot) -> bool {
    match (a, b) {
        (Spot::Parameter(_), Spot::Parameter(_)) => true,
        (Spot::Body(a), Spot::Body(b)) => {
            let above = |pointer: &str| pointer.rfind('/');
            let (x, y) = (above(a), above(b));
            x == y && x.is_some_and(|end| a.get(..end) == b.get(..end))
        }
        _ => false,
    }
}

/// The other end of a range, moved so that it does not come to lie on the wrong side.
pub(crate) fn along(
    validators: &Validators,
    rows: &[Row],
    at: usize,
    value: &Value,
    ranges: &[Range],
) -> Option<(Spot, Value)> {
    let mut partners = ranges.iter().filter_map(|range| range.partner(at));
    let (partner, is_high) = partners.next()?;
    let partner = &rows[partner];
    let wrong = if is_high {
        Ordering::Greater
    } else {
        Ordering::Less
    };
    let stands = partner.value.as_ref()?;
    if order(value, stands) != Some(wrong) {
        return None;
    }
    let step = if is_high { 1 } else { -1 };
    let moved = beside(value, step).filter(|moved| fits(validators, partner.shape, moved));
    let equal = || fits(validators, partner.shape, value).then(|| value.clone());
    Some((partner.spot.clone(), moved.or_else(equal)?))
}

fn fits(validators: &Validators, shape: ShapeId, value: &Value) -> bool {
    validators.is_valid(Direction::Request, shape, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_genes::{Landmark, Source};
    use serde_json::json;

    fn row(pointer: &str, value: Value) -> Row {
        let mark = Landmark {
            value: value.clone(),
            class: None,
            source: Source::Named,
        };
        Row {
            spot: Spot::Body(pointer.to_owned()),
            name: pointer.rsplit('/').next().unwrap_or("").to_owned(),
            shape: ShapeId(0),
            optional: false,
            value: Some(value),
            marks: vec![mark],
        }
    }

    fn found(pointers: [&str; 2], value: &Value) -> Vec<Range> {
        ranges(&pointers.map(|pointer| row(pointer, value.clone())))
    }

    #[test]
    fn ends_are_told_by_one_word() {
        for (low, high) in [
            ("/minPrice", "/max_price"),
            ("/price_min", "/price_max"),
            ("/from", "/to"),
            ("/validFrom", "/validUntil"),
            ("/a/starts_at", "/a/ends_at"),
            ("/created_after", "/created_before"),
            ("/check_in", "/check_out"),
        ] {
            let both = [Range { low: 0, high: 1 }];
            assert_eq!(found([low, high], &json!(1)), both, "{low} {high}");
            let turned = [Range { low: 1, high: 0 }];
            assert_eq!(found([high, low], &json!(1)), turned, "{low} {high}");
        }
    }

    #[test]
    fn other_places_are_no_range() {
        for (one, other) in [
            ("/min_price", "/max_weight"),
            ("/a/start", "/b/end"),
            ("/from", "/title"),
            ("/start", "/start_end"),
            ("/name", "/name"),
        ] {
            assert_eq!(found([one, other], &json!(1)), [], "{one} {other}");
        }
        // Letters go from somebody to somebody.
        assert_eq!(found(["/from", "/to"], &json!("ada@example.com")), []);
    }
}
