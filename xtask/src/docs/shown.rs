//! Files that a page shows: the code in the book is the code that is tested.
//!
//! A line `<!-- file: PATH -->` stands before a block of code; what is in the block is the file at
//! that path, from the root of the project.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::root;

/// A page of the book as it should be.
pub(super) fn page(name: &str) -> Result<String> {
    let path = root().join("book/src").join(name);
    let text = fs::read_to_string(&path).with_context(|| format!("failed to read {name}"))?;
    filled(&text, |file| {
        fs::read_to_string(root().join(file)).with_context(|| format!("{name} shows {file}"))
    })
}

fn filled(text: &str, read: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut written = String::with_capacity(text.len());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        written.push_str(line);
        written.push('\n');
        let Some(file) = shown(line) else { continue };
        let fence = lines.next().unwrap_or_default();
        if !fence.starts_with("```") || !lines.by_ref().any(|line| line == "```") {
            bail!("no block of code stands behind `{line}`");
        }
        let code = read(file)?;
        if code.lines().any(|line| line.starts_with("```")) {
            bail!("{file} has a line that would end its block");
        }
        written.push_str(&format!("{fence}\n{}\n```\n", code.trim_end()));
    }
    Ok(written)
}

fn shown(line: &str) -> Option<&str> {
    line.strip_prefix("<!-- file: ")?.strip_suffix(" -->")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_become_what_their_files_are() {
        let text = "# A\n<!-- file: a.js -->\n```js\nold\n```\n\n```sh\nstays\n```\n";
        let filled = filled(text, |_| Ok("new\ncode\n\n".to_owned())).expect("it is whole");
        let wanted = "# A\n<!-- file: a.js -->\n```js\nnew\ncode\n```\n\n```sh\nstays\n```\n";
        assert_eq!(filled, wanted);
    }

    #[test]
    fn a_file_without_a_block_is_told() {
        for text in [
            "<!-- file: a -->\ntext\n",
            "<!-- file: a -->\n```js\nno end\n",
        ] {
            assert!(filled(text, |_| Ok(String::new())).is_err());
        }
    }

    #[test]
    fn the_page_of_middleware_shows_the_tested_files() {
        let name = "harvest-middleware.md";
        let text = fs::read_to_string(root().join("book/src").join(name)).expect("it is there");
        assert_eq!(text.matches("<!-- file: ").count(), 5);
        assert_eq!(page(name).expect("its files are there"), text);
    }
}
