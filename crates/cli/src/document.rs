//! Getting at documents: files, folders, URLs, standard input, and services that tell their own.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use fossick_contract::{Api, Diagnostic, Place};
use fossick_ingest::{Fetch, ReadError, Reading, Scalars, Source, read_sdl_with, read_with};
use fossick_transport::User;
use tokio::runtime::Runtime;

use crate::exit::Unreachable;
use crate::introspection::{self, Told};

/// A document that was read, with its text kept for the run folder.
pub(crate) struct Document {
    pub(crate) api: Api,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What it was read from; several only where a GraphQL schema lies in several files.
    pub(crate) sources: Vec<Source>,
    /// Where the service is, if the service itself told its schema.
    pub(crate) endpoint: Option<String>,
}

impl Document {
    fn new(reading: Reading, sources: Vec<Source>) -> Self {
        Self {
            api: reading.api,
            diagnostics: reading.diagnostics,
            sources,
            endpoint: None,
        }
    }

    pub(crate) fn name(&self) -> String {
        let names: Vec<&str> = self.sources.iter().map(|s| s.name.as_str()).collect();
        names.join(", ")
    }

    /// One text that reads as the same document: parts of a GraphQL schema may stand in one file
    /// as well as in several.
    pub(crate) fn text(&self) -> String {
        let texts: Vec<&str> = self.sources.iter().map(|s| s.text.as_str()).collect();
        texts.join("\n\n")
    }
}

/// How to get at it.
pub(crate) struct Access<'a> {
    pub(crate) runtime: &'a Runtime,
    pub(crate) headers: &'a [(String, String)],
    /// Who asks a service for its schema. Documents are fetched with the headers alone: they may
    /// lie at another host than the service, whose credentials must not go there.
    pub(crate) users: &'a [User],
    pub(crate) insecure: bool,
    /// What custom scalars of a GraphQL schema are.
    pub(crate) scalars: &'a Scalars,
}

impl Access<'_> {
    pub(crate) fn read(&self, locations: &[String]) -> Result<Document> {
        match locations {
            [url] if is_url(url) => self.read_url(url),
            [path] if !Path::new(path).is_dir() => self.parse(source(path)?),
            several => self.read_files(&files(several)?),
        }
    }

    pub(crate) fn parse(&self, source: Source) -> Result<Document> {
        let host = is_url(&source.name).then(|| origin(&source.name).to_owned());
        let mut fetcher = Fetcher { access: self, host };
        let sources = vec![source];
        let reading = read_with(&sources[0], &mut fetcher, self.scalars)
            .map_err(|error| shown(&error, &sources))?;
        Ok(Document::new(reading, sources))
    }

    /// A GraphQL schema in several files.
    fn read_files(&self, paths: &[PathBuf]) -> Result<Document> {
        let sources = paths
            .iter()
            .map(|path| source(&path.display().to_string()))
            .collect::<Result<Vec<_>>>()?;
        let reading =
            read_sdl_with(&sources, self.scalars).map_err(|error| shown(&error, &sources))?;
        Ok(Document::new(reading, sources))
    }

    /// A URL may be that of a document or of a GraphQL service; its last word tells which to try
    /// first.
    fn read_url(&self, url: &str) -> Result<Document> {
        if introspection::looks_like_endpoint(url) {
            return self.read_endpoint(url);
        }
        let (status, text) = self.get(url)?;
        let error = match self.understood(url, status, text) {
            Ok(document) => return Ok(document),
            Err(error) => error,
        };
        // What a GraphQL service says to a GET without a query.
        if !matches!(status, 200..300 | 400 | 404..=406 | 415) {
            return Err(error);
        }
        match introspection::ask(self, url) {
            Ok(Told::Schema(document)) => Ok(*document),
            Ok(Told::Refused(words)) => Err(introspection::refusal(url, &words)),
            Ok(Told::Complained(_) | Told::SomethingElse(_)) | Err(_) => Err(error),
        }
    }

    fn read_endpoint(&self, url: &str) -> Result<Document> {
        let why = match introspection::ask(self, url)? {
            Told::Schema(document) => return Ok(*document),
            Told::Refused(words) => return Err(introspection::refusal(url, &words)),
            Told::Complained(words) => return Err(introspection::complaint(url, &words)),
            Told::SomethingElse(why) => why,
        };
        let (status, text) = self.get(url)?;
        self.understood(url, status, text).map_err(|_| {
            anyhow!("{url} is neither a GraphQL service ({why}) nor an OpenAPI document")
        })
    }

    fn understood(&self, url: &str, status: u16, text: String) -> Result<Document> {
        expect_success(url, status)?;
        self.parse(Source {
            name: url.to_owned(),
            text,
        })
    }

    fn get(&self, url: &str) -> Result<(u16, String)> {
        let fetched =
            self.runtime
                .block_on(fossick_transport::fetch(url, self.headers, self.insecure));
        let (status, _, body) =
            fetched.map_err(|why| Unreachable(format!("nothing answers at {url} ({why})")))?;
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    }

    fn download(&self, url: &str) -> Result<String> {
        let (status, text) = self.get(url)?;
        expect_success(url, status)?;
        Ok(text)
    }
}

