//! Lines of a file, numbered, none longer than allowed.

use std::io::{self, BufRead, Read as _};

pub(super) struct Lines<R> {
    input: R,
    /// Of the line read last.
    pub(super) number: u64,
    largest: usize,
}

pub(super) enum Line {
    /// With its end, if it has one.
    Whole(Vec<u8>),
    /// What is behind the limit was passed over.
    TooLong,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R, largest: usize) -> Self {
        Self {
            input,
            number: 0,
            largest,
        }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        let allowed = self.largest as u64 + 1;
        let read = (&mut self.input)
            .take(allowed)
            .read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if line.len() as u64 == allowed && !line.ends_with(b"\n") {
            self.input.skip_until(b'\n')?;
            return Ok(Some(Line::TooLong));
        }
        Ok(Some(Line::Whole(line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_passed_over_and_counted() {
        let mut lines = Lines::new(&b"one\ntoo long by far\n\nlast"[..], 6);
        let mut told = Vec::new();
        while let Some(line) = lines.next().expect("memory can be read") {
            told.push(match line {
                Line::Whole(text) => String::from_utf8(text).expect("text"),
                Line::TooLong => format!("{} is too long", lines.number),
            });
        }
        assert_eq!(told, ["one\n", "2 is too long", "\n", "last"]);
    }
}
