//! Text into tokens.
//!
//! Our own and not apollo's: operations are read while answers are judged, and a lossless syntax
//! tree costs ten times what a test run can spare. The tests hold the two against each other.

/// A place in the text, in bytes, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub at: usize,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    Syntax(String),
    TooDeep,
    TooLarge,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// One of `!$&()[]{}:=@|`.
    Mark(u8),
    Spread,
    Name(&'a str),
    Number(&'a str),
    /// What stands between the quotes, escapes and all.
    Text(&'a str),
    /// The same between three quotes.
    Block(&'a str),
    End,
}

pub(crate) struct Lexer<'a> {
    text: &'a str,
    /// Where the next token is looked for.
    at: usize,
    /// How many more tokens there may be.
    left: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str, most: usize) -> Self {
        Self {
            text,
            at: 0,
            left: most,
        }
    }

    /// The next token and where it begins.
    pub(crate) fn next(&mut self) -> Result<(usize, Token<'a>), Wrong> {
        self.skip_ignored();
        let start = self.at;
        self.left = match self.left.checked_sub(1) {
            Some(left) => left,
            None => return Err(wrong(start, What::TooLarge)),
        };
        let token = match self.peek() {
            None => Token::End,
            Some(b'_' | b'a'..=b'z' | b'A'..=b'Z') => Token::Name(self.name()),
            Some(b'-' | b'0'..=b'9') => Token::Number(self.number()?),
            Some(b'"') => self.quoted()?,
            Some(b'.') => self.spread()?,
            Some(mark) if b"!$&()[]{}:=@|".contains(&mark) => {
                self.at += 1;
                Token::Mark(mark)
            }
            Some(_) => return Err(self.odd()),
        };
        Ok((start, token))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn odd(&self) -> Wrong {
        let character = self.rest().chars().next().unwrap_or_default();
        syntax(self.at, format!("unexpected character {character:?}"))
    }

    fn skip_ignored(&mut self) {
        const MARK: &[u8] = "\u{feff}".as_bytes();
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b',' => self.at += 1,
                b'#' => self.skip_while(|byte| !matches!(byte, b'\n' | b'\r')),
                0xEF if self.rest().as_bytes().starts_with(MARK) => self.at += MARK.len(),
                _ => return,
            }
        }
    }

    fn skip_while(&mut self, holds: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&holds) {
            self.at += 1;
        }
    }

    fn name(&mut self) -> &'a str {
        let start = self.at;
        self.skip_while(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        self.since(start)
    }

    fn spread(&mut self) -> Result<Token<'a>, Wrong> {
        if !self.rest().starts_with("...") {
            return Err(self.odd());
        }
        self.at += 3;
        Ok(Token::Spread)
    }

    fn number(&mut self) -> Result<&'a str, Wrong> {
        let start = self.at;
        self.skip_one(b"-");
        let whole = self.at;
        self.digits()?;
        if self.at > whole + 1 && self.text.as_bytes().get(whole) == Some(&b'0') {
            return Err(syntax(start, "a number may not begin with 0".to_owned()));
        }
        if self.skip_one(b".") {
            self.digits()?;
        }
        if self.skip_one(b"eE") {
            self.skip_one(b"+-");
            self.digits()?;
        }
        match self.peek() {
            Some(b'.' | b'_' | b'a'..=b'z' | b'A'..=b'Z') => Err(self.odd()),
            _ => Ok(self.since(start)),
        }
    }

    fn skip_one(&mut self, any: &[u8]) -> bool {
        let there = self.peek().is_some_and(|byte| any.contains(&byte));
        self.at += usize::from(there);
        there
    }

    fn digits(&mut self) -> Result<(), Wrong> {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_digit());
        if self.at > start {
            return Ok(());
        }
        Err(syntax(self.at, "expected a digit".to_owned()))
    }

    fn quoted(&mut self) -> Result<Token<'a>, Wrong> {
        let start = self.at;
        if self.rest().starts_with("\"\"\"") {
            self.at += 3;
            return self.block(start);
        }
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                None | Some(b'\n' | b'\r') => return Err(unended(start)),
                Some(_) => self.at += 1,
            }
        }
        let text = self.since(start + 1);
        self.at += 1;
        Ok(Token::Text(text))
    }

    fn block(&mut self, start: usize) -> Result<Token<'a>, Wrong> {
        loop {
            let rest = self.rest().as_bytes();
            if rest.is_empty() {
                return Err(unended(start));
            } else if rest.starts_with(b"\"\"\"") {
                break;
            } else if rest.starts_with(b"\\\"\"\"") {
                self.at += 4;
            } else {
                // Inside a character no byte is a quote, and slices are only cut at quotes.
                self.at += 1;
                self.skip_while(|byte| !matches!(byte, b'"' | b'\\'));
            }
        }
        let text = self.since(start + 3);
        self.at += 3;
        Ok(Token::Block(text))
    }
}

pub(crate) fn wrong(at: usize, what: What) -> Wrong {
    Wrong { at, what }
}

pub(crate) fn syntax(at: usize, message: String) -> Wrong {
    wrong(at, What::Syntax(message))
}

fn unended(start: usize) -> Wrong {
    syntax(start, "a text that does not end".to_owned())
}
