//! Blocks in coordinates.

use std::collections::BTreeMap;

use fossick_trace::{Joins, PropertyGraph};

use super::blocks::Block;
use super::card::{self, Row};
use super::{Area, CARD, Frame, PILL, Picture};

/// Between blocks: side by side, and one below the other.
pub(super) const BETWEEN: (f64, f64) = (150.0, 52.0);
/// Between a card and the pills beside it: room for lines and their labels.
const GUTTER: f64 = 150.0;
const MARGIN: f64 = 40.0;
const BELOW: f64 = 12.0;
/// Pills in a line of loose ones, and cards.
const PILLS: usize = 3;
const CARDS: usize = 4;
const CARD_STEP: f64 = CARD + 42.0;
const PILL_STEP: f64 = PILL.0 + 24.0;

/// How far a block reaches to the left and to the right of its axis.
pub(super) fn extent(block: &Block) -> (f64, f64) {
    let side = |pills: &[usize]| {
        let beside = if pills.is_empty() {
            0.0
        } else {
            GUTTER + PILL.0
        };
        CARD / 2.0 + beside
    };
    let (left, right) = match block.card {
        Some(_) => (side(&block.left), side(&block.right)),
        None => (0.0, 0.0),
    };
    let half = grid_width(block) / 2.0;
    (left.max(half), right.max(half))
}

fn grid_width(block: &Block) -> f64 {
    let line = |count: usize, most: usize, step: f64, own: f64| match count.min(most) {
        0 => 0.0,
        across => (across - 1) as f64 * step + own,
    };
    let pills = line(block.loose_pills.len(), PILLS, PILL_STEP, PILL.0);
    pills.max(line(block.loose_cards.len(), CARDS, CARD_STEP, CARD))
}

pub(super) fn height(block: &Block, rows: &[Vec<Row>]) -> f64 {
    let (around, below) = (around_height(block, rows), grid_height(block, rows));
    let between = if around > 0.0 && below > 0.0 {
        2.0 * BELOW
    } else {
        0.0
    };
    around + between + below
}

/// The card in the middle with the pills beside it.
fn around_height(block: &Block, rows: &[Vec<Row>]) -> f64 {
    let pills = stacked(block.left.len().max(block.right.len()), PILL.1);
    pills.max(block.card.map_or(0.0, |card| card_height(card, rows)))
}

fn grid_height(block: &Block, rows: &[Vec<Row>]) -> f64 {
    let pills = stacked(block.loose_pills.len().div_ceil(PILLS), PILL.1);
    let lines = block.loose_cards.chunks(CARDS);
    let cards: f64 = lines
        .map(|line| line_height(line, rows) + 2.0 * BELOW)
        .sum();
    pills.max(cards - 2.0 * BELOW).max(0.0)
}

fn stacked(count: usize, each: f64) -> f64 {
    count as f64 * (each + BELOW) - if count > 0 { BELOW } else { 0.0 }
}

fn card_height(card: usize, rows: &[Vec<Row>]) -> f64 {
    rows.get(card).map_or(0.0, |rows| card::height(rows))
}

fn line_height(cards: &[usize], rows: &[Vec<Row>]) -> f64 {
    let heights = cards.iter().map(|c| card_height(*c, rows));
    heights.fold(0.0, f64::max)
}

pub(super) fn place(
    graph: &PropertyGraph,
    mut blocks: Vec<Block>,
    columns: &[Vec<usize>],
    rows: Vec<Vec<Row>>,
) -> Picture {
    mirror(graph, &mut blocks, columns);
    let mut picture = Picture {
        pills: vec![Area::default(); graph.operations.len()],
        outer: vec![1.0; graph.operations.len()],
        homes: vec![None; graph.operations.len()],
        cards: vec![Area::default(); graph.schemas.len()],
        rows,
        ..Picture::default()
    };
    let tallest = columns
        .iter()
        .map(|column| column_height(column, &blocks, &picture.rows))
        .fold(0.0, f64::max);
    let mut x = MARGIN;
    for column in columns {
        let own: Vec<&Block> = column.iter().filter_map(|b| blocks.get(*b)).collect();
        let reach =
            |side: fn((f64, f64)) -> f64| own.iter().map(|b| side(extent(b))).fold(0.0, f64::max);
        let (left, right) = (reach(|e| e.0), reach(|e| e.1));
        let spare = tallest - column_height(column, &blocks, &picture.rows);
        let mut y = MARGIN + spare / 2.0;
        for block in own {
            y = put(&mut picture, block, x + left, y) + BETWEEN.1;
        }
        x += left + right + BETWEEN.0;
    }
    picture.width = (x - BETWEEN.0 + MARGIN).max(2.0 * MARGIN);
    picture.height = tallest + 2.0 * MARGIN;
    picture
}

