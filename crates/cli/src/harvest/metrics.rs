//! `fossick harvest metrics`: the figures of a harvest.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context as _, Result, anyhow, bail};
use fossick_contract::Api;
use fossick_harvest::Record;
use fossick_harvest::metrics::{Measured, Metrics, Run, measure, read_list};
use fossick_harvest::suite::suite as make;
use fossick_report::one_line;
use serde_json::json;

use crate::exit::Exit;
use crate::flags::Format;
use crate::harvest::flags::MetricsFlags;
use crate::harvest::schema::{Known, read};
use crate::harvest::store::{Filter, records};
use crate::harvest::suite::settings;
use crate::screen::print;
use crate::suite::{Played, Reach, client, play_all};

pub(crate) fn metrics(flags: &MetricsFlags) -> Result<Exit> {
    let known = read(&flags.schema)?;
    let api = &known.document.api;
    if !api.is_graphql() {
        bail!(
            "these figures are those of GraphQL schemas, and {} is none",
            known.document.name()
        );
    }
    let records = records(&flags.records.store, &Filter::of(&flags.records)?)?;
    let mut measured = measure(api, &records, flags.tests.mutations);
    let mut run = Run::default();
    if let Some(url) = &flags.url {
        run = played(flags, &known, &records, url)?;
        measured = measured.with_run(&run);
    }
    if let Some(other) = &flags.against {
        measured = measured.against(&reached(other, api)?);
    }
    print(&match flags.format {
        Format::Json => as_json(&measured, &run),
        Format::Text => as_text(&measured, &run),
    });
    Ok(Exit::Clean)
}

/// Runs the tests and counts.
fn played(flags: &MetricsFlags, known: &Known, records: &[Record], url: &str) -> Result<Run> {
    let settings = settings(known, records, &flags.tests, Some(url));
    let made = make(&known.document.api, records, &settings);
    let reach = Reach {
        url: Some(url),
        header: &flags.schema.identity.header,
        insecure: flags.schema.insecure,
        concurrency: flags.concurrency,
    };
    let suite = Rc::new(made.suite);
    let client = client(&reach, &suite)?;
    let mut run = Run::default();
    let each = |at: usize, played: Played| {
        let body = played.answer.as_ref().and_then(|answer| answer.json());
        let source = made.sources.get(at);
        let promise = source.and_then(|source| source.promise.as_ref());
        let review = promise
            .map(|promise| promise.review(body))
            .unwrap_or_default();
        let broken = played.broken.first().map(|broken| broken.why.as_str());
        run.add(review.assertions, &review.flaws, broken);
        Ok(())
    };
    play_all(&known.runtime, &client, &suite, flags.concurrency, each)?;
    Ok(run)
}

/// The tuples that another suite reaches: a list of them, or the records of another store.
fn reached(place: &str, api: &Api) -> Result<BTreeSet<String>> {
    let path = Path::new(place);
    if path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
    {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("failed to read {}", path.display()))?;
        return read_list(&text).map_err(|why| anyhow!("{}: {why}", path.display()));
    }
    let others = records(place, &Filter::default())?;
    Ok(measure(api, &others, true).covered)
}

fn as_json(measured: &Measured, run: &Run) -> String {
    let mut value = json!(measured.metrics);
    if measured.metrics.distinct_tuples.is_some() {
        value["distinct"] = json!(measured.distinct);
    }
    if measured.metrics.schema_faults.is_some() {
        value["faults"] = json!(run.faults);
    }
    format!("{value:#}\n")
}

fn as_text(measured: &Measured, run: &Run) -> String {
    let mut text = String::new();
    for (name, value) in rows(&measured.metrics) {
        _ = writeln!(text, "{name:<22}{value:>12}");
    }
    for fault in &run.faults {
        _ = writeln!(text, "  fault: {}", one_line(fault));
    }
    for tuple in &measured.distinct {
        _ = writeln!(text, "  only here: {}", one_line(tuple));
    }
    text
}

fn rows(metrics: &Metrics) -> Vec<(&'static str, String)> {
    let known = |figure: Option<u64>| figure.map_or("–".to_owned(), |figure| figure.to_string());
    let mut rows = vec![
        ("TYPES", metrics.types.to_string()),
        ("ENTRY_POINTS", metrics.entry_points.to_string()),
        ("UNIQUE_QUERIES", metrics.unique_queries.to_string()),
        ("ASSERTIONS_EVALUATED", known(metrics.assertions_evaluated)),
        ("PASSING", known(metrics.passing)),
        ("FAILING", known(metrics.failing)),
        ("SCHEMA_FAULTS", known(metrics.schema_faults)),
        ("SCHEMA_TUPLES", metrics.schema_tuples.to_string()),
        ("COVERED_TUPLES", metrics.covered_tuples.to_string()),
        (
            "SCHEMA_COV_GENERATED",
            format!("{:.1} %", metrics.schema_cov_generated),
        ),
    ];
    if let Some(distinct) = metrics.distinct_tuples {
        rows.push(("DISTINCT_TUPLES", distinct.to_string()));
    }
    rows
}
