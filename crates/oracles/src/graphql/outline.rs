//! What keys an answer must have: the selection, field by field, for the types that values turn
//! out to be of.
//!
//! This is `CollectFields` of the GraphQL specification: fields of one key are merged, parts count
//! where their type fits, `@skip` and `@include` are obeyed. It is worked out only for the types
//! that an answer really shows, so a selection on an interface with hundreds of implementers costs
//! no more than what came back.

use std::rc::Rc;

use fossick_contract::{Field, RootKind, TypeGraph, TypeId};
use fossick_query::{Asked, Directive, Document, Literal, Pick};
use serde_json::{Map, Value};

use super::inquiry::find;

/// Parts in parts; the reader of operations stops far earlier.
const DEPTH: usize = 300;

pub(super) struct Outline<'a> {
    pub(super) types: &'a TypeGraph,
    document: &'a Document,
    variables: &'a Map<String, Value>,
    sets: Vec<Set<'a>>,
}

/// Where a set of merged selections stands in its outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SetId(usize);

/// Selections that are merged because they are asked for under one key.
struct Set<'a> {
    on: TypeId,
    picks: Vec<&'a [Pick]>,
    /// What they come to for each type; for `None` the type is not known.
    by_type: Vec<(Option<TypeId>, Rc<[Wanted<'a>]>)>,
}

/// A key that the answer must have.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) key: &'a str,
    pub(super) what: What<'a>,
    /// False where nobody can say whether it must be there.
    pub(super) certain: bool,
}

#[derive(Clone, Copy)]
pub(super) enum What<'a> {
    Typename,
    Field(Known<'a>),
    /// Not in the schema, or of a type that is not known: anything goes.
    Anything,
}

/// A field with what is asked for below it.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) on: TypeId,
    pub(super) field: &'a Field,
    pub(super) below: Option<SetId>,
}

/// A key while its fields are being merged.
struct Draft<'a> {
    key: &'a str,
    name: &'a str,
    on: Option<TypeId>,
    certain: bool,
    picks: Vec<&'a [Pick]>,
}

enum Included {
    Yes,
    No,
    Unsure,
}

impl<'a> Outline<'a> {
    /// The outline of an operation and the set of its root; nothing where the schema has no such
    /// root.
    pub(super) fn new(
        types: &'a TypeGraph,
        document: &'a Document,
        variables: &'a Map<String, Value>,
    ) -> Option<(Self, SetId)> {
        let root = match document.kind {
            RootKind::Query => types.query?,
            RootKind::Mutation => types.mutation?,
        };
        let mut outline = Self {
            types,
            document,
            variables,
            sets: Vec::new(),
        };
        let set = outline.push(root, vec![&document.picks]);
        Some((outline, set))
    }

    fn push(&mut self, on: TypeId, picks: Vec<&'a [Pick]>) -> SetId {
        self.sets.push(Set {
            on,
            picks,
            by_type: Vec::new(),
        });
        SetId(self.sets.len() - 1)
    }

    /// The type that a set is asked of, as the schema declares it.
    pub(super) fn on(&self, set: SetId) -> TypeId {
        self.sets[set.0].on
    }

