//! Reading documents: the time and the memory of `fossick inspect`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::meter::{Core, measure, pinned};
use super::table::{Table, number};
use super::{fossick, project};

/// Of a folder only the largest documents are read.
const MOST: usize = 8;

pub(super) fn table(corpus: Option<&Path>) -> Result<Table> {
    let mut table = Table::new(&["document", "kB", "ms", "peak MB"]);
    let documents = match corpus {
        Some(folder) => largest(folder)?,
        None => vec![
            project("testdata/null/openapi.json"),
            project("crates/demo/src/openapi.json"),
        ],
    };
    for document in documents {
        table.row(row(&document)?);
    }
    Ok(table)
}

fn largest(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("failed to list {}", folder.display()))?;
    let files = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file());
    let mut files: Vec<_> = files.map(|path| (size(&path), path)).collect();
    files.sort_by(|one, other| other.cmp(one));
    Ok(files.into_iter().take(MOST).map(|(_, path)| path).collect())
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |data| data.len())
}

fn row(document: &Path) -> Result<Vec<String>> {
    let mut inspect = pinned(Core::Client, fossick());
    inspect
        .arg("inspect")
        .arg(document)
        .args(["--format", "json"]);
    let measured = measure(inspect)?;
    let name = document.file_name().unwrap_or(document.as_os_str());
    Ok(vec![
        name.to_string_lossy().into_owned(),
        number(size(document) as f64 / 1000.0),
        number(measured.wall.as_secs_f64() * 1000.0),
        number(measured.peak),
    ])
}
