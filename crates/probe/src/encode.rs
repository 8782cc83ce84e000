//! Messages as bytes: a length, a type, and a payload of varints and texts.
//!
//! A message has one form only. Lists of targets are written ascending whatever their order was,
//! because what is sent is the gap from one to the next; of a target that stands twice, the
//! better value counts.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::frame::{FrameError, LENGTH_BYTES, LONGEST_FRAME, LONGEST_TEXT};
use crate::message::{
    Delta, Descriptor, Hello, Message, Observation, Observed, Raised, Register, Scalar, SourceLine,
    Sql,
};
use crate::value::Value;

pub(crate) mod tag {
    pub(crate) const HELLO: u8 = 1;
    pub(crate) const REGISTER: u8 = 2;
    pub(crate) const BEGIN: u8 = 3;
    pub(crate) const END: u8 = 4;
    pub(crate) const DELTA: u8 = 5;
    pub(crate) const COVERED: u8 = 6;
    pub(crate) const RESET: u8 = 7;
    pub(crate) const SQL: u8 = 8;
    pub(crate) const PING: u8 = 9;
    pub(crate) const PONG: u8 = 10;
    pub(crate) const BYE: u8 = 11;
    pub(crate) const ERROR: u8 = 12;
}

type Written = Result<(), FrameError>;

/// Writes a message as one frame behind what is in `out` already; after an error, nothing of it
/// is there.
pub fn encode(message: &Message, out: &mut Vec<u8>) -> Result<(), FrameError> {
    let start = out.len();
    out.extend_from_slice(&[0; LENGTH_BYTES]);
    let written = payload(message, out).and_then(|()| length(start, out));
    if written.is_err() {
        out.truncate(start);
    }
    written
}

fn length(start: usize, out: &mut [u8]) -> Written {
    let length = out.len() - start - LENGTH_BYTES;
    if length > LONGEST_FRAME {
        return Err(FrameError::TooLong(length));
    }
    let place = out.get_mut(start..start + LENGTH_BYTES);
    let place = place.expect("room for the length was made first");
    place.copy_from_slice(&(length as u32).to_le_bytes());
    Ok(())
}

fn payload(message: &Message, out: &mut Vec<u8>) -> Written {
    out.push(tag(message));
    match message {
        Message::Hello(it) => hello(it, out)?,
        Message::Register(it) => register(it, out)?,
        Message::Begin { call } | Message::End { call } => varint(*call, out),
        Message::Delta(it) => delta(it, out)?,
        Message::Covered { ids } => covered(ids, out),
        Message::Sql(it) => sql(it, out)?,
        Message::Error { text: words } => text(words, out)?,
        Message::Reset | Message::Ping | Message::Pong | Message::Bye => {}
    }
    Ok(())
}

fn tag(message: &Message) -> u8 {
    match message {
        Message::Hello(_) => tag::HELLO,
        Message::Register(_) => tag::REGISTER,
        Message::Begin { .. } => tag::BEGIN,
        Message::End { .. } => tag::END,
        Message::Delta(_) => tag::DELTA,
        Message::Covered { .. } => tag::COVERED,
        Message::Reset => tag::RESET,
        Message::Sql(_) => tag::SQL,
        Message::Ping => tag::PING,
        Message::Pong => tag::PONG,
        Message::Bye => tag::BYE,
        Message::Error { .. } => tag::ERROR,
    }
}

fn hello(hello: &Hello, out: &mut Vec<u8>) -> Written {
    text(&hello.language, out)?;
    varint(hello.process_id.into(), out);
    varint(hello.version.into(), out);
    texts(&hello.roots, out)?;
    texts(&hello.abilities, out)
}

/// A file is named once in a frame and meant by its number from then on.
fn register(register: &Register, out: &mut Vec<u8>) -> Written {
    varint(register.first_id.into(), out);
    varint(register.descriptors.len() as u64, out);
    let mut files: BTreeMap<Arc<str>, u64> = BTreeMap::new();
    for descriptor in &register.descriptors {
        let next = files.len() as u64;
        let number = *files.entry(descriptor.file.clone()).or_insert(next);
        varint(number, out);
        if number == next {
            text(&descriptor.file, out)?;
        }
        rest_of(descriptor, out)?;
    }
    Ok(())
}

