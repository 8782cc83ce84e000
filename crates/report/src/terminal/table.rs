//! Operations and what they answered, as a table.

use std::fmt::Write as _;

use fossick_trace::{Run, Tally};

use crate::layout::{cut_middle, padded, width};
use crate::style::Tone;
use crate::wording::thousands;
use crate::{Style, one_line};

const CLASSES: [&str; 5] = ["2xx", "3xx", "4xx", "5xx", "none"];

/// A row for each operation, a column for each class of statuses or, where a status says little,
/// for what the answers said; long paths lose their middle.
pub fn operations_table(run: &Run, style: &Style) -> String {
    let columns = match run.graphql {
        Some(_) => graphql_columns(run),
        None => columns(run),
    };
    let numbers: usize = columns.iter().map(|column| column.width + 2).sum();
    let names: Vec<(String, String)> = run.operations.iter().map(|t| name(run, t)).collect();
    let methods = names.iter().map(|(method, _)| width(method)).max();
    let methods = methods.unwrap_or(0);
    let room = style.width.saturating_sub(numbers + methods + 1).max(12);
    let paths = names.iter().map(|(_, path)| width(path));
    let path = paths.max().unwrap_or(0).clamp(9, room.max(9));
    let mut out = header(&columns, methods + 1 + path, style);
    for (at, (method, label)) in names.iter().enumerate() {
        let label = cut_middle(label, path, style);
        let _ = write!(out, "{} {}", padded(method, methods), padded(&label, path));
        for column in &columns {
            out.push_str(&column.cell(at, style));
        }
        out.push('\n');
    }
    out
}

/// Method and path; for GraphQL, where all have the same, what is asked for and of which kind.
fn name(run: &Run, tally: &Tally) -> (String, String) {
    let label = one_line(&tally.label);
    match label.split_once(' ').filter(|_| run.graphql.is_some()) {
        Some((kind, field)) => (kind.to_owned(), field.to_owned()),
        None => (one_line(&tally.method), one_line(&tally.path)),
    }
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

    fn has_some(&self) -> bool {
        self.counts.iter().any(|count| *count > 0)
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
            "2xx" | "without errors" | "data" => style.paint(Tone::Green, &text),
            "5xx" | "none" | "no GraphQL" => style.paint(Tone::Red, &text),
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
    if other.has_some() {
        columns.push(other);
    }
    columns
}

/// What has neither `data` nor `errors`, or never came, gets a column only where there is some.
fn graphql_columns(run: &Run) -> Vec<Column> {
    let mut columns = vec![
        Column::of(run, "requests", |tally| tally.requests),
        Column::of(run, "without errors", |tally| tally.without_errors),
        Column::of(run, "data", |tally| tally.with_data),
        Column::of(run, "with errors", |tally| tally.with_errors),
    ];
    let of_class = |tally: &Tally, class: &str| tally.classes().get(class).copied().unwrap_or(0);
    let rare = [
        Column::of(run, "5xx", |tally| of_class(tally, "5xx")),
        Column::of(run, "none", |tally| of_class(tally, "none")),
        Column::of(run, "no GraphQL", |tally| {
            let heard = tally.without_errors + tally.with_errors + of_class(tally, "none");
            tally.requests.saturating_sub(heard)
        }),
    ];
    columns.extend(rare.into_iter().filter(Column::has_some));
    columns
}

fn header(columns: &[Column], label: usize, style: &Style) -> String {
    let mut line = padded("operation", label);
    for column in columns {
        let _ = write!(line, "  {:>width$}", column.name, width = column.width);
    }
    format!("{}\n", style.paint(Tone::Strong, &line))
}
