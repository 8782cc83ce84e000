//! Files to draw into; the ending of the name says what is written.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use fossick_trace::PropertyGraph;

pub(super) struct Picture {
    path: PathBuf,
    writer: fn(&PropertyGraph) -> String,
}

pub(super) fn named(paths: &[PathBuf], overview: bool) -> Result<Vec<Picture>> {
    let picture = |path: &PathBuf| {
        Ok(Picture {
            path: path.clone(),
            writer: writer(path, overview)?,
        })
    };
    paths.iter().map(picture).collect()
}

fn writer(path: &Path, overview: bool) -> Result<fn(&PropertyGraph) -> String> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    Ok(match ending.to_ascii_lowercase().as_str() {
        "svg" if overview => fossick_draw::overview,
        "svg" => fossick_draw::svg,
        "dot" | "gv" => fossick_draw::dot,
        "json" => fossick_draw::json,
        "html" | "htm" => fossick_draw::html,
        _ => bail!(
            "what is {} to be? Its name must end in .svg, .dot, .json or .html",
            path.display()
        ),
    })
}

impl Picture {
    pub(super) fn write(&self, graph: &PropertyGraph) -> Result<()> {
        let path = &self.path;
        if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            std::fs::create_dir_all(parent)
                .with_context(|| format!("failed to make {}", parent.display()))?;
        }
        std::fs::write(path, (self.writer)(graph))
            .with_context(|| format!("failed to write {}", path.display()))
    }
}