    /// What a value of a type must hold.
    pub(super) fn wanted(&mut self, set: SetId, of: Option<TypeId>) -> Rc<[Wanted<'a>]> {
        let known = self.sets[set.0].by_type.iter().find(|(on, _)| *on == of);
        if let Some((_, wanted)) = known {
            return Rc::clone(wanted);
        }
        let mut drafts = Vec::new();
        let Set { on, picks, .. } = &self.sets[set.0];
        for picks in picks {
            self.collect(
                picks,
                Context {
                    on: *on,
                    shown: of,
                    loose: false,
                },
                true,
                0,
                &mut drafts,
            );
        }
        let wanted: Rc<[Wanted<'a>]> = drafts
            .into_iter()
            .map(|draft| self.finished(draft))
            .collect();
        self.sets[set.0].by_type.push((of, Rc::clone(&wanted)));
        wanted
    }

    fn collect(
        &self,
        picks: &'a [Pick],
        context: Context,
        certain: bool,
        depth: usize,
        drafts: &mut Vec<Draft<'a>>,
    ) {
        if depth > DEPTH {
            return;
        }
        for pick in picks {
            let directives = match pick {
                Pick::Field(asked) => &asked.directives,
                Pick::Part(part) => &part.directives,
            };
            let certain = match self.included(directives) {
                Included::Yes => certain,
                Included::No => continue,
                Included::Unsure => false,
            };
            match pick {
                Pick::Field(asked) => merge(drafts, asked, context.field_type(), certain),
                Pick::Part(part) => {
                    let name = part.on.as_deref();
                    if let Some((context, surely)) = self.narrowed(context, name) {
                        self.collect(&part.picks, context, certain && surely, depth + 1, drafts);
                    }
                }
            }
        }
    }

    /// Whether a part on this type holds for a value, and whether that is sure.
    fn narrowed(&self, context: Context, name: Option<&str>) -> Option<(Context, bool)> {
        let Some(name) = name else {
            return Some((context, true));
        };
        let part = self.types.find(name)?;
        let holds = |kind: &TypeId| *kind == part || self.types.possible(part).contains(kind);
        match context.shown {
            Some(kind) => holds(&kind).then_some((context, true)),
            None if self.types.possible(context.on).iter().all(holds) => Some((context, true)),
            None => Some((context.loose(), false)),
        }
    }

    fn included(&self, directives: &[Directive]) -> Included {
        for directive in directives {
            let flag = || {
                let mut arguments = directive.arguments.iter();
                let (_, literal) = arguments.find(|(name, _)| name == "if")?;
                self.flag(literal)
            };
            match (directive.name.as_str(), &flag) {
                ("skip", flag) => match flag() {
                    Some(false) => {}
                    Some(true) => return Included::No,
                    None => return Included::Unsure,
                },
                ("include", flag) => match flag() {
                    Some(true) => {}
                    Some(false) => return Included::No,
                    None => return Included::Unsure,
                },
                // They come later or from elsewhere.
                ("defer" | "stream" | "client", _) => return Included::Unsure,
                _ => {}
            }
        }
        Included::Yes
    }

    fn flag(&self, literal: &Literal) -> Option<bool> {
        let Literal::Variable(name) = literal else {
            return boolean(literal);
        };
        if let Some(value) = self.variables.get(name) {
            return value.as_bool();
        }
        let mut declared = self.document.variables.iter();
        let variable = declared.find(|variable| variable.name == *name)?;
        boolean(variable.default.as_ref()?)
    }

    fn finished(&mut self, draft: Draft<'a>) -> Wanted<'a> {
        let what = match draft.on {
            _ if draft.name == "__typename" => What::Typename,
            Some(on) => match self.types.field(on, draft.name) {
                Some(field) => What::Field(self.known(on, field, draft.picks)),
                None => What::Anything,
            },
            None => What::Anything,
        };
        Wanted {
            key: draft.key,
            what,
            certain: draft.certain,
        }
    }

    pub(super) fn known(
        &mut self,
        on: TypeId,
        field: &'a Field,
        picks: Vec<&'a [Pick]>,
    ) -> Known<'a> {
        let named = field.returns.named;
        let has_parts =
            self.types.get(named).is_composite() && picks.iter().any(|picks| !picks.is_empty());
        Known {
            on,
            field,
            below: has_parts.then(|| self.push(named, picks)),
        }
    }

    /// The name of its type that a value tells, under whichever key it was asked for.
    pub(super) fn told_type<'v>(
        &self,
        set: SetId,
        value: &'v Map<String, Value>,
    ) -> Option<&'v str> {
        let told = |asked: &Asked| {
            let told = value
                .get(asked.key())
                .filter(|_| asked.name == "__typename");
            told.is_some_and(Value::is_string)
        };
        let mut picks = self.sets[set.0].picks.iter();
        let asked = picks.find_map(|picks| find(picks, told, 0))?;
        value.get(asked.key())?.as_str()
    }

    /// Every field under a key with the type that it is asked of, whichever part it stands in.
    pub(super) fn anywhere(&self, set: SetId, key: &str) -> Vec<(TypeId, &'a Asked)> {
        let mut found = Vec::new();
        let Set { on, picks, .. } = &self.sets[set.0];
        for picks in picks {
            self.search(picks, *on, key, 0, &mut found);
        }
        found
    }

    fn search(
        &self,
        picks: &'a [Pick],
        on: TypeId,
        key: &str,
        depth: usize,
        found: &mut Vec<(TypeId, &'a Asked)>,
    ) {
        if depth > DEPTH {
            return;
        }
        for pick in picks {
            match pick {
                Pick::Field(asked) if asked.key() == key => found.push((on, asked)),
                Pick::Field(_) => {}
                Pick::Part(part) => {
                    let named = part.on.as_deref().and_then(|name| self.types.find(name));
                    self.search(&part.picks, named.unwrap_or(on), key, depth + 1, found);
                }
            }
        }
    }
}

/// The type that fields are asked of while they are collected.
#[derive(Clone, Copy)]
struct Context {
    /// As the schema declares it.
    on: TypeId,
    /// As the value shows it, where it does.
    shown: Option<TypeId>,
    loose: bool,
}

impl Context {
    fn loose(self) -> Self {
        Self {
            loose: true,
            ..self
        }
    }

    fn field_type(self) -> Option<TypeId> {
        match self.shown {
            Some(kind) => Some(kind),
            None => (!self.loose).then_some(self.on),
        }
    }
}

fn merge<'a>(drafts: &mut Vec<Draft<'a>>, asked: &'a Asked, on: Option<TypeId>, certain: bool) {
    let key = asked.key();
    match drafts.iter_mut().find(|draft| draft.key == key) {
        Some(draft) => {
            // What is asked for below it is sure in one place and not in the other: let it be.
            draft.on = draft.on.and(on).filter(|_| draft.certain == certain);
            draft.certain |= certain;
            draft.picks.push(&asked.picks);
        }
        None => drafts.push(Draft {
            key,
            name: &asked.name,
            on,
            certain,
            picks: vec![&asked.picks],
        }),
    }
}

fn boolean(literal: &Literal) -> Option<bool> {
    match literal {
        Literal::Boolean(flag) => Some(*flag),
        _ => None,
    }
}
