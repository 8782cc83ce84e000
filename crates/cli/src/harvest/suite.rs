//! `fossick harvest suite`: recorded calls as tests that a team keeps.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Result, bail};
use fossick_harvest::promise::Strictness;
use fossick_harvest::suite::{LeftOut, Made, Settings, suite as make};
use fossick_harvest::{Call, Record};
use fossick_report::one_line;
use fossick_suite::Suite;
use fossick_writers::Faults;

use crate::config::{ResetConfig, ServiceConfig};
use crate::document::is_url;
use crate::exit::Exit;
use crate::harvest::flags::{RecordFlags, SchemaFlags, SuiteFlags, TestsFlags};
use crate::harvest::schema::{Known, read};
use crate::harvest::store::{Filter, records};
use crate::screen::print;
use crate::suite::{self, SuiteTo, plain_headers, users};

pub(crate) fn suite(flags: &SuiteFlags) -> Result<Exit> {
    let out: Vec<SuiteTo> = flags
        .out
        .iter()
        .map(|text| suite::parse(text))
        .collect::<Result<_>>()?;
    suite::one_folder_each(&out)?;
    let known = read(&flags.schema)?;
    let records = records(&flags.records.store, &Filter::of(&flags.records)?)?;
    let mut settings = settings(&known, &records, &flags.tests, flags.url.as_deref());
    settings.origin = origin(&flags.records, &flags.schema);
    settings.fewest = flags.minimise;
    settings.time = flags.time;
    if let Some(reset) = &flags.reset {
        settings.service.reset = suite::service(&ServiceConfig {
            reset: Some(ResetConfig::Line(reset.clone())),
            ..ServiceConfig::default()
        })
        .reset;
    }
    let made = make(&known.document.api, &records, &settings);
    if made.suite.tests.is_empty() {
        bail!(
            "none of {} recorded calls is a test{}",
            records.len(),
            why_none(&made)
        );
    }
    let mut text = known.warning().unwrap_or_default();
    text.push_str(&told(&made));
    for to in &out {
        text.push_str(&written(to, &made.suite)?);
    }
    print(&text);
    Ok(Exit::Clean)
}

/// What all commands that make tests have in common.
pub(crate) fn settings(
    known: &Known,
    records: &[Record],
    flags: &TestsFlags,
    url: Option<&str>,
) -> Settings {
    Settings {
        base_url: base(known, records, url),
        users: users(&known.identity),
        service: suite::service(&known.config.service),
        headers: plain_headers(&known.identity),
        mutations: flags.mutations,
        strictness: Strictness {
            integer_ids: flags.integer_ids,
        },
        ..Settings::default()
    }
}

/// Where the tests go unless somebody says otherwise when they run.
fn base(known: &Known, records: &[Record], url: Option<&str>) -> String {
    let told = url.or(known.config.url.as_deref()).map(str::to_owned);
    let told = told.or_else(|| known.document.endpoint.clone());
    let mut servers = known.document.api.servers.iter();
    told.or_else(|| servers.find(|server| is_url(server)).cloned())
        .unwrap_or_else(|| format!("http://127.0.0.1:8000{}", usual_path(records)))
}

/// The path that most GraphQL calls went to.
fn usual_path(records: &[Record]) -> &str {
    let mut times: BTreeMap<&str, u64> = BTreeMap::new();
    for record in records {
        if let Call::GraphQl(call) = &record.call {
            *times.entry(&call.path).or_default() += record.times_called;
        }
    }
    let most = times.into_iter().max_by_key(|(_, times)| *times);
    most.map_or("", |(path, _)| path)
}

fn origin(records: &RecordFlags, schema: &SchemaFlags) -> String {
    let schema: Vec<String> = schema.schema.iter().map(|place| harmless(place)).collect();
    let store = harmless(&records.store);
    format!(
        "fossick harvest suite --store {store} --schema {}",
        schema.join(" ")
    )
}

/// A place without what a URL may tell of who may go there.
fn harmless(place: &str) -> String {
    let Some((scheme, rest)) = place.split_once("://") else {
        return place.to_owned();
    };
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let end = rest.find('/').unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let host = host.rsplit('@').next().unwrap_or(host);
    format!("{scheme}://{host}{path}")
}

fn written(to: &SuiteTo, suite: &Suite) -> Result<String> {
    let files = suite::write(to, suite, Faults::Pass, &str::to_owned)?;
    let folder = to.folder.display();
    Ok(format!(
        "Wrote {files} files to {folder}; run them there: {}\n",
        to.writer.run
    ))
}

fn told(made: &Made) -> String {
    let tuples: std::collections::BTreeSet<_> = made
        .sources
        .iter()
        .flat_map(|source| &source.tuples)
        .collect();
    let mut text = format!(
        "{} tests of {} kinds of answers reach {} tuples of type and field\n",
        made.suite.tests.len(),
        made.suite.schemas.len(),
        tuples.len()
    );
    for (why, calls) in reasons(&made.left_out) {
        _ = writeln!(text, "  left out {calls}: {why}");
    }
    text
}

/// How many calls are left out for each reason.
fn reasons(left_out: &[LeftOut]) -> Vec<(String, String)> {
    let mut by_reason: BTreeMap<String, Vec<&LeftOut>> = BTreeMap::new();
    for left in left_out {
        by_reason
            .entry(left.why.to_string())
            .or_default()
            .push(left);
    }
    let told = by_reason.into_iter().map(|(why, calls)| {
        let calls = match calls.as_slice() {
            [only] => one_line(&only.what),
            several => format!("{} calls", several.len()),
        };
        (one_line(&why), calls)
    });
    told.collect()
}

fn why_none(made: &Made) -> String {
    let reasons = reasons(&made.left_out);
    reasons
        .first()
        .map_or_else(String::new, |(why, _)| format!(": {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_suite_was_made_of_is_told_without_secrets() {
        let url = "postgres://ada:s3c@ret@db:5432/calls?password=x";
        assert_eq!(harmless(url), "postgres://db:5432/calls");
        assert_eq!(harmless("a@b/calls.ndjson"), "a@b/calls.ndjson");
    }
}
