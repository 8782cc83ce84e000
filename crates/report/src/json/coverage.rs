//! The part of the report for machines that tells of the service's code.

use fossick_trace::{Count, FileCoverage};
use serde::Serialize;

use crate::lines::stretches;

#[derive(Serialize)]
pub(super) struct Coverage<'a> {
    lines_total: usize,
    lines_covered: usize,
    branches_total: usize,
    branches_covered: usize,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    #[serde(rename = "file")]
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<&'a str>,
    covered: Vec<(u32, u32)>,
    missed: Vec<(u32, u32)>,
    branches: Vec<LineBranches>,
}

#[derive(Serialize)]
struct LineBranches {
    line: u32,
    total: usize,
    covered: usize,
}

impl<'a> Coverage<'a> {
    pub(super) fn of(coverage: &'a fossick_trace::Coverage) -> Self {
        let (lines, branches) = (coverage.lines(), coverage.branches());
        Self {
            lines_total: lines.total,
            lines_covered: lines.covered,
            branches_total: branches.total,
            branches_covered: branches.covered,
            files: coverage.files.iter().map(File::of).collect(),
        }
    }
}

impl<'a> File<'a> {
    fn of(file: &'a FileCoverage) -> Self {
        Self {
            name: &file.file,
            root: file.root.as_deref(),
            covered: stretches(&file.lines, true),
            missed: stretches(&file.lines, false),
            branches: branches(file),
        }
    }
}

/// Each line that has conditions, once.
fn branches(file: &FileCoverage) -> Vec<LineBranches> {
    let mut lines: Vec<u32> = file.branches.keys().map(|side| side.line).collect();
    lines.dedup();
    let told = |line| {
        let count = Count::of(file.sides(line).map(|(_, is_taken)| is_taken));
        LineBranches {
            line,
            total: count.total,
            covered: count.covered,
        }
    };
    lines.into_iter().map(told).collect()
}
