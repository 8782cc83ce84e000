//! Who stands with whom: a schema in the middle, its operations to the left and to the right.
//!
//! Schemas that no operation calls home stand in lines below the one they have most to do with. What has
//! to do with nothing is gathered in grids.

use std::collections::BTreeMap;

use fossick_trace::{Joins, PropertyGraph};

use super::card::{Row, row_of};
use super::weight::{of_name, pull};
use crate::view::place;

/// More in one grid would be a wall.
const GRID: usize = 60;
/// Operations beyond which a schema is everybody's, and so nobody's home.
const MANY: f64 = 8.0;
/// Cards below the first of a block.
const COMPANIONS: usize = 12;

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Block {
    pub(super) name: String,
    /// The card in the middle; none for a grid.
    pub(super) card: Option<usize>,
    pub(super) left: Vec<usize>,
    pub(super) right: Vec<usize>,
    /// Operations that belong to nobody.
    pub(super) loose_pills: Vec<usize>,
    /// Schemas that no operation calls home, below the rest.
    pub(super) loose_cards: Vec<usize>,
}

pub(super) fn blocks(graph: &PropertyGraph, rows: &[Vec<Row>]) -> Vec<Block> {
    let homes = homes(graph);
    let mut by_schema: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut homeless = Vec::new();
    for (operation, home) in homes.iter().enumerate() {
        match home {
            Some(schema) => by_schema.entry(*schema).or_default().push(operation),
            None => homeless.push(operation),
        }
    }
    let (companions, lonely) = companions(graph, &by_schema);
    let mut blocks: Vec<Block> = Vec::new();
    for (schema, operations) in &by_schema {
        let (left, right) = sides(graph, *schema, operations, rows);
        blocks.push(Block {
            name: name_of(graph, *schema),
            card: Some(*schema),
            left,
            right,
            loose_cards: companions.get(schema).cloned().unwrap_or_default(),
            loose_pills: Vec::new(),
        });
    }
    blocks.extend(grids_of_operations(graph, &homeless));
    blocks.extend(lonely.chunks(GRID / 2).map(|cards| Block {
        name: "schemas on their own".to_owned(),
        loose_cards: cards.to_vec(),
        ..Block::default()
    }));
    blocks
}

fn name_of(graph: &PropertyGraph, schema: usize) -> String {
    let node = graph.schemas.get(schema);
    node.map_or(String::new(), |s| s.name.clone())
}

/// The schema that each operation has most to do with.
fn homes(graph: &PropertyGraph) -> Vec<Option<usize>> {
    let mut pulls: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); graph.operations.len()];
    for edge in &graph.edges {
        if let Joins::Produces { operation, schema }
        | Joins::Consumes {
            operation, schema, ..
        } = &edge.joins
            && let Some(pulls) = pulls.get_mut(*operation as usize)
        {
            *pulls.entry(*schema as usize).or_default() += pull(edge);
        }
    }
    let mut users: BTreeMap<usize, f64> = BTreeMap::new();
    for schema in pulls.iter().flat_map(BTreeMap::keys) {
        *users.entry(*schema).or_default() += 1.0;
    }
    let both = graph.operations.iter().zip(pulls);
    let mut homes: Vec<Option<usize>> = both
        .map(|(operation, pulls)| {
            let weighed = pulls.into_iter().map(|(schema, pull)| {
                let named = graph.schemas.get(schema).map(|s| of_name(operation, s));
                let users = users.get(&schema).copied().unwrap_or(1.0);
                let share = (users / MANY).max(1.0).sqrt();
                (schema, (pull + named.unwrap_or(0.0)) / share)
            });
            strongest(weighed)
        })
        .collect();
    follow(graph, &mut homes);
    homes
}

/// Operations that have to do with no schema go where others of their endpoint are.
fn follow(graph: &PropertyGraph, homes: &mut [Option<usize>]) {
    let known = homes.to_vec();
    let home = |operation: u32| known.get(operation as usize).copied().flatten();
    for edge in &graph.edges {
        if let Joins::Endpoint { one, other } = &edge.joins {
            for (lost, found) in [(*one, *other), (*other, *one)] {
                if let Some(place) = homes.get_mut(lost as usize).filter(|own| own.is_none()) {
                    *place = home(found);
                }
            }
        }
    }
}

/// The first of those that pull most.
fn strongest(pulls: impl Iterator<Item = (usize, f64)>) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (node, pull) in pulls {
        if best.is_none_or(|(_, most)| pull > most) {
            best = Some((node, pull));
        }
    }
    best.map(|(node, _)| node)
}

type Companions = BTreeMap<usize, Vec<usize>>;

/// Schemas without operations: those that stand with another, and those that stand alone.
fn companions(
    graph: &PropertyGraph,
    by_schema: &BTreeMap<usize, Vec<usize>>,
) -> (Companions, Vec<usize>) {
    let links = schema_links(graph, by_schema);
    let mut companions: Companions = BTreeMap::new();
    let mut lonely = Vec::new();
    let without = (0..graph.schemas.len()).filter(|schema| !by_schema.contains_key(schema));
    for schema in without {
        let free = links
            .get(&schema)
            .into_iter()
            .flatten()
            .filter(|(host, _)| companions.get(host).map_or(0, Vec::len) < COMPANIONS);
        match strongest(free.map(|(host, pull)| (*host, *pull))) {
            Some(host) => companions.entry(host).or_default().push(schema),
            None => lonely.push(schema),
        }
    }
    (companions, lonely)
}

