//! The formulas against values of scipy 1.17 and against the published table that they are to
//! reproduce, and the laws that must hold of any sample.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn close(got: f64, wanted: f64) {
    let error = (got - wanted).abs() / wanted.abs().max(1e-300);
    assert!(error < 1e-10, "got {got:e}, wanted {wanted:e}");
}

fn numbers(range: std::ops::Range<i32>, scale: f64, shift: f64) -> Vec<f64> {
    range
        .map(|place| f64::from(place) * scale + shift)
        .collect()
}

#[test]
fn the_chi_square_tail_is_that_of_scipy_even_where_it_is_tiny() {
    close(chi_square_survival(0.5, 1.0), 0.479_500_122_186_953_37);
    close(chi_square_survival(7.8, 3.0), 0.050_331_097_859_853_326);
    close(chi_square_survival(33.3, 3.0), 2.783_931_473_330_962_6e-7);
    close(
        chi_square_survival(100.0, 10.0),
        5.449_701_982_920_521_5e-17,
    );
    close(chi_square_survival(0.01, 5.0), 0.999_999_469_972_995_7);
    close(chi_square_survival(250.0, 3.0), 6.543_750_030_967_994e-54);
}

#[test]
fn the_normal_tail_is_that_of_scipy_on_both_sides() {
    close(normal_survival(0.0), 0.5);
    close(normal_survival(0.5), 0.308_537_538_725_986_9);
    close(normal_survival(1.96), 0.024_997_895_148_220_435);
    close(normal_survival(-1.0), 0.841_344_746_068_542_9);
    close(normal_survival(10.0), 7.619_853_024_160_47e-24);
    close(normal_survival(30.0), 4.906_713_927_147_908e-198);
}

#[test]
fn small_samples_without_ties_are_counted_out() {
    let test = mann_whitney(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0]).unwrap();
    assert_eq!((test.u, test.exact), (17.0, true));
    close(test.p, 0.111_111_111_111_111_1);

    let a = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    let b = [1.15, 0.88, 0.9, 0.74, 1.21];
    close(mann_whitney(&a, &b).unwrap().p, 0.254_412_254_412_254_4);
    assert_eq!(
        mann_whitney(&b, &a).unwrap().p,
        mann_whitney(&a, &b).unwrap().p
    );
}

#[test]
fn twenty_against_twenty_is_still_counted_out() {
    let apart = mann_whitney(&numbers(21..41, 1.0, 0.0), &numbers(1..21, 1.0, 0.0)).unwrap();
    assert_eq!((apart.u, apart.exact), (400.0, true));
    close(apart.p, 1.450_888_910_384_968_4e-11);

    let mixed = mann_whitney(&numbers(0..20, 2.0, 1.0), &numbers(0..20, 3.0, -3.5)).unwrap();
    assert_eq!(mixed.u, 167.0);
    close(mixed.p, 0.383_413_281_904_358_9);
}

#[test]
fn ties_and_large_samples_are_approximated_with_both_corrections() {
    let a = [1.0, 2.0, 2.0, 3.0, 5.0, 5.0];
    let b = [2.0, 4.0, 5.0, 6.0, 7.0, 7.0, 8.0];
    let tied = mann_whitney(&a, &b).unwrap();
    assert_eq!((tied.u, tied.exact), (7.0, false));
    close(tied.p, 0.050_835_582_280_956_304);

    let large = mann_whitney(&numbers(0..30, 1.0, 0.0), &numbers(0..25, 1.0, 5.5)).unwrap();
    assert_eq!((large.u, large.exact), (300.0, false));
    close(large.p, 0.207_929_272_481_644_17);

    let uneven = mann_whitney(&numbers(0..21, 3.0, 0.0), &numbers(0..5, 2.0, 0.5)).unwrap();
    assert_eq!((uneven.u, uneven.exact), (95.0, false));
    close(uneven.p, 0.006_285_181_643_384_48);
}

#[test]
fn two_samples_of_one_value_do_not_differ() {
    let same = mann_whitney(&[5.0; 3], &[5.0; 4]).unwrap();
    assert_eq!((same.p, a12(&[5.0; 3], &[5.0; 4])), (1.0, Some(0.5)));
    assert_eq!(mann_whitney(&[], &[1.0]), None);
    assert_eq!(a12(&[1.0], &[]), None);
}

#[test]
fn the_effect_size_is_the_share_of_pairs_won() {
    // Of the six pairs two are won and one is tied.
    close(a12(&[1.0, 5.0], &[2.0, 4.0, 5.0]).unwrap(), 2.5 / 6.0);
}

