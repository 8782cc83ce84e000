//! Where a schema made from a database says what its columns refer to.
//!
//! Such schemas call a field after the columns that it follows: `projectByProject`,
//! `tagByTagTypeAndTagValue`. That is as good as reading the foreign key itself.

use fossick_contract::{Field, TypeGraph, TypeId};

/// A column of a thing, and the type that it refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Column<'a> {
    pub(crate) name: &'a str,
    pub(crate) on: TypeId,
    /// Other columns are needed to say which one is meant.
    pub(crate) shared: bool,
}

const MOST: usize = 64;

/// The columns of a type that refer to something, in the order of its fields.
pub(crate) fn columns(types: &TypeGraph, on: TypeId) -> Vec<Column<'_>> {
    let fields = types.fields(on).iter();
    let single = fields.filter(|field| holds_one(types, field));
    single.flat_map(followed).take(MOST).collect()
}

impl Column<'_> {
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

/// Connections and lists are followed the other way: their things have the column.
fn holds_one(types: &TypeGraph, field: &Field) -> bool {
    let held = field.returns.named;
    let connects = || {
        ["edges", "nodes"]
            .iter()
            .any(|n| types.field(held, n).is_some())
    };
    field.returns.lists() == 0 && types.get(held).is_composite() && !connects()
}

fn followed(field: &Field) -> impl Iterator<Item = Column<'_>> {
    let name: &str = &field.name;
    let after = name
        .match_indices("By")
        .filter_map(|(at, by)| name.get(at + by.len()..));
    let said = after.filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    said.take(1).flat_map(move |columns| {
        let shared = columns.contains("And");
        columns.split("And").map(move |name| Column {
            name,
            on: field.returns.named,
            shared,
        })
    })
}
