//! What GoReplay captured: blocks of a first line and a message, with three monkeys between them.
//!
//! A request and its answer are two blocks with one id, often with others between them. A request
//! waits for its answer only so long as not too many wait; then it is given without. An answer of
//! the service itself goes before one that a replay got.

use std::collections::VecDeque;
use std::io::BufRead;

use super::Settings;
use super::http_text::Message;
use super::lines::{Line, Lines};
use super::not_readable::{NotReadable, Place, Why};
use crate::{Answered, Seen};

const MONKEYS: &str = "🐵🙈🙉";

/// Requests that may wait for their answers at once, and bytes in their bodies.
const WAITING: usize = 4096;
const WAITING_BYTES: usize = 64 << 20;

pub(super) fn read<'a>(
    input: impl BufRead + 'a,
    settings: &'a Settings,
) -> impl Iterator<Item = Result<Seen, NotReadable>> + 'a {
    Blocks {
        lines: Lines::new(input, settings.largest),
        settings,
        waiting: VecDeque::new(),
        bytes: 0,
        over: false,
    }
}

/// Whether a line can begin a block.
pub(super) fn is_first_line(line: &[u8]) -> bool {
    First::read(line).is_some()
}

struct Blocks<'a, R> {
    lines: Lines<R>,
    settings: &'a Settings,
    /// In the order they came.
    waiting: VecDeque<Waiting>,
    bytes: usize,
    over: bool,
}

struct Waiting {
    id: String,
    /// Nanoseconds since 1970.
    at: u64,
    seen: Seen,
}

struct First {
    kind: Kind,
    id: String,
    at: u64,
    took: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Request,
    Answer,
    Replayed,
}

impl First {
    /// `2 932079936fa4306fc308d67588178d17d823647c 1439818823587396305 1500000`
    fn read(line: &[u8]) -> Option<Self> {
        let line = str::from_utf8(line).ok()?.trim_end();
        let mut words = line.split(' ');
        let kind = match words.next()? {
            "1" => Kind::Request,
            "2" => Kind::Answer,
            "3" => Kind::Replayed,
            _ => return None,
        };
        let id = words.next().filter(|id| id.len() >= 8)?.to_owned();
        let at = words.next()?.parse().ok()?;
        let took = words
            .next()
            .and_then(|took| took.parse().ok())
            .filter(|took| *took > 0);
        Some(Self { kind, id, at, took })
    }
}

struct Block {
    line: u64,
    text: Vec<u8>,
}

