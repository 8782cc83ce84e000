//! Bytes as messages, however they are cut up on the way.

use std::sync::Arc;

use crate::encode::tag;
use crate::frame::{FrameError, LENGTH_BYTES, LONGEST_FRAME};
use crate::message::{
    Delta, Descriptor, Hello, Kind, Matching, Message, Observation, Observed, Raised, ReadFrom,
    Register, Scalar, SourceLine, Sql,
};
use crate::read::Payload;

/// Collects bytes and gives the messages in them.
///
/// A frame that can't be understood is an error and then passed over; one that is too long is an
/// error for ever, since what follows can't be told apart.
#[derive(Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
    /// Bytes at the front that are read already.
    read: usize,
    lost: Option<FrameError>,
}

impl Decoder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes bytes in. Ask for messages before feeding more, and at most one frame is held.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.lost.is_some() {
            return;
        }
        self.bytes.drain(..self.read);
        self.read = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole message, or nothing if more bytes are needed.
    pub fn next_message(&mut self) -> Option<Result<Message, FrameError>> {
        if let Some(lost) = self.lost {
            return Some(Err(lost));
        }
        let waiting = self.bytes.get(self.read..)?;
        let (length, rest) = waiting.split_first_chunk::<LENGTH_BYTES>()?;
        let length = u32::from_le_bytes(*length) as usize;
        if length > LONGEST_FRAME {
            return Some(Err(self.lose(FrameError::TooLong(length))));
        }
        let message = decode(rest.get(..length)?);
        self.read += LENGTH_BYTES + length;
        Some(message)
    }

    fn lose(&mut self, error: FrameError) -> FrameError {
        self.bytes = Vec::new();
        self.read = 0;
        self.lost = Some(error);
        error
    }
}

type Decoded<T> = Result<T, FrameError>;

fn decode(frame: &[u8]) -> Decoded<Message> {
    let (tag, payload) = frame.split_first().ok_or(FrameError::Empty)?;
    let mut payload = Payload(payload);
    let message = message(*tag, &mut payload)?;
    payload.finish()?;
    Ok(message)
}

fn message(tag: u8, payload: &mut Payload<'_>) -> Decoded<Message> {
    Ok(match tag {
        tag::HELLO => Message::Hello(hello(payload)?),
        tag::REGISTER => Message::Register(register(payload)?),
        tag::BEGIN => Message::Begin {
            call: payload.varint()?,
        },
        tag::END => Message::End {
            call: payload.varint()?,
        },
        tag::DELTA => Message::Delta(delta(payload)?),
        tag::COVERED => Message::Covered { ids: ids(payload)? },
        tag::RESET => Message::Reset,
        tag::SQL => Message::Sql(sql(payload)?),
        tag::PING => Message::Ping,
        tag::PONG => Message::Pong,
        tag::BYE => Message::Bye,
        tag::ERROR => Message::Error {
            text: payload.text()?.to_owned(),
        },
        other => return Err(FrameError::UnknownType(other)),
    })
}

fn hello(payload: &mut Payload<'_>) -> Decoded<Hello> {
    Ok(Hello {
        language: payload.text()?.to_owned(),
        process_id: payload.small()?,
        version: payload.small()?,
        roots: payload.texts()?,
        abilities: payload.texts()?,
    })
}

fn register(payload: &mut Payload<'_>) -> Decoded<Register> {
    let first_id = payload.small()?;
    let mut files: Vec<Arc<str>> = Vec::new();
    let descriptors = payload.list(|payload| descriptor(payload, &mut files))?;
    let last = u64::from(first_id) + (descriptors.len() as u64).saturating_sub(1);
    if last > u64::from(u32::MAX) {
        return Err(FrameError::Number);
    }
    Ok(Register {
        first_id,
        descriptors,
    })
}

fn descriptor(payload: &mut Payload<'_>, files: &mut Vec<Arc<str>>) -> Decoded<Descriptor> {
    Ok(Descriptor {
        file: file(payload, files)?,
        line: payload.small()?,
        kind: kind(payload)?,
        ordinal: payload.small()?,
        label: payload.text()?.to_owned(),
    })
}

fn file(payload: &mut Payload<'_>, files: &mut Vec<Arc<str>>) -> Decoded<Arc<str>> {
    let number = payload.varint()?;
    if number == files.len() as u64 {
        files.push(payload.text()?.into());
    }
    let file = files.get(number as usize).cloned();
    file.ok_or(FrameError::UnknownFile)
}

fn kind(payload: &mut Payload<'_>) -> Decoded<Kind> {
    let number = payload.byte()?;
    let kind = Kind::ALL.get(usize::from(number)).copied();
    kind.ok_or(FrameError::UnknownKind(number))
}

fn delta(payload: &mut Payload<'_>) -> Decoded<Delta> {
    let call = payload.varint()?;
    let mut next = 0;
    let hits = payload.list(|payload| Ok((payload.ascending(&mut next)?, payload.value()?)))?;
    Ok(Delta {
        call,
        hits,
        last_line: place(payload)?,
        failures: payload.list(raised)?,
        observations: payload.list(observation)?,
        died: payload.flag()?,
    })
}

fn place(payload: &mut Payload<'_>) -> Decoded<Option<SourceLine>> {
    if !payload.flag()? {
        return Ok(None);
    }
    Ok(Some(SourceLine {
        file: payload.text()?.into(),
        line: payload.small()?,
    }))
}

fn raised(payload: &mut Payload<'_>) -> Decoded<Raised> {
    Ok(Raised {
        exception: payload.text()?.to_owned(),
        message: payload.text()?.to_owned(),
        place: SourceLine {
            file: payload.text()?.into(),
            line: payload.small()?,
        },
    })
}

