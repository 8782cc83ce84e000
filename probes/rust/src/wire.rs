//! Messages as bytes, as `probes/protocol` has them.

use std::collections::HashMap;

use crate::scalar::{Observed, Scalar};

pub const VERSION: u32 = 3;
/// Bytes of a frame behind its length.
pub const LONGEST_FRAME: usize = 4 << 20;

pub mod tag {
    pub const HELLO: u8 = 1;
    pub const REGISTER: u8 = 2;
    pub const BEGIN: u8 = 3;
    pub const END: u8 = 4;
    pub const DELTA: u8 = 5;
    pub const COVERED: u8 = 6;
    pub const RESET: u8 = 7;
    pub const PING: u8 = 9;
    pub const PONG: u8 = 10;
    pub const BYE: u8 = 11;
    pub const ERROR: u8 = 12;
}

/// What the tool says.
#[derive(Debug, PartialEq)]
pub enum Question {
    Hello { version: u32 },
    Begin(u64),
    End(u64),
    Covered(Vec<u32>),
    Reset,
    Ping,
    Bye,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Descriptor {
    pub file: String,
    pub line: u32,
    pub kind: u8,
    pub ordinal: u32,
    pub label: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delta {
    pub call: u64,
    /// Ascending.
    pub hits: Vec<(u32, f64)>,
    pub last_line: Option<(String, u32)>,
    pub failures: Vec<Failure>,
    /// With the target that was deciding.
    pub observations: Vec<(Option<u32>, Observed)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub exception: String,
    pub message: String,
    pub file: String,
    pub line: u32,
}

pub fn hello(roots: &[String], abilities: &[&str], process: u32) -> Vec<u8> {
    let mut out = begun(tag::HELLO);
    text(&mut out, "rust");
    number(&mut out, process.into());
    number(&mut out, VERSION.into());
    number(&mut out, roots.len() as u64);
    roots.iter().for_each(|root| text(&mut out, root));
    number(&mut out, abilities.len() as u64);
    abilities.iter().for_each(|word| text(&mut out, word));
    ended(out)
}

pub fn register(first: u32, descriptors: &[Descriptor]) -> Vec<u8> {
    let mut out = begun(tag::REGISTER);
    number(&mut out, first.into());
    number(&mut out, descriptors.len() as u64);
    let mut files: HashMap<&str, u64> = HashMap::new();
    for it in descriptors {
        let next = files.len() as u64;
        let file = *files.entry(&it.file).or_insert(next);
        number(&mut out, file);
        if file == next {
            text(&mut out, &it.file);
        }
        number(&mut out, it.line.into());
        out.push(it.kind);
        number(&mut out, it.ordinal.into());
        text(&mut out, &it.label);
    }
    ended(out)
}

pub fn delta(delta: &Delta) -> Vec<u8> {
    let mut out = begun(tag::DELTA);
    number(&mut out, delta.call);
    number(&mut out, delta.hits.len() as u64);
    let mut next = 0;
    for (id, value) in &delta.hits {
        number(&mut out, u64::from(*id) - next);
        next = u64::from(*id) + 1;
        let is_full = *value >= 1.0;
        out.push(is_full.into());
        if !is_full {
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
    out.push(delta.last_line.is_some().into());
    if let Some((file, line)) = &delta.last_line {
        text(&mut out, file);
        number(&mut out, (*line).into());
    }
    number(&mut out, delta.failures.len() as u64);
    for failure in &delta.failures {
        text(&mut out, &failure.exception);
        text(&mut out, &failure.message);
        text(&mut out, &failure.file);
        number(&mut out, failure.line.into());
    }
    number(&mut out, delta.observations.len() as u64);
    for (target, observed) in &delta.observations {
        number(&mut out, target.map_or(0, |id| u64::from(id) + 1));
        observation(&mut out, observed);
    }
    // The dead do not speak.
    out.push(0);
    ended(out)
}

pub fn bare(tag: u8) -> Vec<u8> {
    ended(begun(tag))
}

pub fn begin(call: u64) -> Vec<u8> {
    let mut out = begun(tag::BEGIN);
    number(&mut out, call);
    ended(out)
}

pub fn error(words: &str) -> Vec<u8> {
    let mut out = begun(tag::ERROR);
    text(&mut out, words);
    ended(out)
}

fn observation(out: &mut Vec<u8>, observed: &Observed) {
    match observed {
        Observed::Equal(left, right) => pair(out, 0, left, right),
        Observed::Order(left, right) => pair(out, 1, left, right),
        Observed::Prefix(whole, part) => parts(out, 2, whole, part),
        Observed::Suffix(whole, part) => parts(out, 3, whole, part),
        Observed::Contains(whole, part) => parts(out, 4, whole, part),
        Observed::Same(left, right) => parts(out, 5, left, right),
        Observed::Member(value, candidates) => {
            out.push(6);
            scalar(out, value);
            number(out, candidates.len() as u64);
            candidates.iter().for_each(|it| scalar(out, it));
        }
        Observed::Pattern(words, pattern) => {
            parts(out, 7, words, pattern);
            text(out, "");
            out.push(0);
        }
        Observed::Parse {
            text: words,
            kind,
            worked,
        } => {
            out.push(8);
            text(out, words);
            text(out, kind);
            text(out, "");
            out.push((*worked).into());
        }
        Observed::Read { from, name, found } => {
            out.extend_from_slice(&[9, *from]);
            text(out, name);
            out.push((*found).into());
            number(out, 0);
        }
    }
}

fn pair(out: &mut Vec<u8>, kind: u8, left: &Scalar, right: &Scalar) {
    out.push(kind);
    scalar(out, left);
    scalar(out, right);
}

fn parts(out: &mut Vec<u8>, kind: u8, whole: &str, part: &str) {
    out.push(kind);
    text(out, whole);
    text(out, part);
}

fn scalar(out: &mut Vec<u8>, scalar: &Scalar) {
    match scalar {
        Scalar::Text(words) => {
            out.push(0);
            text(out, words);
        }
        Scalar::Whole(whole) => {
            out.push(1);
            number(out, ((whole << 1) ^ (whole >> 63)) as u64);
        }
        Scalar::Real(real) => {
            out.push(2);
            out.extend_from_slice(&real.to_le_bytes());
        }
        Scalar::Flag(flag) => out.extend_from_slice(&[3, (*flag).into()]),
        Scalar::Nothing => out.push(4),
    }
}

fn begun(tag: u8) -> Vec<u8> {
    vec![0, 0, 0, 0, tag]
}

fn ended(mut out: Vec<u8>) -> Vec<u8> {
    let length = (out.len() - 4) as u32;
    out[..4].copy_from_slice(&length.to_le_bytes());
    out
}

fn text(out: &mut Vec<u8>, text: &str) {
    number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

fn number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// What a frame without its length asks, or what is wrong with it.
pub fn question(frame: &[u8]) -> Result<Question, &'static str> {
    let (&tag, rest) = frame.split_first().ok_or("a frame is empty")?;
    let mut reader = Reader(rest);
    let question = match tag {
        tag::HELLO => reader.hello()?,
        tag::BEGIN => Question::Begin(reader.number()?),
        tag::END => Question::End(reader.number()?),
        tag::COVERED => Question::Covered(reader.ids()?),
        tag::RESET => Question::Reset,
        tag::PING => Question::Ping,
        tag::BYE => Question::Bye,
        _ => return Err("nobody asks a probe this"),
    };
    if !reader.0.is_empty() {
        return Err("a message is followed by bytes that belong to nothing");
    }
    Ok(question)
}

struct Reader<'f>(&'f [u8]);

const CUT: &str = "a message ends in the middle of a field";
const BAD: &str = "a number is too large or not in its shortest form";

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, &'static str> {
        let (&byte, rest) = self.0.split_first().ok_or(CUT)?;
        self.0 = rest;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u64, &'static str> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(BAD);
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return if byte == 0 && shift > 0 {
                    Err(BAD)
                } else {
                    Ok(number)
                };
            }
        }
        Err(BAD)
    }

    fn small(&mut self) -> Result<u32, &'static str> {
        u32::try_from(self.number()?).map_err(|_| BAD)
    }

    fn text(&mut self) -> Result<(), &'static str> {
        let length = usize::try_from(self.number()?).map_err(|_| BAD)?;
        let bytes = self.0.get(..length).ok_or(CUT)?;
        self.0 = &self.0[length..];
        std::str::from_utf8(bytes)
            .map(|_| ())
            .map_err(|_| "a text is not UTF-8")
    }

    fn hello(&mut self) -> Result<Question, &'static str> {
        self.text()?;
        self.small()?;
        let version = self.small()?;
        for _ in 0..2 {
            for _ in 0..self.number()? {
                self.text()?;
            }
        }
        Ok(Question::Hello { version })
    }

    fn ids(&mut self) -> Result<Vec<u32>, &'static str> {
        let count = self.number()?;
        let mut ids = Vec::new();
        let mut next = 0_u64;
        for _ in 0..count {
            let id = next.checked_add(self.number()?).ok_or(BAD)?;
            ids.push(u32::try_from(id).map_err(|_| BAD)?);
            next = id + 1;
        }
        Ok(ids)
    }
}