/// From schemas without operations to those with, by edges and by holding one another.
fn schema_links(
    graph: &PropertyGraph,
    by_schema: &BTreeMap<usize, Vec<usize>>,
) -> BTreeMap<usize, BTreeMap<usize, f64>> {
    let home: BTreeMap<usize, usize> = by_schema
        .iter()
        .flat_map(|(schema, operations)| operations.iter().map(|o| (*o, *schema)))
        .collect();
    let mut links: BTreeMap<usize, BTreeMap<usize, f64>> = BTreeMap::new();
    let mut link = |one: usize, other: usize, pull: f64| {
        for (a, b) in [(one, other), (other, one)] {
            if !by_schema.contains_key(&a) && by_schema.contains_key(&b) {
                *links.entry(a).or_default().entry(b).or_default() += pull;
            }
        }
    };
    for edge in &graph.edges {
        match &edge.joins {
            Joins::Equals { one, other, .. } => link(*one as usize, *other as usize, pull(edge)),
            Joins::Produces { operation, schema }
            | Joins::Consumes {
                operation, schema, ..
            } => {
                if let Some(home) = home.get(&(*operation as usize)) {
                    link(*schema as usize, *home, pull(edge));
                }
            }
            Joins::Endpoint { .. } => {}
        }
    }
    for (holder, held) in holdings(graph) {
        link(holder, held, 2.0);
    }
    links
}

/// Pairs of a schema and one that a property of it holds.
pub(super) fn holdings(graph: &PropertyGraph) -> Vec<(usize, usize)> {
    let names: BTreeMap<&str, usize> = graph
        .schemas
        .iter()
        .enumerate()
        .map(|(index, schema)| (schema.name.as_str(), index))
        .collect();
    let mut pairs = Vec::new();
    for (holder, schema) in graph.schemas.iter().enumerate() {
        for property in &schema.properties {
            let kind = property.kind.trim_matches(['[', ']', '!']);
            if let Some(held) = names.get(kind).filter(|held| **held != holder) {
                pairs.push((holder, *held));
            }
        }
    }
    pairs.dedup();
    pairs
}

/// Operations of one endpoint stand together; endpoints are dealt to the two sides in the order
/// of the rows that they use, so that their lines cross little.
fn sides(
    graph: &PropertyGraph,
    schema: usize,
    operations: &[usize],
    rows: &[Vec<Row>],
) -> (Vec<usize>, Vec<usize>) {
    let levels = levels(graph, schema, rows);
    let mut groups: Vec<(f64, Vec<usize>)> = endpoints(graph, operations)
        .into_iter()
        .map(|group| {
            let sum: f64 = group.iter().filter_map(|o| levels.get(o)).sum();
            (sum / group.len().max(1) as f64, group)
        })
        .collect();
    groups.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (_, group) in groups {
        let side = if left.len() <= right.len() {
            &mut left
        } else {
            &mut right
        };
        side.extend(group);
    }
    (left, right)
}

/// Operations with the same path, in the order of the document.
fn endpoints(graph: &PropertyGraph, operations: &[usize]) -> Vec<Vec<usize>> {
    let path = |operation: usize| graph.operations.get(operation).map(place);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    for operation in operations {
        let at = *known.entry(path(*operation)).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(*operation),
            None => groups.push(vec![*operation]),
        }
    }
    groups
}

/// Mean height on the card at which the lines of each operation begin.
fn levels(graph: &PropertyGraph, schema: usize, rows: &[Vec<Row>]) -> BTreeMap<usize, f64> {
    let (Some(node), Some(rows)) = (graph.schemas.get(schema), rows.get(schema)) else {
        return BTreeMap::new();
    };
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for edge in &graph.edges {
        if let Joins::Consumes {
            schema: own,
            operation,
            uses,
        } = &edge.joins
            && *own as usize == schema
        {
            let (sum, count) = sums.entry(*operation as usize).or_default();
            for one in uses {
                *sum += row_of(node, rows, &one.property).unwrap_or(0.0);
                *count += 1.0;
            }
        }
    }
    let mean = |(operation, (sum, count)): (usize, (f64, f64))| {
        (operation, if count > 0.0 { sum / count } else { 0.0 })
    };
    sums.into_iter().map(mean).collect()
}

/// Operations without a schema, by the first word of their paths.
fn grids_of_operations(graph: &PropertyGraph, operations: &[usize]) -> Vec<Block> {
    let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for operation in operations {
        let node = graph.operations.get(*operation);
        by_word
            .entry(node.map_or("", |o| first_word(place(o))))
            .or_default()
            .push(*operation);
    }
    let (few, many): (Vec<_>, Vec<_>) = by_word.into_iter().partition(|(_, list)| list.len() < 4);
    let mut rest: Vec<usize> = few.into_iter().flat_map(|(_, list)| list).collect();
    rest.sort_unstable();
    let named = many.iter().map(|(word, list)| (*word, list.as_slice()));
    let all = named.chain([("without a schema", rest.as_slice())]);
    all.flat_map(|(name, list)| {
        list.chunks(GRID).map(move |pills| Block {
            name: name.to_owned(),
            loose_pills: pills.to_vec(),
            ..Block::default()
        })
    })
    .collect()
}

fn first_word(path: &str) -> &str {
    let mut words = path.split('/').filter(|word| !word.is_empty());
    words.next().unwrap_or("")
}
