//! Errors that tell strangers what a service is made of.
//!
//! What the caller sent may well be repeated in a message; only what comes from the service counts.

use fossick_contract::{Api, Kind};
use fossick_trace::{Finding, Location};
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::leaks::{exception, files, is_source, sql, stack};
use crate::crash::exposed::{is_page, trace};
use crate::graphql::complaint::{complaints, gather};
use crate::names::words;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

/// What may be told, each with the words for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Internals {
    Stack,
    Sql,
    File,
    Exception,
}

impl Internals {
    fn name(self) -> &'static str {
        match self {
            Self::Stack => "a stack trace",
            Self::Sql => "SQL",
            Self::File => "a file's path",
            Self::Exception => "an exception",
        }
    }
}

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let told = match step.root() {
            Some(_) => in_entries(scene.api, step),
            None => in_answer(scene.api, step).into_iter().collect(),
        };
        let all = told.into_iter();
        findings.extend(all.map(|(internals, excerpt)| report(oracle, step, internals, &excerpt)));
    }
}

fn report(oracle: &Oracle, step: &Shown<'_>, internals: Internals, excerpt: &str) -> Finding {
    let name = internals.name();
    let title = format!("an error tells {name}: {excerpt}");
    let why = "Errors go to anybody who asks; this one tells how the service is built.".to_owned();
    step.finding(oracle, title, why)
        .marked(name)
        .caused_by(name)
        .located(Location::Message)
        .got(Some(excerpt.into()))
}

/// Each kind once, however many entries of `errors` tell it.
fn in_entries(api: &Api, step: &Shown<'_>) -> Vec<(Internals, String)> {
    let mut told: Vec<(Internals, String)> = Vec::new();
    for complaint in step.json().into_iter().flat_map(complaints) {
        let mut texts = complaint.texts();
        texts.push(("message", complaint.message()));
        for (internals, excerpt) in shown(api, step, &texts) {
            let tells = |known: Internals| told.iter().any(|(own, _)| *own == known);
            // Frames hold paths, and exceptions stand where the rest does; it is one leak.
            let known = match internals {
                Internals::File => tells(Internals::File) || tells(Internals::Stack),
                Internals::Exception => !told.is_empty(),
                other => tells(other),
            };
            if !known {
                told.push((internals, excerpt));
            }
        }
    }
    told
}

/// The first that a failure of REST tells; a stack trace there is told by an oracle of its own.
fn in_answer(api: &Api, step: &Shown<'_>) -> Option<(Internals, String)> {
    const READ: usize = 16_384;
    let failed = |answer: &&fossick_trace::Answer| answer.status >= 400;
    let answer = step.answer().filter(failed)?;
    if trace(answer).is_some() {
        return None;
    }
    let Some(body) = answer.json() else {
        let text = answer.excerpt(READ);
        // A page links to scripts of its own by their paths.
        let is_link = |internals: Internals| internals == Internals::File && is_page(answer);
        let all = shown(api, step, &[("", &text)]).into_iter();
        return all.into_iter().find(|(internals, _)| !is_link(*internals));
    };
    let mut texts = Vec::new();
    gather("", body, 0, &mut texts);
    let all = shown(api, step, &texts).into_iter();
    all.into_iter()
        .find(|(internals, _)| *internals != Internals::Stack)
}

