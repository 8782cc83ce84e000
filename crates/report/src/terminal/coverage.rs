//! How much of the service's code was reached, and which files lack most.

use std::cmp::Reverse;
use std::fmt::Write as _;

use fossick_trace::{Count, Coverage, FileCoverage};

use crate::layout::{cut, cut_middle, listed, padded, width};
use crate::lines::missed_stretches;
use crate::wording::thousands;
use crate::{Style, one_line};

/// So many files are named, and so many stretches of each.
const FILES: usize = 5;
const STRETCHES: usize = 3;

/// `code: 1,204 of 1,630 lines (73%), 310 of 480 branches (64%)`, then the files that lack most:
/// `  shop/orders.py  41 missed: 12-30, 41, 55-60, +4 more`
pub(super) fn coverage(coverage: &Coverage, style: &Style) -> String {
    let mut all = vec![share(coverage.lines(), "lines")];
    if coverage.branches().total > 0 {
        all.push(share(coverage.branches(), "branches"));
    }
    let mut out = format!("code: {}\n", all.join(", "));
    let lacking = lacking(coverage);
    let shown = &lacking[..lacking.len().min(FILES)];
    let names = shown.iter().map(|file| width(&one_line(&file.file)));
    let column = names.max().unwrap_or(0).min((style.width / 2).max(20));
    let counts = shown.iter().map(|file| width(&missed(file)));
    let counts = counts.max().unwrap_or(0);
    for file in shown {
        let name = padded(&cut_middle(&one_line(&file.file), column, style), column);
        let room = style.width.saturating_sub(column + 4).max(20);
        let told = format!("{:>counts$} missed: {}", missed(file), places(file));
        let _ = writeln!(out, "  {name}  {}", cut(&told, room, style));
    }
    if lacking.len() > FILES {
        let _ = writeln!(out, "  +{} more", lacking.len() - FILES);
    }
    out
}

/// What is not whole is never told as 100%.
fn share(count: Count, what: &str) -> String {
    let percent = 100 * count.covered / count.total.max(1);
    let (covered, total) = (
        thousands(count.covered as u64),
        thousands(count.total as u64),
    );
    format!("{covered} of {total} {what} ({percent}%)")
}

/// Files with lines that were missed, most of them first.
fn lacking(coverage: &Coverage) -> Vec<&FileCoverage> {
    let mut files: Vec<&FileCoverage> = coverage.files.iter().collect();
    files.retain(|file| file.line_count().missed() > 0);
    files.sort_by_key(|file| Reverse(file.line_count().missed()));
    files
}

fn missed(file: &FileCoverage) -> String {
    thousands(file.line_count().missed() as u64)
}

fn places(file: &FileCoverage) -> String {
    let stretch = |(first, last): (u32, u32)| {
        if first == last {
            format!("{first}")
        } else {
            format!("{first}-{last}")
        }
    };
    let places: Vec<String> = missed_stretches(&file.lines)
        .into_iter()
        .map(stretch)
        .collect();
    listed(&places, STRETCHES)
}
