//! What a field gives whose type the schema does not name.
//!
//! A saved introspection may have been asked for too few levels: of `[Product!]!` nothing is left
//! but that there was something. Calls that were answered tell the rest: what they ask for below
//! must be there. Of the types that have most of it the one with the most telling name is taken;
//! where two are as likely, it stays unknown. Only coverage is counted with what comes of it;
//! nothing is promised of answers.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use fossick_contract::TypeId;
use fossick_query::{Document, Pick};
use fossick_suite::{singular, words};

use super::{Below, Tuples};

/// Types found in one round lead to fields for the next; no real schema needs as many.
const MOST_ROUNDS: usize = 64;

/// The names that are asked for below fields whose type is not known.
type Uses<'d> = BTreeMap<(TypeId, &'d str), BTreeSet<&'d str>>;

pub(super) fn deduce(tuples: &mut Tuples<'_>, seen: &[&Document]) {
    if tuples.cut.is_empty() {
        return;
    }
    for _ in 0..MOST_ROUNDS {
        let mut uses = Uses::new();
        for document in seen {
            if let Some(root) = tuples.root(document) {
                look(tuples, &document.picks, Some(root), &mut uses);
            }
        }
        let found: Vec<_> = uses
            .into_iter()
            .filter_map(|(place, below)| Some((place, likeliest(tuples, place, &below)?)))
            .collect();
        if found.is_empty() {
            return;
        }
        for ((on, field), id) in found {
            let known = tuples.cut.entry(on).or_default();
            known.insert(field.into(), Some(id));
        }
    }
}

fn look<'d>(tuples: &Tuples<'_>, picks: &'d [Pick], on: Option<TypeId>, uses: &mut Uses<'d>) {
    for pick in picks {
        match pick {
            Pick::Field(asked) => {
                let below = on.map(|on| (on, tuples.below(on, &asked.name)));
                let named = match below {
                    Some((_, Below::Type(named))) => Some(named),
                    Some((on, Below::Untold)) => {
                        names(&asked.picks, uses.entry((on, &asked.name)).or_default());
                        None
                    }
                    _ => None,
                };
                look(tuples, &asked.picks, named, uses);
            }
            Pick::Part(part) => {
                let named = part.on.as_deref();
                let named = named.map_or(on, |name| tuples.graph.find(name));
                look(tuples, &part.picks, named, uses);
            }
        }
    }
}

/// What is asked for whatever the type; the typename is everywhere.
fn names<'d>(picks: &'d [Pick], into: &mut BTreeSet<&'d str>) {
    for pick in picks {
        match pick {
            Pick::Field(asked) if asked.name != "__typename" => _ = into.insert(&asked.name),
            Pick::Part(part) if part.on.is_none() => names(&part.picks, into),
            _ => {}
        }
    }
}

/// The type that has most of what is asked for below a field, if there is one before all others.
fn likeliest(
    tuples: &Tuples<'_>,
    (on, field): (TypeId, &str),
    below: &BTreeSet<&str>,
) -> Option<TypeId> {
    let graph = tuples.graph;
    let (own, owner) = (stems(field), stems(&graph.get(on).name));
    let ranked = graph.iter().filter_map(|(id, kind)| {
        let has = below.iter().filter(|name| tuples.has(id, name)).count();
        (has > 0).then(|| ((has, telling(&kind.name, &own, &owner)), id))
    });
    let mut best = None;
    for (rank, id) in ranked {
        match &best {
            Some((known, _)) if *known > rank => {}
            Some((known, _)) if *known == rank => best = Some((rank, None)),
            _ => best = Some((rank, Some(id))),
        }
    }
    best?.1
}

/// How much the name of a type tells of a field: words of the field in it, then how few are
/// neither the field's nor its owner's, then words of the owner.
fn telling(
    name: &str,
    field: &BTreeSet<String>,
    owner: &BTreeSet<String>,
) -> (usize, Reverse<usize>, usize) {
    let stems = stems(name);
    let strange = stems
        .iter()
        .filter(|stem| !field.contains(*stem) && !owner.contains(*stem));
    (
        stems.intersection(field).count(),
        Reverse(strange.count()),
        stems.intersection(owner).count(),
    )
}

fn stems(name: &str) -> BTreeSet<String> {
    words(name).iter().map(|word| singular(word)).collect()
}
