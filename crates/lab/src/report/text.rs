//! The tables as aligned plain text, for a terminal.
//!
//! Without colour or escape codes: what stands out carries a star, so that the text survives a
//! pipe, a log and a mail. A table wider than the terminal is cut into several, each with the
//! names of its rows.

use super::Report;
use super::grid::{Entry, Grid};
use super::number::grouped;

/// Between two columns.
const GAP: usize = 2;

impl Report {
    /// The whole report for a terminal of so many columns.
    pub fn text(&self, width: usize) -> String {
        let mut text = format!("{}\n{}\n", self.title, self.state());
        for budget in &self.budgets {
            for grid in self.grids(budget) {
                text += &format!("\n{} calls: {}\n", grouped(budget.budget), grid.caption);
                let parts = cut(&grid, width);
                let tables: Vec<String> = parts.iter().map(|places| table(&grid, places)).collect();
                text += &tables.join("\n");
            }
        }
        text + "\n* stands out: the best of a service, or p < 0.05 (▼ where B is the better one)\n"
    }
}

/// A column to be shown: its place in the grid, its width, and whether it holds words.
struct Column {
    place: usize,
    width: usize,
    words: bool,
}

/// The columns of each part that fits.
fn cut(grid: &Grid, width: usize) -> Vec<Vec<Column>> {
    let widths = widths(grid);
    let column = |place: usize| Column {
        place,
        width: widths.get(place).copied().unwrap_or_default(),
        words: place < grid.words,
    };
    let wide =
        |places: &[usize]| -> usize { places.iter().map(|at| column(*at).width + GAP).sum() };
    let fixed: Vec<usize> = (0..grid.fixed).collect();
    let rest: Vec<usize> = (grid.fixed..widths.len()).collect();
    let mut parts: Vec<Vec<usize>> = vec![fixed.clone()];
    for unit in rest.chunks(grid.unit.max(1)) {
        let last = parts.last().map_or(0, |part| wide(part));
        let bare = parts.last().is_some_and(|part| part.len() == fixed.len());
        if last + wide(unit) > width && !bare {
            parts.push(fixed.clone());
        }
        if let Some(part) = parts.last_mut() {
            part.extend(unit);
        }
    }
    let columns = |part: Vec<usize>| part.into_iter().map(column).collect();
    parts.into_iter().map(columns).collect()
}

fn widths(grid: &Grid) -> Vec<usize> {
    let mut widths: Vec<usize> = grid.head.iter().map(|head| head.chars().count()).collect();
    for row in grid.groups.iter().flatten() {
        for (width, entry) in widths.iter_mut().zip(row) {
            *width = (*width).max(entry.text.chars().count());
        }
    }
    widths.iter().map(|width| width + 1).collect()
}

fn table(grid: &Grid, columns: &[Column]) -> String {
    let wide: usize = columns.iter().map(|column| column.width + GAP).sum();
    let rule = "-".repeat(wide.saturating_sub(GAP)) + "\n";
    let heads: Vec<String> = grid.head.iter().map(|head| format!("{head} ")).collect();
    let mut text = line(&heads, columns) + &rule;
    for group in &grid.groups {
        for row in group {
            let texts: Vec<String> = row.iter().map(marked).collect();
            text += &line(&texts, columns);
        }
        text += &rule;
    }
    text
}

/// Every text ends in a star or a blank, so that numbers stay in line.
fn marked(entry: &Entry) -> String {
    let mark = if entry.bold { '*' } else { ' ' };
    format!("{}{mark}", entry.text)
}

fn line(texts: &[String], columns: &[Column]) -> String {
    let gap = " ".repeat(GAP);
    let mut line = String::new();
    for column in columns {
        let text = texts.get(column.place).map_or("", String::as_str);
        let width = column.width;
        if column.words {
            line += &format!("{text:<width$}{gap}");
        } else {
            line += &format!("{text:>width$}{gap}");
        }
    }
    format!("{}\n", line.trim_end())
}
