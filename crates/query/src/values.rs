//! Values, and the arguments and directives that hold them.

use crate::cursor::{Parsed, Parser};
use crate::lex::Token;
use crate::{Directive, Literal, text};

impl Parser<'_> {
    pub(crate) fn directives(&mut self, constant: bool) -> Parsed<Vec<Directive>> {
        let mut directives = Vec::new();
        while self.eat(b'@')? {
            directives.push(Directive {
                name: self.name("the name of a directive")?.to_owned(),
                arguments: self.arguments(constant)?,
            });
        }
        Ok(directives)
    }

    pub(crate) fn arguments(&mut self, constant: bool) -> Parsed<Vec<(String, Literal)>> {
        let mut arguments = Vec::new();
        if self.is(b'(') {
            self.listed(b'(', b')', |parser| {
                arguments.push(parser.named(constant)?);
                Ok(())
            })?;
        }
        Ok(arguments)
    }

    fn named(&mut self, constant: bool) -> Parsed<(String, Literal)> {
        let name = self.name("the name of an argument")?.to_owned();
        self.expect(b':')?;
        Ok((name, self.literal(constant)?))
    }

    pub(crate) fn literal(&mut self, constant: bool) -> Parsed<Literal> {
        let literal = match self.token {
            Token::Mark(b'[') => return self.deeper(|parser| parser.list(constant)),
            Token::Mark(b'{') => return self.deeper(|parser| parser.object(constant)),
            Token::Text(_) | Token::Block(_) => return self.text().map(Literal::Text),
            Token::Mark(b'$') if !constant => {
                self.take()?;
                let name = self.name("the name of a variable")?;
                return Ok(Literal::Variable(name.to_owned()));
            }
            Token::Number(number) => Literal::Number(number.to_owned()),
            Token::Name("null") => Literal::Null,
            Token::Name("true") => Literal::Boolean(true),
            Token::Name("false") => Literal::Boolean(false),
            Token::Name(member) => Literal::Enum(member.to_owned()),
            _ => return Err(self.unexpected("a value")),
        };
        self.take()?;
        Ok(literal)
    }

    fn list(&mut self, constant: bool) -> Parsed<Literal> {
        self.expect(b'[')?;
        let mut items = Vec::new();
        while !self.eat(b']')? {
            items.push(self.literal(constant)?);
        }
        Ok(Literal::List(items))
    }

    fn object(&mut self, constant: bool) -> Parsed<Literal> {
        self.expect(b'{')?;
        let mut fields = Vec::new();
        while !self.eat(b'}')? {
            fields.push(self.named(constant)?);
        }
        Ok(Literal::Object(fields))
    }

    pub(crate) fn text(&mut self) -> Parsed<String> {
        let said = match self.token {
            Token::Text(raw) => text::unescaped(raw, self.at + 1)?,
            Token::Block(raw) => text::block(raw),
            _ => return Err(self.unexpected("a text")),
        };
        self.take()?;
        Ok(said)
    }
}
