//! Statements that both engines understand alike.

use crate::numbers::{COLUMNS, Column, Merge};

/// How long names of batches are kept, in milliseconds: a day. Whoever tries again does so within
/// minutes.
pub(crate) const REMEMBERED: i64 = 24 * 60 * 60 * 1000;

/// What is taken from flows, and given back.
pub(crate) const FLOW_COLUMNS: &str = "source, pointer, target, place, times";

pub(crate) fn on_flow_conflict() -> String {
    let times = sum("flows.times", "excluded.times");
    format!("ON CONFLICT (id) DO UPDATE SET times = {times}")
}

/// Those of a prefix that is not unique are told up to here.
pub(crate) const MOST_FOUND: u32 = 10;

const LARGEST: i64 = i64::MAX;

/// The columns that a row is written to.
pub(crate) fn columns() -> String {
    let numbers = COLUMNS.iter().map(|column| column.name);
    let names: Vec<&str> = ["key", "call"].into_iter().chain(numbers).collect();
    names.join(", ")
}

/// What becomes of a row that is there already.
pub(crate) fn on_conflict() -> String {
    let merged: Vec<String> = COLUMNS.iter().map(merged).collect();
    format!("ON CONFLICT (key) DO UPDATE SET {}", merged.join(", "))
}

fn merged(Column { name, merge, .. }: &Column) -> String {
    let (mine, theirs) = (format!("records.{name}"), format!("excluded.{name}"));
    match merge {
        Merge::Least => format!("{name} = {}", either(&mine, "<", &theirs)),
        Merge::Most => format!("{name} = {}", either(&mine, ">", &theirs)),
        Merge::Sum => format!("{name} = {}", sum(&mine, &theirs)),
    }
}

fn sum(mine: &str, theirs: &str) -> String {
    format!("CASE WHEN {mine} > {LARGEST} - {theirs} THEN {LARGEST} ELSE {mine} + {theirs} END")
}

fn either(mine: &str, than: &str, theirs: &str) -> String {
    format!("CASE WHEN {mine} {than} {theirs} THEN {mine} ELSE {theirs} END")
}

/// Everything of a record, from a store of this version. How redactions become one text of JSON is
/// the engine's own affair.
fn selected(version: u32, redactions: &str) -> String {
    let numbers = COLUMNS.iter().map(|column| {
        let known = column.since <= version;
        if known {
            column.name
        } else {
            "CAST(0 AS BIGINT)"
        }
    });
    let redactions = if version < 2 { "NULL" } else { redactions };
    let names = ["key", "call"].into_iter().chain(numbers);
    let names: Vec<&str> = names.chain([redactions]).collect();
    format!("SELECT {} FROM records", names.join(", "))
}

const WITHIN: &str = "WHERE times_called >= $1 AND updated_at >= $2 AND created_at <= $3";

/// In the order in which calls were first seen.
pub(crate) fn listing(version: u32, redactions: &str) -> String {
    let all = selected(version, redactions);
    format!("{all} {WITHIN} ORDER BY created_at, key")
}

pub(crate) fn counting() -> String {
    format!("SELECT count(*) FROM records {WITHIN}")
}

pub(crate) fn by_key(version: u32, redactions: &str) -> String {
    let all = selected(version, redactions);
    format!("{all} WHERE key >= $1 AND key <= $2 ORDER BY key LIMIT {MOST_FOUND}")
}

/// The name is taken or it is not; a transaction under way that has it is waited for.
pub(crate) const TAKE_NAME: &str =
    "INSERT INTO batches (id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING";

pub(crate) const FORGET_NAMES: &str = "DELETE FROM batches WHERE at < $1";

/// In this order.
pub(crate) const FORGET: [&str; 2] = [
    "DELETE FROM redactions \
     WHERE key IN (SELECT key FROM records WHERE updated_at < $1)",
    "DELETE FROM records WHERE updated_at < $1",
];
