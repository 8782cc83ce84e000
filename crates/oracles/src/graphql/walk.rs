//! `data` against the selection: every key that was asked for, no other, and each value as the
//! schema promises it.

use std::fmt::Write as _;

use fossick_contract::{Returned, TypeGraph, TypeId, TypeKind};
use fossick_trace::{Severity, Sureness, Wrong};
use serde_json::{Map, Value};

use super::leaf::{Misfit, misfit};
use super::outline::{Known, Outline, SetId, Wanted, What};
use super::review::Flaw;
use crate::compare::brief;

/// More flaws than these say nothing new.
const ENOUGH: usize = 64;

pub(super) struct Walk<'a, 'o> {
    outline: &'o mut Outline<'a>,
    trail: Vec<Crumb<'a>>,
    /// Paths of errors, as written.
    complained: Vec<&'a [Value]>,
    pub(super) selection: Vec<Flaw>,
    pub(super) nulls: Vec<Flaw>,
}

#[derive(Clone, Copy)]
enum Crumb<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a, 'o> Walk<'a, 'o> {
    pub(super) fn new(outline: &'o mut Outline<'a>, complained: Vec<&'a [Value]>) -> Self {
        Self {
            outline,
            trail: Vec::new(),
            complained,
            selection: Vec::new(),
            nulls: Vec::new(),
        }
    }

    /// An object and what must be in it.
    pub(super) fn object(&mut self, map: &'a Map<String, Value>, set: SetId) {
        if self.is_enough() {
            return;
        }
        let on = self.outline.on(set);
        let of = self.type_of(map, set, on);
        let wanted = self.outline.wanted(set, of);
        let mut found = 0;
        for wanted in wanted.iter() {
            match map.get(wanted.key) {
                Some(value) => {
                    found += 1;
                    self.trail.push(Crumb::Key(wanted.key));
                    self.wanted(wanted, value, of.unwrap_or(on));
                    self.trail.pop();
                }
                None if wanted.certain => self.missing(wanted, of.unwrap_or(on)),
                None => {}
            }
        }
        if found < map.len() {
            self.beyond(map, &wanted, of.unwrap_or(on));
        }
    }

    /// The object type of a value: the only one there is, or the one that it tells.
    fn type_of(&mut self, map: &'a Map<String, Value>, set: SetId, on: TypeId) -> Option<TypeId> {
        let types = self.outline.types;
        if let [only] = types.possible(on) {
            return Some(*only);
        }
        let kind = types.find(self.outline.told_type(set, map)?)?;
        types.possible(on).contains(&kind).then_some(kind)
    }

    fn wanted(&mut self, wanted: &Wanted<'a>, value: &'a Value, on: TypeId) {
        match wanted.what {
            What::Anything => {}
            What::Typename => self.typename(value, on),
            What::Field(known) => self.value(value, known, 0),
        }
    }

    fn value(&mut self, value: &'a Value, known: Known<'a>, level: usize) {
        let returns = &known.field.returns;
        if value.is_null() {
            if !returns.nullable.get(level).copied().unwrap_or(true) {
                self.null(known, level);
            }
        } else if level < returns.lists() {
            match value {
                Value::Array(items) => self.items(items, known, level),
                _ => self.wrong(known, value, "is not a list", "list"),
            }
        } else {
            self.single(value, known);
        }
    }

    fn is_enough(&self) -> bool {
        self.selection.len() + self.nulls.len() > ENOUGH
    }

    fn items(&mut self, items: &'a [Value], known: Known<'a>, level: usize) {
        for (at, item) in items.iter().enumerate() {
            if self.is_enough() {
                return;
            }
            self.trail.push(Crumb::Index(at));
            self.value(item, known, level + 1);
            self.trail.pop();
        }
    }

    fn single(&mut self, value: &'a Value, known: Known<'a>) {
        let types = self.outline.types;
        let kind = types.get(known.field.returns.named);
        if !kind.is_composite() {
            if let Some(misfit) = misfit(kind, value) {
                self.misfit(known, value, &misfit);
            }
            return;
        }
        match (value, known.below) {
            (Value::Object(map), Some(below)) => self.object(map, below),
            // Nothing was asked for below it: the operation itself is wrong.
            (_, None) => {}
            (value, _) => self.wrong(known, value, "is not an object", "object"),
        }
    }

    fn typename(&mut self, value: &Value, on: TypeId) {
        let types = self.outline.types;
        let possible = types.possible(on);
        let is_possible = |name: &str| possible.iter().any(|kind| &*types.get(*kind).name == name);
        if possible.is_empty() || value.as_str().is_some_and(is_possible) {
            return;
        }
        let declared = &types.get(on).name;
        let names: Vec<&str> = possible
            .iter()
            .take(4)
            .map(|t| &*types.get(*t).name)
            .collect();
        self.flaw(
            (Wrong::Value, Some(value)),
            &format!("{} is no type of {declared}", brief(value)),
            format!("A value of {declared} is of {}.", names.join(" or ")),
            format!("{declared} typename"),
        );
    }

    fn missing(&mut self, wanted: &Wanted<'a>, on: TypeId) {
        self.trail.push(Crumb::Key(wanted.key));
        // Where an error stands at a field that may not be null, the null should have gone up.
        let told_elsewhere = matches!(wanted.what, What::Field(known)
            if !known.field.returns.is_nullable() && self.is_complained());
        if !told_elsewhere {
            let types = self.outline.types;
            let of = &types.get(on).name;
            let field = match wanted.what {
                What::Field(known) => owner(types, known),
                _ => format!("{of}.{}", wanted.key),
            };
            self.flaw(
                (Wrong::Missing, None),
                "is missing",
                format!("It was asked for of {of}, and every key that is asked for must be there."),
                format!("{field} missing"),
            );
        }
        self.trail.pop();
    }

    /// Keys that nobody asked for.
    fn beyond(&mut self, map: &'a Map<String, Value>, wanted: &[Wanted<'a>], on: TypeId) {
        let name = &self.outline.types.get(on).name;
        for key in map.keys().take(ENOUGH) {
            if wanted.iter().all(|wanted| wanted.key != key) {
                self.trail.push(Crumb::Key(key));
                self.flaw(
                    (Wrong::Value, map.get(key)),
                    "was not asked for",
                    format!("The operation does not ask for it of {name}; an answer has what was asked for and nothing else."),
                    format!("{name}.{key} extra"),
                );
                self.trail.pop();
            }
        }
    }

    fn wrong(&mut self, known: Known<'a>, value: &Value, told: &str, constraint: &'static str) {
        let misfit = Misfit {
            told: told.to_owned(),
            constraint,
            severity: Severity::Medium,
            sureness: Sureness::Sure,
        };
        self.misfit(known, value, &misfit);
    }

    fn misfit(&mut self, known: Known<'a>, value: &Value, misfit: &Misfit) {
        let types = self.outline.types;
        let why = promised(types, known);
        let cause = format!("{} {}", owner(types, known), misfit.constraint);
        let title = format!("{} {}", brief(value), misfit.told);
        let wrong = match misfit.constraint {
            "type" => Wrong::Type,
            _ => Wrong::Value,
        };
        self.flaw((wrong, Some(value)), &title, why, cause);
        if let Some(last) = self.selection.last_mut() {
            (last.severity, last.sureness) = (misfit.severity, misfit.sureness);
        }
    }

    fn flaw(
        &mut self,
        (wrong, got): (Wrong, Option<&Value>),
        told: &str,
        why: String,
        cause: String,
    ) {
        let place = self.place();
        self.selection.push(Flaw {
            title: format!("{place}: {told}"),
            place,
            wrong,
            got: got.cloned(),
            why,
            // The field is wrong wherever it is asked for, and under whatever name.
            mark: cause.clone(),
            cause,
            severity: Severity::Medium,
            sureness: Sureness::Sure,
        });
    }

    fn null(&mut self, known: Known<'a>, level: usize) {
        let types = self.outline.types;
        let place = self.place();
        let promised = text(types, &known.field.returns, level);
        let why = if self.is_complained() {
            "An error says so, but then the nearest thing above it that may be null should be null in its place."
        } else {
            "The schema does not allow null here, and no error tells of it."
        };
        self.nulls.push(Flaw {
            title: format!("{place}: null where {promised} is promised"),
            place,
            wrong: Wrong::Value,
            got: Some(Value::Null),
            why: format!(
                "{} returns {}. {why}",
                owner(types, known),
                text(types, &known.field.returns, 0)
            ),
            mark: format!("{} null", owner(types, known)),
            cause: format!("{} null", owner(types, known)),
            severity: Severity::Medium,
            sureness: Sureness::Sure,
        });
    }

    /// Whether an error has the present path.
    fn is_complained(&self) -> bool {
        self.complained.iter().any(|path| {
            path.len() == self.trail.len()
                && path
                    .iter()
                    .zip(&self.trail)
                    .all(|(told, crumb)| match crumb {
                        Crumb::Key(key) => told.as_str() == Some(key),
                        Crumb::Index(at) => told.as_u64() == Some(*at as u64),
                    })
        })
    }

    /// The present path with its indexes folded: ten items of a list are one place.
    fn place(&self) -> String {
        let mut text = String::new();
        for crumb in &self.trail {
            let gap = if text.is_empty() { "" } else { "/" };
            match crumb {
                Crumb::Key(key) => _ = write!(text, "{gap}{key}"),
                Crumb::Index(_) => _ = write!(text, "{gap}*"),
            }
        }
        text
    }
}

/// `Book.pages`
pub(super) fn owner(types: &TypeGraph, known: Known<'_>) -> String {
    format!("{}.{}", types.get(known.on).name, known.field.name)
}

fn promised(types: &TypeGraph, known: Known<'_>) -> String {
    let returns = &known.field.returns;
    let base = format!(
        "{} returns {}",
        owner(types, known),
        text(types, returns, 0)
    );
    match &types.get(returns.named).kind {
        TypeKind::Enum(members) => {
            let names: Vec<&str> = members.iter().take(8).map(AsRef::as_ref).collect();
            format!("{base}: {}.", names.join(", "))
        }
        _ => format!("{base}."),
    }
}

/// A type as GraphQL writes it, from one level of its lists on: `[Book!]!`.
pub(super) fn text(types: &TypeGraph, returned: &Returned, level: usize) -> String {
    let mut text = types.get(returned.named).name.to_string();
    let levels = returned.nullable.get(level..).unwrap_or_default();
    for (at, nullable) in levels.iter().rev().enumerate() {
        if at > 0 {
            text = format!("[{text}]");
        }
        if !nullable {
            text.push('!');
        }
    }
    text
}