fn observation(payload: &mut Payload<'_>) -> Decoded<Observation> {
    let target = payload.varint()?;
    let target = match target.checked_sub(1) {
        Some(id) => Some(u32::try_from(id).map_err(|_| FrameError::Number)?),
        None => None,
    };
    let what = observed(payload)?;
    Ok(Observation { target, what })
}

fn observed(payload: &mut Payload<'_>) -> Decoded<Observed> {
    let kind = payload.byte()?;
    let pair = |payload: &mut Payload<'_>| -> Decoded<(String, String)> {
        Ok((payload.text()?.to_owned(), payload.text()?.to_owned()))
    };
    Ok(match kind {
        0 => Observed::Equal(scalar(payload)?, scalar(payload)?),
        1 => Observed::Order(scalar(payload)?, scalar(payload)?),
        2 => pair(payload).map(|(whole, part)| Observed::Prefix(whole, part))?,
        3 => pair(payload).map(|(whole, part)| Observed::Suffix(whole, part))?,
        4 => pair(payload).map(|(whole, part)| Observed::Contains(whole, part))?,
        5 => pair(payload).map(|(left, right)| Observed::Same(left, right))?,
        6 => Observed::Member(scalar(payload)?, payload.list(scalar)?),
        7 => Observed::Pattern {
            text: payload.text()?.to_owned(),
            pattern: payload.text()?.to_owned(),
            flags: payload.text()?.to_owned(),
            how: one_of(&Matching::ALL, payload.byte()?)?,
        },
        8 => Observed::Parse {
            text: payload.text()?.to_owned(),
            kind: payload.text()?.to_owned(),
            format: payload.text()?.to_owned(),
            worked: payload.flag()?,
        },
        9 => Observed::Read {
            from: one_of(&ReadFrom::ALL, payload.byte()?)?,
            name: payload.text()?.to_owned(),
            found: payload.flag()?,
            beside: payload.texts()?,
        },
        other => return Err(FrameError::UnknownObservation(other)),
    })
}

fn one_of<T: Copy>(all: &[T], number: u8) -> Decoded<T> {
    let found = all.get(usize::from(number)).copied();
    found.ok_or(FrameError::UnknownObservation(number))
}

fn scalar(payload: &mut Payload<'_>) -> Decoded<Scalar> {
    let kind = payload.byte()?;
    Ok(match kind {
        0 => Scalar::Text(payload.text()?.to_owned()),
        1 => Scalar::Whole(payload.signed()?),
        2 => Scalar::Real(payload.real()?),
        3 => Scalar::Boolean(payload.flag()?),
        4 => Scalar::Null,
        5 => Scalar::Moment(payload.text()?.to_owned()),
        other => return Err(FrameError::UnknownObservation(other)),
    })
}

fn ids(payload: &mut Payload<'_>) -> Decoded<Vec<u32>> {
    let mut next = 0;
    payload.list(|payload| payload.ascending(&mut next))
}

fn sql(payload: &mut Payload<'_>) -> Decoded<Sql> {
    Ok(Sql {
        call: payload.varint()?,
        statement: payload.text()?.to_owned(),
        parameters: payload.texts()?,
        rows: payload.varint()?,
        tables: payload.texts()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encode;

    fn all(bytes: &[u8]) -> Vec<Result<Message, FrameError>> {
        let mut decoder = Decoder::new();
        decoder.feed(bytes);
        std::iter::from_fn(|| decoder.next_message()).collect()
    }

    #[test]
    fn a_message_may_come_byte_by_byte() {
        let begin = Message::Begin { call: 300 };
        let mut bytes = Vec::new();
        encode(&begin, &mut bytes).expect("it is short");
        let mut decoder = Decoder::new();
        let (last, first) = bytes.split_last().expect("a frame has bytes");
        for byte in first {
            decoder.feed(&[*byte]);
            assert_eq!(decoder.next_message(), None);
        }
        decoder.feed(&[*last]);
        assert_eq!(decoder.next_message(), Some(Ok(begin)));
        assert_eq!(decoder.next_message(), None);
    }

    #[test]
    fn what_is_not_understood_is_passed_over() {
        let bytes = [1, 0, 0, 0, 99, 0, 0, 0, 0, 2, 0, 0, 0, 9, 7, 1, 0, 0, 0, 10];
        assert_eq!(
            all(&bytes),
            [
                Err(FrameError::UnknownType(99)),
                Err(FrameError::Empty),
                Err(FrameError::Trailing(1)),
                Ok(Message::Pong),
            ]
        );
    }

    #[test]
    fn a_frame_that_is_too_long_loses_the_stream() {
        let mut decoder = Decoder::new();
        decoder.feed(&[0xff; 8]);
        let error = decoder.next_message().expect("it is known from the length");
        assert!(error.is_err_and(|error| error.is_fatal()));
        decoder.feed(&[1, 0, 0, 0, 9]);
        assert!(
            decoder
                .next_message()
                .is_some_and(|message| message.is_err())
        );
        assert!(decoder.bytes.is_empty());
    }

    #[test]
    fn numbers_of_targets_do_not_run_over() {
        // COVERED with one target that is larger than any.
        let bytes = [7, 0, 0, 0, 6, 1, 0x80, 0x80, 0x80, 0x80, 0x10];
        assert_eq!(all(&bytes), [Err(FrameError::Number)]);
    }

    #[test]
    fn a_descriptor_can_only_mean_a_file_that_was_named() {
        let bytes = [8, 0, 0, 0, 2, 0, 1, 1, 1, 0, 0, 0];
        assert_eq!(all(&bytes), [Err(FrameError::UnknownFile)]);
    }
}
