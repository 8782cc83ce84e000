//! `cargo xtask links`: whether every link between the project's pages leads somewhere.
//!
//! Looks at files and headings only; what lies on the web may come and go. Pages of the book must
//! also be listed in its summary, or mdBook leaves them out.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::root;

pub(crate) fn check() -> Result<()> {
    let pages = pages()?;
    let mut complaints = unlisted(&pages)?;
    for page in &pages {
        complaints.extend(broken(page)?);
    }
    if !complaints.is_empty() {
        bail!("these links lead nowhere:\n  {}", complaints.join("\n  "));
    }
    println!("the links of {} pages lead somewhere", pages.len());
    Ok(())
}

/// The pages at the root and those of the book.
fn pages() -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for folder in [root(), root().join("book/src")] {
        let entries = fs::read_dir(&folder).context("failed to list the pages")?;
        let files = entries.flatten().map(|entry| entry.path());
        pages.extend(files.filter(|file| file.extension().is_some_and(|e| e == "md")));
    }
    pages.sort();
    Ok(pages)
}

/// Pages of the book that its summary forgets.
fn unlisted(pages: &[PathBuf]) -> Result<Vec<String>> {
    let summary = root().join("book/src/SUMMARY.md");
    let listed = fs::read_to_string(&summary).context("failed to read the summary")?;
    let folder = summary.parent().unwrap_or(&summary);
    let forgotten = pages
        .iter()
        .filter(|page| page.starts_with(folder) && **page != summary)
        .filter_map(|page| page.file_name()?.to_str())
        .filter(|name| !listed.contains(&format!("({name})")))
        .map(|name| format!("{name} is not in SUMMARY.md"))
        .collect();
    Ok(forgotten)
}

fn broken(page: &Path) -> Result<Vec<String>> {
    let text =
        fs::read_to_string(page).with_context(|| format!("failed to read {}", page.display()))?;
    let name = page.strip_prefix(root()).unwrap_or(page).display();
    let complaints = targets(&text)
        .into_iter()
        .filter(|link| !leads_somewhere(page, &text, link))
        .map(|link| format!("{name}: {link}"))
        .collect();
    Ok(complaints)
}

fn leads_somewhere(page: &Path, text: &str, link: &str) -> bool {
    if link.contains("://") || link.starts_with("mailto:") {
        return true;
    }
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    if file.is_empty() {
        return has_heading(text, heading);
    }
    let path = page.parent().unwrap_or(page).join(file);
    match fs::read_to_string(&path) {
        Ok(other) if !heading.is_empty() => has_heading(&other, heading),
        _ => path.exists(),
    }
}

/// What the links and pictures of a page point to, code left out.
fn targets(text: &str) -> Vec<&str> {
    prose(text).flat_map(targets_of_line).collect()
}

/// Lines that are not inside a block of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        !in_code && !fence
    })
}

fn targets_of_line(line: &str) -> Vec<&str> {
    let outside = line.split('`').step_by(2);
    let mut found = Vec::new();
    for piece in outside {
        let links = piece.split("](").skip(1);
        found.extend(links.filter_map(|rest| rest.split([')', ' ']).next()));
    }
    // A link around code is cut by the backticks: `[`a`](b)` leaves its target at the start.
    found.extend(
        line.split("`](")
            .skip(1)
            .filter_map(|rest| rest.split([')', ' ']).next()),
    );
    found.sort_unstable();
    found.dedup();
    found
}

fn has_heading(text: &str, wanted: &str) -> bool {
    prose(text)
        .filter_map(|line| line.strip_prefix('#'))
        .any(|rest| slug(rest.trim_start_matches('#')) == wanted)
}

/// The name that mdBook and GitHub give to a heading.
fn slug(heading: &str) -> String {
    heading
        .trim()
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
        .map(|c| if c == ' ' { '-' } else { c })
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_code_are_not_links() {
        let text =
            "see [a](a.md) and `[b](b.md)`\n```\n[c](c.md)\n```\n![d](d.svg \"d\") [`e`](e.md)";
        assert_eq!(targets(text), ["a.md", "d.svg", "e.md"]);
    }

    #[test]
    fn headings_are_named_as_the_book_names_them() {
        assert_eq!(slug(" F101 server error"), "f101-server-error");
        assert_eq!(slug("`fossick.toml`, the file"), "fossicktoml-the-file");
        assert!(has_heading("# A\n## Some words\n", "some-words"));
        assert!(!has_heading("```\n# Some words\n```", "some-words"));
    }

    #[test]
    fn a_file_that_is_not_there_is_a_complaint() {
        let page = root().join("README.md");
        assert!(!leads_somewhere(&page, "", "no-such-page.md"));
        assert!(leads_somewhere(&page, "", "Cargo.toml"));
        assert!(leads_somewhere(&page, "# Hello", "#hello"));
        assert!(leads_somewhere(&page, "", "https://example.com/nowhere"));
    }
}
