//! Universally unique identifiers.

use crate::Rng;
use crate::dice;
use crate::gene::quoted;
use crate::source::Source;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uuid {
    pub bytes: [u8; 16],
    pub source: Source,
}

impl Uuid {
    /// A random one, of version 4.
    pub(crate) fn random(rng: &mut Rng, source: Source) -> Self {
        let mut bytes = [0; 16];
        for byte in &mut bytes {
            *byte = dice::below(rng, 256) as u8;
        }
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        Self { bytes, source }
    }

    pub(crate) fn to_text(self) -> String {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let mut out = String::with_capacity(36);
        for (at, byte) in self.bytes.iter().enumerate() {
            if matches!(at, 4 | 6 | 8 | 10) {
                out.push('-');
            }
            out.push(HEX[usize::from(byte >> 4)] as char);
            out.push(HEX[usize::from(byte & 15)] as char);
        }
        out
    }

    /// Reads one written in lower case with hyphens.
    pub(crate) fn parse(text: &str, source: Source) -> Option<Self> {
        let digits: Vec<u8> = text
            .bytes()
            .filter(|b| *b != b'-')
            .map(|b| (b as char).to_digit(16).map(|d| d as u8))
            .collect::<Option<_>>()?;
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
        let uuid = Self { bytes, source };
        (uuid.to_text() == text).then_some(uuid)
    }

    pub(crate) fn mutate(&mut self, rng: &mut Rng) {
        *self = Self::random(rng, Source::Random);
    }

    pub(crate) fn nil(self) -> Self {
        Self {
            bytes: [0; 16],
            ..self
        }
    }

    pub(crate) fn write(self, out: &mut Vec<u8>) {
        quoted(&self.to_text(), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    #[test]
    fn random_ones_are_of_version_four_and_read_back() {
        let mut rng = Rng::seed_from_u64(5);
        for _ in 0..50 {
            let uuid = Uuid::random(&mut rng, Source::Random);
            let text = uuid.to_text();
            assert_eq!(text.as_bytes()[14], b'4');
            assert_eq!(Uuid::parse(&text, Source::Random), Some(uuid));
        }
        assert!(Uuid::parse("not-a-uuid", Source::Random).is_none());
        assert!(Uuid::parse("", Source::Random).is_none());
    }
}
