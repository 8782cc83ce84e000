//! Two folders that must be the same, byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

pub(super) fn same(one: &Path, other: &Path) -> Result<()> {
    let (first, second) = (files(one)?, files(other)?);
    if first.is_empty() {
        bail!("nothing was written");
    }
    let names = first.keys().chain(second.keys());
    for name in names {
        match (first.get(name), second.get(name)) {
            (Some(text), Some(again)) if text == again => {}
            (Some(text), Some(again)) => {
                bail!("{}: {}", name.display(), difference(text, again))
            }
            _ => bail!("{} is there only once", name.display()),
        }
    }
    Ok(())
}

fn files(root: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let told = || format!("failed to read {}", folder.display());
        for entry in fs::read_dir(&folder).with_context(told)? {
            let path = entry.with_context(told)?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = fs::read(&path).with_context(told)?;
            let name = path.strip_prefix(root).unwrap_or(&path).to_owned();
            found.insert(name, bytes);
        }
    }
    Ok(found)
}

/// The first line that differs.
fn difference(one: &[u8], other: &[u8]) -> String {
    let (one, other) = (String::from_utf8_lossy(one), String::from_utf8_lossy(other));
    let mut lines = one.lines().zip(other.lines()).enumerate();
    match lines.find(|(_, (first, second))| first != second) {
        Some((at, (first, second))) => {
            format!("line {} was\n  {first}\nand is\n  {second}", at + 1)
        }
        None => "one is longer than the other".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("fossick-same-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("inner")).expect("a folder can be made");
        for (name, text) in files {
            fs::write(folder.join(name), text).expect("it can be written");
        }
        folder
    }

    #[test]
    fn a_changed_line_and_a_missing_file_are_told() {
        let one = folder("one", &[("a", "1\n2\n"), ("inner/b", "x")]);
        let changed = folder("changed", &[("a", "1\n3\n"), ("inner/b", "x")]);
        let fewer = folder("fewer", &[("a", "1\n2\n")]);
        same(&one, &one).expect("it is the same");
        let told = same(&one, &changed)
            .expect_err("a line differs")
            .to_string();
        assert!(told.contains("line 2"), "{told}");
        let told = same(&one, &fewer)
            .expect_err("a file is missing")
            .to_string();
        assert!(told.contains("only once"), "{told}");
        for folder in [one, changed, fewer] {
            let _ = fs::remove_dir_all(folder);
        }
    }
}
