//! From a place in the text to the line that the user wrote.

use oxc_span::Span;
use sourcemap::{DecodedMap, SourceMap, SourceMapBuilder};

use crate::edits::Shifts;
use crate::slots::Place;

const REFERENCE: &str = "//# sourceMappingURL=";

/// The lines of a text, and where they come from.
#[derive(Debug)]
pub(crate) struct Places<'s> {
    source: &'s str,
    starts: Vec<u32>,
    /// Columns are bytes then.
    is_ascii: bool,
    map: Option<SourceMap>,
}

impl<'s> Places<'s> {
    pub(crate) fn new(source: &'s str, map: Option<&str>) -> Self {
        let map = map.and_then(|map| sourcemap::decode_slice(map.as_bytes()).ok());
        Self {
            source,
            starts: line_starts(source),
            is_ascii: source.is_ascii(),
            map: map.or_else(|| inline(source)).and_then(regular),
        }
    }

    /// None for what nobody wrote: a compiler's own code, or a dependency in a bundle.
    pub(crate) fn of(&self, at: u32) -> Option<Place> {
        let (line, column) = self.position(at);
        let Some(map) = &self.map else {
            return Some(Place {
                source: 0,
                line: line + 1,
                column: column + 1,
            });
        };
        let token = map.lookup_token(line, column)?;
        let is_foreign = |source: &str| source.contains("node_modules/");
        if token.get_dst_line() != line || token.get_source().is_none_or(is_foreign) {
            return None;
        }
        Some(Place {
            source: token.get_src_id(),
            line: token.get_src_line() + 1,
            column: token.get_src_col() + 1,
        })
    }

    /// Line and column, both from nothing, the column in UTF-16 as source maps have it.
    fn position(&self, at: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= at) - 1;
        if self.is_ascii {
            return (line as u32, at - self.starts[line]);
        }
        let before = &self.source[self.starts[line] as usize..at as usize];
        (line as u32, before.encode_utf16().count() as u32)
    }

    pub(crate) fn sources(&self) -> Vec<String> {
        let map = self.map.as_ref();
        map.map_or_else(Vec::new, |map| map.sources().map(str::to_owned).collect())
    }

    /// The map of the text after its edits: each token moves with its line.
    pub(crate) fn moved(&self, shifts: &Shifts) -> Option<String> {
        let map = self.map.as_ref()?;
        let mut builder = SourceMapBuilder::new(map.get_file());
        for (id, source) in map.sources().enumerate() {
            let number = builder.add_source(source);
            builder.set_source_contents(number, map.get_source_contents(id as u32));
        }
        for token in map.tokens() {
            let column = self.moved_column(shifts, token.get_dst_line(), token.get_dst_col());
            builder.add(
                token.get_dst_line(),
                column,
                token.get_src_line(),
                token.get_src_col(),
                token.get_source(),
                token.get_name(),
                false,
            );
        }
        let mut written = Vec::new();
        builder.into_sourcemap().to_writer(&mut written).ok()?;
        String::from_utf8(written).ok()
    }

    fn moved_column(&self, shifts: &Shifts, line: u32, column: u32) -> u32 {
        let Some(start) = self.starts.get(line as usize).copied() else {
            return column;
        };
        let at = start + self.bytes(start, column);
        (i64::from(column) + shifts.of(start, at)).max(0) as u32
    }

    /// How many bytes so many units of UTF-16 are.
    fn bytes(&self, start: u32, units: u32) -> u32 {
        if self.is_ascii {
            return units;
        }
        let mut left = units as usize;
        let mut bytes = 0;
        for letter in self.source[start as usize..].chars() {
            if left == 0 {
                break;
            }
            left = left.saturating_sub(letter.len_utf16());
            bytes += letter.len_utf8();
        }
        bytes as u32
    }

    /// Where the source names its map, which is not that of the rewritten code.
    pub(crate) fn reference(&self) -> Option<Span> {
        let start = self.source.rfind(REFERENCE)?;
        let rest = &self.source[start..];
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        self.map.as_ref()?;
        Some(Span::new(start as u32, (start + length) as u32))
    }
}

fn inline(source: &str) -> Option<DecodedMap> {
    let start = source.rfind(REFERENCE)? + REFERENCE.len();
    let url = source[start..].lines().next()?.trim_end();
    let is_inline = url.starts_with("data:");
    is_inline.then(|| sourcemap::decode_data_url(url).ok())?
}

fn regular(map: DecodedMap) -> Option<SourceMap> {
    match map {
        DecodedMap::Regular(map) => Some(map),
        DecodedMap::Index(index) => index.flatten().ok(),
        DecodedMap::Hermes(_) => None,
    }
}

/// Lines as JavaScript counts them.
fn line_starts(source: &str) -> Vec<u32> {
    let mut starts = vec![0];
    let mut letters = source.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let is_pair = letter == '\r' && letters.peek().is_some_and(|(_, next)| *next == '\n');
        if matches!(letter, '\n' | '\r' | '\u{2028}' | '\u{2029}') && !is_pair {
            starts.push((at + letter.len_utf8()) as u32);
        }
    }
    starts
}
