//! Finished cells, one JSON object to a line, appended as they come.
//!
//! Lines are the format because a run may be killed at any moment: at worst the last line is
//! torn, all others stand, and the lab goes on with what is missing. The text comes in whole and
//! lines go out; who keeps the file is not said here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cell::Cell;

/// What one run brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// `service/strategy/seed/budget`
    pub key: String,
    /// [`Cell::stamp`] of the cell; a record without one fits whatever the settings.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stamp: String,
    pub metrics: BTreeMap<String, f64>,
    /// The main metric after so many calls, in the order of the calls.
    #[serde(default)]
    pub curve: Vec<(u64, f64)>,
    #[serde(default)]
    pub seconds: f64,
    #[serde(default)]
    pub cpu_seconds: f64,
}

impl Record {
    /// One line with its end. Numbers that JSON cannot hold are left out, or the line could not be
    /// read again and the cell would be run for ever.
    pub fn line(&self) -> String {
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        let mut record = self.clone();
        record.metrics.retain(|_, value| value.is_finite());
        record.curve.retain(|(_, value)| value.is_finite());
        record.seconds = finite(record.seconds);
        record.cpu_seconds = finite(record.cpu_seconds);
        let line = serde_json::to_string(&record).expect("a record is texts and finite numbers");
        line + "\n"
    }

    /// A metric by name; the times of the run can be asked for like any other.
    pub fn metric(&self, name: &str) -> Option<f64> {
        let built_in = match name {
            "seconds" => Some(self.seconds),
            "cpu_seconds" => Some(self.cpu_seconds),
            _ => None,
        };
        self.metrics.get(name).copied().or(built_in)
    }
}

/// All finished cells of a results file, the last of each key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Records {
    by_key: BTreeMap<String, Record>,
    /// Numbers (from 1) of the lines that could not be read.
    pub damaged: Vec<usize>,
    /// The text does not end with a line end: write one before the next record, or the two grow
    /// together.
    pub torn: bool,
}

impl Records {
    /// Reads what can be read.
    pub fn read(text: &str) -> Self {
        let mut records = Self {
            torn: !text.is_empty() && !text.ends_with('\n'),
            ..Self::default()
        };
        for (place, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            match serde_json::from_str(line) {
                Ok(record) => records.add(record),
                Err(_) => records.damaged.push(place + 1),
            }
        }
        records
    }

    /// A later record of the same cell takes the place of the earlier.
    pub fn add(&mut self, record: Record) {
        self.by_key.insert(record.key.clone(), record);
    }

    /// The record of a cell, if there is one that was made with its settings.
    pub fn of(&self, cell: &Cell) -> Option<&Record> {
        let record = self.by_key.get(&cell.key())?;
        (record.stamp.is_empty() || record.stamp == cell.stamp).then_some(record)
    }

    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// In the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = &Record> {
        self.by_key.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::missing;
    use crate::sample::{LAB, experiment, records};
    use crate::{Better, Experiment};

    fn text_of(records: &Records) -> String {
        records.iter().map(Record::line).collect()
    }

    #[test]
    fn records_survive_writing_and_reading() {
        let records = records(&experiment());
        assert_eq!(records.len(), 60);
        assert_eq!(Records::read(&text_of(&records)), records);
    }

    #[test]
    fn a_lab_killed_while_writing_goes_on_with_the_torn_cell() {
        let experiment = experiment();
        let text = text_of(&records(&experiment));
        for cut in [1, 2, 40] {
            let torn = Records::read(&text[..text.len() - cut]);
            let lost = usize::from(cut > 1);
            assert_eq!((torn.torn, torn.damaged.len()), (true, lost), "{cut}");
            assert_eq!(missing(&experiment.cells(), &torn).len(), lost, "{cut}");
        }
    }

    #[test]
    fn any_cut_is_read_without_a_panic() {
        let text = text_of(&records(&experiment()));
        let first = text.lines().next().unwrap();
        for cut in 0..first.len() {
            assert!(Records::read(&first[..cut]).is_empty());
        }
    }

    #[test]
    fn results_of_other_settings_do_not_count() {
        let before = experiment();
        let records = records(&before);
        assert_eq!(missing(&before.cells(), &records), []);
        let text = LAB.replacen("p_s = 0.5", "p_s = 0.6", 1);
        let after = Experiment::read(&text, "lab.toml").unwrap();
        let missing = missing(&after.cells(), &records);
        assert_eq!(missing.len(), 20);
        assert!(missing.iter().all(|cell| cell.strategy == "r-mio"));
    }

    #[test]
    fn a_new_token_does_not_make_results_worthless() {
        let records = records(&experiment());
        let after = Experiment::read(&LAB.replace("Bearer test", "Bearer new"), "x").unwrap();
        assert_eq!(missing(&after.cells(), &records), []);
    }

    #[test]
    fn numbers_that_json_cannot_hold_do_not_spoil_the_line() {
        let mut record = records(&experiment()).iter().next().unwrap().clone();
        record.metrics.insert("ratio".to_owned(), f64::NAN);
        record.seconds = f64::INFINITY;
        let read = Records::read(&record.line());
        let read = read.iter().next().unwrap();
        assert_eq!(read.metric("ratio"), None);
        assert_eq!(read.metric("seconds"), Some(0.0));
        assert_eq!(read.metric("cpu_seconds"), Some(1.25));
    }

    #[test]
    fn metrics_may_be_asked_for_that_no_run_reports() {
        let metric = crate::Metric {
            name: "lines".to_owned(),
            better: Better::Higher,
        };
        let records = records(&experiment());
        assert!(
            records
                .iter()
                .all(|record| record.metric(&metric.name).is_none())
        );
    }
}
