//! As little as can be asked for: what the thing is called, and what the service complains of.
//!
//! Set-up steps are there for their effect. Whatever else they ask for costs the service time and
//! may fail for reasons of its own; who needs a value of their answer demands it by
//! [`Selection::require`].

use fossick_contract::{Field, Returned, TypeId};

use super::choose::Chooser;
use super::taste::is_leaf;
use super::{Chosen, Selection};
use crate::maker::Maker;

impl Maker<'_> {
    /// The least to ask for where this is returned; none for scalars and enums.
    pub fn select_least(&mut self, returned: &Returned) -> Option<Selection> {
        let types = &self.api.types;
        if !types.get(returned.named).is_composite() {
            return None;
        }
        let mut least = Selection::bare(types, returned.named);
        let fields = types.fields(returned.named).iter().enumerate();
        for (at, field) in fields.filter(|(_, field)| !field.needs_arguments()) {
            let chosen = match is_leaf(types, field) {
                true if is_identifier(field) => Some(plain(at, None)),
                false if complains(field) => self
                    .complaint(field.returns.named)
                    .map(|inner| plain(at, Some(inner))),
                _ => None,
            };
            least.fields.extend(chosen);
        }
        least.repair();
        Some(least)
    }

    /// What an error says of itself.
    fn complaint(&mut self, on: TypeId) -> Option<Selection> {
        const SHARE: usize = 4;
        let inner = Chooser::new(self).selection(on, SHARE);
        (!inner.is_bare()).then_some(inner)
    }
}

fn plain(at: usize, inner: Option<Selection>) -> Chosen {
    Chosen {
        field: at as u32,
        alias: None,
        arguments: Vec::new(),
        inner,
    }
}

fn is_identifier(field: &Field) -> bool {
    field.name.eq_ignore_ascii_case("id")
}

/// Lists of errors that payloads carry instead of GraphQL's own.
fn complains(field: &Field) -> bool {
    field.returns.lists() > 0 && field.name.to_lowercase().ends_with("errors")
}
