//! The items of one list somewhere in a JSON document, one at a time.
//!
//! A browser's archive is often larger than what one likes to hold as a tree. So its brackets and
//! quotes are followed, and each item's text is cut out, to be read by a real parser. An item that
//! is broken inside is then lost alone. What stands outside the list is passed over, not checked.

use std::io::{self, BufRead};

use super::not_readable::{NotReadable, Place, Why};

pub(super) struct Items<R> {
    input: R,
    path: &'static [&'static str],
    named: &'static str,
    largest: usize,
    line: u64,
    entry: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    Inside,
    Over,
}

/// The text of one item.
pub(super) struct Item {
    pub(super) place: Place,
    pub(super) text: Vec<u8>,
}

impl<R: BufRead> Items<R> {
    /// `path` leads to the list; `named` is how that is told.
    pub(super) fn new(
        input: R,
        path: &'static [&'static str],
        named: &'static str,
        largest: usize,
    ) -> Self {
        Self {
            input,
            path,
            named,
            largest,
            line: 1,
            entry: 0,
            state: State::Before,
        }
    }

    fn step(&mut self) -> Result<Option<Item>, Why> {
        if self.state == State::Before {
            if !self.enter()? {
                return Err(Why::NoList(self.named));
            }
            self.state = State::Inside;
        }
        if !self.reach_item()? {
            self.state = State::Over;
            return Ok(None);
        }
        self.entry += 1;
        let place = self.place();
        let text = self.value()?;
        Ok(Some(Item { place, text }))
    }

    fn place(&self) -> Place {
        match (self.state, self.entry) {
            (State::Before, _) => Place::Whole,
            (_, entry) => Place::Entry {
                entry,
                line: self.line,
            },
        }
    }

    /// Goes down the path to the first byte behind the list's bracket.
    fn enter(&mut self) -> Result<bool, Why> {
        self.byte_order_mark()?;
        for key in self.path {
            if !self.enter_object(key)? {
                return Ok(false);
            }
        }
        Ok(self.take_if(b'[')?)
    }

    fn byte_order_mark(&mut self) -> io::Result<()> {
        if self.input.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
            self.input.consume(3);
        }
        Ok(())
    }

    /// Stops behind the colon of the key that is wanted.
    fn enter_object(&mut self, key: &str) -> Result<bool, Why> {
        if !self.take_if(b'{')? {
            return Ok(false);
        }
        while self.peek()? == Some(b'"') {
            let found = serde_json::from_slice::<String>(&self.value()?).unwrap_or_default();
            if !self.take_if(b':')? {
                return Ok(false);
            }
            if found == key {
                return Ok(true);
            }
            self.pass()?;
            if !self.take_if(b',')? {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Stops at the first byte of an item; false at the end of the list.
    fn reach_item(&mut self) -> Result<bool, Why> {
        loop {
            match self.peek()? {
                None => return Err(Why::CutShort),
                Some(b']') => return Ok(false),
                // A bracket that nothing opened: the list is over, whatever was meant.
                Some(b'}') => return Err(Why::Json("a `}` too many".to_owned())),
                Some(b',') => self.input.consume(1),
                Some(_) => return Ok(true),
            }
        }
    }

    /// The next byte that is no space.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            let known = self.input.fill_buf()?;
            let Some(&first) = known.first() else {
                return Ok(None);
            };
            if !first.is_ascii_whitespace() {
                return Ok(Some(first));
            }
            self.line += u64::from(first == b'\n');
            self.input.consume(1);
        }
    }

    fn take_if(&mut self, wanted: u8) -> io::Result<bool> {
        let there = self.peek()? == Some(wanted);
        if there {
            self.input.consume(1);
        }
        Ok(there)
    }

    /// The text of the value that begins here.
    fn value(&mut self) -> Result<Vec<u8>, Why> {
        let mut text = Vec::new();
        self.follow(|part, largest| {
            if text.len() + part.len() <= largest {
                text.extend_from_slice(part);
                true
            } else {
                text = Vec::new();
                false
            }
        })?;
        Ok(text)
    }

    fn pass(&mut self) -> Result<(), Why> {
        self.follow(|_, _| true)
    }

    /// Follows a value to its end, whatever `keep` says of its parts.
    fn follow(&mut self, mut keep: impl FnMut(&[u8], usize) -> bool) -> Result<(), Why> {
        let mut brackets = Brackets::default();
        let mut kept = true;
        loop {
            let known = self.input.fill_buf()?;
            if known.is_empty() {
                return if brackets.scalar {
                    Ok(())
                } else {
                    Err(Why::CutShort)
                };
            }
            let end = brackets.end(known);
            let part = known.get(..end.unwrap_or(known.len())).unwrap_or(known);
            kept = kept && keep(part, self.largest);
            self.line += part.split(|byte| *byte == b'\n').skip(1).count() as u64;
            let length = part.len();
            self.input.consume(length);
            if end.is_some() {
                return if kept {
                    Ok(())
                } else {
                    Err(Why::TooLong(self.largest))
                };
            }
        }
    }
}

