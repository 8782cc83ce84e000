//! Values that were compared, and what became of them.

/// Longer texts are left out, with what was done to them.
pub const LONGEST_TEXT: usize = 1024;

#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    Text(String),
    Whole(i64),
    Real(f64),
    Flag(bool),
    Nothing,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Observed {
    Equal(Scalar, Scalar),
    Order(Scalar, Scalar),
    Prefix(String, String),
    Suffix(String, String),
    Contains(String, String),
    Same(String, String),
    Member(Scalar, Vec<Scalar>),
    /// Anywhere in the text.
    Pattern(String, String),
    Parse {
        text: String,
        kind: &'static str,
        worked: bool,
    },
    Read {
        from: u8,
        name: String,
        found: bool,
    },
}

impl Scalar {
    pub fn text(text: &str) -> Option<Self> {
        (text.len() <= LONGEST_TEXT).then(|| Self::Text(text.to_owned()))
    }
}

/// How far two values are from being equal, as the protocol has it.
pub fn apart(left: &Scalar, right: &Scalar) -> f64 {
    match (left, right) {
        (Scalar::Text(left), Scalar::Text(right)) => of_texts(left, right),
        (Scalar::Whole(left), Scalar::Whole(right)) => left.abs_diff(*right) as f64,
        (Scalar::Real(left), Scalar::Real(right)) => (left - right).abs(),
        (left, right) if left == right => 0.0,
        _ => 1.0,
    }
}

/// 65536 for each character that one is longer, and the differences of those in the same place.
pub fn of_texts(left: &str, right: &str) -> f64 {
    const LONGER: f64 = 65536.0;
    let (mut left, mut right) = (left.chars(), right.chars());
    let mut distance = 0.0;
    loop {
        match (left.next(), right.next()) {
            (Some(a), Some(b)) => {
                distance += f64::from(u32::from(a).abs_diff(u32::from(b))) / LONGER
            }
            (None, None) => return distance,
            _ => distance += LONGER,
        }
    }
}

/// The value of a side that is so far from being taken.
pub fn nearness(distance: f64) -> f64 {
    let value = 1.0 / (1.0 + distance.max(0.0));
    if value.is_nan() {
        return f64::MIN_POSITIVE;
    }
    value.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_nearer_by_length_and_by_character() {
        let goal = "let-me-in";
        let far = ["x", "xxxxxxxxx", "let-xx-in", "let-me-io"].map(|it| of_texts(it, goal));
        assert!(far.windows(2).all(|pair| pair[0] > pair[1]), "{far:?}");
        assert_eq!(of_texts(goal, goal), 0.0);
    }

    #[test]
    fn what_was_not_taken_is_never_whole_and_never_nothing() {
        for distance in [0.0, 1e-30, 1.0, 1e300, f64::INFINITY, f64::NAN] {
            let value = nearness(distance);
            assert!(value > 0.0 && value < 1.0, "{distance}: {value}");
        }
    }
}