fn rest_of(descriptor: &Descriptor, out: &mut Vec<u8>) -> Written {
    varint(descriptor.line.into(), out);
    out.push(descriptor.kind as u8);
    varint(descriptor.ordinal.into(), out);
    text(&descriptor.label, out)
}

fn delta(delta: &Delta, out: &mut Vec<u8>) -> Written {
    varint(delta.call, out);
    hits(&delta.hits, out);
    place(delta.last_line.as_ref(), out)?;
    list(&delta.failures, raised, out)?;
    list(&delta.observations, observation, out)?;
    out.push(delta.died.into());
    Ok(())
}

fn hits(hits: &[(u32, Value)], out: &mut Vec<u8>) {
    let hits = ascending_hits(hits);
    varint(hits.len() as u64, out);
    let mut next = 0;
    for (id, value) in hits.iter() {
        gap(*id, &mut next, out);
        out.push(value.is_full().into());
        if !value.is_full() {
            out.extend_from_slice(&value.share().to_le_bytes());
        }
    }
}

fn ascending_hits(hits: &[(u32, Value)]) -> Cow<'_, [(u32, Value)]> {
    if hits.is_sorted_by(|a, b| a.0 < b.0) {
        return Cow::Borrowed(hits);
    }
    let mut best: BTreeMap<u32, Value> = BTreeMap::new();
    for (id, value) in hits {
        let held = best.entry(*id).or_default();
        *held = (*held).max(*value);
    }
    Cow::Owned(best.into_iter().collect())
}

fn covered(ids: &[u32], out: &mut Vec<u8>) {
    let mut ids = Cow::Borrowed(ids);
    if !ids.is_sorted_by(|a, b| a < b) {
        ids.to_mut().sort_unstable();
        ids.to_mut().dedup();
    }
    varint(ids.len() as u64, out);
    let mut next = 0;
    for id in ids.iter() {
        gap(*id, &mut next, out);
    }
}

/// How many numbers are left out since the one before: a run of neighbours is a run of zeros.
fn gap(id: u32, next: &mut u64, out: &mut Vec<u8>) {
    varint(u64::from(id) - *next, out);
    *next = u64::from(id) + 1;
}

fn place(place: Option<&SourceLine>, out: &mut Vec<u8>) -> Written {
    out.push(place.is_some().into());
    let Some(place) = place else { return Ok(()) };
    text(&place.file, out)?;
    varint(place.line.into(), out);
    Ok(())
}

fn raised(raised: &Raised, out: &mut Vec<u8>) -> Written {
    text(&raised.exception, out)?;
    text(&raised.message, out)?;
    text(&raised.place.file, out)?;
    varint(raised.place.line.into(), out);
    Ok(())
}

fn observation(observation: &Observation, out: &mut Vec<u8>) -> Written {
    let target = observation.target.map_or(0, |id| u64::from(id) + 1);
    varint(target, out);
    out.push(observed_tag(&observation.what));
    match &observation.what {
        Observed::Equal(left, right) | Observed::Order(left, right) => {
            scalar(left, out)?;
            scalar(right, out)
        }
        Observed::Prefix(whole, part)
        | Observed::Suffix(whole, part)
        | Observed::Contains(whole, part)
        | Observed::Same(whole, part) => {
            text(whole, out)?;
            text(part, out)
        }
        Observed::Member(value, candidates) => {
            scalar(value, out)?;
            list(candidates, scalar, out)
        }
        Observed::Pattern {
            text: words,
            pattern,
            flags,
            how,
        } => {
            text(words, out)?;
            text(pattern, out)?;
            text(flags, out)?;
            out.push(*how as u8);
            Ok(())
        }
        Observed::Parse {
            text: words,
            kind,
            format,
            worked,
        } => {
            text(words, out)?;
            text(kind, out)?;
            text(format, out)?;
            out.push((*worked).into());
            Ok(())
        }
        Observed::Read {
            from,
            name,
            found,
            beside,
        } => {
            out.push(*from as u8);
            text(name, out)?;
            out.push((*found).into());
            texts(beside, out)
        }
    }
}

