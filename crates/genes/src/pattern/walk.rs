//! Walks a pattern's tree into a string of a wanted length.
//!
//! Lengths are treated as ranges, so a string may miss the wanted length where a pattern has gaps
//! (`(ab)*` gives no odd one); the caller confirms and tries again. A budget of steps keeps
//! patterns that multiply repetitions from running away.

use super::tree::{Class, ENDLESS, Node, NodeKind, Tree};
use crate::Rng;
use crate::dice;

/// What kind of string is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    Shortest,
    /// Easy to read, of moderate length.
    Tidy,
    /// Anything the pattern allows.
    Wide,
    Longest,
}

const STEPS: usize = 20_000;

/// A string of `lo` to `hi` characters that the tree allows, as far as lengths can be met.
pub(crate) fn walk(tree: &Tree, lo: usize, hi: usize, aim: Aim, rng: &mut Rng) -> String {
    let mut walker = Walker {
        rng,
        aim,
        out: String::new(),
        steps: STEPS,
    };
    let length = walker.node(&tree.root, lo, hi);
    let mut out = walker.out;
    pad(tree, lo.saturating_sub(length), &mut out, rng);
    out
}

/// A pattern that is not anchored matches anywhere: what is missing goes outside the match.
fn pad(tree: &Tree, missing: usize, out: &mut String, rng: &mut Rng) {
    let letters: String = (0..missing)
        .map(|_| (b'a' + dice::below(rng, 26) as u8) as char)
        .collect();
    if !tree.to_end {
        out.push_str(&letters);
    } else if !tree.from_start {
        out.insert_str(0, &letters);
    }
}

/// The part that can grow by single characters: it takes up whatever length is still missing.
fn fluid_part(parts: &[Node]) -> Option<usize> {
    let single = |node: &Node| match &node.kind {
        NodeKind::Repeat { sub, .. } => sub.min == 1 && sub.max == 1,
        _ => false,
    };
    let fluid = parts.iter().enumerate().filter(|(_, part)| single(part));
    fluid.max_by_key(|(_, part)| part.max).map(|(at, _)| at)
}

struct Walker<'a> {
    rng: &'a mut Rng,
    aim: Aim,
    out: String,
    steps: usize,
}

impl Walker<'_> {
    /// Writes one node and returns how many characters that took.
    fn node(&mut self, node: &Node, lo: usize, hi: usize) -> usize {
        if self.steps == 0 {
            return 0;
        }
        self.steps -= 1;
        match &node.kind {
            NodeKind::Nothing => 0,
            NodeKind::Literal(text) => {
                self.out.push_str(text);
                node.min
            }
            NodeKind::Class(class) => {
                let c = self.character(class);
                self.out.extend(c);
                usize::from(c.is_some())
            }
            NodeKind::Repeat { sub, min, max } => self.repeat(sub, (*min, *max), lo, hi),
            NodeKind::Sequence(parts) => self.sequence(parts, lo, hi),
            NodeKind::Either(parts) => match self.branch(parts, lo, hi) {
                Some(part) => self.node(part, lo, hi),
                None => 0,
            },
        }
    }

    fn sequence(&mut self, parts: &[Node], lo: usize, hi: usize) -> usize {
        let fluid = fluid_part(parts);
        let mut used = 0;
        for (at, part) in parts.iter().enumerate() {
            let rest = &parts[at + 1..];
            let rest_min = rest.iter().fold(0, |sum, p| p.min.saturating_add(sum));
            let rest_max = rest.iter().fold(0, |sum, p| p.max.saturating_add(sum));
            let left = if fluid == Some(at) {
                rest_min
            } else {
                rest_max
            };
            let lo = lo.saturating_sub(used).saturating_sub(left);
            let hi = hi.saturating_sub(used).saturating_sub(rest_min);
            used += self.node(
                part,
                lo.clamp(part.min, part.max),
                hi.clamp(part.min, part.max),
            );
        }
        used
    }

    fn repeat(&mut self, sub: &Node, times: (usize, usize), lo: usize, hi: usize) -> usize {
        let count = self.count(sub, times, lo, hi);
        let mut used = 0;
        for at in 0..count {
            if self.steps == 0 {
                break;
            }
            let rest = count - at - 1;
            let lo = lo
                .saturating_sub(used)
                .saturating_sub(sub.max.saturating_mul(rest));
            let hi = hi
                .saturating_sub(used)
                .saturating_sub(sub.min.saturating_mul(rest));
            used += self.node(sub, lo.clamp(sub.min, sub.max), hi.clamp(sub.min, sub.max));
        }
        used
    }

    /// How often a part comes, so that the length can be met.
    fn count(&mut self, sub: &Node, (min, max): (usize, usize), lo: usize, hi: usize) -> usize {
        const FREE: usize = 6;
        if sub.max == 0 {
            return min.min(1);
        }
        let least = if sub.max == ENDLESS {
            lo.min(1)
        } else {
            lo.div_ceil(sub.max)
        };
        let least = least.max(min).min(max);
        let most = hi.checked_div(sub.min).unwrap_or(hi).min(max).max(min);
        let least = least.min(most);
        match self.aim {
            Aim::Shortest => least,
            Aim::Longest => most,
            Aim::Tidy | Aim::Wide => {
                dice::size(self.rng, least, most.min(least.saturating_add(FREE)))
            }
        }
    }

    fn branch<'n>(&mut self, parts: &'n [Node], lo: usize, hi: usize) -> Option<&'n Node> {
        let fitting = |part: &&Node| part.min <= hi && part.max >= lo;
        match self.aim {
            Aim::Shortest => parts.iter().filter(fitting).min_by_key(|part| part.min),
            Aim::Longest => parts.iter().filter(fitting).max_by_key(|part| part.max),
            Aim::Tidy | Aim::Wide => {
                let count = parts.iter().filter(fitting).count();
                parts
                    .iter()
                    .filter(fitting)
                    .nth(dice::index(self.rng, count))
            }
        }
        .or_else(|| parts.first())
    }

    fn character(&mut self, class: &Class) -> Option<char> {
        let rng = &mut *self.rng;
        if self.aim == Aim::Wide && !class.beyond.is_empty() && dice::one_in(rng, 12) {
            return dice::pick(rng, &class.beyond).copied();
        }
        let tidy = match self.aim {
            Aim::Tidy => true,
            Aim::Wide => false,
            // The extremes may have conditions that plain characters cannot meet.
            Aim::Shortest | Aim::Longest => !dice::one_in(rng, 4),
        };
        let tidy = tidy && !class.tidy.is_empty();
        let preferred = if tidy { &class.tidy } else { &class.ascii };
        if let Some(c) = dice::pick(rng, preferred) {
            return Some(*c);
        }
        let (lo, hi) = *dice::pick(rng, &class.ranges)?;
        let point = dice::between(rng, i64::from(lo as u32), i64::from(hi as u32));
        Some(char::from_u32(point as u32).unwrap_or(lo))
    }
}
