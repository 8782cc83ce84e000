//! How deep the shallowest value of each shape is.
//!
//! A schema may refer to itself. Where its values must come to an end, makers follow the shapes
//! whose depth shrinks; a shape with no end at all (it requires itself, or allows nothing) is
//! [`NEVER`].

use fossick_contract::{Additional, Api, Kind, Shape, ShapeId};

pub(crate) const NEVER: u32 = u32::MAX;

/// The least depth of every shape, by repeated relaxation until nothing changes.
pub(crate) fn least(api: &Api) -> Vec<u32> {
    // Deeper than this counts as endless; it also bounds the work on long chains.
    const ROUNDS: usize = 64;
    let mut depths = vec![NEVER; api.shapes.len()];
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (id, shape) in api.shapes.iter() {
            let found = depth(api, shape, &depths);
            let known = &mut depths[id.0 as usize];
            if found < *known {
                *known = found;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    depths
}

fn depth(api: &Api, shape: &Shape, depths: &[u32]) -> u32 {
    let of = |id: ShapeId| depths.get(id.0 as usize).copied().unwrap_or(NEVER);
    if shape.nullable {
        return 0;
    }
    match &shape.kind {
        Kind::Never => NEVER,
        Kind::Array(array) => {
            let prefix = array.prefix.iter().take(array.min_items);
            let rest = array
                .items
                .iter()
                .filter(|_| array.min_items > array.prefix.len());
            deepest(prefix.chain(rest).map(|id| of(*id)))
        }
        Kind::Object(object) => {
            let required = object
                .properties
                .iter()
                .filter(|p| p.required && !api.shape(p.shape).read_only)
                .map(|p| of(p.shape));
            let extra = match object.additional {
                Additional::Shaped(id) if object.min_properties > object.properties.len() => {
                    Some(of(id))
                }
                _ => None,
            };
            deepest(required.chain(extra))
        }
        Kind::Choice(choice) => {
            let shallowest = choice.options.iter().map(|id| of(*id)).min();
            // One step deeper, so that a choice is never the shallow way out of itself.
            shallowest.map_or(NEVER, |depth| depth.saturating_add(1))
        }
        _ => 0,
    }
}

fn deepest(parts: impl Iterator<Item = u32>) -> u32 {
    parts.max().map_or(0, |depth| depth.saturating_add(1))
}
