//! Blocks in coordinates.

use std::collections::BTreeMap;

use fossick_trace::{Joins, PropertyGraph};

use super::blocks::Block;
use super::card::{self, Row};
use super::{ASPECT, Area, CARD, Frame, PILL, Picture};

/// Between blocks: side by side, and one below the other.
pub(super) const BETWEEN: (f64, f64) = (150.0, 52.0);
/// Between sections.
const APART: f64 = 260.0;
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

/// Places sections of columns; each is a part of the picture of its own.
pub(super) fn place(
    graph: &PropertyGraph,
    mut blocks: Vec<Block>,
    sections: &[Vec<Vec<usize>>],
    rows: Vec<Vec<Row>>,
) -> Picture {
    for columns in sections {
        mirror(graph, &mut blocks, columns);
    }
    let mut picture = Picture {
        pills: vec![Area::default(); graph.operations.len()],
        outer: vec![1.0; graph.operations.len()],
        homes: vec![None; graph.operations.len()],
        cards: vec![Area::default(); graph.schemas.len()],
        rows,
        ..Picture::default()
    };
    let sizes: Vec<(f64, f64)> = sections
        .iter()
        .map(|columns| section_size(columns, &blocks, &picture.rows))
        .collect();
    for (columns, corner) in sections.iter().zip(shelves(&sizes)) {
        put_section(&mut picture, &blocks, columns, corner);
    }
    let far = |right: fn(&Area) -> f64| {
        let all = picture.pills.iter().chain(&picture.cards);
        all.map(right).fold(0.0, f64::max)
    };
    let (right, bottom) = (far(Area::right), far(Area::bottom));
    picture.width = right.max(MARGIN) + MARGIN;
    picture.height = bottom.max(MARGIN) + MARGIN;
    picture
}

/// Corners of sections in rows, the tallest first.
fn shelves(sizes: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let area: f64 = sizes.iter().map(|(w, h)| (w + APART) * (h + APART)).sum();
    let broad = sizes.iter().map(|(w, _)| *w).fold(0.0, f64::max);
    let across = (area * ASPECT).sqrt().max(broad);
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by(|a, b| sizes[*b].1.total_cmp(&sizes[*a].1));
    let mut corners = vec![(MARGIN, MARGIN); sizes.len()];
    let (mut x, mut y, mut tall) = (0.0, 0.0, 0.0_f64);
    for at in order {
        let (width, height) = sizes[at];
        if x > 0.0 && x + width > across {
            (x, y, tall) = (0.0, y + tall + APART, 0.0);
        }
        corners[at] = (MARGIN + x, MARGIN + y);
        x += width + APART;
        tall = tall.max(height);
    }
    corners
}

fn section_size(columns: &[Vec<usize>], blocks: &[Block], rows: &[Vec<Row>]) -> (f64, f64) {
    let wide = |column: &Vec<usize>| {
        let (left, right) = reach_of(column, blocks);
        left + right + BETWEEN.0
    };
    let width: f64 = columns.iter().map(wide).sum();
    let tall = |column: &Vec<usize>| column_height(column, blocks, rows);
    let height = columns.iter().map(tall).fold(0.0, f64::max);
    ((width - BETWEEN.0).max(0.0), height)
}

/// How far the blocks of a column reach to both sides of its axis.
fn reach_of(column: &[usize], blocks: &[Block]) -> (f64, f64) {
    let own = column.iter().filter_map(|b| blocks.get(*b)).map(extent);
    own.fold((0.0, 0.0), |(left, right), (l, r)| {
        (f64::max(left, l), f64::max(right, r))
    })
}

fn put_section(
    picture: &mut Picture,
    blocks: &[Block],
    columns: &[Vec<usize>],
    (left_edge, top): (f64, f64),
) {
    let (_, tallest) = section_size(columns, blocks, &picture.rows);
    let mut x = left_edge;
    for column in columns {
        let (left, right) = reach_of(column, blocks);
        let spare = tallest - column_height(column, blocks, &picture.rows);
        let mut y = top + spare / 2.0;
        for block in column.iter().filter_map(|b| blocks.get(*b)) {
            y = put(picture, block, x + left, y) + BETWEEN.1;
        }
        x += left + right + BETWEEN.0;
    }
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
    let mut column_of_card: BTreeMap<usize, usize> = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        for block in column.iter().filter_map(|block| blocks.get(*block)) {
            let cards = block.card.iter().chain(&block.loose_cards);
            column_of_card.extend(cards.map(|card| (*card, at)));
        }
    }
    let reach = reach(graph, &column_of_card);
    for (at, column) in columns.iter().enumerate() {
        let drift = |pills: &[usize]| -> i64 {
            let far = pills.iter().filter_map(|pill| reach.get(pill)).flatten();
            far.map(|column| (*column as i64 - at as i64).signum())
                .sum()
        };
        for block in column {
            if let Some(block) = blocks.get_mut(*block)
                && drift(&block.left) > drift(&block.right)
            {
                std::mem::swap(&mut block.left, &mut block.right);
            }
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
