//! Selections with their named fragments laid in where they are spread.
//!
//! A short text can spread a fragment often, and that one another, so what comes of it is bounded
//! in depth and weight. A directive of the fragment's own definition stays behind: it is not
//! meant for the place where the fragment is used.

use crate::cursor::{DEPTH, TOKENS};
use crate::parse::{Fragment, Kind, Member};
use crate::{Asked, NotReadable, Part, Pick};

/// What a field or part weighs beside its text.
const EACH: usize = 64;
/// The most that all may weigh. No more tokens can come of it than a reader takes.
const WEIGHT: usize = TOKENS;

pub(crate) struct Layer<'a> {
    text: &'a str,
    fragments: &'a [Fragment<'a>],
    /// The fragments that we are inside of.
    open: Vec<&'a str>,
    depth: usize,
    weight: usize,
}

impl<'a> Layer<'a> {
    pub(crate) fn new(text: &'a str, fragments: &'a [Fragment<'a>]) -> Self {
        Self {
            text,
            fragments,
            open: Vec::new(),
            depth: 0,
            weight: 0,
        }
    }

    pub(crate) fn picks(&mut self, members: &'a [Member<'a>]) -> Result<Vec<Pick>, NotReadable> {
        let mut picks = Vec::with_capacity(members.len());
        self.depth += 1;
        for member in members {
            picks.push(self.pick(member)?);
        }
        self.depth -= 1;
        Ok(picks)
    }

    fn pick(&mut self, member: &'a Member<'a>) -> Result<Pick, NotReadable> {
        self.weigh(member)?;
        let part = |on: Option<&str>, picks| {
            Pick::Part(Part {
                on: on.map(str::to_owned),
                directives: member.directives.clone(),
                picks,
            })
        };
        Ok(match &member.what {
            Kind::Part(on) => part(*on, self.picks(&member.members)?),
            Kind::Spread(name) => {
                let fragment = self.fragment(name, member)?;
                self.open.push(name);
                let picks = self.picks(&fragment.members)?;
                self.open.pop();
                part(Some(fragment.on), picks)
            }
            Kind::Field {
                alias,
                name,
                arguments,
            } => Pick::Field(Asked {
                alias: alias.map(str::to_owned),
                name: (*name).to_owned(),
                arguments: arguments.clone(),
                directives: member.directives.clone(),
                picks: self.picks(&member.members)?,
            }),
        })
    }

    fn fragment(&self, name: &str, member: &Member<'_>) -> Result<&'a Fragment<'a>, NotReadable> {
        let circle = self.open.contains(&name);
        let found = self.fragments.iter().find(|found| found.name == name);
        if let (Some(fragment), false) = (found, circle) {
            return Ok(fragment);
        }
        let (line, column) = position(self.text, member.at);
        let name = name.to_owned();
        Err(if circle {
            NotReadable::Circle { name, line, column }
        } else {
            NotReadable::NoSuchFragment { name, line, column }
        })
    }

    fn weigh(&mut self, member: &Member<'_>) -> Result<(), NotReadable> {
        self.weight += EACH + member.length;
        let (large, deep) = (self.weight > WEIGHT, self.depth > DEPTH);
        if !large && !deep {
            return Ok(());
        }
        let (line, column) = position(self.text, member.at);
        Err(if large {
            NotReadable::TooLarge { line, column }
        } else {
            NotReadable::TooDeep { line, column }
        })
    }
}

/// The line and column of a place in a text, counted from one, in characters.
pub(crate) fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let breaks = before.matches('\n').count() + lone_returns(before);
    let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let column = before.get(line..).unwrap_or_default().chars().count();
    (breaks + 1, column + 1)
}

fn lone_returns(text: &str) -> usize {
    text.matches('\r').count() - text.matches("\r\n").count()
}