fn expect_success(url: &str, status: u16) -> Result<()> {
    if !(200..300).contains(&status) {
        bail!(
            "{url} answered {status}; is that where the document lies? Credentials go with --header"
        );
    }
    Ok(())
}

/// A file, or standard input.
fn source(location: &str) -> Result<Source> {
    if location != "-" {
        return Ok(Source {
            name: location.to_owned(),
            text: read_file(Path::new(location))?,
        });
    }
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .context("failed to read standard input")?;
    Ok(Source {
        name: "standard input".to_owned(),
        text,
    })
}

/// The files of a GraphQL schema, those of folders in the order of their names.
fn files(locations: &[String]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for location in locations {
        let path = Path::new(location);
        if path.is_dir() {
            let before = files.len();
            collect(path, 0, &mut files)?;
            if files.len() == before {
                bail!("there is no .graphql file in {location}");
            }
        } else if is_sdl(path) || !path.exists() {
            files.push(path.to_owned());
        } else {
            bail!(
                "only a GraphQL schema may lie in several files (.graphql, .graphqls, .gql), and {location} is none of these"
            );
        }
    }
    Ok(files)
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<()> {
    /// A link that leads back would never end otherwise.
    const DEEPEST: usize = 8;
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("failed to read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && depth < DEEPEST {
            collect(&path, depth + 1, files)?;
        } else if is_sdl(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_sdl(path: &Path) -> bool {
    let endings = ["graphql", "graphqls", "gql", "sdl"];
    path.extension().is_some_and(|own| {
        endings
            .iter()
            .any(|ending| own.eq_ignore_ascii_case(ending))
    })
}

/// An error with the line that it is about.
fn shown(error: &ReadError, sources: &[Source]) -> anyhow::Error {
    let lines = error
        .place()
        .and_then(|place| sources.iter().find_map(|source| snippet(source, place)));
    match lines {
        Some(lines) => anyhow!("{error}\n{lines}"),
        None => anyhow!("{error}"),
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

/// Whether a document lies at another host than the service.
pub(crate) fn is_elsewhere(document: &str, service: &str) -> bool {
    is_url(document) && !origin(document).eq_ignore_ascii_case(origin(service))
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
        assert!(is_elsewhere("http://a.evil/x", "http://a/graphql"));
        assert!(!is_elsewhere("http://A/x", "http://a/graphql"));
        assert!(!is_elsewhere("schema.graphql", "http://a/graphql"));
    }

    #[test]
    fn the_ending_tells_a_graphql_schema() {
        for name in ["a.graphql", "b/schema.GraphQLs", "c.gql"] {
            assert!(is_sdl(Path::new(name)), "{name}");
        }
        for name in ["openapi.json", "graphql", "a.graphql.bak"] {
            assert!(!is_sdl(Path::new(name)), "{name}");
        }
    }
}
