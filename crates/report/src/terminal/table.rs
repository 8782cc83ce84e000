//! Operations and what they answered, as a table.

use std::fmt::Write as _;

use fossick_trace::{Run, Tally};

use crate::layout::{cut_middle, padded, width};
use crate::style::Tone;
use crate::wording::thousands;
use crate::{Style, one_line};

const CLASSES: [&str; 5] = ["2xx", "3xx", "4xx", "5xx", "none"];

/// A row for each operation, a column for each class of statuses; long paths lose their middle.
pub fn operations_table(run: &Run, style: &Style) -> String {
    let columns = columns(run);
    let numbers: usize = columns.iter().map(|column| column.width + 2).sum();
    let methods = run
        .operations
        .iter()
        .map(|t| width(&t.method))
        .max()
        .unwrap_or(0);
    let room = style.width.saturating_sub(numbers + methods + 1).max(12);
    let paths = run.operations.iter().map(|t| width(&one_line(&t.path)));
    let path = paths.max().unwrap_or(0).clamp(9, room.max(9));
    let mut out = header(&columns, methods + 1 + path, style);
    for (at, tally) in run.operations.iter().enumerate() {
        let label = cut_middle(&one_line(&tally.path), path, style);
        let _ = write!(
            out,
            "{} {}",
            padded(&tally.method, methods),
            padded(&label, path)
        );
        for column in &columns {
            out.push_str(&column.cell(at, style));
        }
        out.push('\n');
    }
    out
}

struct Column {
    name: &'static str,
    counts: Vec<u64>,
    width: usize,
}

impl Column {
    fn of(run: &Run, name: &'static str, count: impl Fn(&Tally) -> u64) -> Self {
        let counts: Vec<u64> = run.operations.iter().map(count).collect();
        let widest = counts
            .iter()
            .map(|n| thousands(*n).len())
            .max()
            .unwrap_or(0);
        Self {
            name,
            counts,
            width: widest.max(name.len()),
        }
    }

    /// A zero is drawn so that the eye passes over it.
    fn cell(&self, row: usize, style: &Style) -> String {
        let count = self.counts.get(row).copied().unwrap_or(0);
        if count == 0 {
            let zero = format!("  {:>width$}", style.symbols().zero, width = self.width);
            return style.paint(Tone::Dim, &zero);
        }
        let text = format!("  {:>width$}", thousands(count), width = self.width);
        match self.name {
            "2xx" => style.paint(Tone::Green, &text),
            "5xx" | "none" => style.paint(Tone::Red, &text),
            _ => text,
        }
    }
}

/// Statuses outside of the usual classes get a column only where there are some.
fn columns(run: &Run) -> Vec<Column> {
    let class = |tally: &Tally, class: &str| tally.classes().get(class).copied().unwrap_or(0);
    let mut columns = vec![Column::of(run, "requests", |tally| tally.requests)];
    columns.extend(CLASSES.map(|name| Column::of(run, name, |tally| class(tally, name))));
    let other = Column::of(run, "other", |tally| {
        let classes = tally.classes().into_iter();
        let odd = classes.filter(|(name, _)| !CLASSES.contains(&name.as_str()));
        odd.map(|(_, count)| count).sum()
    });
    if other.counts.iter().any(|count| *count > 0) {
        columns.push(other);
    }
    columns
}

fn header(columns: &[Column], label: usize, style: &Style) -> String {
    let mut line = padded("operation", label);
    for column in columns {
        let _ = write!(line, "  {:>width$}", column.name, width = column.width);
    }
    format!("{}\n", style.paint(Tone::Strong, &line))
}
