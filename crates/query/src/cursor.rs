//! The place in a text that parsing has come to, and the small steps from there.

use crate::lex::{Lexer, Token, What, Wrong, syntax, wrong};

/// How deep selections and values may nest.
pub(crate) const DEPTH: usize = 150;
/// The most tokens of a text.
pub(crate) const TOKENS: usize = 1_000_000;

pub(crate) struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The token that we stand before, and where it begins.
    pub token: Token<'a>,
    pub at: usize,
    depth: usize,
}

pub(crate) type Parsed<T> = Result<T, Wrong>;

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str) -> Parsed<Self> {
        let mut lexer = Lexer::new(text, TOKENS);
        let (at, token) = lexer.next()?;
        Ok(Self {
            lexer,
            token,
            at,
            depth: 0,
        })
    }

    pub(crate) fn take(&mut self) -> Parsed<Token<'a>> {
        let (at, next) = self.lexer.next()?;
        self.at = at;
        Ok(std::mem::replace(&mut self.token, next))
    }

    pub(crate) fn is(&self, mark: u8) -> bool {
        self.token == Token::Mark(mark)
    }

    /// Takes a mark if it is there.
    pub(crate) fn eat(&mut self, mark: u8) -> Parsed<bool> {
        let there = self.is(mark);
        if there {
            self.take()?;
        }
        Ok(there)
    }

    pub(crate) fn expect(&mut self, mark: u8) -> Parsed<()> {
        if self.eat(mark)? {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{}`", char::from(mark))))
    }

    pub(crate) fn name(&mut self, what: &str) -> Parsed<&'a str> {
        match self.token {
            Token::Name(name) => self.take().map(|_| name),
            _ => Err(self.unexpected(what)),
        }
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> Parsed<bool> {
        let there = self.token == Token::Name(word);
        if there {
            self.take()?;
        }
        Ok(there)
    }

    pub(crate) fn unexpected(&self, wanted: &str) -> Wrong {
        let found = match self.token {
            Token::Mark(mark) => format!("`{}`", char::from(mark)),
            Token::Spread => "`...`".to_owned(),
            Token::Name(name) => format!("`{}`", name.chars().take(40).collect::<String>()),
            Token::Number(_) => "a number".to_owned(),
            Token::Text(_) | Token::Block(_) => "a text".to_owned(),
            Token::End => "the end".to_owned(),
        };
        syntax(self.at, format!("expected {wanted}, found {found}"))
    }

    pub(crate) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEPTH {
            return Err(wrong(self.at, What::TooDeep));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// One or more between two marks.
    pub(crate) fn listed(
        &mut self,
        open: u8,
        close: u8,
        mut one: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        self.expect(open)?;
        loop {
            one(self)?;
            if self.eat(close)? {
                return Ok(());
            }
        }
    }
}
