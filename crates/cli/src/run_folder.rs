//! `.fossick/SEED/`: what a run leaves behind, each finding in a file that can be replayed.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use fossick_trace::{Basis, Finding, Heard, PropertyGraph, Run, Script};
use serde::{Deserialize, Serialize};

pub(crate) const FORMAT: &str = "fossick-finding";
/// Since the second, a script may have names that are no plain texts.
pub(crate) const VERSION: u32 = 2;

/// A finding as it is stored: enough to see it again without the run that found it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Stored {
    pub(crate) format: String,
    pub(crate) version: u32,
    pub(crate) name: String,
    pub(crate) fingerprint: String,
    pub(crate) finding: Finding,
    pub(crate) base_url: String,
    /// It was found in the service that is built in: replaying starts that again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) built_in: bool,
    /// File beside this one that holds the document.
    pub(crate) schema: String,
    /// Where the document came from: relative references in it are joined onto that.
    pub(crate) schema_name: String,
    pub(crate) script: Script,
    /// What each call came to when it was found.
    #[serde(default)]
    pub(crate) heard: Vec<Heard>,
    /// What it needs besides its own calls.
    #[serde(default)]
    pub(crate) basis: Basis,
}

/// Name of the document's copy in a run folder.
const SCHEMA_FILE: &str = "schema.txt";
/// Name of the property graph as the run left it.
pub(crate) const GRAPH_FILE: &str = "graph.json";

/// Writes a run folder anew.
/// `document` is its name and its text.
pub(crate) fn write(
    folder: &Path,
    run: &Run,
    document: (&str, &str),
    built_in: bool,
) -> Result<()> {
    let (schema_name, schema) = document;
    let told = || format!("failed to write {}", folder.display());
    if folder.exists() {
        clear(folder).with_context(told)?;
    }
    std::fs::create_dir_all(folder).with_context(told)?;
    std::fs::write(folder.join(SCHEMA_FILE), schema).with_context(told)?;
    for case in &run.findings {
        let stored = Stored {
            format: FORMAT.to_owned(),
            version: version_of(&case.episode.script),
            name: case.names.oracle.clone(),
            fingerprint: case.finding.fingerprint(),
            finding: case.finding.clone(),
            base_url: run.base_url.clone(),
            built_in,
            schema: SCHEMA_FILE.to_owned(),
            schema_name: schema_name.to_owned(),
            script: (*case.episode.script).clone(),
            heard: case.episode.heard(),
            basis: case.basis.clone(),
        };
        let path = folder.join(format!("{}.json", case.names.slug));
        std::fs::write(path, serde_json::to_string_pretty(&stored)?).with_context(told)?;
    }
    Ok(())
}

/// The oldest version of the format that can say what a script says.
fn version_of(script: &Script) -> u32 {
    let plain = script.names.iter().all(|name| name.as_text().is_some());
    if plain { 1 } else { VERSION }
}

/// Writes the property graph beside the findings.
pub(crate) fn write_graph(folder: &Path, graph: &PropertyGraph) -> Result<()> {
    let path = folder.join(GRAPH_FILE);
    std::fs::write(&path, fossick_draw::json(graph))
        .with_context(|| format!("failed to write {}", path.display()))
}

/// Removes what an earlier run with this seed wrote, and nothing else.
fn clear(folder: &Path) -> Result<()> {
    for path in stored_files(folder)? {
        if read(&path).is_ok() {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn stored_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("failed to read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    Ok(files)
}

/// The finding files that a path names: one, or all of a folder.
pub(crate) fn find(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_dir() {
        let files: Vec<PathBuf> = stored_files(path)?
            .into_iter()
            .filter(|p| is_finding(p))
            .collect();
        if files.is_empty() {
            bail!("there are no findings in {}", path.display());
        }
        return Ok(files);
    }
    if path.exists() {
        return Ok(vec![path.to_owned()]);
    }
    let with_ending = path.with_file_name(format!(
        "{}.json",
        path.file_name().unwrap_or_default().to_string_lossy()
    ));
    if with_ending.exists() {
        return Ok(vec![with_ending]);
    }
    Err(anyhow!("there is no {}", path.display()))
}

fn is_finding(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.contains(FORMAT))
}

pub(crate) fn read(path: &Path) -> Result<Stored> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("failed to read {}", path.display()))?;
    parse(&text).with_context(|| format!("{} is no finding that can be replayed", path.display()))
}

fn parse(text: &str) -> Result<Stored> {
    let stored: Stored = serde_json::from_str(text)?;
    if stored.format != FORMAT {
        bail!("its format is `{}`, not `{FORMAT}`", stored.format);
    }
    if stored.version > VERSION {
        bail!(
            "it was written by a newer fossick (version {} of the format; {VERSION} is known)",
            stored.version
        );
    }
    if stored.schema.contains(['/', '\\']) {
        bail!("its document does not lie beside it");
    }
    let calls = stored.script.calls.len();
    let forward = stored
        .script
        .calls
        .iter()
        .enumerate()
        .any(|(at, call)| call.captures().any(|c| c.call >= at));
    if calls == 0 || forward || stored.finding.call >= calls {
        bail!("its steps do not fit together");
    }
    Ok(stored)
}
