//! In which column and in which order the blocks stand.
//!
//! First a chain in which each block is the one most drawn to those just placed; the chain is laid
//! in columns like a snake; then pairs change places as long as that makes the lines shorter.

use std::collections::BTreeMap;

use fossick_trace::PropertyGraph;

use super::ASPECT;
use super::blocks::{Block, holdings};
use super::card::Row;
use super::place::{BETWEEN, extent, height};
use super::weight::pull;
use crate::edge::{Node, ends};

/// How much of the pull of earlier blocks is left with each that follows.
const FADES: f64 = 0.7;
/// Work that exchanging may take, in pairs looked at.
const EFFORT: usize = 400_000;

/// How much each has to do with others.
pub(super) type Links = Vec<BTreeMap<usize, f64>>;

/// Columns of those blocks that are asked for, among themselves.
pub(super) fn columns(
    graph: &PropertyGraph,
    blocks: &[Block],
    rows: &[Vec<Row>],
    wanted: &[usize],
) -> Vec<Vec<usize>> {
    let some: Vec<Block> = wanted
        .iter()
        .filter_map(|b| blocks.get(*b).cloned())
        .collect();
    let heights: Vec<f64> = some.iter().map(|b| height(b, rows) + BETWEEN.1).collect();
    let width = some
        .iter()
        .map(extent)
        .fold(0.0, |widest, (left, right)| f64::max(widest, left + right));
    let mut columns = stacks(&links(graph, &some), &heights, width + BETWEEN.0);
    for block in columns.iter_mut().flatten() {
        *block = wanted.get(*block).copied().unwrap_or(*block);
    }
    columns
}

/// Things of these heights in columns of one width, so that those with much in common are near.
pub(super) fn stacks(links: &Links, heights: &[f64], width: f64) -> Vec<Vec<usize>> {
    let mut columns = folded(&chain(links), heights, width);
    exchange(&mut columns, links, heights, width);
    columns
}

/// How much blocks have to do with each other.
fn links(graph: &PropertyGraph, blocks: &[Block]) -> Links {
    let homes = Homes::of(graph, blocks);
    let mut links: Links = vec![BTreeMap::new(); blocks.len()];
    let mut link = |one: Option<usize>, other: Option<usize>, pull: f64| {
        if let (Some(one), Some(other)) = (one, other) {
            join(&mut links, one, other, pull);
        }
    };
    for edge in &graph.edges {
        let (from, to) = ends(&edge.joins);
        link(homes.block(from), homes.block(to), pull(edge));
    }
    for (holder, held) in holdings(graph) {
        let (one, other) = (Node::Schema(holder), Node::Schema(held));
        link(homes.block(one), homes.block(other), 0.5);
    }
    links
}

/// Lets two have more to do with each other.
pub(super) fn join(links: &mut Links, one: usize, other: usize, pull: f64) {
    for (a, b) in [(one, other), (other, one)] {
        if let Some(links) = links.get_mut(a).filter(|_| a != b) {
            *links.entry(b).or_default() += pull;
        }
    }
}

/// The block of each node; none for those of other sections.
struct Homes {
    operations: Vec<Option<usize>>,
    schemas: Vec<Option<usize>>,
}

impl Homes {
    fn of(graph: &PropertyGraph, blocks: &[Block]) -> Self {
        let mut homes = Self {
            operations: vec![None; graph.operations.len()],
            schemas: vec![None; graph.schemas.len()],
        };
        for (at, block) in blocks.iter().enumerate() {
            let pills = block
                .left
                .iter()
                .chain(&block.right)
                .chain(&block.loose_pills);
            pills.for_each(|pill| set(&mut homes.operations, *pill, at));
            let cards = block.card.iter().chain(&block.loose_cards);
            cards.for_each(|card| set(&mut homes.schemas, *card, at));
        }
        homes
    }

    fn block(&self, node: Node) -> Option<usize> {
        let (list, index) = match node {
            Node::Operation(index) => (&self.operations, index),
            Node::Schema(index) => (&self.schemas, index),
        };
        list.get(index).copied().flatten()
    }
}

fn set(list: &mut [Option<usize>], index: usize, value: usize) {
    if let Some(place) = list.get_mut(index) {
        *place = Some(value);
    }
}

/// All blocks in a row, each drawn to those before it. A new part of the graph begins with the
/// block that has most links.
fn chain(links: &Links) -> Vec<usize> {
    let total: Vec<f64> = links.iter().map(|own| own.values().sum()).collect();
    let mut drawn = vec![0.0_f64; links.len()];
    let mut left: Vec<usize> = (0..links.len()).collect();
    let mut chain = Vec::with_capacity(links.len());
    while let Some(at) = next(&left, &drawn, &total) {
        let block = left.remove(at);
        chain.push(block);
        for pull in &mut drawn {
            *pull *= FADES;
        }
        for (other, pull) in links.get(block).into_iter().flatten() {
            if let Some(sum) = drawn.get_mut(*other) {
                *sum += pull;
            }
        }
    }
    chain
}

