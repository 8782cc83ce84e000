//! Files that others wrote about traffic, read into what was [`Seen`].
//!
//! One call is read at a time, so a file of any size needs the memory of its largest call; only a
//! Postman collection is held whole, for its variables may stand behind their uses. What can't be
//! read is told with its place, and reading goes on behind it. Packed files (gzip) are unpacked on
//! the way. Nothing is judged here: secrets are still in what comes out.

mod address;
mod detect;
mod escapes;
mod fields;
mod form;
mod format;
mod goreplay;
mod har;
mod http_text;
mod items;
mod line;
mod lines;
mod not_readable;
mod operation;
mod postman;
mod swapped;
mod variables;
mod when;

use std::io::{BufRead, BufReader};

use crate::Seen;
pub use detect::detect;
pub use format::{Format, UnknownFormat};
pub use not_readable::{NotReadable, Place, Why};

/// What a file does not tell by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Where operations were sent, for records of GraphQL that tell no path.
    pub graphql_path: String,
    /// When calls were made that don't tell: milliseconds since 1970.
    pub otherwise_at: u64,
    /// Bytes of the largest call that is read; for a Postman collection, of the whole.
    pub largest: usize,
    /// Values for `{{name}}` in a Postman collection, before its own.
    pub variables: Vec<(String, String)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            graphql_path: "/graphql".to_owned(),
            otherwise_at: 0,
            largest: 64 << 20,
            variables: Vec::new(),
        }
    }
}

type Calls<'a> = Box<dyn Iterator<Item = Result<Seen, NotReadable>> + 'a>;

/// The calls of a file, in its order. What can't be read is told, and what follows is read on.
pub fn read<'a>(
    format: Format,
    input: impl BufRead + 'a,
    settings: &'a Settings,
) -> impl Iterator<Item = Result<Seen, NotReadable>> {
    let calls: Calls<'a> = match unpacked(input) {
        Ok(input) => calls(format, input, settings),
        Err(error) => Box::new(std::iter::once(Err(NotReadable::whole(Why::Io(error))))),
    };
    calls
}

fn calls<'a>(format: Format, input: Box<dyn BufRead + 'a>, settings: &'a Settings) -> Calls<'a> {
    match format {
        Format::Har => Box::new(har::read(input, settings)),
        Format::Ndjson | Format::AutoGraphQl => line::read(input, line::Empty::Text, settings),
        Format::Nginx | Format::Envoy => line::read(input, line::Empty::Dash, settings),
        Format::Postman => postman::read(input, settings),
        Format::GoReplay => Box::new(goreplay::read(input, settings)),
    }
}

const GZIP: [u8; 2] = [0x1f, 0x8b];

fn unpacked<'a>(mut input: impl BufRead + 'a) -> std::io::Result<Box<dyn BufRead + 'a>> {
    if !input.fill_buf()?.starts_with(&GZIP) {
        return Ok(Box::new(input));
    }
    let unpacked = flate2::bufread::MultiGzDecoder::new(input);
    Ok(Box::new(BufReader::with_capacity(1 << 16, unpacked)))
}

#[cfg(test)]
mod tests;
