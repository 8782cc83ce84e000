//! `fossick harvest drift`: what a new schema would break.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use fossick_harvest::Record;
use fossick_harvest::drift::{Drift, Repair, drift as find};
use fossick_harvest::suite::{date, grouped};
use fossick_report::one_line;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::flags::Format;
use crate::harvest::flags::DriftFlags;
use crate::harvest::schema::{another, read};
use crate::harvest::store::{Filter, records};
use crate::screen::print;

pub(crate) fn drift(flags: &DriftFlags) -> Result<Exit> {
    let known = read(&flags.schema)?;
    let old = match flags.old.as_slice() {
        [] => None,
        places => Some(another(&known, &flags.schema, places)?),
    };
    let records = records(&flags.records.store, &Filter::of(&flags.records)?)?;
    let old = old.as_ref().map(|document| &document.api);
    let found = find(&known.document.api, old, &records);
    if let Some(path) = &flags.out {
        write(path, &found, &records)?;
    }
    print(&match flags.format {
        Format::Json => as_json(&found, records.len()),
        Format::Text => as_text(&found, records.len()),
    });
    Ok(if found.is_empty() {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

/// The repaired calls, counted as those that they stand for.
fn write(path: &Path, found: &[Drift], records: &[Record]) -> Result<()> {
    let mut text = String::new();
    for drift in found {
        let record = records.iter().find(|record| record.key == drift.key);
        if let (Repair::Done { call, .. }, Some(record)) = (&drift.repair, record) {
            let repaired = Record {
                key: call.key(),
                call: call.clone(),
                ..record.clone()
            };
            text.push_str(&serde_json::to_string(&repaired)?);
            text.push('\n');
        }
    }
    std::fs::write(path, text).with_context(|| format!("failed to write {}", path.display()))
}

fn repaired(found: &[Drift]) -> usize {
    let is_done = |drift: &&Drift| matches!(drift.repair, Repair::Done { .. });
    found.iter().filter(is_done).count()
}

fn as_text(found: &[Drift], all: usize) -> String {
    let mut text = String::new();
    for drift in found {
        let times = grouped(drift.times_called);
        let (what, last) = (one_line(&drift.what), date(drift.last_at));
        _ = writeln!(text, "{what}, called {times} times, last {last}");
        for found in &drift.breaks {
            _ = writeln!(text, "  breaks: {}", one_line(&found.told));
        }
        match &drift.repair {
            Repair::Done { changes, .. } => {
                for change in changes {
                    _ = writeln!(text, "  repaired: {}", one_line(change));
                }
            }
            Repair::Impossible { why } => {
                let why = one_line(&why.join("; "));
                _ = writeln!(text, "  not repaired: {why}");
            }
        }
    }
    let (broken, repaired) = (found.len(), repaired(found));
    _ = match broken {
        0 => writeln!(text, "none of {all} calls breaks"),
        _ => writeln!(
            text,
            "{broken} of {all} calls break; {repaired} are repaired"
        ),
    };
    text
}

fn as_json(found: &[Drift], all: usize) -> String {
    let calls: Vec<Value> = found.iter().map(one).collect();
    let value = json!({
        "all": all,
        "broken": found.len(),
        "repaired": repaired(found),
        "calls": calls,
    });
    format!("{value:#}\n")
}

fn one(drift: &Drift) -> Value {
    let (call, changes, why) = match &drift.repair {
        Repair::Done { call, changes } => (Some(call), changes.as_slice(), &[][..]),
        Repair::Impossible { why } => (None, &[][..], why.as_slice()),
    };
    json!({
        "key": drift.key.to_string(),
        "what": drift.what,
        "times_called": drift.times_called,
        "last_at": date(drift.last_at),
        "breaks": drift.breaks,
        "repaired": call,
        "changes": changes,
        "not_repaired_because": why,
    })
}
