//! Bytes that only the holder of the key can foresee: HMAC-SHA256 of a value, block after block.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// A key, ready to be used.
#[derive(Clone)]
pub(crate) struct Keyed(Hmac<Sha256>, [u8; 32]);

impl Keyed {
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        let mac = Hmac::new_from_slice(key).expect("a key of any length will do");
        Self(mac, *key)
    }

    /// In hexadecimal. `what` keeps the uses of one key apart.
    pub(crate) fn digest<'a>(
        &self,
        what: &str,
        pieces: impl IntoIterator<Item = &'a [u8]>,
    ) -> String {
        let mut mac = self.begun(what);
        for piece in pieces {
            mac.update(&(piece.len() as u64).to_le_bytes());
            mac.update(piece);
        }
        hexadecimal(&mac.finalize().into_bytes())
    }

    /// For a memory only: another version may make another one.
    pub(crate) fn quick(&self, value: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.1, value).hash(&mut hasher);
        hasher.finish()
    }

    pub(crate) fn short(&self, what: &str, value: &[u8]) -> u64 {
        let mut mac = self.begun(what);
        mac.update(value);
        let bytes = mac.finalize().into_bytes();
        bytes
            .iter()
            .take(8)
            .fold(0, |sum, byte| (sum << 8) | u64::from(*byte))
    }

    pub(crate) fn stream(&self, value: &str) -> Stream {
        let mut mac = self.begun("value");
        mac.update(value.as_bytes());
        Stream {
            mac,
            blocks: 0,
            block: Vec::new(),
        }
    }

    fn begun(&self, what: &str) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(what.as_bytes());
        mac.update(&[0]);
        mac
    }
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

pub(crate) struct Stream {
    mac: Hmac<Sha256>,
    blocks: u64,
    block: Vec<u8>,
}

impl Stream {
    /// A number below `end`, which is small.
    pub(crate) fn below(&mut self, end: u16) -> u16 {
        let two = u16::from_le_bytes([self.byte(), self.byte()]);
        two % end.max(1)
    }

    pub(crate) fn digit(&mut self) -> char {
        char::from(b'0' + self.below(10) as u8)
    }

    /// From one to nine.
    pub(crate) fn leading(&mut self) -> char {
        char::from(b'1' + self.below(9) as u8)
    }

    pub(crate) fn lower(&mut self) -> char {
        char::from(b'a' + self.below(26) as u8)
    }

    pub(crate) fn hex(&mut self) -> char {
        char::from(b'a' + self.below(6) as u8)
    }

    fn byte(&mut self) -> u8 {
        if let Some(byte) = self.block.pop() {
            return byte;
        }
        let mut mac = self.mac.clone();
        mac.update(&[0]);
        mac.update(&self.blocks.to_le_bytes());
        self.blocks += 1;
        self.block = mac.finalize().into_bytes().to_vec();
        self.block.pop().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(key: u8, value: &str) -> Vec<u16> {
        let mut stream = Keyed::new(&[key; 32]).stream(value);
        (0..50).map(|_| stream.below(1000)).collect()
    }

    #[test]
    fn a_value_has_one_stream_under_one_key() {
        assert_eq!(start(1, "a"), start(1, "a"));
        assert_ne!(start(1, "a"), start(1, "b"));
        assert_ne!(start(1, "a"), start(2, "a"));
    }

    #[test]
    fn digests_know_where_a_piece_ends() {
        let keyed = Keyed::new(&[7; 32]);
        let digest = |pieces: &[&str]| keyed.digest("body", pieces.iter().map(|p| p.as_bytes()));
        assert_eq!(digest(&["ab", "c"]), digest(&["ab", "c"]));
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_eq!(digest(&[]).len(), 64);
    }
}