fn next(left: &[usize], drawn: &[f64], total: &[f64]) -> Option<usize> {
    let value = |list: &[f64], block: usize| list.get(block).copied().unwrap_or(0.0);
    let better = |a: usize, b: usize| {
        let by_pull = value(drawn, a).total_cmp(&value(drawn, b));
        by_pull.then(value(total, a).total_cmp(&value(total, b)))
    };
    // The last of equals is taken by `max_by`; the first is meant.
    let places = left.iter().enumerate().rev();
    places.max_by(|a, b| better(*a.1, *b.1)).map(|(at, _)| at)
}

/// The chain in columns, down and up by turns, so that neighbours stay neighbours.
fn folded(chain: &[usize], heights: &[f64], width: f64) -> Vec<Vec<usize>> {
    let tall = |block: &usize| heights.get(*block).copied().unwrap_or(0.0);
    let total: f64 = chain.iter().map(tall).sum();
    let count = (ASPECT * total / width.max(1.0)).sqrt().round().max(1.0);
    let goal = total / count;
    let mut columns: Vec<Vec<usize>> = vec![Vec::new()];
    let mut filled = 0.0;
    for block in chain {
        let full = filled + tall(block) / 2.0 > goal * columns.len() as f64;
        if full && columns.last().is_some_and(|column| !column.is_empty()) {
            columns.push(Vec::new());
        }
        filled += tall(block);
        if let Some(column) = columns.last_mut() {
            column.push(*block);
        }
    }
    columns
        .iter_mut()
        .skip(1)
        .step_by(2)
        .for_each(|c| c.reverse());
    columns
}

/// Pairs change places while that shortens the lines.
fn exchange(columns: &mut [Vec<usize>], links: &Links, heights: &[f64], width: f64) {
    let pairs = links.len() * links.len() / 2;
    let passes = (EFFORT / pairs.max(1)).min(10);
    for _ in 0..passes {
        let mut spots = places(columns, heights, width);
        if !exchange_once(columns, links, heights, &mut spots) {
            break;
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Spot {
    column: usize,
    at: usize,
    x: f64,
    y: f64,
}

fn places(columns: &[Vec<usize>], heights: &[f64], width: f64) -> BTreeMap<usize, Spot> {
    let mut spots = BTreeMap::new();
    for (column, blocks) in columns.iter().enumerate() {
        let tall = |block: &usize| heights.get(*block).copied().unwrap_or(0.0);
        let mut y = -blocks.iter().map(tall).sum::<f64>() / 2.0;
        for (at, block) in blocks.iter().enumerate() {
            let half = tall(block) / 2.0;
            y += half;
            let x = column as f64 * width;
            spots.insert(*block, Spot { column, at, x, y });
            y += half;
        }
    }
    spots
}

fn exchange_once(
    columns: &mut [Vec<usize>],
    links: &Links,
    heights: &[f64],
    spots: &mut BTreeMap<usize, Spot>,
) -> bool {
    let mut changed = false;
    for one in 0..links.len() {
        for other in one + 1..links.len() {
            let (Some(a), Some(b)) = (spots.get(&one).copied(), spots.get(&other).copied()) else {
                continue;
            };
            if a.column != b.column && !alike(heights, one, other) {
                continue;
            }
            let now = length(links, spots, one, a, other) + length(links, spots, other, b, one);
            if now <= 0.0 {
                continue;
            }
            let then = length(links, spots, one, b, other) + length(links, spots, other, a, one);
            if then < now * 0.999 - 1.0 {
                spots.insert(one, b);
                spots.insert(other, a);
                stand(columns, b, one);
                stand(columns, a, other);
                changed = true;
            }
        }
    }
    changed
}

/// Whether two blocks can change columns without making one much longer than the other.
fn alike(heights: &[f64], one: usize, other: usize) -> bool {
    let tall = |block: usize| heights.get(block).copied().unwrap_or(0.0);
    (tall(one) - tall(other)).abs() <= 60.0
}

fn stand(columns: &mut [Vec<usize>], spot: Spot, block: usize) {
    let column = columns.get_mut(spot.column);
    if let Some(place) = column.and_then(|column| column.get_mut(spot.at)) {
        *place = block;
    }
}

/// Length of the lines of a block, were it there; the line to the one it changes with stays.
fn length(links: &Links, spots: &BTreeMap<usize, Spot>, block: usize, at: Spot, but: usize) -> f64 {
    let own = links.get(block).into_iter().flatten();
    own.filter(|(other, _)| **other != but)
        .filter_map(|(other, pull)| {
            let spot = spots.get(other)?;
            Some(pull * ((spot.x - at.x).abs() + (spot.y - at.y).abs()))
        })
        .sum()
}
