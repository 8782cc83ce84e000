//! A table of text for the terminal.

use std::fmt;

pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(heads: &[&str]) -> Self {
        Self {
            rows: vec![heads.iter().map(|&head| head.to_owned()).collect()],
        }
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        (0..columns).map(width).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for (at, row) in self.rows.iter().enumerate() {
            writeln!(f, "{}", line(row, &widths))?;
            if at == 0 {
                let total: usize = widths.iter().map(|width| width + 2).sum();
                writeln!(f, "{}", "─".repeat(total.saturating_sub(2)))?;
            }
        }
        Ok(())
    }
}

/// Names stand to the left, numbers to the right.
fn line(row: &[String], widths: &[usize]) -> String {
    let cells = row.iter().zip(widths).enumerate();
    let cells: Vec<_> = cells
        .map(|(at, (cell, &width))| match at {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        })
        .collect();
    cells.join("  ")
}

/// A number with as many digits as one reads.
pub(super) fn number(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other() {
        let mut table = Table::new(&["tool", "requests/s"]);
        table.row(vec!["a".to_owned(), number(12345.6)]);
        table.row(vec!["longer".to_owned(), number(1.234)]);
        let expected =
            "tool    requests/s\n──────────────────\na            12346\nlonger        1.23\n";
        assert_eq!(table.to_string(), expected);
    }
}
