//! Choosing: a new selection, by the maker's manner.
//!
//! Every field and every type below gets a share of what may be asked for, so wide types do not
//! starve deep ones. A type that we are inside of is not entered again, and types that hold
//! nothing but each other cost a bounded number of steps.

use fossick_contract::{Field, Returned, TypeGraph, TypeId};

use super::keys::settle;
use super::taste::{Measure, is_leaf, is_wrapper, leaf_rank, nested_rank};
use super::{Chosen, Selection};
use crate::dice;
use crate::gene::Gene;
use crate::maker::{Maker, Manner};

/// How many composite types may be looked into for one selection.
const STEPS: usize = 3000;
/// The least that a type below gets, so that it can say which thing it is and what.
const LEAST: usize = 3;

impl Maker<'_> {
    /// What to ask for of a composite type.
    pub fn select(&mut self, on: TypeId) -> Selection {
        let mut chooser = Chooser::new(self);
        let share = chooser.measure.total;
        let mut selection = chooser.selection(on, share);
        if let (true, Some(chosen)) = (selection.is_bare(), chooser.last_resort(on)) {
            selection.fields.push(chosen);
            selection.typename = self.api.types.get(on).is_abstract();
        }
        selection
    }

    /// What to ask for where this is returned; none for scalars and enums.
    pub fn select_returned(&mut self, returned: &Returned) -> Option<Selection> {
        let composite = self.api.types.get(returned.named).is_composite();
        composite.then(|| self.select(returned.named))
    }
}

pub(super) struct Chooser<'m, 'a> {
    pub maker: &'m mut Maker<'a>,
    pub types: &'a TypeGraph,
    pub measure: Measure,
    /// The types that we are inside of, outermost first.
    path: Vec<TypeId>,
    /// How many of them are things, and not what wraps one or says more of it.
    levels: usize,
    steps: usize,
    /// In a varied selection, how many of four scalars are wanted.
    density: u64,
}

impl<'m, 'a> Chooser<'m, 'a> {
    pub(super) fn new(maker: &'m mut Maker<'a>) -> Self {
        Self {
            types: &maker.api.types,
            measure: Measure::of(maker.manner, maker.values.depth()),
            path: Vec::new(),
            levels: 0,
            steps: STEPS,
            density: 1 + dice::below(maker.rng, 4),
            maker,
        }
    }

    /// A selection of about this size.
    pub(super) fn selection(&mut self, on: TypeId, share: usize) -> Selection {
        let mut selection = Selection::bare(self.types, on);
        self.inside(on, |chooser| {
            let base = if chooser.types.fields(on).is_empty() {
                0
            } else if selection.typename {
                share - share / 3
            } else {
                share
            };
            selection.fields = chooser.fields(on, None, base);
            if selection.typename {
                let rest = share.saturating_sub(selection.size());
                selection.parts = chooser.parts(on, rest);
            }
        });
        selection.repair();
        settle(self.types, &mut selection, None);
        selection
    }

    pub(super) fn inside<T>(&mut self, on: TypeId, work: impl FnOnce(&mut Self) -> T) -> T {
        let level = usize::from(!is_wrapper(self.types, on));
        self.path.push(on);
        self.levels += level;
        let done = work(self);
        self.levels -= level;
        self.path.pop();
        done
    }

    /// Inside a part: the thing is the same, and more is known of it.
    pub(super) fn inside_part<T>(&mut self, on: TypeId, work: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(on);
        let done = work(self);
        self.path.pop();
        done
    }

