//! `fossick harvest list`: what was seen.

use std::cmp::Reverse;
use std::fmt::Write as _;

use anyhow::Result;
use fossick_harvest::suite::{date, told};
use fossick_harvest::{How, Record, Redaction};
use fossick_report::one_line;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::flags::Format;
use crate::harvest::flags::ListFlags;
use crate::harvest::store::{Filter, records};
use crate::screen::print;

pub(crate) fn list(flags: &ListFlags) -> Result<Exit> {
    let mut records = records(&flags.records.store, &Filter::of(&flags.records)?)?;
    records.sort_by_key(|record| (Reverse(record.times_called), record.key));
    print(&match flags.format {
        Format::Json => {
            let all: Vec<Value> = records
                .iter()
                .map(|record| as_json(record, flags))
                .collect();
            format!("{:#}\n", Value::Array(all))
        }
        Format::Text => as_text(&records, flags),
    });
    Ok(Exit::Clean)
}

fn as_text(records: &[Record], flags: &ListFlags) -> String {
    let mut text = String::new();
    for record in records {
        _ = writeln!(
            text,
            "{:>9}  {}  {}{}",
            record.times_called,
            date(record.updated_at),
            one_line(&told(&record.call)),
            failures(record)
        );
        for redaction in record.redactions.iter().filter(|_| flags.show_redactions) {
            _ = writeln!(text, "           {}", shown(redaction));
        }
    }
    let calls: u64 = records.iter().map(|record| record.times_called).sum();
    _ = writeln!(text, "{} unique calls, seen {calls} times", records.len());
    text
}

fn failures(record: &Record) -> String {
    let statuses = record.statuses;
    let told = [
        (statuses.client_error, "refused"),
        (statuses.server_error, "failed"),
        (statuses.with_errors, "with errors"),
    ];
    let told: Vec<String> = told
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    if told.is_empty() {
        return String::new();
    }
    format!("  ({})", told.join(", "))
}

fn shown(redaction: &Redaction) -> String {
    let how = match redaction.how {
        How::Dropped => "left out",
        How::Pseudonym => "exchanged",
    };
    format!("{how}: {}", one_line(&redaction.place))
}

fn as_json(record: &Record, flags: &ListFlags) -> Value {
    let mut value = json!({
        "key": record.key.to_string(),
        "what": told(&record.call),
        "call": record.call,
        "created_at": date(record.created_at),
        "updated_at": date(record.updated_at),
        "times_called": record.times_called,
        "statuses": record.statuses,
        "took": record.took,
    });
    if flags.show_redactions {
        value["redactions"] = json!(record.redactions);
    }
    value
}
