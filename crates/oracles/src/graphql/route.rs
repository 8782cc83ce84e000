//! The way of an error's path through a selection: where null may stand along it.

use fossick_contract::{Field, TypeId};
use serde_json::Value;

use super::outline::{Known, Outline, SetId};

/// Types of an abstract one that are looked at; of more nobody can be sure.
const MOST_TYPES: usize = 64;

/// One element of a path.
#[derive(Clone, Copy)]
pub(super) struct Stop<'a> {
    pub(super) known: Known<'a>,
    /// How many lists deep in the field's value.
    pub(super) level: usize,
    /// Whether null may stand here; not known where types of one interface differ.
    pub(super) nullable: Option<bool>,
}

/// Why there is no way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Astray {
    /// The path leads out of the selection.
    Outside,
    /// It leads to a field that the schema does not have.
    Unknown,
}

/// The stops of a path.
pub(super) fn route<'a>(
    outline: &mut Outline<'a>,
    root: SetId,
    path: &[Value],
) -> Result<Vec<Stop<'a>>, Astray> {
    let mut stops: Vec<Stop<'a>> = Vec::new();
    let mut set = Some(root);
    let mut fields: Vec<&'a Field> = Vec::new();
    for element in path {
        let last = stops.last();
        let in_list = last.is_some_and(|stop| stop.level < stop.known.field.returns.lists());
        let stop = match (element, last) {
            (Value::String(key), _) if !in_list => {
                let known;
                (known, fields) = step(outline, set.ok_or(Astray::Outside)?, key)?;
                set = known.below;
                at(&fields, known, 0)
            }
            (Value::Number(index), Some(last)) if in_list && index.is_u64() => {
                at(&fields, last.known, last.level + 1)
            }
            _ => return Err(Astray::Outside),
        };
        stops.push(stop);
    }
    Ok(stops)
}

/// The field under a key, and all declarations of it that the value may be answered by.
fn step<'a>(
    outline: &mut Outline<'a>,
    set: SetId,
    key: &str,
) -> Result<(Known<'a>, Vec<&'a Field>), Astray> {
    let asked = outline.anywhere(set, key);
    let (on, first) = *asked.first().ok_or(Astray::Outside)?;
    let types = outline.types;
    let field = types.field(on, &first.name).ok_or(Astray::Unknown)?;
    let of_types = |on: TypeId| types.possible(on).iter().take(MOST_TYPES);
    let all = asked.iter().flat_map(|(on, asked)| {
        let own = types.field(*on, &asked.name);
        own.into_iter()
            .chain(of_types(*on).filter_map(|kind| types.field(*kind, &asked.name)))
    });
    let all = all.collect();
    let picks = asked.iter().map(|(_, asked)| asked.picks.as_slice());
    let picks = picks.collect();
    Ok((outline.known(on, field, picks), all))
}

fn at<'a>(fields: &[&'a Field], known: Known<'a>, level: usize) -> Stop<'a> {
    let mut answers = fields
        .iter()
        .map(|field| field.returns.nullable.get(level).copied());
    let first = answers.next().flatten();
    Stop {
        known,
        level,
        nullable: first.filter(|_| answers.all(|answer| answer == first)),
    }
}
