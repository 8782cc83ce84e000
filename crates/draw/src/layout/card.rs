//! Which properties a card shows. Those that edges begin at always, others as long as there is
//! room: a schema of ninety properties must not be a tower.

use std::collections::BTreeSet;

use fossick_trace::{Joins, PropertyGraph, SchemaNode};

use super::{HEAD, ROW};

/// Rows of a card, where edges do not ask for more.
const USUAL: usize = 7;
const MOST: usize = 40;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Row {
    /// A property, by its place in the schema; and whether an edge begins or ends at it.
    Property { index: usize, used: bool },
    /// So many are left out.
    More(usize),
}

pub(crate) fn rows(graph: &PropertyGraph) -> Vec<Vec<Row>> {
    let used = used(graph);
    let both = graph.schemas.iter().zip(&used);
    both.map(|(schema, used)| shown(schema, used)).collect()
}

/// Names of properties that edges touch, for every schema.
fn used(graph: &PropertyGraph) -> Vec<BTreeSet<&str>> {
    let mut used = vec![BTreeSet::new(); graph.schemas.len()];
    for edge in &graph.edges {
        match &edge.joins {
            Joins::Consumes { schema, uses, .. } => {
                if let Some(names) = used.get_mut(*schema as usize) {
                    names.extend(uses.iter().map(|u| u.property.as_str()));
                }
            }
            Joins::Equals { one, other, pairs } => {
                if let Some(names) = used.get_mut(*one as usize) {
                    names.extend(pairs.iter().map(|(own, _)| own.as_str()));
                }
                if let Some(names) = used.get_mut(*other as usize) {
                    names.extend(pairs.iter().map(|(_, own)| own.as_str()));
                }
            }
            Joins::Produces { .. } | Joins::Endpoint { .. } => {}
        }
    }
    used
}

fn shown(schema: &SchemaNode, used: &BTreeSet<&str>) -> Vec<Row> {
    let is_used = |index: &usize| {
        let property = schema.properties.get(*index);
        property.is_some_and(|p| used.contains(p.name.as_str()))
    };
    let count = schema.properties.len();
    let (wanted, others): (Vec<usize>, Vec<usize>) = (0..count).partition(is_used);
    let room = USUAL.saturating_sub(wanted.len());
    // One more row is no more than the line that would say so.
    let room = if others.len() == room + 1 {
        room + 1
    } else {
        room
    };
    let mut indices: Vec<usize> = wanted.iter().copied().take(MOST).collect();
    indices.extend(others.into_iter().take(room));
    indices.sort_unstable();
    let hidden = count - indices.len();
    let mut rows: Vec<Row> = indices
        .into_iter()
        .map(|index| Row::Property {
            index,
            used: is_used(&index),
        })
        .collect();
    if hidden > 0 {
        rows.push(Row::More(hidden));
    }
    rows
}

pub(crate) fn height(rows: &[Row]) -> f64 {
    HEAD + ROW * rows.len() as f64 + if rows.is_empty() { 0.0 } else { 6.0 }
}

/// Middle of the row of a property, below the top of its card; `None` where it has none.
pub(crate) fn row_of(schema: &SchemaNode, rows: &[Row], property: &str) -> Option<f64> {
    let at = rows.iter().position(|row| match row {
        Row::Property { index, .. } => schema
            .properties
            .get(*index)
            .is_some_and(|p| p.name == property),
        Row::More(_) => false,
    })?;
    Some(middle_of(at))
}

/// Middle of the row at a place.
pub(crate) fn middle_of(at: usize) -> f64 {
    HEAD + 3.0 + ROW * (at as f64 + 0.5)
}
