//! Shrinking: selections that ask for less.
//!
//! Leaving something out of a selection never makes it wrong: keys that were apart stay apart, a
//! required argument goes only together with its field, and `__typename` stands in where nothing
//! is left.

use fossick_contract::TypeGraph;

use super::keys::settle;
use super::{Chosen, Selection};

/// No more are handed out at once.
const MOST: usize = 120;
/// How many may come from one field or part.
const PER_PART: usize = 24;

impl Selection {
    /// Selections that ask for strictly less, the most drastic first.
    pub fn simpler(&self, types: &TypeGraph) -> Vec<Selection> {
        let mut found: Vec<Selection> = Vec::new();
        let mut keep = |mut candidate: Selection| {
            candidate.repair();
            let smaller = candidate.size() < self.size();
            if smaller && !found.contains(&candidate) && found.len() < MOST {
                found.push(candidate);
            }
        };
        self.drastic().into_iter().for_each(&mut keep);
        self.halves().into_iter().for_each(&mut keep);
        self.without_parts().into_iter().for_each(&mut keep);
        self.plain(types).into_iter().for_each(&mut keep);
        self.without_one(|chosen| chosen.inner.is_none())
            .for_each(&mut keep);
        self.below(types).into_iter().for_each(&mut keep);
        self.without_typename(types).into_iter().for_each(keep);
        found
    }

    fn with(&self, fields: Vec<Chosen>, parts: Vec<Selection>) -> Self {
        Self {
            on: self.on,
            typename: self.typename,
            fields,
            parts,
        }
    }

    /// One scalar; all scalars; everything but one thing that has parts.
    fn drastic(&self) -> Vec<Self> {
        let scalars = self.fields.iter().filter(|chosen| chosen.inner.is_none());
        let scalars: Vec<Chosen> = scalars.cloned().collect();
        let first = scalars.first().cloned().into_iter().collect();
        let mut found = vec![self.with(first, Vec::new()), self.with(scalars, Vec::new())];
        found.extend(self.without_one(|chosen| chosen.inner.is_some()));
        found
    }

    /// Without one of the fields that fit.
    fn without_one(&self, fits: fn(&Chosen) -> bool) -> impl Iterator<Item = Self> {
        let places = (0..self.fields.len()).filter(move |at| fits(&self.fields[*at]));
        places.map(|at| {
            let mut fewer = self.clone();
            fewer.fields.remove(at);
            fewer
        })
    }

    fn halves(&self) -> Vec<Self> {
        let (first, second) = self.fields.split_at(self.fields.len() / 2);
        let half = |fields: &[Chosen]| self.with(fields.to_vec(), self.parts.clone());
        vec![half(first), half(second)]
    }

    fn without_parts(&self) -> Vec<Self> {
        let mut found = vec![self.with(self.fields.clone(), Vec::new())];
        found.extend((0..self.parts.len()).map(|at| {
            let mut fewer = self.clone();
            fewer.parts.remove(at);
            fewer
        }));
        found
    }

    /// Without the arguments that need not be, and without other names: all at once, and one
    /// field at a time.
    fn plain(&self, types: &TypeGraph) -> Vec<Self> {
        let mut all = self.clone();
        for chosen in &mut all.fields {
            chosen.make_plain(types, self);
        }
        settle(types, &mut all, None);
        let single = (0..self.fields.len()).map(|at| {
            let mut one = self.clone();
            one.fields[at].make_plain(types, self);
            settle(types, &mut one, None);
            one
        });
        std::iter::once(all).chain(single).collect()
    }

    /// The same with less below one field or in one part.
    fn below(&self, types: &TypeGraph) -> Vec<Self> {
        let mut found = Vec::new();
        for (at, chosen) in self.fields.iter().enumerate() {
            let inner = chosen.inner.iter().flat_map(|inner| inner.simpler(types));
            found.extend(inner.take(PER_PART).map(|inner| {
                let mut less = self.clone();
                less.fields[at].inner = Some(inner);
                less
            }));
        }
        for (at, part) in self.parts.iter().enumerate() {
            let parts = part.simpler(types).into_iter().take(PER_PART);
            found.extend(parts.map(|part| {
                let mut less = self.clone();
                less.parts[at] = part;
                settle(types, &mut less, None);
                less
            }));
        }
        found
    }

    fn without_typename(&self, types: &TypeGraph) -> Option<Self> {
        let needless = self.typename && !types.get(self.on).is_abstract();
        needless.then(|| Self {
            typename: false,
            ..self.clone()
        })
    }
}

impl Chosen {
    fn make_plain(&mut self, types: &TypeGraph, selection: &Selection) {
        let field = types.fields(selection.on).get(self.field as usize);
        self.alias = None;
        self.arguments.retain(|(at, _)| {
            let argument = field.and_then(|field| field.arguments.get(*at as usize));
            argument.is_some_and(|argument| argument.required)
        });
    }
}
