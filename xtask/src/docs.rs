//! `cargo xtask docs`: the pages of the book that are written by a program.
//!
//! A list that stands in the code and in the book drifts apart unless one is made from the other.
//! `--check` writes nothing and fails where a page is not what would be written, or where the
//! table of crates is not true.

mod architecture;
mod cli;
mod oracles;
mod shown;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::root;

/// Shows the middleware that is tested.
const MIDDLEWARE: &str = "harvest-middleware.md";

/// A page and what should stand in it.
struct Page {
    name: &'static str,
    text: String,
}

impl Page {
    fn path(&self) -> PathBuf {
        root().join("book/src").join(self.name)
    }

    fn is_current(&self) -> bool {
        fs::read_to_string(self.path()).is_ok_and(|text| text == self.text)
    }
}

pub(crate) fn write() -> Result<()> {
    for page in pages()? {
        let path = page.path();
        let news = if page.is_current() {
            "is current"
        } else {
            "is written"
        };
        fs::write(&path, &page.text).with_context(|| format!("failed to write {}", page.name))?;
        println!("{} {news}", page.name);
    }
    Ok(())
}

pub(crate) fn check() -> Result<()> {
    let stale: Vec<_> = pages()?
        .into_iter()
        .filter(|page| !page.is_current())
        .map(|page| page.name)
        .collect();
    if !stale.is_empty() {
        bail!(
            "not current: {}; `cargo xtask docs` writes them",
            stale.join(", ")
        );
    }
    let complaints = architecture::complaints()?;
    if !complaints.is_empty() {
        bail!("ARCHITECTURE.md is not true: {}", complaints.join("; "));
    }
    println!("the generated pages are current, and the table of crates is true");
    Ok(())
}

fn pages() -> Result<[Page; 3]> {
    Ok([
        Page {
            name: "oracles.md",
            text: oracles::page(fossick_oracles::ORACLES),
        },
        Page {
            name: "cli.md",
            text: cli::page()?,
        },
        Page {
            name: MIDDLEWARE,
            text: shown::page(MIDDLEWARE)?,
        },
    ])
}
