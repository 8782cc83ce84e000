//! Tokens into operations and fragments, by the grammar of executable documents.
//!
//! Types are not defined here: a text that defines some is no operation. Everything is checked,
//! also what is not wanted afterwards.

use fossick_contract::RootKind;

use crate::cursor::{Parsed, Parser};
use crate::lex::{Token, Wrong};
use crate::{Directive, Literal, Variable};

/// Everything in a text.
#[derive(Default)]
pub(crate) struct Texts<'a> {
    pub operations: Vec<Operation<'a>>,
    pub fragments: Vec<Fragment<'a>>,
}

pub(crate) struct Operation<'a> {
    pub at: usize,
    /// None is a subscription.
    pub kind: Option<RootKind>,
    pub name: Option<&'a str>,
    pub variables: Vec<Variable>,
    pub members: Vec<Member<'a>>,
}

pub(crate) struct Fragment<'a> {
    pub name: &'a str,
    pub on: &'a str,
    pub members: Vec<Member<'a>>,
}

/// A member of a selection.
pub(crate) struct Member<'a> {
    pub at: usize,
    /// How many bytes it takes without its own selection.
    pub length: usize,
    pub what: Kind<'a>,
    pub directives: Vec<Directive>,
    pub members: Vec<Member<'a>>,
}

pub(crate) enum Kind<'a> {
    Field {
        alias: Option<&'a str>,
        name: &'a str,
        arguments: Vec<(String, Literal)>,
    },
    Part(Option<&'a str>),
    Spread(&'a str),
}

pub(crate) fn parse(text: &str) -> Result<Texts<'_>, Wrong> {
    let mut parser = Parser::new(text)?;
    let mut texts = Texts::default();
    while parser.token != Token::End {
        parser.definition(&mut texts)?;
    }
    Ok(texts)
}

impl<'a> Parser<'a> {
    fn definition(&mut self, texts: &mut Texts<'a>) -> Parsed<()> {
        let at = self.at;
        let described = self.description()?;
        match self.token {
            Token::Mark(b'{') if !described => {
                texts.operations.push(self.bare(at)?);
                Ok(())
            }
            Token::Name("query") => self.operation(at, Some(RootKind::Query), texts),
            Token::Name("mutation") => self.operation(at, Some(RootKind::Mutation), texts),
            Token::Name("subscription") => self.operation(at, None, texts),
            Token::Name("fragment") => self.fragment(texts),
            _ => Err(self.unexpected("an operation or a fragment")),
        }
    }

    fn description(&mut self) -> Parsed<bool> {
        let there = matches!(self.token, Token::Text(_) | Token::Block(_));
        if there {
            self.text()?;
        }
        Ok(there)
    }

    fn bare(&mut self, at: usize) -> Parsed<Operation<'a>> {
        Ok(Operation {
            at,
            kind: Some(RootKind::Query),
            name: None,
            variables: Vec::new(),
            members: self.members()?,
        })
    }

    fn operation(
        &mut self,
        at: usize,
        kind: Option<RootKind>,
        texts: &mut Texts<'a>,
    ) -> Parsed<()> {
        self.take()?;
        let name = match self.token {
            Token::Name(name) => self.take().map(|_| Some(name))?,
            _ => None,
        };
        let mut variables = Vec::new();
        if self.is(b'(') {
            self.listed(b'(', b')', |parser| {
                variables.push(parser.variable()?);
                Ok(())
            })?;
        }
        self.directives(false)?;
        texts.operations.push(Operation {
            at,
            kind,
            name,
            variables,
            members: self.members()?,
        });
        Ok(())
    }

    fn fragment(&mut self, texts: &mut Texts<'a>) -> Parsed<()> {
        self.take()?;
        if self.token == Token::Name("on") {
            return Err(self.unexpected("the name of a fragment"));
        }
        let name = self.name("the name of a fragment")?;
        if !self.eat_word("on")? {
            return Err(self.unexpected("`on`"));
        }
        let on = self.name("the name of a type")?;
        self.directives(false)?;
        let members = self.members()?;
        texts.fragments.push(Fragment { name, on, members });
        Ok(())
    }

    fn variable(&mut self) -> Parsed<Variable> {
        self.description()?;
        self.expect(b'$')?;
        let name = self.name("the name of a variable")?.to_owned();
        self.expect(b':')?;
        let mut type_text = String::new();
        self.kind(&mut type_text)?;
        let default = if self.eat(b'=')? {
            Some(self.literal(true)?)
        } else {
            None
        };
        self.directives(true)?;
        Ok(Variable {
            name,
            type_text,
            default,
        })
    }

    fn kind(&mut self, out: &mut String) -> Parsed<()> {
        if self.eat(b'[')? {
            out.push('[');
            self.deeper(|parser| parser.kind(out))?;
            self.expect(b']')?;
            out.push(']');
        } else {
            out.push_str(self.name("a type")?);
        }
        if self.eat(b'!')? {
            out.push('!');
        }
        Ok(())
    }

    fn members(&mut self) -> Parsed<Vec<Member<'a>>> {
        self.deeper(|parser| {
            let mut members = Vec::new();
            parser.listed(b'{', b'}', |parser| {
                members.push(parser.member()?);
                Ok(())
            })?;
            Ok(members)
        })
    }

    fn member(&mut self) -> Parsed<Member<'a>> {
        let at = self.at;
        let what = match self.token {
            Token::Spread => self.spread()?,
            _ => self.field()?,
        };
        let directives = self.directives(false)?;
        let length = self.at - at;
        let members = match what {
            Kind::Field { .. } if !self.is(b'{') => Vec::new(),
            Kind::Spread(_) => Vec::new(),
            _ => self.members()?,
        };
        Ok(Member {
            at,
            length,
            what,
            directives,
            members,
        })
    }

    fn field(&mut self) -> Parsed<Kind<'a>> {
        let first = self.name("a field")?;
        let (alias, name) = if self.eat(b':')? {
            (Some(first), self.name("a field")?)
        } else {
            (None, first)
        };
        let arguments = self.arguments(false)?;
        Ok(Kind::Field {
            alias,
            name,
            arguments,
        })
    }

    fn spread(&mut self) -> Parsed<Kind<'a>> {
        self.take()?;
        if self.eat_word("on")? {
            return Ok(Kind::Part(Some(self.name("the name of a type")?)));
        }
        match self.token {
            Token::Name(name) => self.take().map(|_| Kind::Spread(name)),
            _ => Ok(Kind::Part(None)),
        }
    }
}
