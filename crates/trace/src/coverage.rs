//! How much of the service's own code was reached, where a probe inside it told.

use std::collections::BTreeMap;
use std::ops::AddAssign;

/// What is known of the code, file by file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// In the order of their names.
    pub files: Vec<FileCoverage>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// As the probe names it: relative to its root, with `/` between folders.
    pub file: String,
    /// The folder that the name is relative to, where the file was found there.
    pub root: Option<String>,
    /// The lines that hold code, and whether each was run.
    pub lines: BTreeMap<u32, bool>,
    /// Whether each was taken.
    pub branches: BTreeMap<Branch, bool>,
}

/// One side of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Branch {
    pub line: u32,
    /// Which of several conditions of the line.
    pub ordinal: u32,
    /// Taken where the condition holds.
    pub holds: bool,
}

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    pub covered: usize,
    pub total: usize,
}

impl Coverage {
    pub fn lines(&self) -> Count {
        self.files.iter().map(FileCoverage::line_count).sum()
    }

    pub fn branches(&self) -> Count {
        self.files.iter().map(FileCoverage::branch_count).sum()
    }
}

impl FileCoverage {
    pub fn line_count(&self) -> Count {
        Count::of(self.lines.values())
    }

    pub fn branch_count(&self) -> Count {
        Count::of(self.branches.values())
    }

    /// The sides of all conditions of a line.
    pub fn sides(&self, line: u32) -> impl Iterator<Item = (&Branch, &bool)> {
        let side = |ordinal, holds| Branch {
            line,
            ordinal,
            holds,
        };
        self.branches.range(side(0, false)..=side(u32::MAX, true))
    }

    /// Where the file lies, as far as that is known.
    pub fn path(&self) -> String {
        match &self.root {
            Some(root) => format!("{}/{}", root.trim_end_matches('/'), self.file),
            None => self.file.clone(),
        }
    }
}

impl Count {
    pub fn of<'a>(covered: impl Iterator<Item = &'a bool>) -> Self {
        let mut count = Self::default();
        for is_covered in covered {
            count.total += 1;
            count.covered += usize::from(*is_covered);
        }
        count
    }

    pub fn missed(self) -> usize {
        self.total - self.covered
    }

    /// From 0 to 1. Of nothing, all is covered.
    pub fn share(self) -> f64 {
        if self.total == 0 {
            return 1.0;
        }
        self.covered as f64 / self.total as f64
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.covered += other.covered;
        self.total += other.total;
    }
}

impl std::iter::Sum for Count {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        let mut sum = Self::default();
        counts.for_each(|count| sum += count);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_files_add_up() {
        let file = |lines: &[(u32, bool)]| FileCoverage {
            lines: lines.iter().copied().collect(),
            ..FileCoverage::default()
        };
        let coverage = Coverage {
            files: vec![file(&[(1, true), (2, false)]), file(&[(7, true)])],
        };
        let lines = coverage.lines();
        assert_eq!((lines.covered, lines.total, lines.missed()), (2, 3, 1));
        assert_eq!(coverage.branches().share(), 1.0);
    }

    #[test]
    fn a_path_is_as_good_as_what_is_known() {
        let mut file = FileCoverage {
            file: "shop/app.py".to_owned(),
            ..FileCoverage::default()
        };
        assert_eq!(file.path(), "shop/app.py");
        file.root = Some("/srv/".to_owned());
        assert_eq!(file.path(), "/srv/shop/app.py");
    }
}