impl<R: BufRead> Iterator for Items<R> {
    type Item = Result<Item, NotReadable>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::Over {
            return None;
        }
        match self.step() {
            Ok(item) => item.map(Ok),
            Err(why) => {
                let place = self.place();
                // Only a value too long was followed to its end; behind the others nothing is sure.
                if !matches!(why, Why::TooLong(_)) || self.state == State::Before {
                    self.state = State::Over;
                }
                Some(Err(NotReadable { place, why }))
            }
        }
    }
}

/// Follows brackets and quotes, over as many parts of a text as it takes.
#[derive(Default)]
struct Brackets {
    depth: u64,
    begun: bool,
    quoted: bool,
    escaped: bool,
    /// A number or a word, which ends where something else begins.
    scalar: bool,
}

impl Brackets {
    /// How many bytes of this part still belong to the value, if it ends here.
    fn end(&mut self, part: &[u8]) -> Option<usize> {
        for (at, &byte) in part.iter().enumerate() {
            if self.scalar {
                if b",]}: \t\r\n".contains(&byte) {
                    return Some(at);
                }
            } else if self.quoted {
                self.in_quotes(byte);
            } else {
                self.outside(byte);
            }
            if self.begun && self.depth == 0 && !self.quoted && !self.scalar {
                return Some(at + 1);
            }
        }
        None
    }

    fn in_quotes(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => self.quoted = false,
            _ => {}
        }
    }

    fn outside(&mut self, byte: u8) {
        match byte {
            b'"' => self.quoted = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ if byte.is_ascii_whitespace() => return,
            _ if !self.begun => self.scalar = true,
            _ => {}
        }
        self.begun = true;
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// Read by few bytes at a time, so that every state is met at a seam.
    fn told(text: &str, largest: usize) -> Vec<String> {
        let mut told = Vec::new();
        for capacity in [1, 3, 4096] {
            let input = BufReader::with_capacity(capacity, text.as_bytes());
            let items = Items::new(input, &["log", "entries"], "`log.entries`", largest);
            told.push(
                items
                    .map(|item| match item {
                        Ok(item) => {
                            format!("{}: {}", item.place, String::from_utf8_lossy(&item.text))
                        }
                        Err(error) => error.to_string(),
                    })
                    .collect::<Vec<_>>(),
            );
        }
        assert!(told.windows(2).all(|pair| pair[0] == pair[1]), "{told:?}");
        told.swap_remove(0)
    }

    #[test]
    fn items_are_cut_out_whole_and_the_rest_is_passed_over() {
        let text = r#"{"a": [{"entries": ["}"]}], "log": {"version": "1.2",
            "entries": [ {"x": "]\"}{"}, 12 ,
            [[]], "t" ], "entries": [1]}}"#;
        assert_eq!(
            told(text, 100),
            [
                r#"entry 1 (line 2): {"x": "]\"}{"}"#,
                "entry 2 (line 2): 12",
                "entry 3 (line 3): [[]]",
                r#"entry 4 (line 3): "t""#,
            ]
        );
    }

    #[test]
    fn an_item_that_is_too_long_is_lost_alone() {
        let text = r#"{"log":{"entries":[1,{"long":"xxxxxxxxxxxxxxx"},2]}}"#;
        let told = told(text, 10);
        assert_eq!(told.len(), 3);
        assert!(
            told[1].starts_with("entry 2 (line 1): longer than 10"),
            "{told:?}"
        );
        assert_eq!(told[2], "entry 3 (line 1): 2");
    }

    #[test]
    fn a_file_that_is_cut_short_gives_what_is_whole() {
        let told = told(r#"{"log":{"entries":[{"a":1},{"b":"#, 100);
        assert_eq!(
            told,
            [
                r#"entry 1 (line 1): {"a":1}"#,
                "entry 2 (line 1): ends in the middle"
            ]
        );
    }

    #[test]
    fn a_document_without_the_list_says_so() {
        for text in [
            "",
            "{}",
            "[]",
            "null",
            r#"{"log":[]}"#,
            r#"{"log":{"entries":{}}}"#,
        ] {
            let told = told(text, 100);
            assert_eq!(told.len(), 1, "{text}: {told:?}");
            assert!(told[0].starts_with("the file: "), "{text}: {told:?}");
        }
    }
}
