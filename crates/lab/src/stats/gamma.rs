//! Tails of the normal and the chi-square distribution, both by the regularised incomplete gamma
//! function.
//!
//! The upper tail is computed as itself where it is small, never as one minus its complement, so
//! that a p-value of 1e-20 is as exact as one of 0.5.

const ROUNDS: u32 = 20_000;
const PRECISION: f64 = 1e-16;

/// Chance that a chi-square variable of so many degrees of freedom exceeds `value`.
pub fn chi_square_survival(value: f64, freedom: f64) -> f64 {
    if value <= 0.0 || freedom <= 0.0 {
        return 1.0;
    }
    upper(freedom / 2.0, value / 2.0)
}

/// Chance that a standard normal variable exceeds `value`.
pub fn normal_survival(value: f64) -> f64 {
    let tail = upper(0.5, value * value / 2.0) / 2.0;
    if value < 0.0 { 1.0 - tail } else { tail }
}

/// Q(a, x): the upper regularised incomplete gamma function.
fn upper(a: f64, x: f64) -> f64 {
    let tail = if x <= 0.0 {
        1.0
    } else if x < a + 1.0 {
        1.0 - lower_by_series(a, x)
    } else {
        upper_by_fraction(a, x)
    };
    tail.clamp(0.0, 1.0)
}

/// What both expansions share: x^a e^-x / Γ(a).
fn scale(a: f64, x: f64) -> f64 {
    (a * x.ln() - x - ln_gamma(a)).exp()
}

fn lower_by_series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    for round in 1..ROUNDS {
        term *= x / (a + f64::from(round));
        sum += term;
        if term < sum * PRECISION {
            break;
        }
    }
    sum * scale(a, x)
}

/// The continued fraction, evaluated from the front by Lentz's method.
fn upper_by_fraction(a: f64, x: f64) -> f64 {
    // Keeps a denominator from being nought without changing any digit that counts.
    let held = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut term = x + 1.0 - a;
    let mut above = 1e300;
    let mut below = 1.0 / held(term);
    let mut fraction = below;
    for round in 1..ROUNDS {
        let round = f64::from(round);
        let numerator = round * (a - round);
        term += 2.0;
        below = 1.0 / held(numerator * below + term);
        above = held(term + numerator / above);
        fraction *= above * below;
        if (above * below - 1.0).abs() < PRECISION {
            break;
        }
    }
    fraction * scale(a, x)
}

/// Lanczos' approximation with g = 7 and nine terms; `a` is positive here.
fn ln_gamma(a: f64) -> f64 {
    const FIRST: f64 = 0.999_999_999_999_809_9;
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if a < 0.5 {
        return (std::f64::consts::PI / (std::f64::consts::PI * a).sin()).ln() - ln_gamma(1.0 - a);
    }
    let a = a - 1.0;
    let sum = (1u32..).zip(TERMS).fold(FIRST, |sum, (place, term)| {
        sum + term / (a + f64::from(place))
    });
    let t = a + 7.5;
    (2.0 * std::f64::consts::PI).sqrt().ln() + (a + 0.5) * t.ln() - t + sum.ln()
}