fn column_height(column: &[usize], blocks: &[Block], rows: &[Vec<Row>]) -> f64 {
    let own = column.iter().filter_map(|b| blocks.get(*b));
    let sum: f64 = own.map(|b| height(b, rows) + BETWEEN.1).sum();
    (sum - BETWEEN.1).max(0.0)
}

/// Puts a block with its axis and its top there; gives its bottom.
fn put(picture: &mut Picture, block: &Block, axis: f64, top: f64) -> f64 {
    let tall = height(block, &picture.rows);
    let around = around_height(block, &picture.rows);
    let middle = top + around / 2.0;
    picture.frames.push(Frame {
        name: block.name.clone(),
        at: (
            axis,
            if around > 0.0 {
                middle
            } else {
                top + tall / 2.0
            },
        ),
    });
    if let Some(card) = block.card {
        let y = middle - card_height(card, &picture.rows) / 2.0;
        put_card(picture, card, axis - CARD / 2.0, y);
    }
    let inner = CARD / 2.0 + GUTTER;
    put_pills(picture, &block.left, axis - inner - PILL.0, middle);
    put_pills(picture, &block.right, axis + inner, middle);
    for pill in block.left.iter().chain(&block.right) {
        if let Some(home) = picture.homes.get_mut(*pill) {
            *home = block.card;
        }
    }
    for pill in &block.left {
        if let Some(outer) = picture.outer.get_mut(*pill) {
            *outer = -1.0;
        }
    }
    put_grid(picture, block, axis - grid_width(block) / 2.0, top + tall);
    top + tall
}

fn put_card(picture: &mut Picture, card: usize, x: f64, y: f64) {
    let height = card_height(card, &picture.rows);
    if let Some(area) = picture.cards.get_mut(card) {
        *area = Area {
            x,
            y,
            width: CARD,
            height,
        };
    }
}

fn put_pills(picture: &mut Picture, pills: &[usize], x: f64, middle: f64) {
    let top = middle - stacked(pills.len(), PILL.1) / 2.0;
    for (at, pill) in pills.iter().enumerate() {
        put_pill(picture, *pill, x, top + at as f64 * (PILL.1 + BELOW));
    }
}

fn put_pill(picture: &mut Picture, pill: usize, x: f64, y: f64) {
    if let Some(area) = picture.pills.get_mut(pill) {
        let (width, height) = PILL;
        *area = Area {
            x,
            y,
            width,
            height,
        };
    }
}

/// Loose nodes in lines, the last of them ending at the bottom.
fn put_grid(picture: &mut Picture, block: &Block, left: f64, bottom: f64) {
    let mut y = bottom - grid_height(block, &picture.rows);
    for (at, pill) in block.loose_pills.iter().enumerate() {
        let (line, across) = (at / PILLS, at % PILLS);
        let down = line as f64 * (PILL.1 + BELOW);
        put_pill(picture, *pill, left + across as f64 * PILL_STEP, y + down);
    }
    for line in block.loose_cards.chunks(CARDS) {
        for (across, card) in line.iter().enumerate() {
            put_card(picture, *card, left + across as f64 * CARD_STEP, y);
        }
        y += line_height(line, &picture.rows) + 2.0 * BELOW;
    }
}

/// Turns blocks around whose operations have more to do on the other side.
fn mirror(graph: &PropertyGraph, blocks: &mut [Block], columns: &[Vec<usize>]) {
    let mut column_of_block = vec![0_usize; blocks.len()];
    for (at, column) in columns.iter().enumerate() {
        for block in column {
            if let Some(place) = column_of_block.get_mut(*block) {
                *place = at;
            }
        }
    }
    let column_of_card: BTreeMap<usize, usize> = blocks
        .iter()
        .zip(&column_of_block)
        .flat_map(|(block, at)| {
            let cards = block.card.iter().chain(&block.loose_cards);
            cards.map(move |card| (*card, *at))
        })
        .collect();
    let reach = reach(graph, &column_of_card);
    for (block, at) in blocks.iter_mut().zip(&column_of_block) {
        let drift = |pills: &[usize]| -> i64 {
            let far = pills.iter().filter_map(|pill| reach.get(pill)).flatten();
            far.map(|column| (*column as i64 - *at as i64).signum())
                .sum()
        };
        if drift(&block.left) > drift(&block.right) {
            std::mem::swap(&mut block.left, &mut block.right);
        }
    }
}

/// Columns of the schemas that each operation is joined to.
fn reach(
    graph: &PropertyGraph,
    column_of_card: &BTreeMap<usize, usize>,
) -> BTreeMap<usize, Vec<usize>> {
    let mut reach: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for edge in &graph.edges {
        if let Joins::Produces { operation, schema }
        | Joins::Consumes {
            operation, schema, ..
        } = &edge.joins
            && let Some(column) = column_of_card.get(&(*schema as usize))
        {
            reach.entry(*operation as usize).or_default().push(*column);
        }
    }
    reach
}