/// What texts tell, of each kind the first.
fn shown(api: &Api, step: &Shown<'_>, texts: &[(&str, &str)]) -> Vec<(Internals, String)> {
    let request = &step.exchange.request;
    let body = String::from_utf8_lossy(&request.body);
    let own =
        |text: &str| !text.is_empty() && !body.contains(text) && !request.target.contains(text);
    let sent = sent(step);
    let find = |internals, test: &dyn Fn(&str, &str) -> bool| {
        texts.iter().find_map(|(name, text)| {
            let left = without(text, &sent);
            (own(text) && test(name, &left)).then(|| (internals, excerpt(text)))
        })
    };
    let path = texts.iter().find_map(|(name, text)| {
        let ours = |path: &&str| own(path) && !is_address(api, step, path);
        let alone = |path: &&str| text.trim() == *path && !is_source(path) && !is_of_files(name);
        let path = files(text).find(|path| ours(path) && !alone(path))?;
        Some((Internals::File, excerpt(path)))
    });
    let stack = find(Internals::Stack, &|name, text| stack(name, text).is_some());
    stack
        .into_iter()
        .chain(find(Internals::Sql, &|_, text| sql(text)))
        .chain(path)
        .chain(find(Internals::Exception, &|_, text| {
            exception(text).is_some()
        }))
        .collect()
}

/// Texts that the caller sent, as they were before they were escaped.
fn sent(step: &Shown<'_>) -> Vec<String> {
    /// Shorter ones stand in any text.
    const TELLING: usize = 6;
    let request = &step.exchange.request;
    let body: Option<Value> = serde_json::from_slice(&request.body).ok();
    let mut texts = Vec::new();
    if let Some(body) = &body {
        gather("", body, 0, &mut texts);
    }
    let pieces = request.target.split(['/', '?', '&', '=']);
    let decoded = pieces.map(|piece| percent_decode_str(piece).decode_utf8_lossy().into_owned());
    let mut all: Vec<String> = texts.iter().map(|(_, text)| (*text).to_owned()).collect();
    all.extend(decoded);
    all.extend(request.headers.iter().map(|(_, value)| value.clone()));
    all.retain(|text| text.len() >= TELLING);
    all
}

fn without(text: &str, sent: &[String]) -> String {
    let mut left = text.to_owned();
    for text in sent {
        left = left.replace(text.as_str(), " ");
    }
    left
}

/// Fields that are called after what they hold tell files even where nothing else is said.
fn is_of_files(name: &str) -> bool {
    const NAMES: [&str; 8] = [
        "file",
        "filename",
        "filepath",
        "dir",
        "directory",
        "folder",
        "script",
        "source",
    ];
    words(name)
        .iter()
        .any(|word| NAMES.contains(&word.as_str()))
}

/// Whether a path is one of the service's own addresses, or leads into the body that was sent.
fn is_address(api: &Api, step: &Shown<'_>, path: &str) -> bool {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let path = path.trim_end_matches(['.', ':']);
    let bases = api.servers.iter().map(|server| base(server));
    let mut shorter = bases.chain([""]).filter_map(|base| path.strip_prefix(base));
    let called = step.path().trim_end_matches('/');
    let is_called = called.len() > 1 && path.ends_with(called);
    is_called
        || shorter.any(|path| api.operations.iter().any(|o| fits(&o.path.text, path)))
        || leads_into_body(api, step, path)
}

/// The path of a server's address.
fn base(server: &str) -> &str {
    let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
    let at = rest.find('/').unwrap_or(rest.len());
    rest[at..].trim_end_matches('/')
}

fn fits(template: &str, path: &str) -> bool {
    let mut pieces = path.split('/');
    let all = template.split('/').all(|part| {
        let piece = pieces.next();
        piece.is_some_and(|piece| part == piece || part.contains('{'))
    });
    all && pieces.next().is_none()
}

fn leads_into_body(api: &Api, step: &Shown<'_>, path: &str) -> bool {
    let first = path.split('/').nth(1).unwrap_or("");
    let sent = step.sent().is_some_and(|sent| sent.get(first).is_some());
    let contents = step.operation.body.iter().flat_map(|body| &body.contents);
    let mut shapes = contents.filter_map(|content| content.shape);
    let declared = |shape| match &api.shape(shape).kind {
        Kind::Object(object) => object.property(first).is_some(),
        _ => false,
    };
    sent || shapes.any(declared)
}

fn excerpt(text: &str) -> String {
    const LENGTH: usize = 80;
    let mut lines = text.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty()).unwrap_or("");
    match line.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line)),
        None => line.to_owned(),
    }
}
