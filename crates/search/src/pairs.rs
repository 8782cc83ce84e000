//! Two places at their telling values together.
//!
//! Faults that no single value shows are mostly those of two. A few classes of values for each
//! place, and every two places: that covers all pairs of classes in the end, and a mix of them
//! long before. Neighbours come first, since documents put next to each other what belongs
//! together.

use std::cmp::Ordering;

use fossick_contract::Api;
use fossick_genes::{Landmark, order};
use fossick_trace::Class;
use serde_json::Value;

use crate::edges::{Row, edge_value, interleave};
use crate::ranges::Range;
use crate::tasks::{EdgeCase, EdgeValue};

/// Pairs of one operation.
const MOST: usize = 120;
/// Places that are combined with each other.
const PLACES: usize = 24;
/// Classes of one place.
const CLASSES: usize = 6;
/// Values at which both ends of a range meet.
const MEETING: usize = 6;

/// The classes that are combined, the most telling first.
const TELLING: [Class; 11] = [
    Class::Maximum,
    Class::Minimum,
    Class::Present,
    Class::Member(0),
    Class::Member(1),
    Class::True,
    Class::False,
    Class::Empty,
    Class::Zero,
    Class::Null,
    Class::Absent,
];

/// A value of one place; none leaves it out.
#[derive(Clone, Copy)]
struct Choice<'r> {
    class: Class,
    mark: Option<&'r Landmark>,
}

/// Pairs of telling values, the ends of ranges first.
pub(crate) fn pairs(api: &Api, rows: &[Row], ranges: &[Range]) -> Vec<EdgeCase> {
    let mut all = interleave(
        ranges
            .iter()
            .map(|range| meetings(api, rows, *range))
            .collect(),
    );
    all.truncate(MOST / 2);
    let room = MOST - all.len();
    all.extend(combined(api, rows, ranges, room));
    all
}

/// Both ends of a range at the same value.
fn meetings(api: &Api, rows: &[Row], range: Range) -> Vec<EdgeCase> {
    let (low, high) = (&rows[range.low], &rows[range.high]);
    let ordered = low
        .marks
        .iter()
        .filter(|mark| order(&mark.value, &mark.value).is_some());
    let both = ordered.filter_map(|mark| {
        let same = high.marks.iter().find(|other| other.value == mark.value)?;
        Some(case(
            edge_value(api, low, mark),
            edge_value(api, high, same),
        ))
    });
    both.take(MEETING).collect()
}

fn case(first: EdgeValue, second: EdgeValue) -> EdgeCase {
    EdgeCase {
        values: vec![first, second],
        along: None,
    }
}

/// Every two places in turn, each time with the next pair of their classes.
fn combined(api: &Api, rows: &[Row], ranges: &[Range], room: usize) -> Vec<EdgeCase> {
    let places: Vec<(usize, Vec<Choice<'_>>)> = (rows.iter().enumerate())
        .map(|(at, row)| (at, choices(row)))
        .filter(|(_, choices)| !choices.is_empty())
        .take(PLACES)
        .collect();
    let mut twos = Vec::new();
    for distance in 1..places.len() {
        for (one, other) in places.iter().zip(&places[distance..]) {
            let mut both = combinations(&one.1, &other.1);
            both.retain(|(a, b)| is_in_order((one.0, *a), (other.0, *b), ranges));
            // Each distance begins elsewhere, so that few pairs are still of many classes.
            let from = (distance - 1) % both.len().max(1);
            both.rotate_left(from);
            twos.push(
                both.into_iter()
                    .map(|(a, b)| ((one.0, a), (other.0, b)))
                    .collect(),
            );
        }
    }
    let written = |(at, choice): (usize, Choice<'_>)| write(api, &rows[at], choice);
    interleave(twos)
        .into_iter()
        .take(room)
        .map(|(one, other)| case(written(one), written(other)))
        .collect()
}

/// The classes of a place with one value for each.
fn choices(row: &Row) -> Vec<Choice<'_>> {
    let mut found: Vec<Choice<'_>> = Vec::new();
    for mark in &row.marks {
        // Of all members but the first, the last stands for the rest.
        let class = match mark.class {
            Some(Class::Member(at)) => Class::Member(at.min(1)),
            Some(class) => class,
            None => continue,
        };
        let mark = Some(mark);
        match found.iter_mut().find(|choice| choice.class == class) {
            Some(known) if class == Class::Member(1) => known.mark = mark,
            Some(_) => {}
            None => found.push(Choice { class, mark }),
        }
    }
    found.extend(presence(row));
    found.retain(|choice| TELLING.contains(&choice.class));
    found.sort_by_key(|choice| TELLING.iter().position(|class| *class == choice.class));
    found.truncate(CLASSES);
    found
}

/// There where the known good call has nothing, or not there where it has something.
fn presence(row: &Row) -> Option<Choice<'_>> {
    if !row.optional {
        return None;
    }
    if row.value.is_some() {
        return Some(Choice {
            class: Class::Absent,
            mark: None,
        });
    }
    let is_plain = |mark: &&Landmark| mark.class.is_none_or(|class| class == Class::Example);
    let mark = row.marks.iter().find(is_plain)?;
    Some(Choice {
        class: Class::Present,
        mark: Some(mark),
    })
}

