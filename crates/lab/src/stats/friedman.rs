//! Do strategies differ over many services? The Friedman test by its chi-square approximation.
//!
//! It ranks the strategies within each service, so that a service with large numbers weighs no
//! more than another. With few services the approximation is cautious: it says "no difference"
//! rather too often than too seldom.

use serde::Serialize;

use super::gamma::chi_square_survival;
use super::ranks::{average_ranks, tie_sum};

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Friedman {
    pub chi_square: f64,
    pub p: f64,
}

/// One row for each service, one column for each strategy. None with fewer than two services or
/// strategies, or where a row is of another width.
pub fn friedman(rows: &[Vec<f64>]) -> Option<Friedman> {
    let width = rows.first()?.len();
    if rows.len() < 2 || width < 2 || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let (n, k) = (rows.len() as f64, width as f64);
    let squares: f64 = average_ranks(rows)
        .iter()
        .map(|rank| (rank - f64::midpoint(k, 1.0)).powi(2))
        .sum();
    let ties: f64 = rows.iter().map(|row| tie_sum(row)).sum();
    let correction = 1.0 - ties / (n * (k.powi(3) - k));
    let chi_square = if correction > 0.0 {
        12.0 * n / (k * (k + 1.0)) * squares / correction
    } else {
        0.0
    };
    Some(Friedman {
        chi_square,
        p: chi_square_survival(chi_square, k - 1.0),
    })
}
