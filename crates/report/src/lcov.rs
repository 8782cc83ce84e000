//! Coverage for lcov, genhtml and what reads their files.
//!
//! A probe tells whether a line was run and not how often: a count is 1 or 0. A condition is a
//! block of its own with two branches, 0 where it holds and 1 where it does not.

use std::fmt::Write as _;

use fossick_trace::{Branch, Count, FileCoverage, Run};

use crate::plain::one_line;

/// The coverage of a run as a tracefile. None where no probe told of any.
pub fn lcov(run: &Run) -> Option<String> {
    let coverage = run.coverage.as_ref()?;
    Some(coverage.files.iter().map(record).collect())
}

fn record(file: &FileCoverage) -> String {
    let mut out = format!("TN:fossick\nSF:{}\n", one_line(&file.path()));
    for (branch, is_taken) in &file.branches {
        out.push_str(&taken(file, *branch, *is_taken));
    }
    out.push_str(&sums("BR", file.branch_count()));
    for (line, is_covered) in &file.lines {
        let _ = writeln!(out, "DA:{line},{}", u8::from(*is_covered));
    }
    out.push_str(&sums("L", file.line_count()));
    out.push_str("end_of_record\n");
    out
}

/// The format tells a side that was not taken from a condition that was never asked.
fn taken(file: &FileCoverage, branch: Branch, is_taken: bool) -> String {
    let other = Branch {
        holds: !branch.holds,
        ..branch
    };
    let taken = match (is_taken, file.branches.get(&other)) {
        (true, _) => "1",
        (false, Some(true)) => "0",
        (false, _) => "-",
    };
    let Branch { line, ordinal, .. } = branch;
    format!(
        "BRDA:{line},{ordinal},{},{taken}\n",
        u8::from(!branch.holds)
    )
}

fn sums(of: &str, count: Count) -> String {
    format!("{of}F:{}\n{of}H:{}\n", count.total, count.covered)
}