#[test]
fn friedman_agrees_with_scipy_where_rows_hold_ties() {
    let rows = [
        vec![1.0, 3.0, 4.0, 4.0],
        vec![2.0, 3.0, 5.0, 5.0],
        vec![1.0, 1.0, 2.0, 6.0],
        vec![8.0, 2.0, 9.0, 10.0],
        vec![1.0, 2.0, 3.0, 4.0],
    ];
    let test = friedman(&rows).unwrap();
    close(test.chi_square, 13.595_744_680_851_066);
    close(test.p, 0.003_510_396_117_056_113_8);
}

/// Targets covered on twelve synthetic services by Base1, Base2, R-MIO and Rd-MIO, as published.
const PUBLISHED: [[f64; 4]; 12] = [
    [592.9, 589.2, 621.2, 758.7],
    [584.3, 587.1, 624.1, 809.4],
    [588.1, 588.9, 619.7, 723.3],
    [589.2, 588.9, 624.3, 758.7],
    [445.4, 444.5, 466.4, 636.6],
    [439.0, 443.9, 463.5, 514.3],
    [446.3, 464.6, 497.5, 539.4],
    [445.7, 457.9, 482.5, 512.1],
    [505.0, 510.0, 557.2, 633.9],
    [506.2, 510.0, 550.7, 612.4],
    [511.3, 530.2, 572.6, 636.5],
    [506.0, 512.6, 562.4, 609.2],
];

#[test]
fn the_published_comparison_of_resource_based_search_comes_out_again() {
    let rows: Vec<Vec<f64>> = PUBLISHED.iter().map(|row| row.to_vec()).collect();
    let test = friedman(&rows).unwrap();
    close(test.chi_square, 33.3);
    close(test.p, 2.783_931_473_330_942_5e-7);
    let best_first: Vec<f64> = average_ranks(&rows).iter().map(|rank| 5.0 - rank).collect();
    assert_eq!(best_first, [3.75, 3.25, 2.0, 1.0]);
}

#[test]
fn friedman_is_silent_where_there_is_nothing_to_compare() {
    assert_eq!(friedman(&[]), None);
    assert_eq!(friedman(&[vec![1.0, 2.0]]), None);
    assert_eq!(friedman(&[vec![1.0, 2.0], vec![1.0]]), None);
    assert_eq!(friedman(&[vec![1.0, 1.0], vec![2.0, 2.0]]).unwrap().p, 1.0);
}

fn sample() -> impl Strategy<Value = Vec<f64>> {
    // A narrow range of whole numbers makes ties, a wide one makes exact tests.
    prop_oneof![
        vec((0..8_i32).prop_map(f64::from), 1..40),
        vec(-1e6..1e6_f64, 1..40),
    ]
}

proptest! {
    #[test]
    fn the_two_effect_sizes_of_a_pair_add_up_to_one(a in sample(), b in sample()) {
        let sum = a12(&a, &b).unwrap() + a12(&b, &a).unwrap();
        prop_assert!((sum - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_p_value_is_a_chance_and_does_not_depend_on_the_order(a in sample(), b in sample()) {
        let there = mann_whitney(&a, &b).unwrap();
        let back = mann_whitney(&b, &a).unwrap();
        prop_assert!((0.0..=1.0).contains(&there.p));
        prop_assert!((there.p - back.p).abs() < 1e-12);
        prop_assert_eq!(there.u + back.u, (a.len() * b.len()) as f64);
    }

    #[test]
    fn ranks_add_up_and_keep_the_order(values in sample()) {
        let ranks = ranks(&values);
        let wanted = (values.len() * (values.len() + 1)) as f64 / 2.0;
        prop_assert!((ranks.iter().sum::<f64>() - wanted).abs() < 1e-9);
        for (left, right) in values.iter().zip(&ranks).zip(values.iter().zip(&ranks).skip(1)) {
            prop_assert_eq!(left.0.partial_cmp(right.0), left.1.partial_cmp(right.1));
        }
    }

    #[test]
    fn friedman_gives_a_chance_whatever_the_rows(rows in vec(vec(-50.0..50.0_f64, 4), 2..12)) {
        let test = friedman(&rows).unwrap();
        prop_assert!((0.0..=1.0).contains(&test.p));
        prop_assert!(test.chi_square >= 0.0);
    }

    #[test]
    fn the_middle_lies_between_the_ends(values in sample()) {
        let summary = Summary::of(&values).unwrap();
        prop_assert!(summary.min <= summary.median && summary.median <= summary.max);
        prop_assert!(summary.min - 1e-6 <= summary.mean && summary.mean <= summary.max + 1e-6);
    }

    #[test]
    fn any_bits_at_all_are_survived(a in vec(any::<f64>(), 0..30), b in vec(any::<f64>(), 0..30)) {
        prop_assert_eq!(ranks(&a).len(), a.len());
        prop_assert_eq!(mann_whitney(&a, &b).is_some(), !a.is_empty() && !b.is_empty());
        prop_assert_eq!(Summary::of(&a).is_some(), !a.is_empty());
    }
}
