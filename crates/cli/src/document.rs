//! Getting at documents: files, URLs, standard input.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use fossick_contract::{Api, Diagnostic, Place};
use fossick_ingest::{Fetch, Source, read};
use tokio::runtime::Runtime;

use crate::exit::Unreachable;

/// A document that was read, with its text kept for the run folder.
pub(crate) struct Document {
    pub(crate) api: Api,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) source: Source,
}

/// How to get at it.
pub(crate) struct Access<'a> {
    pub(crate) runtime: &'a Runtime,
    pub(crate) headers: &'a [(String, String)],
    pub(crate) insecure: bool,
}

impl Access<'_> {
    pub(crate) fn read(&self, location: &str) -> Result<Document> {
        let source = self.source(location)?;
        self.parse(source)
    }

    pub(crate) fn parse(&self, source: Source) -> Result<Document> {
        let host = is_url(&source.name).then(|| origin(&source.name).to_owned());
        let mut fetcher = Fetcher { access: self, host };
        let reading = read(&source, &mut fetcher).map_err(|error| {
            let shown = error.place().and_then(|place| snippet(&source, place));
            match shown {
                Some(lines) => anyhow!("{error}\n{lines}"),
                None => anyhow!(error),
            }
        })?;
        Ok(Document {
            api: reading.api,
            diagnostics: reading.diagnostics,
            source,
        })
    }

    fn source(&self, location: &str) -> Result<Source> {
        let text = match location {
            "-" => {
                let mut text = String::new();
                std::io::stdin()
                    .read_to_string(&mut text)
                    .context("failed to read standard input")?;
                text
            }
            url if is_url(url) => self.download(url)?,
            path => read_file(Path::new(path))?,
        };
        let name = if location == "-" {
            "standard input"
        } else {
            location
        };
        Ok(Source {
            name: name.to_owned(),
            text,
        })
    }

    fn download(&self, url: &str) -> Result<String> {
        let fetched =
            self.runtime
                .block_on(fossick_transport::fetch(url, self.headers, self.insecure));
        let (status, _, body) =
            fetched.map_err(|why| Unreachable(format!("nothing answers at {url} ({why})")))?;
        if !(200..300).contains(&status) {
            bail!(
                "{url} answered {status}; is that where the document lies? Credentials go with --header"
            );
        }
        Ok(String::from_utf8_lossy(&body).into_owned())
    }
}

/// The line of a document that an error is about, with a mark below the place.
fn snippet(source: &Source, place: &Place) -> Option<String> {
    const WIDTH: usize = 100;
    if place.file != source.name {
        return None;
    }
    let line = source.text.lines().nth(place.line.checked_sub(1)?)?;
    let start = place.column.saturating_sub(WIDTH / 2).max(1) - 1;
    let part: String = line.chars().skip(start).take(WIDTH).collect();
    let number = place.line.to_string();
    let margin = " ".repeat(number.len());
    let indent = " ".repeat(place.column.saturating_sub(start + 1));
    let text = fossick_report::clean(&part);
    Some(format!(
        "{margin} |\n{number} | {text}\n{margin} | {indent}^"
    ))
}

fn read_file(path: &Path) -> Result<String> {
    let bytes =
        std::fs::read(path).with_context(|| format!("failed to read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub(crate) fn is_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// Scheme, host and port of a URL.
fn origin(url: &str) -> &str {
    let after = url.find("://").map_or(0, |at| at + 3);
    let end = url[after..]
        .find(['/', '?', '#'])
        .map_or(url.len(), |at| after + at);
    &url[..end]
}

/// Loads what a document refers to: files beside files, and the same host's URLs. The user's
/// headers go nowhere else.
struct Fetcher<'a> {
    access: &'a Access<'a>,
    host: Option<String>,
}

impl Fetch for Fetcher<'_> {
    fn fetch(&mut self, location: &str) -> Result<String, String> {
        let loaded = if is_url(location) {
            if self.host.as_deref() != Some(origin(location)) {
                return Err(format!("{location} is at another host than the document"));
            }
            self.access.download(location)
        } else {
            read_file(Path::new(location))
        };
        loaded.map_err(|error| format!("{error:#}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_marks_the_column() {
        let source = Source {
            name: "a.yaml".to_owned(),
            text: "one\n  two: [\n".to_owned(),
        };
        let place = Place {
            file: "a.yaml".to_owned(),
            line: 2,
            column: 8,
        };
        let shown = snippet(&source, &place).expect("the line is there");
        assert_eq!(shown, "  |\n2 |   two: [\n  |        ^");
    }

    #[test]
    fn an_origin_ends_where_the_path_begins() {
        assert_eq!(origin("http://a:80/b/c"), "http://a:80");
        assert_eq!(origin("https://a?x=1"), "https://a");
        assert_ne!(origin("http://a.evil/x"), origin("http://a/x"));
    }
}