impl<R: BufRead> Blocks<'_, R> {
    /// The next block, without the line end that belongs to the monkeys.
    fn block(&mut self) -> Result<Option<Block>, NotReadable> {
        let mut block = Block {
            line: self.lines.number + 1,
            text: Vec::new(),
        };
        let mut fits = true;
        let at = |line, why| NotReadable {
            place: Place::Line(line),
            why,
        };
        loop {
            match self
                .lines
                .next()
                .map_err(|error| at(self.lines.number + 1, Why::Io(error)))?
            {
                None => {
                    self.over = true;
                    break;
                }
                Some(Line::TooLong) => fits = false,
                Some(Line::Whole(line)) if line.trim_ascii() == MONKEYS.as_bytes() => break,
                Some(Line::Whole(line)) => {
                    fits = fits && block.text.len() + line.len() <= self.settings.largest;
                    if fits {
                        block.text.extend_from_slice(&line);
                    }
                }
            }
        }
        if !fits {
            return Err(at(block.line, Why::TooLong(self.settings.largest)));
        }
        if !self.over && block.text.ends_with(b"\n") {
            block.text.pop();
        }
        let empty = block.text.trim_ascii().is_empty();
        Ok((!empty || !self.over).then_some(block))
    }

    /// What a block makes known: a call that is complete now, mostly.
    fn take(&mut self, block: &Block) -> Result<Option<Seen>, Why> {
        if block.text.trim_ascii().is_empty() {
            return Ok(None);
        }
        let end = block
            .text
            .iter()
            .position(|byte| *byte == b'\n')
            .unwrap_or(block.text.len());
        let (line, text) = block.text.split_at(end);
        let first = First::read(line).ok_or(Why::Block)?;
        let message = Message::read(text.get(1..).unwrap_or_default())?;
        match first.kind {
            Kind::Request => Ok(self.wait(first, message)),
            Kind::Answer | Kind::Replayed => self.answer(&first, message),
        }
    }

    /// Lets a request wait; gives the one that waited longest where they are too many.
    fn wait(&mut self, first: First, message: Message) -> Option<Seen> {
        let seen = requested(&first, message);
        self.bytes += size(&seen);
        self.waiting.push_back(Waiting {
            id: first.id,
            at: first.at,
            seen,
        });
        let many = self.waiting.len() > WAITING || self.bytes > WAITING_BYTES;
        if many { self.release(0) } else { None }
    }

    fn release(&mut self, index: usize) -> Option<Seen> {
        let seen = self.waiting.remove(index)?.seen;
        self.bytes = self.bytes.saturating_sub(size(&seen));
        Some(seen)
    }

    fn answer(&mut self, first: &First, message: Message) -> Result<Option<Seen>, Why> {
        let found = self
            .waiting
            .iter()
            .position(|waiting| waiting.id == first.id);
        // Its request was given already, or never captured.
        let Some(index) = found else { return Ok(None) };
        let Some(waiting) = self.waiting.get_mut(index) else {
            return Ok(None);
        };
        let took = first
            .took
            .or_else(|| first.at.checked_sub(waiting.at))
            .map(|nanos| nanos / 1000);
        let answered = answered(message, took, self.settings.largest)?;
        if first.kind == Kind::Replayed {
            let kept = answered.body.as_ref().map_or(0, Vec::len);
            if waiting.seen.answer.is_none() {
                waiting.seen.answer = Some(answered);
                self.bytes += kept;
            }
            return Ok(None);
        }
        let mut seen = self.release(index);
        if let Some(seen) = &mut seen {
            seen.answer = Some(answered);
        }
        Ok(seen)
    }
}

fn size(seen: &Seen) -> usize {
    let answer = seen.answer.as_ref().and_then(|answer| answer.body.as_ref());
    seen.body.len() + answer.map_or(0, Vec::len)
}

fn requested(first: &First, message: Message) -> Seen {
    let word = |index: usize| message.first.get(index).map_or("", String::as_str);
    let (host, target) = super::address::split(word(1));
    let mut seen = Seen::once(first.at / 1_000_000, word(0), &target);
    let host = host.map(str::to_owned);
    seen.headers = message.headers;
    seen.body = message.body;
    if let Some(host) = host {
        super::har::give(&mut seen, "host", &host);
    }
    seen
}

fn answered(message: Message, took: Option<u64>, largest: usize) -> Result<Answered, Why> {
    let status = message.first.get(1).and_then(|status| status.parse().ok());
    Ok(Answered {
        status: status.ok_or(Why::Http("its first line has no status"))?,
        media_type: message.header("content-type").map(str::to_owned),
        took,
        body: message.unpacked(largest),
    })
}

impl<R: BufRead> Iterator for Blocks<'_, R> {
    type Item = Result<Seen, NotReadable>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.over {
            let block = match self.block() {
                Ok(Some(block)) => block,
                Ok(None) => break,
                Err(error) => {
                    self.over |= matches!(error.why, Why::Io(_));
                    return Some(Err(error));
                }
            };
            match self.take(&block) {
                Ok(Some(seen)) => return Some(Ok(seen)),
                Ok(None) => {}
                Err(why) => {
                    let place = Place::Line(block.line);
                    return Some(Err(NotReadable { place, why }));
                }
            }
        }
        self.release(0).map(Ok)
    }
}
