//! Are the values of one sample larger than those of another, and how often?
//!
//! The U test says how likely such a difference would be by chance; A12 says how large it is: the
//! chance that a run of the first beats a run of the second. Neither is worth much alone.

use serde::Serialize;

use super::gamma::normal_survival;
use super::ranks::{ranks, tie_sum};

/// Above this the counts of the exact distribution no longer pay for themselves.
const EXACT: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MannWhitney {
    /// U of the first sample.
    pub u: f64,
    /// Two-sided.
    pub p: f64,
    /// Counted out, not approximated.
    pub exact: bool,
}

/// Two-sided Mann–Whitney–Wilcoxon U test. Exact where both samples have at most 20 values and
/// none is tied, otherwise the normal approximation with tie and continuity correction. None
/// where a sample is empty.
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Option<MannWhitney> {
    let u = u_of_first(a, b)?;
    let ties = tie_sum(&[a, b].concat());
    let pairs = (a.len() * b.len()) as f64;
    let larger = u.max(pairs - u);
    let exact = ties == 0.0 && a.len() <= EXACT && b.len() <= EXACT;
    let tail = if exact {
        exact_tail(a.len(), b.len(), larger)
    } else {
        normal_tail(a.len(), b.len(), larger, ties)
    };
    Some(MannWhitney {
        u,
        p: (2.0 * tail).clamp(0.0, 1.0),
        exact,
    })
}

/// Vargha–Delaney effect size: the chance that a value of `a` is larger than one of `b`, a tie
/// counting half. 0.5 means no difference; None where a sample is empty.
pub fn a12(a: &[f64], b: &[f64]) -> Option<f64> {
    Some(u_of_first(a, b)? / (a.len() * b.len()) as f64)
}

fn u_of_first(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let sum: f64 = ranks(&[a, b].concat()).iter().take(a.len()).sum();
    let least = (a.len() * (a.len() + 1)) as f64 / 2.0;
    Some(sum - least)
}

/// Chance of a U at least so large, by counting all arrangements.
fn exact_tail(m: usize, n: usize, u: f64) -> f64 {
    let counts = arrangements(m, n);
    let all: i64 = counts.iter().sum();
    let tail: i64 = counts.iter().skip(u.round() as usize).sum();
    tail as f64 / all as f64
}

/// How many arrangements of m and n values give each U: the coefficients of the Gaussian binomial
/// Π (1 − q^(n+i)) / (1 − q^i). All partial products stay below twice C(40, 20), far within i64.
fn arrangements(m: usize, n: usize) -> Vec<i64> {
    let mut counts = vec![0_i64; m * n + 1];
    counts[0] = 1;
    for i in 1..=m {
        for place in (n + i..counts.len()).rev() {
            counts[place] -= counts[place - n - i];
        }
        for place in i..counts.len() {
            counts[place] += counts[place - i];
        }
    }
    counts
}

fn normal_tail(m: usize, n: usize, u: f64, ties: f64) -> f64 {
    let (m, n) = (m as f64, n as f64);
    let all = m + n;
    let variance = m * n / 12.0 * ((all + 1.0) - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 0.5;
    }
    normal_survival((u - m * n / 2.0 - 0.5) / variance.sqrt())
}