    fn parts(&mut self, on: TypeId, share: usize) -> Vec<Selection> {
        let possible = self.types.possible(on);
        // The first ones are as likely as any; whoever varies begins anywhere.
        let start = match self.maker.manner {
            Manner::Plausible => 0,
            Manner::Full | Manner::Varied => dice::index(self.maker.rng, possible.len()),
        };
        let mut parts: Vec<Selection> = Vec::new();
        let (mut rest, mut left) = (share, possible.len().min(self.measure.parts));
        for id in possible.iter().cycle().skip(start).take(possible.len()) {
            if left == 0 || rest < LEAST {
                break;
            }
            if let Some(part) = self.part(on, *id, (rest / left).max(LEAST)) {
                rest = rest.saturating_sub(1 + part.size());
                left -= 1;
                parts.push(part);
            }
        }
        parts.sort_by_key(|part| part.on);
        parts
    }

    /// What an object type has beyond an abstract one; none if that is nothing.
    pub(super) fn part(&mut self, of: TypeId, on: TypeId, share: usize) -> Option<Selection> {
        let skipped = self.maker.manner == Manner::Varied && dice::one_in(self.maker.rng, 3);
        if self.path.contains(&on) || skipped {
            return None;
        }
        let mut part = Selection::bare(self.types, on);
        part.fields = self.inside_part(on, |chooser| chooser.fields(on, Some(of), share));
        (!part.fields.is_empty()).then_some(part)
    }

    /// Fields of a type, of a part only those that the base does not have.
    fn fields(&mut self, on: TypeId, base: Option<TypeId>, share: usize) -> Vec<Chosen> {
        let all = self.types.fields(on);
        let (mut leaves, mut nested) = (Vec::new(), Vec::new());
        for (at, field) in all.iter().enumerate() {
            let leads_back = self.is_root(field.returns.named) && !self.varies();
            let sour = self.maker.values.is_sour(on, at as u32) && !self.varies();
            if is_inherited(self.types, base, field) || leads_back || sour || !self.wants(field) {
                continue;
            }
            let kind = if is_leaf(self.types, field) {
                &mut leaves
            } else {
                &mut nested
            };
            kind.push((at as u32, field));
        }
        leaves.sort_by_key(|(_, field)| leaf_rank(self.types, field));
        nested.sort_by_key(|(_, field)| nested_rank(self.types, field));
        let room = match nested.len() {
            0 => share,
            _ if is_wrapper(self.types, on) => share / 3,
            _ => share - share / 3,
        };
        leaves.truncate(room.min(self.measure.leaves));
        let mut chosen: Vec<Chosen> = leaves
            .into_iter()
            .filter_map(|(at, field)| self.leaf(at, field))
            .collect();
        self.nest(&mut chosen, &nested, share);
        if chosen.is_empty() && base.is_none() && self.maker.manner == Manner::Varied {
            chosen.extend(self.any_leaf(on));
        }
        chosen.sort_by_key(|chosen| chosen.field);
        chosen
    }

    /// Chance left everything out: one scalar that can simply be asked for.
    pub(super) fn any_leaf(&mut self, on: TypeId) -> Option<Chosen> {
        let easy: Vec<(usize, &Field)> = (self.types.fields(on).iter().enumerate())
            .filter(|(_, field)| is_leaf(self.types, field) && !field.needs_arguments())
            .collect();
        let (at, field) = *dice::pick(self.maker.rng, &easy)?;
        self.leaf(at as u32, field)
    }

    /// Where every way leads in a circle: the first, and what type it leads to.
    fn last_resort(&mut self, on: TypeId) -> Option<Chosen> {
        let fields = self.types.fields(on).iter().enumerate();
        let mut easy = fields.filter(|(_, field)| !field.needs_arguments());
        let (at, field) = easy.find(|(_, field)| !is_leaf(self.types, field))?;
        let mut inner = Selection::bare(self.types, field.returns.named);
        inner.repair();
        Some(Chosen {
            field: at as u32,
            alias: None,
            arguments: Vec::new(),
            inner: Some(inner),
        })
    }

