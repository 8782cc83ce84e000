//! Bytes that travel as Base64 text.

use ::base64::Engine as _;
use ::base64::engine::general_purpose::STANDARD;

use crate::Rng;
use crate::dice;
use crate::gene::quoted;
use crate::source::Source;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base64 {
    pub bytes: Vec<u8>,
    pub source: Source,
}

impl Base64 {
    /// Bytes whose text has `min` to `max` characters, where four divides such a length.
    pub(crate) fn sample(min: usize, max: usize, rng: &mut Rng, source: Source) -> Self {
        let least = min.div_ceil(4) * 3;
        let least = least.saturating_sub(if least > 0 { 2 } else { 0 });
        let most = (max / 4 * 3).max(least).min(least + 24);
        let bytes = (0..dice::size(rng, least.max(1).min(most), most))
            .map(|_| dice::below(rng, 256) as u8)
            .collect();
        Self { bytes, source }
    }

    pub(crate) fn to_text(&self) -> String {
        STANDARD.encode(&self.bytes)
    }

    pub(crate) fn parse(text: &str, source: Source) -> Option<Self> {
        let bytes = STANDARD.decode(text).ok()?;
        Some(Self { bytes, source })
    }

    pub(crate) fn mutate(&mut self, rng: &mut Rng) {
        let at = dice::index(rng, self.bytes.len());
        match (dice::below(rng, 3), self.bytes.get_mut(at)) {
            (0, Some(byte)) => *byte = byte.wrapping_add(1 + dice::below(rng, 255) as u8),
            (1, Some(_)) => {
                self.bytes.pop();
            }
            _ => self.bytes.push(dice::below(rng, 256) as u8),
        }
        self.source = Source::Random;
    }

    pub(crate) fn simpler(&self) -> Vec<Self> {
        let with = |bytes: Vec<u8>| Self {
            bytes,
            source: self.source,
        };
        vec![
            with(Vec::new()),
            with(self.bytes[..self.bytes.len() / 2].to_vec()),
            with(vec![0; self.bytes.len()]),
        ]
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        quoted(&self.to_text(), out);
    }
}

/// Whether a text is well-formed Base64.
pub(crate) fn is_valid(text: &str) -> bool {
    STANDARD.decode(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    #[test]
    fn text_lengths_keep_to_their_bounds() {
        let mut rng = Rng::seed_from_u64(3);
        for (min, max) in [(0, 100), (1, 4), (5, 9), (16, 16), (0, 4)] {
            for _ in 0..100 {
                let text = Base64::sample(min, max, &mut rng, Source::Random).to_text();
                assert!(
                    (min..=max).contains(&text.len()),
                    "{min} {max} {}",
                    text.len()
                );
            }
        }
    }
}
