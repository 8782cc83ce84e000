//! Numbers as people read them: few digits, the same number of decimals down a column.

/// Decimals that a column needs whose largest value is so large.
pub(crate) fn decimals(largest: f64) -> usize {
    match largest.abs() {
        large if large >= 10.0 => 1,
        small if small >= 1.0 => 2,
        _ => 3,
    }
}

pub(super) fn p_value(p: f64) -> String {
    if p < 0.001 {
        "<0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

pub(super) fn percent(share: f64) -> String {
    format!("{:+.1}%", share * 100.0)
}

/// A shared rank shows its half.
pub(super) fn rank(rank: f64) -> String {
    format!("{rank}")
}

/// 10000 as 10,000.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_read_them() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(100), "100");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(p_value(0.000_9), "<0.001");
        assert_eq!(p_value(0.05), "0.050");
        assert_eq!(percent(-0.0123), "-1.2%");
        assert_eq!((rank(2.0), rank(2.5)), ("2".to_owned(), "2.5".to_owned()));
        assert_eq!(decimals(0.0), 3);
    }
}
