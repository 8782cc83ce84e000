//! Dependencies seen in tests: what other handlings reached when one was added, taken away or moved.
//!
//! Each operator of structure mutation has its own reading. They are pure functions from two tests
//! to what is to be noted; zero notes that a pair was looked at.

use crate::ResourceId;
use crate::compare::Change;
use crate::tested::Reached;

/// A change of structure, by the places of handlings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Add {
        at: usize,
    },
    Delete {
        at: usize,
    },
    /// `a < b`
    Swap {
        a: usize,
        b: usize,
    },
    Replace {
        at: usize,
    },
    Modify {
        at: usize,
    },
}

/// One handling of a test: its resource, and what each of its steps that were sent reached.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Handled<'t> {
    pub(crate) resource: ResourceId,
    pub(crate) sent: &'t [Vec<Reached>],
}

/// `update(DD dependent -> on, probability)`
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Note {
    pub(crate) dependent: ResourceId,
    pub(crate) on: ResourceId,
    pub(crate) probability: f64,
}

/// What a change of structure tells of dependencies, from the tests before and after it.
pub(crate) fn observe(
    operator: Operator,
    before: &[Handled<'_>],
    after: &[Handled<'_>],
) -> Vec<Note> {
    match operator {
        Operator::Add { at } => added(at, before, after),
        Operator::Delete { at } => deleted(at, before, after),
        Operator::Modify { at } => modified(at, before, after),
        Operator::Replace { at } => replaced(at, before, after),
        Operator::Swap { a, b } => swapped(a, b, before, after),
    }
}

fn note(of: &Handled<'_>, on: ResourceId, probability: f64) -> Note {
    Note {
        dependent: of.resource,
        on,
        probability,
    }
}

/// What changed in the steps that were sent both times; nothing is known of the others, and where
/// there are no such steps, of none.
fn change(before: &Handled<'_>, after: &Handled<'_>) -> Option<Change> {
    let both = before.sent.len().min(after.sent.len());
    let reached = |of: &Handled<'_>| of.sent[..both].concat();
    (both > 0).then(|| Change::between(reached(before), reached(after)))
}

/// One if anything changed, else zero.
fn if_changed(before: &Handled<'_>, after: &Handled<'_>, on: ResourceId) -> Option<Note> {
    let any = change(before, after)?.any();
    Some(note(before, on, f64::from(u8::from(any))))
}

/// Everything behind the new one depends on it, if it changed.
fn added(at: usize, before: &[Handled<'_>], after: &[Handled<'_>]) -> Vec<Note> {
    let Some(new) = after.get(at) else {
        return Vec::new();
    };
    let behind = before.iter().skip(at).zip(after.iter().skip(at + 1));
    behind
        .filter_map(|(b, a)| if_changed(b, a, new.resource))
        .collect()
}

/// Everything behind the one that went depends on it, if it changed.
fn deleted(at: usize, before: &[Handled<'_>], after: &[Handled<'_>]) -> Vec<Note> {
    let Some(gone) = before.get(at) else {
        return Vec::new();
    };
    let behind = before.iter().skip(at + 1).zip(after.iter().skip(at));
    behind
        .filter_map(|(b, a)| if_changed(b, a, gone.resource))
        .collect()
}

/// Everything behind the one that was modified depends on it, if it changed.
fn modified(at: usize, before: &[Handled<'_>], after: &[Handled<'_>]) -> Vec<Note> {
    let Some(other) = before.get(at) else {
        return Vec::new();
    };
    let behind = before.iter().skip(at + 1).zip(after.iter().skip(at + 1));
    behind
        .filter_map(|(b, a)| if_changed(b, a, other.resource))
        .collect()
}

/// Worse: it depends on what went. Better: on what came.
fn either(
    before: &Handled<'_>,
    after: &Handled<'_>,
    went: ResourceId,
    came: ResourceId,
) -> Vec<Note> {
    let Some(change) = change(before, after) else {
        return Vec::new();
    };
    match (change.fell, change.rose) {
        (true, _) => vec![note(before, went, 1.0)],
        (false, true) => vec![note(before, came, 1.0)],
        (false, false) => vec![note(before, went, 0.0), note(before, came, 0.0)],
    }
}

fn replaced(at: usize, before: &[Handled<'_>], after: &[Handled<'_>]) -> Vec<Note> {
    let (Some(went), Some(came)) = (before.get(at), after.get(at)) else {
        return Vec::new();
    };
    let behind = before.iter().skip(at + 1).zip(after.iter().skip(at + 1));
    behind
        .flat_map(|(b, a)| either(b, a, went.resource, came.resource))
        .collect()
}

/// The later one may depend on any before it, the earlier one on any after it, and those between on
/// either.
fn swapped(i: usize, j: usize, before: &[Handled<'_>], after: &[Handled<'_>]) -> Vec<Note> {
    if i >= j || j >= before.len() || j >= after.len() {
        return Vec::new();
    }
    let mut notes = shared(&before[j], &after[i], &before[i..j]);
    for between in i + 1..j {
        let (went, came) = (before[i].resource, before[j].resource);
        notes.extend(either(&before[between], &after[between], went, came));
    }
    notes.extend(shared(&before[i], &after[j], &before[i + 1..=j]));
    notes
}

/// A change that any of several may be the cause of: each with its share of certainty. The table
/// that this follows divides by `j - i - 1`, but its own example by the number of candidates, which
/// is what makes sense of neighbours as well.
fn shared(before: &Handled<'_>, after: &Handled<'_>, causes: &[Handled<'_>]) -> Vec<Note> {
    let Some(change) = change(before, after) else {
        return Vec::new();
    };
    let share = if change.any() {
        1.0 / causes.len() as f64
    } else {
        0.0
    };
    let notes = causes
        .iter()
        .map(|cause| note(before, cause.resource, share));
    notes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Steps = Vec<(char, Vec<Vec<Reached>>)>;

    /// A test as text, `ABCDE`; marks name better (+), worse (-) and unsent (0) ones.
    fn test(handlings: &str, marks: &str) -> Steps {
        let sent = |c: char| {
            let at = marks.find(c).map(|at| &marks[at + 1..]);
            match at.and_then(|rest| rest.chars().next()) {
                Some('+') => vec![vec![(1, 0.6)]],
                Some('-') => vec![vec![(1, 0.4)]],
                Some('0') => vec![],
                _ => vec![vec![(1, 0.5)]],
            }
        };
        handlings.chars().map(|c| (c, sent(c))).collect()
    }

    fn handled(steps: &Steps) -> Vec<Handled<'_>> {
        let each = steps.iter().map(|(c, sent)| Handled {
            resource: resource(*c),
            sent,
        });
        each.collect()
    }

    fn resource(c: char) -> ResourceId {
        ResourceId(c as u32 - 'A' as u32)
    }

    fn noted(operator: Operator, after: &str, marks: &str) -> Vec<(String, f64)> {
        let (before, after) = (test("ABCDE", ""), test(after, marks));
        let notes = observe(operator, &handled(&before), &handled(&after));
        let letter = |id: ResourceId| char::from(b'A' + id.0 as u8);
        let told = notes.iter();
        told.map(|n| {
            (
                format!("{}{}", letter(n.dependent), letter(n.on)),
                n.probability,
            )
        })
        .collect()
    }

    fn expect(found: &[(String, f64)], expected: &[(&str, f64)]) {
        let owned: Vec<_> = expected
            .iter()
            .map(|(p, v)| ((*p).to_owned(), *v))
            .collect();
        assert_eq!(found, owned);
    }

    #[test]
    fn add_all_behind_that_changed_depend_on_the_new_one() {
        let found = noted(Operator::Add { at: 2 }, "ABFCDE", "C+D-");
        expect(&found, &[("CF", 1.0), ("DF", 1.0), ("EF", 0.0)]);
    }

    #[test]
    fn delete_all_behind_that_changed_depended_on_what_went() {
        let found = noted(Operator::Delete { at: 2 }, "ABDE", "D-");
        expect(&found, &[("DC", 1.0), ("EC", 0.0)]);
    }

    #[test]
    fn modify_all_behind_that_changed_depend_on_what_was_modified() {
        let found = noted(Operator::Modify { at: 2 }, "ABCDE", "C+E+");
        expect(&found, &[("DC", 0.0), ("EC", 1.0)]);
    }

    #[test]
    fn replace_worse_depends_on_the_old_and_better_on_the_new() {
        let found = noted(Operator::Replace { at: 2 }, "ABFDE", "D-E+");
        expect(&found, &[("DC", 1.0), ("EF", 1.0)]);
        let found = noted(Operator::Replace { at: 2 }, "ABFDE", "");
        expect(
            &found,
            &[("DC", 0.0), ("DF", 0.0), ("EC", 0.0), ("EF", 0.0)],
        );
    }

    #[test]
    fn swap_the_later_one_that_changed_may_depend_on_any_before_it() {
        let found = noted(Operator::Swap { a: 1, b: 3 }, "ADCBE", "D-");
        expect(
            &found,
            &[
                ("DB", 0.5),
                ("DC", 0.5),
                ("CB", 0.0),
                ("CD", 0.0),
                ("BC", 0.0),
                ("BD", 0.0),
            ],
        );
    }

    #[test]
    fn swap_what_stands_between_depends_on_the_first_if_worse_and_on_the_second_if_better() {
        let worse = noted(Operator::Swap { a: 1, b: 3 }, "ADCBE", "C-");
        assert!(worse.contains(&("CB".to_owned(), 1.0)));
        assert!(!worse.iter().any(|(pair, _)| pair == "CD"));
        let better = noted(Operator::Swap { a: 1, b: 3 }, "ADCBE", "C+");
        assert!(better.contains(&("CD".to_owned(), 1.0)));
        assert!(!better.iter().any(|(pair, _)| pair == "CB"));
    }

    #[test]
    fn swap_the_earlier_one_that_changed_may_depend_on_any_after_it() {
        let found = noted(Operator::Swap { a: 1, b: 3 }, "ADCBE", "B+");
        let of_b: Vec<_> = found
            .into_iter()
            .filter(|(p, _)| p.starts_with('B'))
            .collect();
        expect(&of_b, &[("BC", 0.5), ("BD", 0.5)]);
    }

    #[test]
    fn what_was_not_sent_tells_nothing() {
        let found = noted(Operator::Delete { at: 1 }, "ACDE", "C-D0E0");
        expect(&found, &[("CB", 1.0)]);
        assert_eq!(noted(Operator::Replace { at: 2 }, "ABFDE", "D0E0"), []);
        let found = noted(Operator::Swap { a: 1, b: 3 }, "ADCBE", "D-C0B0");
        expect(&found, &[("DB", 0.5), ("DC", 0.5)]);
    }

    #[test]
    fn of_a_handling_that_was_cut_short_the_steps_that_were_sent_count() {
        let whole = vec![vec![(1, 0.5)], vec![(2, 1.0)]];
        let cut = |value| vec![vec![(1, value)]];
        let (same, worse) = (cut(0.5), cut(0.1));
        let before = [('A', cut(0.5)), ('B', whole)].to_vec();
        let noted = |sent: Vec<Vec<Reached>>| {
            let after = [('B', sent)].to_vec();
            let notes = observe(
                Operator::Delete { at: 0 },
                &handled(&before),
                &handled(&after),
            );
            notes.iter().map(|n| n.probability).collect::<Vec<_>>()
        };
        assert_eq!((noted(same), noted(worse)), (vec![0.0], vec![1.0]));
    }

    #[test]
    fn swap_neighbours_are_sure_of_each_other() {
        let found = noted(Operator::Swap { a: 1, b: 2 }, "ACBDE", "C-");
        expect(&found, &[("CB", 1.0), ("BC", 0.0)]);
    }
}
