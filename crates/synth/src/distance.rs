//! How nearly a condition holds, on each of its sides, from 0 to 1.
//!
//! A side that is taken has 1. The other has less the further it is away, so that a search can
//! feel its way: for numbers by their difference, for keys by the nearest one that is there. The
//! formulas are those of EvoMaster.

/// What is left for a side that was reached but is beyond all measure.
const REACHED: f64 = 1e-12;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sides {
    pub(crate) holds: bool,
    pub(crate) if_true: f64,
    pub(crate) if_false: f64,
}

pub(crate) fn equal(a: f64, b: f64) -> Sides {
    let holds = a == b;
    Sides {
        holds,
        if_true: 1.0 / (1.0 + (a - b).abs()),
        if_false: f64::from(u8::from(!holds)),
    }
}

pub(crate) fn less(a: f64, b: f64) -> Sides {
    let holds = a < b;
    let other = 1.0 / (1.1 + (a - b).abs());
    Sides {
        holds,
        if_true: if holds { 1.0 } else { other },
        if_false: if holds { other } else { 1.0 },
    }
}

/// Whether a key is among others, of which the nearest is given.
pub(crate) fn among(key: i32, nearest: Option<i32>) -> Sides {
    match nearest {
        Some(nearest) => equal(key.into(), nearest.into()),
        None => Sides {
            holds: false,
            if_true: REACHED,
            if_false: 1.0,
        },
    }
}

/// True or false, and no way to see how nearly.
pub(crate) fn flat(holds: bool) -> Sides {
    let side = |taken: bool| if taken { 1.0 } else { REACHED };
    Sides {
        holds,
        if_true: side(holds),
        if_false: side(!holds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearer_is_better_and_there_is_one() {
        let far = equal(10.0, 2.0).if_true;
        let near = equal(10.0, 9.0).if_true;
        assert!(0.0 < far && far < near && near < 1.0);
        assert_eq!(near, 0.5);
        assert_eq!(equal(10.0, 10.0).if_true, 1.0);
        assert_eq!(equal(10.0, 10.0).if_false, 0.0);
        assert_eq!(equal(10.0, 9.0).if_false, 1.0);
    }

    #[test]
    fn an_order_has_a_slope_on_both_sides() {
        assert_eq!(less(1.0, 2.0).if_true, 1.0);
        assert_eq!(less(2.0, 2.0).if_true, 1.0 / 1.1);
        assert!(less(5.0, 2.0).if_true < less(3.0, 2.0).if_true);
        assert_eq!(less(2.0, 2.0).if_false, 1.0);
        assert!(less(1.0, 9.0).if_false < less(1.0, 2.0).if_false);
    }

    #[test]
    fn a_key_is_measured_by_the_nearest() {
        assert!(among(5, Some(5)).holds);
        assert!(!among(5, Some(7)).holds);
        assert!(among(5, Some(900)).if_true > among(5, None).if_true);
        assert_eq!(among(5, None).if_false, 1.0);
        assert_eq!(
            among(i32::MIN, Some(i32::MAX)).if_true,
            1.0 / 4_294_967_296.0
        );
    }

    #[test]
    fn what_is_flat_is_reached_on_both_sides_and_taken_on_one() {
        let yes = flat(true);
        assert_eq!(yes.if_true, 1.0);
        assert!(yes.if_false > 0.0 && yes.if_false < 1e-9);
        assert!(!flat(false).holds);
    }
}