fn observed_tag(observed: &Observed) -> u8 {
    match observed {
        Observed::Equal(..) => 0,
        Observed::Order(..) => 1,
        Observed::Prefix(..) => 2,
        Observed::Suffix(..) => 3,
        Observed::Contains(..) => 4,
        Observed::Same(..) => 5,
        Observed::Member(..) => 6,
        Observed::Pattern { .. } => 7,
        Observed::Parse { .. } => 8,
        Observed::Read { .. } => 9,
    }
}

fn scalar(scalar: &Scalar, out: &mut Vec<u8>) -> Written {
    match scalar {
        Scalar::Text(words) => {
            out.push(0);
            text(words, out)?;
        }
        Scalar::Whole(number) => {
            out.push(1);
            varint(zigzag(*number), out);
        }
        Scalar::Real(number) => {
            out.push(2);
            out.extend_from_slice(&number.to_le_bytes());
        }
        Scalar::Boolean(flag) => out.extend_from_slice(&[3, (*flag).into()]),
        Scalar::Null => out.push(4),
        Scalar::Moment(words) => {
            out.push(5);
            text(words, out)?;
        }
    }
    Ok(())
}

fn list<T>(items: &[T], write: impl Fn(&T, &mut Vec<u8>) -> Written, out: &mut Vec<u8>) -> Written {
    varint(items.len() as u64, out);
    items.iter().try_for_each(|item| write(item, out))
}

fn sql(sql: &Sql, out: &mut Vec<u8>) -> Written {
    varint(sql.call, out);
    text(&sql.statement, out)?;
    texts(&sql.parameters, out)?;
    varint(sql.rows, out);
    texts(&sql.tables, out)
}

/// Small numbers of either sign become small numbers without one.
fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

fn varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn text(words: &str, out: &mut Vec<u8>) -> Written {
    if words.len() > LONGEST_TEXT {
        return Err(FrameError::TextTooLong(words.len() as u64));
    }
    varint(words.len() as u64, out);
    out.extend_from_slice(words.as_bytes());
    Ok(())
}

fn texts(all: &[String], out: &mut Vec<u8>) -> Written {
    varint(all.len() as u64, out);
    all.iter().try_for_each(|words| text(words, out))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(message: &Message) -> Vec<u8> {
        let mut out = Vec::new();
        encode(message, &mut out).expect("short messages can be written");
        out
    }

    #[test]
    fn a_message_without_payload_is_five_bytes() {
        assert_eq!(bytes(&Message::Ping), [1, 0, 0, 0, 9]);
    }

    #[test]
    fn neighbours_cost_one_byte_each() {
        let ids = (100..110).collect();
        assert_eq!(bytes(&Message::Covered { ids }).len(), 4 + 1 + 1 + 10);
    }

    #[test]
    fn lists_are_written_ascending_and_without_repetition() {
        let mixed = Message::Covered { ids: vec![7, 3, 7] };
        assert_eq!(bytes(&mixed), bytes(&Message::Covered { ids: vec![3, 7] }));
        let twice = |hits| {
            Message::Delta(Delta {
                hits,
                ..Delta::default()
            })
        };
        assert_eq!(
            bytes(&twice(vec![
                (4, Value::NONE),
                (1, Value::FULL),
                (4, Value::FULL)
            ])),
            bytes(&twice(vec![(1, Value::FULL), (4, Value::FULL)]))
        );
    }

    #[test]
    fn what_is_too_long_leaves_nothing_behind() {
        let mut out = vec![42];
        let text = "x".repeat(LONGEST_TEXT + 1);
        assert!(encode(&Message::Error { text }, &mut out).is_err());
        let roots = vec!["x".repeat(LONGEST_TEXT); 5];
        let hello = Hello {
            roots,
            ..Hello::default()
        };
        assert!(encode(&Message::Hello(hello), &mut out).is_err());
        assert_eq!(out, [42]);
    }
}
