//! Another number with as many digits, of the same sign and width.

use super::stream::Stream;

/// For a text that is a number as JSON writes it; an exponent stays.
pub(super) fn another(text: &str, stream: &mut Stream) -> String {
    let mantissa = text.find(['e', 'E']).unwrap_or(text.len());
    let (mantissa, exponent) = text.split_at(mantissa);
    let made = digits(mantissa, stream);
    if width(&made) > width(text) {
        return format!("{}{exponent}", lowered(&made));
    }
    format!("{made}{exponent}")
}

/// Zeros at the start of the whole and the end of the fraction stay, or there would be fewer
/// digits afterwards.
fn digits(mantissa: &str, stream: &mut Stream) -> String {
    let fraction = mantissa.find('.');
    let start = usize::from(mantissa.starts_with('-'));
    let last = mantissa.len().saturating_sub(1);
    let one = |(at, c): (usize, char)| match c {
        '.' | '-' => c,
        '0' if at == start || (at == last && fraction.is_some()) => c,
        _ if at == start || (at == last && fraction.is_some()) => stream.leading(),
        _ => stream.digit(),
    };
    mantissa.char_indices().map(one).collect()
}

/// The least of a width: GraphQL refuses what takes more than 32 bits, and some languages lose
/// digits beyond 53.
fn lowered(text: &str) -> String {
    let start = usize::from(text.starts_with('-'));
    let one = |(at, c): (usize, char)| match at.checked_sub(start) {
        Some(0) => '1',
        Some(1) => '0',
        _ => c,
    };
    text.char_indices().map(one).collect()
}

fn width(text: &str) -> u8 {
    let Ok(number) = text.parse::<i128>() else {
        return u8::MAX;
    };
    let ends = [
        i128::from(i32::MAX),
        (1 << 53) - 1,
        i128::from(i64::MAX),
        i128::from(u64::MAX),
    ];
    // Below zero there is room for one more.
    let reach = if number < 0 { !number } else { number };
    let ends = if number < 0 { &ends[..3] } else { &ends[..] };
    let fitting = ends.iter().position(|end| reach <= *end);
    fitting.map_or(u8::MAX - 1, |at| at as u8)
}

#[cfg(test)]
mod tests {
    use super::super::stream::Keyed;
    use super::*;

    fn made(text: &str) -> Vec<String> {
        let one = |key| another(text, &mut Keyed::new(&[key; 32]).stream(text));
        (0..40).map(one).collect()
    }

    #[test]
    fn a_number_of_32_bits_stays_one() {
        for text in ["2147483647", "2000000000", "-2147483647", "1000000000"] {
            for other in made(text) {
                let number: i32 = other.parse().expect("32 bits");
                assert_eq!(
                    (other.len(), number < 0),
                    (text.len(), text.starts_with('-'))
                );
            }
        }
    }

    #[test]
    fn the_largest_numbers_keep_their_width() {
        for other in made(&u64::MAX.to_string()) {
            assert_eq!(other.len(), 20);
            assert!(other.parse::<u64>().is_ok(), "{other}");
        }
        for other in made(&i64::MIN.to_string()) {
            assert!(other.parse::<i64>().is_ok(), "{other}");
        }
    }

    #[test]
    fn fractions_keep_their_digits_and_exponents() {
        for other in made("-12.25e-7") {
            assert_eq!(other.len(), 9);
            assert!(other.starts_with('-') && other.ends_with("e-7"), "{other}");
            assert!(
                !other.contains(".0e") && !other.ends_with("0e-7"),
                "{other}"
            );
        }
        assert!(made("0.5").iter().all(|other| other.starts_with("0.")));
        assert!(made("0").iter().all(|other| other == "0"));
    }
}
