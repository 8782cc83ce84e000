//! Coverage as Cobertura XML, which most CI systems read.
//!
//! What its DTD (coverage-04) asks for is there: folders are packages, files are classes, and a
//! class has no methods because a probe does not tell of them. A line's count is 1 or 0.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use fossick_trace::{Count, Coverage, FileCoverage, Run};

use crate::TOOL_VERSION;
use crate::plain::safe;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n";

/// The coverage of a run as XML, and when that is written, in milliseconds since 1970: some
/// readers refuse what is old. None where no probe told of any.
pub fn cobertura(run: &Run, written_ms: u128) -> Option<String> {
    let coverage = run.coverage.as_ref()?;
    let mut out = HEAD.to_owned();
    let (lines, branches) = (coverage.lines(), coverage.branches());
    let _ = writeln!(
        out,
        "<coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" \
         branches-valid=\"{}\" version=\"fossick {TOOL_VERSION}\" timestamp=\"{written_ms}\">",
        rates(lines, branches),
        lines.covered,
        lines.total,
        branches.covered,
        branches.total,
    );
    out.push_str(&sources(coverage));
    out.push_str("  <packages>\n");
    for (folder, files) in packages(coverage) {
        out.push_str(&package(folder, &files));
    }
    out.push_str("  </packages>\n</coverage>\n");
    Some(out)
}

fn rates(lines: Count, branches: Count) -> String {
    let (lines, branches) = (lines.share(), branches.share());
    format!("line-rate=\"{lines:.4}\" branch-rate=\"{branches:.4}\" complexity=\"0\"")
}

fn sources(coverage: &Coverage) -> String {
    let roots = coverage.files.iter().filter_map(|file| file.root.as_ref());
    let roots: BTreeSet<&String> = roots.collect();
    let source = |root| format!("    <source>{}</source>\n", escaped(root));
    let sources: String = roots.into_iter().map(|root| source(root)).collect();
    format!("  <sources>\n{sources}  </sources>\n")
}

fn packages(coverage: &Coverage) -> BTreeMap<&str, Vec<&FileCoverage>> {
    let mut packages: BTreeMap<&str, Vec<&FileCoverage>> = BTreeMap::new();
    for file in &coverage.files {
        let (folder, _) = folder_and_name(&file.file);
        packages.entry(folder).or_default().push(file);
    }
    packages
}

fn folder_and_name(file: &str) -> (&str, &str) {
    file.rsplit_once('/').unwrap_or(("", file))
}

fn package(folder: &str, files: &[&FileCoverage]) -> String {
    let name = match folder {
        "" => ".".to_owned(),
        folder => folder.replace('/', "."),
    };
    let lines = files.iter().map(|file| file.line_count()).sum();
    let branches = files.iter().map(|file| file.branch_count()).sum();
    let classes: String = files.iter().map(|file| class(file)).collect();
    format!(
        "    <package name=\"{}\" {}>\n      <classes>\n{classes}      </classes>\n    </package>\n",
        escaped(&name),
        rates(lines, branches)
    )
}

fn class(file: &FileCoverage) -> String {
    let (_, name) = folder_and_name(&file.file);
    let lines: String = numbers(file).map(|number| line(file, number)).collect();
    format!(
        "        <class name=\"{}\" filename=\"{}\" {}>\n          <methods/>\n          <lines>\n\
         {lines}          </lines>\n        </class>\n",
        escaped(name),
        escaped(&file.file),
        rates(file.line_count(), file.branch_count())
    )
}

/// A condition may begin on a line on which no statement does.
fn numbers(file: &FileCoverage) -> impl Iterator<Item = u32> {
    let branching = file.branches.keys().map(|branch| branch.line);
    let all: BTreeSet<u32> = file.lines.keys().copied().chain(branching).collect();
    all.into_iter()
}

fn line(file: &FileCoverage, number: u32) -> String {
    let conditions = conditions(file, number);
    let sides: Count = conditions.values().copied().sum();
    let is_covered = match file.lines.get(&number) {
        Some(is_covered) => *is_covered,
        None => sides.covered > 0,
    };
    let hits = u8::from(is_covered);
    if conditions.is_empty() {
        return format!("            <line number=\"{number}\" hits=\"{hits}\"/>\n");
    }
    let each = conditions.iter().map(|(ordinal, sides)| {
        let percent = percent(*sides);
        format!(
            "                <condition number=\"{ordinal}\" type=\"jump\" coverage=\"{percent}%\"/>\n"
        )
    });
    let each: String = each.collect();
    format!(
        "            <line number=\"{number}\" hits=\"{hits}\" branch=\"true\" \
         condition-coverage=\"{}% ({}/{})\">\n              <conditions>\n{each}\
         \x20             </conditions>\n            </line>\n",
        percent(sides),
        sides.covered,
        sides.total
    )
}

/// The sides of each condition of a line.
fn conditions(file: &FileCoverage, line: u32) -> BTreeMap<u32, Count> {
    let mut conditions: BTreeMap<u32, Count> = BTreeMap::new();
    for (side, is_taken) in file.sides(line) {
        let sides = conditions.entry(side.ordinal).or_default();
        *sides += Count::of(std::iter::once(is_taken));
    }
    conditions
}

fn percent(count: Count) -> usize {
    100 * count.covered / count.total.max(1)
}

fn escaped(text: &str) -> String {
    let text = safe(text).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
