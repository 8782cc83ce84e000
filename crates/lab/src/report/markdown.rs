//! The tables as Markdown, for a report that people keep and share.

use super::Report;
use super::grid::{Entry, Grid};
use super::number::grouped;

impl Report {
    /// The whole report: a heading for each budget, its tables below.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", escape(&self.title), self.state());
        for budget in &self.budgets {
            text += &format!("\n## {} calls\n", grouped(budget.budget));
            for grid in self.grids(budget) {
                text += &table(&grid);
            }
        }
        text
    }

    /// How much of the experiment the report is about.
    pub(super) fn state(&self) -> String {
        let (done, all) = (grouped(self.done as u64), grouped(self.all as u64));
        match self.all.saturating_sub(self.done) {
            0 => format!("All {all} runs are done."),
            _ => format!("{done} of {all} runs are done; the numbers may still change."),
        }
    }
}

fn table(grid: &Grid) -> String {
    let mut text = format!("\n### {}\n\n", capital(&grid.caption));
    text += &line(grid.head.iter().map(|head| escape(head)));
    text += &line((0..grid.head.len()).map(|place| {
        let rule = if place < grid.words { ":--" } else { "--:" };
        rule.to_owned()
    }));
    for row in grid.groups.iter().flatten() {
        text += &line(row.iter().map(entry));
    }
    text + "\n" + &grid.note + "\n"
}

fn line(texts: impl Iterator<Item = String>) -> String {
    let mut line = "|".to_owned();
    for text in texts {
        line += &format!(" {text} |");
    }
    line + "\n"
}

fn entry(entry: &Entry) -> String {
    let text = escape(&entry.text);
    if entry.bold {
        format!("**{text}**")
    } else {
        text
    }
}

/// What would be taken for a border, an emphasis or a tag.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '|' | '*' | '_' | '`' | '\\' => escaped.extend(['\\', letter]),
            '<' => escaped += "&lt;",
            '&' => escaped += "&amp;",
            _ => escaped.push(letter),
        }
    }
    escaped
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
