//! Reads what the program wrote about a run.

use serde_json::Value;

use crate::program::Folder;

/// A report in JSON.
#[derive(Debug)]
pub(crate) struct Report(pub(crate) Value);

impl Report {
    pub(crate) fn read(folder: &Folder, name: &str) -> Self {
        let text = folder.read(name);
        Self(serde_json::from_str(&text).expect("a report is JSON"))
    }

    pub(crate) fn findings(&self) -> &[Value] {
        self.0["findings"]
            .as_array()
            .expect("a report has a list of findings")
    }

    pub(crate) fn confirmed(&self) -> Vec<&Value> {
        let confirmed = |finding: &&Value| finding["confirmed"] == true;
        self.findings().iter().filter(confirmed).collect()
    }

    /// Whether this fault of this operation was found and confirmed.
    pub(crate) fn shows(&self, code: &str, operation: &str) -> bool {
        self.confirmed()
            .iter()
            .any(|f| f["code"] == code && f["operation"] == operation)
    }

    /// What is confirmed and matters, each in one line; of a sound service there is nothing.
    pub(crate) fn alarms(&self) -> Vec<String> {
        let weighty = |finding: &&&Value| finding["severity"] != "low";
        self.confirmed()
            .iter()
            .filter(weighty)
            .map(|f| line(f))
            .collect()
    }

    /// Every finding in one line, for messages.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.findings().iter().map(line).collect()
    }

    pub(crate) fn notes(&self) -> Vec<&str> {
        let notes = self.0["notes"].as_array().expect("a report has notes");
        notes.iter().filter_map(Value::as_str).collect()
    }

    pub(crate) fn ending(&self) -> &str {
        self.0["ending"].as_str().unwrap_or_default()
    }

    pub(crate) fn operation(&self, id: &str) -> &Value {
        let operations = self.0["operations"]
            .as_array()
            .expect("a report lists operations");
        let found = operations.iter().find(|o| o["id"] == id);
        found.unwrap_or_else(|| panic!("the report has no {id}"))
    }
}

fn line(finding: &Value) -> String {
    let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    format!(
        "{} {} {} confirmed={} {}: {} | {}",
        text("code"),
        text("severity"),
        text("sureness"),
        finding["confirmed"],
        text("operation"),
        text("title"),
        text("curl"),
    )
}
