//! The fields of a payload, taken one after the other.
//!
//! Whoever sends may be broken or hostile: nothing is believed about a count before that many
//! bytes are there, and each field has one form, so that a frame that is read and written again
//! is the same frame.

use crate::frame::{FrameError, LONGEST_TEXT};
use crate::value::Value;

type Taken<T> = Result<T, FrameError>;

/// What is left of a payload.
pub(crate) struct Payload<'a>(pub(crate) &'a [u8]);

impl<'a> Payload<'a> {
    fn bytes(&mut self, count: usize) -> Taken<&'a [u8]> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(FrameError::Truncated)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Taken<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(FrameError::Truncated)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(crate) fn byte(&mut self) -> Taken<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(crate) fn varint(&mut self) -> Taken<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let low = u64::from(byte & 0x7f);
            if (low << shift) >> shift != low {
                return Err(FrameError::Number);
            }
            number |= low << shift;
            if byte < 0x80 {
                let is_shortest = byte != 0 || shift == 0;
                return is_shortest.then_some(number).ok_or(FrameError::Number);
            }
        }
        Err(FrameError::Number)
    }

    pub(crate) fn small(&mut self) -> Taken<u32> {
        u32::try_from(self.varint()?).map_err(|_| FrameError::Number)
    }

    pub(crate) fn signed(&mut self) -> Taken<i64> {
        let number = self.varint()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub(crate) fn real(&mut self) -> Taken<f64> {
        self.array().map(f64::from_le_bytes)
    }

    pub(crate) fn value(&mut self) -> Taken<Value> {
        if self.flag()? {
            return Ok(Value::FULL);
        }
        let share = self.real()?;
        let written = (0.0..1.0).contains(&share) && share.is_sign_positive();
        written.then(|| Value::new(share)).ok_or(FrameError::Value)
    }

    pub(crate) fn flag(&mut self) -> Taken<bool> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(FrameError::Flag),
        }
    }

    pub(crate) fn text(&mut self) -> Taken<&'a str> {
        let length = self.varint()?;
        if length > LONGEST_TEXT as u64 {
            return Err(FrameError::TextTooLong(length));
        }
        let bytes = self.bytes(length as usize)?;
        std::str::from_utf8(bytes).map_err(|_| FrameError::NotUtf8)
    }

    pub(crate) fn texts(&mut self) -> Taken<Vec<String>> {
        self.list(|payload| payload.text().map(str::to_owned))
    }

    /// A count and as many things. Each takes a byte at least, so the count can be checked first.
    pub(crate) fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Taken<T>) -> Taken<Vec<T>> {
        let count = self.varint()?;
        if count > self.0.len() as u64 {
            return Err(FrameError::Truncated);
        }
        (0..count).map(|_| one(self)).collect()
    }

    /// The next number of an ascending list, from the gap before it.
    pub(crate) fn ascending(&mut self, next: &mut u64) -> Taken<u32> {
        let id = next.checked_add(self.varint()?).ok_or(FrameError::Number)?;
        *next = id.saturating_add(1);
        u32::try_from(id).map_err(|_| FrameError::Number)
    }

    pub(crate) fn finish(self) -> Taken<()> {
        match self.0.len() {
            0 => Ok(()),
            left => Err(FrameError::Trailing(left)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_one_form_only() {
        assert_eq!(Payload(&[0xac, 0x02]).varint(), Ok(300));
        assert_eq!(Payload(&[0x80, 0x00]).varint(), Err(FrameError::Number));
        assert_eq!(Payload(&[0x00]).varint(), Ok(0));
    }

    #[test]
    fn a_number_of_more_than_64_bits_is_refused() {
        let largest = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(Payload(&largest).varint(), Ok(u64::MAX));
        let larger = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02];
        assert_eq!(Payload(&larger).varint(), Err(FrameError::Number));
        assert_eq!(Payload(&[0xff; 11]).varint(), Err(FrameError::Number));
    }

    #[test]
    fn a_count_is_not_believed_before_its_bytes_are_there() {
        assert_eq!(
            Payload(&[0xff, 0xff, 0x03, 0x00]).texts(),
            Err(FrameError::Truncated)
        );
    }
}
