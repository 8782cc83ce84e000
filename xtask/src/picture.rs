//! `cargo xtask picture CAPTURE SVG`: draws what a terminal showed.
//!
//! A capture is plain text, with or without colours:
//! `script -qec 'fossick demo --color always' capture.txt`. The picture is one file of text and
//! rectangles that needs no fonts of its own and is sharp at any size.

mod ansi;
mod svg;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

pub(crate) fn picture(capture: &Path, svg: &Path) -> Result<()> {
    let text =
        fs::read(capture).with_context(|| format!("failed to read {}", capture.display()))?;
    let lines = ansi::lines(&String::from_utf8_lossy(&text));
    fs::write(svg, svg::window(&lines))
        .with_context(|| format!("failed to write {}", svg.display()))?;
    println!("{} shows {} lines", svg.display(), lines.len());
    Ok(())
}
