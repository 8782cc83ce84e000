//! Ranks: the smallest value has rank 1, equal values share the mean of their places.

/// The rank of every value, in the order of the values.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
    sorted.sort_by(|left, right| left.1.total_cmp(&right.1));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for tied in sorted.chunk_by(|left, right| left.1 == right.1) {
        let rank = before as f64 + f64::midpoint(tied.len() as f64, 1.0);
        for (place, _) in tied {
            ranks[*place] = rank;
        }
        before += tied.len();
    }
    ranks
}

/// Σ(t³ − t) over the groups of equal values: how much the ties narrow a rank statistic.
pub(super) fn tie_sum(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
        .chunk_by(|left, right| left == right)
        .map(|tied| (tied.len() as f64).powi(3) - tied.len() as f64)
        .sum()
}

/// Mean rank of every column over the rows (one row for each service, one column for each
/// strategy). Rows of another width than the first are left out.
pub fn average_ranks(rows: &[Vec<f64>]) -> Vec<f64> {
    let width = rows.first().map_or(0, Vec::len);
    let mut sums = vec![0.0; width];
    let mut counted = 0;
    for row in rows.iter().filter(|row| row.len() == width) {
        counted += 1;
        for (sum, rank) in sums.iter_mut().zip(ranks(row)) {
            *sum += rank;
        }
    }
    sums.into_iter()
        .map(|sum| sum / f64::from(counted))
        .collect()
}
