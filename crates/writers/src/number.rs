//! Numbers that are equal: `1` and `1.0` are to JSON, though not to most languages.

use serde_json::Number;

/// Up to here a float is every integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// An integer, where a number is one.
pub(crate) fn whole(number: &Number) -> Number {
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() <= EXACT => {
            Number::from(float as i64)
        }
        _ => number.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_no_fraction_becomes_an_integer() {
        let number = |float: f64| Number::from_f64(float).expect("finite");
        assert_eq!(whole(&number(-0.0)), Number::from(0));
        assert_eq!(whole(&number(2.0)), Number::from(2));
        assert_eq!(whole(&number(2.5)), number(2.5));
        assert_eq!(whole(&number(1e300)), number(1e300));
    }
}
