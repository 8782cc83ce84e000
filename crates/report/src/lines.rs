//! Many numbers of lines as a few stretches, first and last.

use std::collections::BTreeMap;

/// The lines that were covered, or those that were not, each stretch without a gap.
pub(crate) fn stretches(lines: &BTreeMap<u32, bool>, covered: bool) -> Vec<(u32, u32)> {
    let wanted = lines.iter().filter(|(_, is)| **is == covered);
    joined(wanted.map(|(line, _)| *line), |last, line| line == last + 1)
}

/// The lines that were missed as people read them: what holds no code does not end a stretch.
pub(crate) fn missed_stretches(lines: &BTreeMap<u32, bool>) -> Vec<(u32, u32)> {
    let is_hole = |last, line| lines.range(last..line).all(|(_, is_covered)| !is_covered);
    let missed = lines.iter().filter(|(_, is_covered)| !**is_covered);
    joined(missed.map(|(line, _)| *line), is_hole)
}

fn joined(lines: impl Iterator<Item = u32>, goes_on: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
    let mut stretches: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match stretches.last_mut() {
            Some((_, last)) if goes_on(*last, line) => *last = line,
            _ => stretches.push((line, line)),
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> BTreeMap<u32, bool> {
        let missed = [3, 4, 6, 9];
        let covered = [1, 2, 8];
        let missed = missed.map(|line| (line, false)).into_iter();
        missed.chain(covered.map(|line| (line, true))).collect()
    }

    #[test]
    fn a_stretch_names_only_what_is_in_it() {
        assert_eq!(stretches(&lines(), true), [(1, 2), (8, 8)]);
        assert_eq!(stretches(&lines(), false), [(3, 4), (6, 6), (9, 9)]);
    }

    #[test]
    fn for_people_lines_without_code_are_passed_over() {
        assert_eq!(missed_stretches(&lines()), [(3, 6), (9, 9)]);
        assert!(missed_stretches(&BTreeMap::new()).is_empty());
    }
}
