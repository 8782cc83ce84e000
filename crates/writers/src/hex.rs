//! Bytes as digits, for languages whose literals hold text only.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

pub(crate) fn text(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(DIGITS[usize::from(half & 15)]);
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(*byte)])
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_byte_takes_two_digits() {
        assert_eq!(super::text(&[0, 10, 255]), "000aff");
    }
}
