//! The targets of a service as the lines and branches of its files.

use std::collections::BTreeMap;
use std::path::Path;

use fossick_trace::{Branch, Coverage, FileCoverage};

use crate::hub::Known;
use crate::message::{Descriptor, Kind};

/// What is covered of each file. A root is said to be a file's where the file lies below it.
pub fn coverage(targets: &[Known], roots: &[String]) -> Coverage {
    let mut files: BTreeMap<&str, FileCoverage> = BTreeMap::new();
    for known in targets {
        let file = files.entry(&known.descriptor.file).or_default();
        take_in(file, &known.descriptor, known.is_covered);
    }
    let holds_code = |file: &FileCoverage| !(file.lines.is_empty() && file.branches.is_empty());
    let named = |(name, mut file): (&str, FileCoverage)| {
        name.clone_into(&mut file.file);
        file.root = root_of(name, roots);
        file
    };
    let files = files.into_iter().filter(|(_, file)| holds_code(file));
    Coverage {
        files: files.map(named).collect(),
    }
}

/// Several statements may stand on one line: it was run if one of them was.
fn take_in(file: &mut FileCoverage, descriptor: &Descriptor, is_covered: bool) {
    let (line, ordinal) = (descriptor.line, descriptor.ordinal);
    let side = |holds| Branch {
        line,
        ordinal,
        holds,
    };
    let known = match descriptor.kind {
        Kind::Line => file.lines.entry(line).or_default(),
        Kind::BranchTrue => file.branches.entry(side(true)).or_default(),
        Kind::BranchFalse => file.branches.entry(side(false)).or_default(),
        Kind::Call | Kind::Method | Kind::Exception => return,
    };
    *known |= is_covered;
}

fn root_of(file: &str, roots: &[String]) -> Option<String> {
    let holds = |root: &&String| Path::new(root).join(file).is_file();
    roots.iter().find(holds).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(file: &str, line: u32, kind: Kind, ordinal: u32, is_covered: bool) -> Known {
        Known {
            descriptor: Descriptor {
                file: file.into(),
                line,
                kind,
                ordinal,
                label: String::new(),
            },
            is_covered,
        }
    }

    #[test]
    fn targets_become_lines_and_branches_of_files() {
        let targets = [
            known("b.py", 3, Kind::Line, 0, false),
            known("b.py", 3, Kind::Line, 1, true),
            known("b.py", 1, Kind::Line, 0, false),
            known("a.py", 7, Kind::BranchTrue, 0, true),
            known("a.py", 7, Kind::BranchFalse, 0, false),
            known("a.py", 7, Kind::Call, 0, true),
            known("c.py", 1, Kind::Exception, 0, true),
        ];
        let coverage = coverage(&targets, &[]);
        let names: Vec<&str> = coverage.files.iter().map(|file| &*file.file).collect();
        assert_eq!(names, ["a.py", "b.py"]);
        let side = |holds| Branch {
            line: 7,
            ordinal: 0,
            holds,
        };
        let branches = [(side(true), true), (side(false), false)];
        assert_eq!(coverage.files[0].branches, branches.into());
        assert_eq!(coverage.files[1].lines, [(1, false), (3, true)].into());
    }

    #[test]
    fn a_root_is_where_the_file_lies() {
        let here = env!("CARGO_MANIFEST_DIR").to_owned();
        let roots = ["/nowhere".to_owned(), here.clone()];
        let targets = [
            known("src/lib.rs", 1, Kind::Line, 0, true),
            known("src/gone.rs", 1, Kind::Line, 0, true),
        ];
        let coverage = coverage(&targets, &roots);
        assert_eq!(coverage.files[0].root, None);
        assert_eq!(coverage.files[1].root, Some(here));
    }
}
