//! Recorded calls, wherever they are kept.
//!
//! A file with one record a line, as JSON (`.ndjson`, `.jsonl`), is read as it stands; it is what
//! people send each other.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, anyhow, bail};
use fossick_harvest::suite::told;
use fossick_harvest::{Call, Record};
use fossick_store::{Access, Place, Store};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::flags::duration;
use crate::harvest::flags::RecordFlags;
use crate::selection::like;

/// Which records are wanted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filter {
    pub(crate) min_calls: u64,
    /// Milliseconds since 1970.
    pub(crate) since: u64,
    pub(crate) operation: Vec<String>,
}

impl Filter {
    pub(crate) fn of(flags: &RecordFlags) -> Result<Self> {
        let since = flags.since.as_deref().map(moment).transpose()?;
        Ok(Self {
            min_calls: flags.min_calls,
            since: since.unwrap_or(0),
            operation: flags.operation.clone(),
        })
    }

    pub(crate) fn takes(&self, record: &Record) -> bool {
        let named = || {
            self.operation
                .iter()
                .any(|pattern| is_called(&record.call, pattern))
        };
        record.times_called >= self.min_calls
            && record.updated_at >= self.since
            && (self.operation.is_empty() || named())
    }
}

/// The records of a store that a filter takes.
pub(crate) fn records(place: &str, filter: &Filter) -> Result<Vec<Record>> {
    let mut records = if is_a_list(place) {
        lines(Path::new(place))?
    } else {
        stored(place, filter)?
    };
    records.retain(|record| filter.takes(record));
    Ok(records)
}

fn is_a_list(place: &str) -> bool {
    let ending = Path::new(place).extension();
    ending.is_some_and(|ending| ending == "ndjson" || ending == "jsonl")
}

/// What the store can leave out by itself is never read.
fn stored(place: &str, filter: &Filter) -> Result<Vec<Record>> {
    let mut store = Store::open(&place.parse::<Place>()?, Access::Read)?;
    let wanted = fossick_store::Filter {
        min_calls: filter.min_calls,
        since: Some(filter.since),
        ..fossick_store::Filter::default()
    };
    let mut records = Vec::new();
    store.records(&wanted, &mut |record| {
        records.push(record);
        ControlFlow::Continue(())
    })?;
    Ok(records)
}

fn lines(path: &Path) -> Result<Vec<Record>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("failed to read {}", path.display()))?;
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|error| {
                anyhow!(
                    "{}:{}:{}: this is no record of a call: {error}",
                    path.display(),
                    at + 1,
                    error.column()
                )
            })
        })
        .collect()
}

/// Whether a call goes by a name: that of its operation, of what it asks for, or its path.
fn is_called(call: &Call, pattern: &str) -> bool {
    let label = told(call);
    let name = label.split_once(' ').map_or("", |(_, name)| name);
    let roots = match call {
        Call::GraphQl(call) => roots(&call.query),
        Call::Rest(_) => Vec::new(),
    };
    like(&label, pattern) || like(name, pattern) || roots.iter().any(|root| like(root, pattern))
}

fn roots(query: &str) -> Vec<String> {
    let document = fossick_query::read(query, None);
    let picks = document.map(|document| document.picks).unwrap_or_default();
    let fields = picks.into_iter().filter_map(|pick| match pick {
        fossick_query::Pick::Field(asked) => Some(asked.name),
        fossick_query::Pick::Part(_) => None,
    });
    fields.collect()
}

/// `2024-05-17`, `2024-05-17T10:30`, or so long ago: `7d`, `24h`.
fn moment(text: &str) -> Result<u64> {
    if let Some(days) = text
        .strip_suffix('d')
        .and_then(|days| days.parse::<u32>().ok())
    {
        return Ok(ago(Duration::from_hours(24) * days));
    }
    if let Ok(length) = duration(text) {
        return Ok(ago(length));
    }
    let time: Option<jiff::Timestamp> = text.parse().ok();
    let day = || text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok();
    let time = time.or_else(|| Some(day()?.timestamp()));
    let Some(time) = time else {
        bail!("`{text}` is no time; write 2024-05-17, 2024-05-17T10:30:00Z, 24h or 7d");
    };
    Ok(u64::try_from(time.as_millisecond()).unwrap_or(0))
}

fn ago(length: Duration) -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    now.saturating_sub(length).as_millis() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_day_or_so_long_ago() {
        assert_eq!(moment("1970-01-02").expect("a day"), 86_400_000);
        assert_eq!(moment("1970-01-01T00:01:00Z").expect("a time"), 60_000);
        let (week, days) = (moment("7d").expect("days"), moment("168h").expect("hours"));
        assert!(days.abs_diff(week) < 60_000);
        assert!(moment("yesterday").is_err());
    }
}