    /// Adds fields of composite types, each with its share of what is left.
    fn nest(&mut self, chosen: &mut Vec<Chosen>, nested: &[(u32, &'a Field)], share: usize) {
        let mut rest = share.saturating_sub(chosen.iter().map(Chosen::size).sum());
        for (done, (at, field)) in nested.iter().enumerate() {
            if rest < 2 {
                return;
            }
            let share = (rest / (nested.len() - done)).max(LEAST);
            if let Some(new) = self.nested(*at, field, share) {
                rest = rest.saturating_sub(new.size());
                chosen.push(new);
            }
        }
    }

    /// The root of all queries, which payloads of mutations often lead back to: what is asked for
    /// there is another operation's business.
    fn is_root(&self, on: TypeId) -> bool {
        [self.types.query, self.types.mutation].contains(&Some(on))
    }

    /// Now and then, whoever varies asks for what others leave out.
    fn varies(&mut self) -> bool {
        self.maker.manner == Manner::Varied && dice::one_in(self.maker.rng, 8)
    }

    fn wants(&mut self, field: &Field) -> bool {
        let rng = &mut *self.maker.rng;
        match self.maker.manner {
            Manner::Plausible => !field.deprecated && !field.needs_arguments(),
            Manner::Full => !field.deprecated || dice::one_in(rng, 2),
            Manner::Varied if field.deprecated && !dice::one_in(rng, 4) => false,
            Manner::Varied if is_leaf(self.types, field) => dice::below(rng, 4) < self.density,
            Manner::Varied => dice::one_in(rng, self.path.len() as u64 + 1),
        }
    }

    pub(super) fn leaf(&mut self, at: u32, field: &Field) -> Option<Chosen> {
        let arguments = self.arguments(field)?;
        Some(self.chosen(at, field, arguments, None))
    }

    /// A field of a composite type; none where that would lead in a circle, too deep, or to
    /// nothing.
    pub(super) fn nested(&mut self, at: u32, field: &Field, share: usize) -> Option<Chosen> {
        let circle = self.path.contains(&field.returns.named);
        if circle || !self.may_enter(share) {
            return None;
        }
        self.enter(at, field, share)
    }

    /// The same where leading in a circle is just what is wanted: once, and not again inside.
    pub(super) fn nested_again(&mut self, at: u32, field: &Field, share: usize) -> Option<Chosen> {
        let same = |id: &&TypeId| **id == field.returns.named;
        let often = self.path.iter().filter(same).count() > 1;
        if often || !self.may_enter(share) {
            return None;
        }
        self.enter(at, field, share)
    }

    fn enter(&mut self, at: u32, field: &Field, share: usize) -> Option<Chosen> {
        let on = field.returns.named;
        self.steps -= 1;
        let inner = self.selection(on, share);
        if inner.is_bare() && !self.types.get(on).is_abstract() {
            return None;
        }
        let arguments = self.arguments(field)?;
        Some(self.chosen(at, field, arguments, Some(inner)))
    }

    fn may_enter(&self, share: usize) -> bool {
        const WORTH_A_SECOND_LEVEL: usize = 6;
        if self.steps == 0 || self.path.len() >= self.measure.deepest {
            return false;
        }
        let poor = self.maker.manner == Manner::Plausible && share < WORTH_A_SECOND_LEVEL;
        self.levels < self.measure.levels && (self.levels < 2 || !poor)
    }

    fn chosen(
        &mut self,
        field: u32,
        of: &Field,
        arguments: Vec<(u32, Gene)>,
        inner: Option<Selection>,
    ) -> Chosen {
        const RARELY: u64 = 16;
        let varied = self.maker.manner == Manner::Varied;
        let renamed = varied && dice::one_in(self.maker.rng, RARELY);
        Chosen {
            field,
            alias: renamed.then(|| format!("{}_alias", of.name)),
            arguments,
            inner,
        }
    }
}

/// Whether the base has the field already.
pub(super) fn is_inherited(types: &TypeGraph, base: Option<TypeId>, field: &Field) -> bool {
    base.is_some_and(|base| types.field(base, &field.name).is_some())
}