/// The pairs of two places: of the same class first, then the most telling.
fn combinations<'r>(one: &[Choice<'r>], other: &[Choice<'r>]) -> Vec<(Choice<'r>, Choice<'r>)> {
    let mut all: Vec<(usize, (Choice<'r>, Choice<'r>))> = Vec::new();
    for (at, a) in one.iter().enumerate() {
        for (to, b) in other.iter().enumerate() {
            let unlike = if a.class == b.class { 0 } else { CLASSES };
            all.push((unlike + at + to, (*a, *b)));
        }
    }
    all.sort_by_key(|(rank, _)| *rank);
    all.into_iter().map(|(_, pair)| pair).collect()
}

/// Whether two values leave the ends of a range in order, and do not meet: that is tried already.
fn is_in_order(one: (usize, Choice<'_>), other: (usize, Choice<'_>), ranges: &[Range]) -> bool {
    let value = |end: usize| {
        let choice = if end == one.0 { one.1 } else { other.1 };
        choice.mark.map(|mark| &mark.value)
    };
    let range = ranges.iter().find(|range| {
        let ends = [range.low, range.high];
        ends.contains(&one.0) && ends.contains(&other.0)
    });
    let Some((low, high)) = range.and_then(|r| Some((value(r.low)?, value(r.high)?))) else {
        return true;
    };
    precedes(low, high)
}

fn precedes(low: &Value, high: &Value) -> bool {
    order(low, high).is_none_or(|order| order == Ordering::Less)
}

fn write(api: &Api, row: &Row, choice: Choice<'_>) -> EdgeValue {
    match choice.mark {
        Some(mark) => edge_value(api, row, mark),
        None => EdgeValue {
            spot: row.spot.clone(),
            value: None,
            declared: true,
            member: false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::ShapeId;
    use fossick_genes::Source;
    use fossick_plan::Spot;
    use serde_json::json;
    use std::collections::BTreeSet;

    fn mark(value: Value, class: Option<Class>) -> Landmark {
        Landmark {
            value,
            class,
            source: Source::Boundary,
        }
    }

    fn row(at: usize, optional: bool) -> Row {
        Row {
            spot: Spot::Parameter(at),
            name: format!("p{at}"),
            shape: ShapeId(0),
            optional,
            value: None,
            marks: vec![
                mark(json!(3), None),
                mark(json!(1), Some(Class::Minimum)),
                mark(json!(9), Some(Class::Maximum)),
                mark(json!(5), Some(Class::Member(1))),
                mark(json!(7), Some(Class::Member(2))),
                mark(json!(-1), Some(Class::Negative)),
            ],
        }
    }

    fn api() -> Api {
        let mut api = Api::default();
        api.shapes.push(fossick_contract::Shape::default());
        api
    }

    fn written(case: &EdgeCase) -> Vec<(Spot, Option<Value>)> {
        let values = case.values.iter();
        values
            .map(|one| (one.spot.clone(), one.value.clone()))
            .collect()
    }

    #[test]
    fn every_pair_of_classes_is_there_once() {
        let rows = [row(0, false), row(1, false), row(2, false)];
        let all = pairs(&api(), &rows, &[]);
        let distinct: BTreeSet<String> = all.iter().map(|c| format!("{:?}", written(c))).collect();
        // Three of each place, with three of each of two others.
        assert_eq!((all.len(), distinct.len()), (27, 27));
        assert_eq!(
            written(&all[0]),
            [
                (Spot::Parameter(0), Some(json!(9))),
                (Spot::Parameter(1), Some(json!(9)))
            ]
        );
    }

    #[test]
    fn few_of_many_are_still_of_many_kinds() {
        let rows: Vec<Row> = (0..60).map(|at| row(at, at % 2 == 0)).collect();
        let all = pairs(&api(), &rows, &[]);
        assert_eq!(all.len(), MOST);
        assert_eq!(all, pairs(&api(), &rows, &[]));
        let values = |case: &EdgeCase| -> Vec<Option<Value>> {
            written(case).into_iter().map(|(_, value)| value).collect()
        };
        let kinds: BTreeSet<String> = all.iter().map(|c| format!("{:?}", values(c))).collect();
        assert!(kinds.len() > 4, "{kinds:?}");
    }

    #[test]
    fn what_is_there_may_go_and_what_is_not_may_come() {
        let mut there = row(0, true);
        there.value = Some(json!(3));
        let all = pairs(&api(), &[there, row(1, true)], &[]);
        let values = |case: &EdgeCase| -> Vec<_> {
            written(case).into_iter().map(|(_, value)| value).collect()
        };
        assert!(
            all.iter()
                .any(|case| values(case) == [None, Some(json!(3))])
        );
    }

    #[test]
    fn the_ends_of_a_range_meet_and_never_cross() {
        let rows = [row(0, false), row(1, false)];
        let range = Range { low: 1, high: 0 };
        let all = pairs(&api(), &rows, &[range]);
        assert_eq!(
            written(&all[0])[0].0,
            Spot::Parameter(1),
            "the low end first"
        );
        for case in &all {
            let values: Vec<i64> = (case.values.iter())
                .filter_map(|one| one.value.as_ref()?.as_i64())
                .collect();
            let low_first = case.values[0].spot == Spot::Parameter(1);
            let in_order = if low_first {
                values[0] <= values[1]
            } else {
                values[1] <= values[0]
            };
            assert!(in_order, "{case:?}");
        }
        let meet = |case: &&EdgeCase| case.values[0].value == case.values[1].value;
        assert!(all.iter().filter(meet).count() >= 5);
    }
}
