//! A selection as what is asked for: in GraphQL's words, and counted.

use fossick_contract::{Argument, Field, TypeGraph, TypeId};
use fossick_query::{Asked, Literal, Part, Pick};

use super::{Chosen, Selection};
use crate::gene::Gene;

impl Selection {
    /// The members of a selection set. Whoever calls says how the value of an argument is
    /// written: as it is, or as a variable.
    pub fn picks(
        &self,
        types: &TypeGraph,
        arguments: &mut dyn FnMut(&Argument, &Gene) -> Literal,
    ) -> Vec<Pick> {
        let mut picks = Vec::with_capacity(1 + self.fields.len() + self.parts.len());
        if self.typename || self.is_bare() {
            picks.push(Pick::Field(Asked {
                name: "__typename".to_owned(),
                ..Asked::default()
            }));
        }
        for (chosen, field) in declared(types, self) {
            picks.push(Pick::Field(chosen.asked(types, field, arguments)));
        }
        for part in &self.parts {
            picks.push(Pick::Part(Part {
                on: Some(types.get(part.on).name.to_string()),
                directives: Vec::new(),
                picks: part.picks(types, arguments),
            }));
        }
        picks
    }

    /// Visits every type and field that is asked for; of a part, with the part's own type.
    pub fn pairs(&self, types: &TypeGraph, seen: &mut dyn FnMut(TypeId, u32)) {
        for (chosen, _) in declared(types, self) {
            seen(self.on, chosen.field);
            if let Some(inner) = &chosen.inner {
                inner.pairs(types, seen);
            }
        }
        for part in &self.parts {
            part.pairs(types, seen);
        }
    }
}

/// The fields of a selection with their declarations.
fn declared<'a>(
    types: &'a TypeGraph,
    selection: &'a Selection,
) -> impl Iterator<Item = (&'a Chosen, &'a Field)> {
    let fields = types.fields(selection.on);
    let chosen = selection.fields.iter();
    chosen.filter_map(|chosen| Some((chosen, fields.get(chosen.field as usize)?)))
}

impl Chosen {
    fn asked(
        &self,
        types: &TypeGraph,
        field: &Field,
        arguments: &mut dyn FnMut(&Argument, &Gene) -> Literal,
    ) -> Asked {
        let written = self.arguments.iter().filter_map(|(at, gene)| {
            let argument = field.arguments.get(*at as usize)?;
            Some((argument.name.to_string(), arguments(argument, gene)))
        });
        Asked {
            alias: self.alias.clone(),
            name: field.name.to_string(),
            arguments: written.collect(),
            directives: Vec::new(),
            picks: match &self.inner {
                Some(inner) => inner.picks(types, arguments),
                None => Vec::new(),
            },
        }
    }
}
