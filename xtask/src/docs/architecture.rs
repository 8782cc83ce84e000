//! Whether the table of crates in ARCHITECTURE.md is what the manifests say.
//!
//! The table has words that no program can write, so it is checked and not generated. Reading it
//! from top to bottom also proves that no crate depends on one below it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::root;

type Names = BTreeSet<String>;

/// What the page says wrongly.
pub(super) fn complaints() -> Result<Vec<String>> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).context("no ARCHITECTURE.md")?;
    Ok(compare(&rows(&page), &manifests(&root().join("crates"))?))
}

fn compare(told: &[(String, Names)], real: &BTreeMap<String, Names>) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut above = Names::new();
    for (name, dependencies) in told {
        match real.get(name) {
            None => complaints.push(format!("there is no crate `{name}`")),
            Some(real) if real != dependencies => {
                complaints.push(format!("`{name}` depends on {}", listed(real)));
            }
            Some(real) if !real.is_subset(&above) => {
                complaints.push(format!("`{name}` depends on a crate below it"));
            }
            Some(_) => {}
        }
        above.insert(name.clone());
    }
    let forgotten = real.keys().filter(|name| !above.contains(*name));
    complaints.extend(forgotten.map(|name| format!("`{name}` is not in the table")));
    complaints
}

fn listed(names: &Names) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.join(", ")
}

/// Rows of the form ``| `name` | words | a, b |``.
fn rows(page: &str) -> Vec<(String, Names)> {
    page.lines().filter_map(row).collect()
}

fn row(line: &str) -> Option<(String, Names)> {
    let cells: Vec<&str> = line
        .trim()
        .trim_matches('|')
        .split('|')
        .map(str::trim)
        .collect();
    let [name, _, dependencies] = cells.as_slice() else {
        return None;
    };
    let name = name.strip_prefix('`')?.strip_suffix('`')?;
    let dependencies = dependencies.split(", ").filter(|word| *word != "–");
    Some((name.to_owned(), dependencies.map(str::to_owned).collect()))
}

/// Every crate with those of ours that it depends on.
fn manifests(folder: &Path) -> Result<BTreeMap<String, Names>> {
    let entries = fs::read_dir(folder).context("failed to list the crates")?;
    let mut crates = BTreeMap::new();
    for folder in entries.flatten().map(|entry| entry.path()) {
        if let (Some(name), Ok(manifest)) = (
            folder.file_name().and_then(|name| name.to_str()),
            fs::read_to_string(folder.join("Cargo.toml")),
        ) {
            crates.insert(name.to_owned(), dependencies(&manifest));
        }
    }
    Ok(crates)
}

fn dependencies(manifest: &str) -> Names {
    let (_, rest) = manifest.split_once("[dependencies]").unwrap_or_default();
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.strip_prefix("fossick-"))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Names {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn a_manifest_tells_only_what_is_ours_and_shipped() {
        let manifest = "[package]\n[dependencies]\nfossick-trace.workspace = true\nserde = \"1\"\n[dev-dependencies]\nfossick-testkit.workspace = true\n";
        assert_eq!(dependencies(manifest), names(&["trace"]));
    }

    #[test]
    fn a_table_that_lies_is_found_out() {
        let told = rows(
            "| crate | what | depends on |\n|---|---|---|\n| `b` | x | a |\n| `a` | y | – |\n| `c` | z | a |",
        );
        let real = BTreeMap::from([
            ("a".to_owned(), names(&[])),
            ("b".to_owned(), names(&["a"])),
            ("c".to_owned(), names(&["b"])),
            ("d".to_owned(), names(&[])),
        ]);
        let expected = [
            "`b` depends on a crate below it",
            "`c` depends on b",
            "`d` is not in the table",
        ];
        assert_eq!(compare(&told, &real), expected);
    }
}
